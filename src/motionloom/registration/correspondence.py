"""Which frames of all clips correspond: shared events, the reference clip, one curve through all pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import permutations

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.motion import Clip, Event, Motion, PointClip
from motionloom.options.registration import Pin
from motionloom.registration.cycles import Cycles
from motionloom.registration.dtw import SlopeRule
from motionloom.registration.pair_alignment import Frames, Pairs
from motionloom.registration.settings import RegistrationSettings
from motionloom.registration.timewarp import Anchors, TimewarpCurve
from motionloom.registration.timewarp_fit import (
    MIN_KNOT_SPACING,
    fit_periodic_timewarp,
    fit_timewarp,
)

Paths = Mapping[tuple[int, int], FloatArray]
"""Frames (N, 2) that correspond in pairs of clips, in both orders."""

END_MARGIN = 0.06
"""Seconds from an end within which events may be ignored: cuts lie a frame to either side of them."""

RATE_SMOOTHING = 0.1
"""Weight of changes of rate against squared frames of error in the exact fit: enough to remove the steps
of the time alignment from the rates, too little to pull corresponding events apart."""

ANCHORED_SMOOTHING = 1.0
"""The same where shared events anchor the curve and cannot be pulled apart: a change of rate by a frame per
knot interval then counts as much as a sample that is a frame off."""

EVENT_WEIGHT = 3.0
"""Knot intervals whose samples weigh as much as one shared event: the three over which a control point acts.
Samples tell where poses look alike, which leaves a fifth of the strikes of captured gaits more than 0.07 s
apart; a strike is known to a frame or so."""

PIN_WEIGHT = 1e7
"""Samples that weigh as much as one pin: the curve passes it within a millionth of a frame, and the equations
keep eight digits."""

MAX_TRIPLES = 400
"""Triples of clips on which agreement is measured; more add nothing."""

Labels = tuple[tuple[str, str], ...]
"""A sequence of events as their labels and joints."""


def shared_events(clips: Sequence[Motion], labels: Sequence[str]) -> list[Frames] | None:
    """Return the frames of the events with these labels in every clip, or None unless their sequences agree.

    Events near an end of a clip are ignored, as ends correspond anyway, unless the sequences agree only with
    them: a clip may end just where others go on.

    >>> shared_events([], ["strike"]) is None
    True
    """
    sequences = [_possible_sequences([e for e in clip.events if e.label in labels], clip) for clip in clips]
    common = set.intersection(*(set(own) for own in sequences)) if sequences else set()
    agreed = min(common, key=lambda sequence: (len(sequence), sequence), default=())
    if not agreed:
        return None
    return [[event.frame for event in own[agreed]] for own in sequences]


def _possible_sequences(events: Sequence[Event], clip: Motion) -> dict[Labels, Sequence[Event]]:
    """Return the event sequences of a clip, with and without the events near its ends."""
    margin = END_MARGIN / clip.frame_time
    inside = [n for n, event in enumerate(events) if margin < event.frame < clip.n_frames - 1 - margin]
    first, last = (inside[0], inside[-1] + 1) if inside else (len(events), 0)
    cuts = ((i, j) for i in range(first + 1) for j in range(last, len(events) + 1) if i <= j)
    return {tuple((e.label, e.joint) for e in events[i:j]): events[i:j] for i, j in cuts}


def choose_reference(pairs: Pairs, clips: Sequence[Clip | PointClip]) -> int:
    """Return the clip with the smallest mean distance to the others; equal ones are ordered by their data."""
    distances = np.zeros((len(clips), len(clips)))
    for (a, b), pair in pairs.items():
        distances[a, b] = distances[b, a] = np.sqrt(pair.distances).mean()
    means = distances.sum(axis=1) / max(len(clips) - 1, 1)
    candidates = np.flatnonzero(means <= means.min() * (1.0 + 1e-9))
    return min(candidates.tolist(), key=lambda k: _content(clips[k]))


def _content(clip: Clip | PointClip) -> bytes:
    return (clip.rotations if isinstance(clip, Clip) else clip.positions).tobytes()


def paths_of(pairs: Pairs) -> Paths:
    """Return the corresponding frames of all pairs of clips, in both orders."""
    forward = {numbers: pair.frames for numbers, pair in pairs.items()}
    return {**forward, **{(b, a): path[:, ::-1] for (a, b), path in forward.items()}}


def corresponding_frames(
    paths: Paths,
    n_clips: int,
    reference: int,
    settings: RegistrationSettings,
    fps: float,
    events: Sequence[Frames] = (),
    pins: Sequence[Pin] = (),
) -> FloatArray:
    """Return frames (N, K) that correspond: the path itself for two clips, else one row per reference frame.

    Each other clip's pair with the reference is fitted with a curve of its own, anchored at the frames of
    shared ``events`` in each clip and at ``pins``, so that every frame of the reference meets one moment of
    it. Where ends are free, the rows cover what the reference shares with all other clips.
    """
    others = [k for k in range(n_clips) if k != reference]
    if n_clips == 2:
        return paths[0, 1]
    own = {k: [events[reference], events[k]] if events else [] for k in others}
    curves = {
        k: fit_curve(
            paths[reference, k],
            settings,
            fps,
            events=own[k],
            pins=[(pin[reference], pin[k]) for pin in pins],
            smoothing=0.0,
        )
        for k in others
    }
    first = max(paths[reference, k][0, 0] for k in others)
    last = min(paths[reference, k][-1, 0] for k in others)
    if last - first < 1.0:
        raise ParameterError(
            "with free ends, no part of all clips corresponds",
            remedy="give frames with start and end, or register fewer clips",
        )
    frames = np.arange(first, last + 1.0)
    columns = {reference: frames}
    for k, curve in curves.items():
        columns[k] = curve(curve.inverse(0, frames))[:, 1]
    return np.stack([columns[k] for k in range(n_clips)], axis=1)


def fit_curve(
    samples: FloatArray,
    settings: RegistrationSettings,
    fps: float,
    *,
    events: Sequence[Frames] = (),
    pins: Sequence[Pin] = (),
    smoothing: float | None = None,
    cycles: Cycles | None = None,
) -> TimewarpCurve:
    """Fit the timewarp curve of corresponding frames (N, K) with the rates that the settings ask for.

    ``events`` are the frames of shared events in each clip, which anchor the curve; it meets ``pins``, frames
    of all clips, exactly where the rate bounds let it. ``smoothing`` is the weight of changes of rate in the
    exact fit, chosen by whether there are anchors unless given. With ``cycles`` the curve is periodic:
    samples, events and pins are counted from the clips' phases, and the last row closes the cycle.
    """
    spacing = max(MIN_KNOT_SPACING, settings.knot_spacing * fps)
    anchors = event_anchors(samples, _agreeing_events(events, pins, settings.slope_rule), spacing)
    if pins:
        anchors, spacing = _add_pins(anchors, samples, pins, spacing)
    wanted = rate_smoothing(anchors) if smoothing is None else smoothing
    # Nudging has no bound unless one is given.
    free = settings.fit == "nudge" and cycles is None
    rate = settings.min_rate if free else settings.rate_bound
    if cycles is not None:
        return fit_periodic_timewarp(
            samples[:-1] + cycles.phases,
            cycles.periods,
            knot_spacing=spacing,
            min_rate=rate,
            smoothing=wanted,
            anchors=replace(anchors, frames=anchors.frames + cycles.phases),
        )
    return fit_timewarp(
        samples,
        knot_spacing=spacing,
        min_rate=rate,
        mode=settings.fit,
        smoothing=wanted if settings.fit == "exact" else 0.0,
        anchors=anchors,
    )


def rate_smoothing(anchors: Anchors) -> float:
    """Return the weight of changes of rate in an exact fit with these anchors.

    >>> rate_smoothing(Anchors.none(2))
    0.1
    """
    return ANCHORED_SMOOTHING if len(anchors.u) else RATE_SMOOTHING


def event_anchors(samples: FloatArray, events: Sequence[Frames], knot_spacing: float) -> Anchors:
    """Return shared events as anchors of a fit, each where the samples (N, K) come closest to it.

    >>> event_anchors(np.array([[0.0, 0.0], [1.0, 2.0], [2.0, 4.0]]), [[1.5], [3.0]], knot_spacing=3.0).u
    array([1.5])
    """
    if not events:
        return Anchors.none(samples.shape[1])
    frames = np.stack([np.asarray(own, dtype=np.float64) for own in events], axis=1)
    u = np.array([_closest(samples, event) for event in frames])
    return Anchors(u, frames, EVENT_WEIGHT * knot_spacing)


def _agreeing_events(
    events: Sequence[Frames], pins: Sequence[Pin], rule: SlopeRule
) -> list[Frames] | Sequence[Frames]:
    """Return the events that a path through the pins can pass: those that contradict a pin are dropped."""
    if not events or not pins:
        return events
    rows = np.stack([np.asarray(own, dtype=np.float64) for own in events], axis=1)
    gaps = rows[:, None] - np.asarray(pins, dtype=np.float64)
    # In all clips after the pin, or in all before it, and not much farther from it in one than in another.
    ordered = (gaps > 0.0).all(axis=-1) | (gaps < 0.0).all(axis=-1)
    sizes = np.abs(gaps)
    fits = ordered & rule.allows(sizes)
    return [list(own) for own in rows[fits.all(axis=1)].T]


def _add_pins(
    anchors: Anchors, samples: FloatArray, pins: Sequence[Pin], spacing: float
) -> tuple[Anchors, float]:
    """Return the anchors with pins among them, and a knot spacing at which a curve can meet every pin."""
    frames = np.asarray(pins, dtype=np.float64)
    u = np.array([_closest(samples, pin) for pin in frames])
    gaps = np.diff(np.unique([0.0, *u, len(samples) - 1.0]))
    joined = Anchors(
        np.concatenate([anchors.u, u]),
        np.concatenate([anchors.frames, frames]),
        np.concatenate([anchors.weight * np.ones(len(anchors.u)), np.full(len(u), PIN_WEIGHT)]),
    )
    return joined, max(MIN_KNOT_SPACING, min(spacing, float(gaps.min())))


def measure_missed_pins(timewarp: TimewarpCurve, pins: Sequence[Pin]) -> FloatArray:
    """Return how far (P,) a curve passes each pin: frames of a clip at the first clip's frame, at most.

    >>> curve = TimewarpCurve(control_points=[[-1, -2], [1, 2], [3, 6]], knot_spacing=2.0)
    >>> measure_missed_pins(curve, [(1, 2), (1, 3)]).tolist()
    [0.0, 1.0]
    """
    if not pins:
        return np.zeros(0)
    frames = np.asarray(pins, dtype=np.float64)
    at = (
        frames[:, 0]
        if timewarp.periods is not None
        else np.clip(frames[:, 0], *timewarp(timewarp.domain)[:, 0])
    )
    off = timewarp(timewarp.inverse(0, at)) - frames
    if timewarp.periods is not None:
        off -= np.round(off / timewarp.periods) * timewarp.periods
    return np.asarray(np.abs(off).max(axis=1))


def _closest(samples: FloatArray, event: FloatArray) -> float:
    """Return the ``u`` at which the straight lines from sample to sample come closest to an event (K,)."""
    starts, offsets = samples[:-1], np.diff(samples, axis=0)
    fractions = np.clip(((event - starts) * offsets).sum(axis=1) / (offsets**2).sum(axis=1), 0.0, 1.0)
    gaps = ((starts + fractions[:, None] * offsets - event) ** 2).sum(axis=1)
    closest = int(gaps.argmin())
    return closest + float(fractions[closest])


def cycle_error(paths: Paths, n_clips: int) -> float | None:
    """Return the mean difference in frames between pairs and paths through a third clip; None for two clips.

    This is the cycle consistency of the pairwise time alignments.
    """
    if n_clips < 3:
        return None
    maps = {pair: _frame_map(path) for pair, path in paths.items()}
    triples = list(permutations(range(n_clips), 3))
    errors = []
    for a, b, c in triples[:: max(1, len(triples) // MAX_TRIPLES)]:
        frames, direct = maps[a, c]
        through = np.interp(np.interp(frames, *maps[a, b]), *maps[b, c])
        errors.append(np.abs(through - direct).mean())
    return float(np.mean(errors))


def _frame_map(path: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the frames of the first clip, each once, and the mean of the frames of the second they meet."""
    frames, which, counts = np.unique(path[:, 0], return_inverse=True, return_counts=True)
    return frames, np.bincount(which, weights=path[:, 1]) / counts

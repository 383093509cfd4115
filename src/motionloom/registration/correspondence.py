"""From pairwise time alignments to frames of all clips that correspond, and how well pairs agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import permutations

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.motion import Clip, PointClip
from motionloom.registration.anchors import Moments
from motionloom.registration.settings import RegistrationSettings
from motionloom.registration.timewarp import Anchors, TimewarpCurve
from motionloom.registration.timewarp_fit import fit_timewarp, min_rate_for

Paths = Mapping[tuple[int, int], FloatArray]
"""Frames (N, 2) that correspond in pairs of clips, both ways round."""

RATE_SMOOTHING = 0.1
"""Weight of changes of rate against squared frames of error in the exact fit: enough to take the stairs of
the time alignment out of the rates, too little to pull apart events that correspond."""

HELD_SMOOTHING = 1.0
"""The same where shared events hold the curve and cannot be pulled apart: a change of rate by a frame per
knot interval then counts as much as a sample that is a frame off."""

EVENT_WEIGHT = 3.0
"""Knot intervals whose samples weigh as much as one shared event: the three over which a control point acts.
Samples say where poses look alike, which leaves a fifth of the strikes of captured gaits more than 0.07 s
apart; a strike is known to a frame or so."""

MOST_TRIPLES = 400
"""Triples of clips on which agreement is measured; more say nothing new."""


def fitted(
    samples: FloatArray,
    settings: RegistrationSettings,
    fps: float,
    *,
    events: Sequence[Moments] = (),
    smoothing: float | None = None,
) -> TimewarpCurve:
    """The timewarp curve of corresponding frames (N, K) with the rates and ends that the settings ask for.

    ``events`` are the frames of shared events in each clip, which hold the curve; ``smoothing`` is the weight
    of changes of rate in the exact fit, chosen by whether there are events unless given.
    """
    rate = settings.min_rate
    if rate is None and settings.fit != "nudge":
        rate = min_rate_for(settings.slope_limit)
    spacing = max(2.0, settings.knot_spacing * fps)
    anchors = event_anchors(samples, events, spacing)
    wanted = rate_smoothing(anchors) if smoothing is None else smoothing
    return fit_timewarp(
        samples,
        knot_spacing=spacing,
        min_rate=rate,
        mode=settings.fit,
        smoothing=wanted if settings.fit == "exact" else 0.0,
        anchors=anchors,
    )


def rate_smoothing(anchors: Anchors) -> float:
    """The weight of changes of rate in an exact fit with these anchors.

    >>> rate_smoothing(Anchors.none(2))
    0.1
    """
    return HELD_SMOOTHING if len(anchors.u) else RATE_SMOOTHING


def event_anchors(samples: FloatArray, events: Sequence[Moments], knot_spacing: float) -> Anchors:
    """Shared events as anchors of a fit, each where the samples (N, K) come nearest to it.

    >>> event_anchors(np.array([[0.0, 0.0], [1.0, 2.0], [2.0, 4.0]]), [[1.5], [3.0]], knot_spacing=3.0).u
    array([1.5])
    """
    if not events:
        return Anchors.none(samples.shape[1])
    frames = np.stack([np.asarray(own, dtype=np.float64) for own in events], axis=1)
    u = np.array([_nearest(samples, event) for event in frames])
    return Anchors(u, frames, EVENT_WEIGHT * knot_spacing)


def _nearest(samples: FloatArray, event: FloatArray) -> float:
    """The ``u`` at which the straight lines from sample to sample come nearest to an event (K,)."""
    starts, ways = samples[:-1], np.diff(samples, axis=0)
    shares = np.clip(((event - starts) * ways).sum(axis=1) / (ways**2).sum(axis=1), 0.0, 1.0)
    gaps = ((starts + shares[:, None] * ways - event) ** 2).sum(axis=1)
    closest = int(gaps.argmin())
    return closest + float(shares[closest])


def corresponding_frames(
    paths: Paths,
    n_clips: int,
    reference: int,
    settings: RegistrationSettings,
    fps: float,
    events: Sequence[Moments] = (),
) -> FloatArray:
    """Frames (N, K) that correspond: the path itself for two clips, else one row per frame of the reference.

    Each other clip's pair with the reference is fitted with a curve of its own, held by the frames of shared
    ``events`` in each clip, so that every frame of the reference meets one moment of it.
    """
    others = [k for k in range(n_clips) if k != reference]
    if n_clips == 2:
        return paths[0, 1]
    own = {k: [events[reference], events[k]] if events else [] for k in others}
    curves = {k: fitted(paths[reference, k], settings, fps, events=own[k], smoothing=0.0) for k in others}
    frames = np.arange(paths[reference, others[0]][-1, 0] + 1.0)
    columns = {reference: frames}
    for k, curve in curves.items():
        columns[k] = curve(curve.inverse(0, frames))[:, 1]
    return np.stack([columns[k] for k in range(n_clips)], axis=1)


def nearest_to_all(distances: FloatArray, clips: Sequence[Clip | PointClip]) -> int:
    """The clip with the least mean distance (K, K) to the others; among equals whichever data sort first."""
    means = distances.sum(axis=1) / max(len(clips) - 1, 1)
    candidates = np.flatnonzero(means <= means.min() * (1.0 + 1e-9))
    return min(candidates.tolist(), key=lambda k: _content(clips[k]))


def _content(clip: Clip | PointClip) -> bytes:
    return (clip.rotations if isinstance(clip, Clip) else clip.positions).tobytes()


def cycle_error(paths: Paths, n_clips: int) -> float | None:
    """Mean disagreement in frames between going from one clip to another directly and through a third."""
    if n_clips < 3:
        return None
    maps = {pair: _map(path) for pair, path in paths.items()}
    triples = list(permutations(range(n_clips), 3))
    errors = []
    for a, b, c in triples[:: max(1, len(triples) // MOST_TRIPLES)]:
        frames, direct = maps[a, c]
        through = np.interp(np.interp(frames, *maps[a, b]), *maps[b, c])
        errors.append(np.abs(through - direct).mean())
    return float(np.mean(errors))


def _map(path: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Frames of the first clip, each once, and the mean of the frames of the second that they meet."""
    frames, which, counts = np.unique(path[:, 0], return_inverse=True, return_counts=True)
    return frames, np.bincount(which, weights=path[:, 1]) / counts

"""`register`: find how clips correspond in time, in space and in their constraints."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Literal, cast

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError, RegistrationWarning
from motionloom.motion import Clip
from motionloom.motion.result import ClipLike, PointClipLike
from motionloom.motion.unroll import travel, unroll
from motionloom.options import options_given
from motionloom.options.registration import REGISTRATION, Alignment, FitMode, Form, Pin, Profile, SpanEnd
from motionloom.registration.alignment import YAW_REACH, align_samples, fit_alignment
from motionloom.registration.assess import TimeStats, assess
from motionloom.registration.compatibility import make_comparable, reduce_to_common
from motionloom.registration.constraint_match import ConstraintMatches, match_constraints
from motionloom.registration.correspondence import (
    choose_reference,
    corresponding_frames,
    cycle_error,
    fit_curve,
    measure_missed_pins,
    paths_of,
    shared_events,
)
from motionloom.registration.curve import RegistrationCurve
from motionloom.registration.cycles import Cycles, add_start, match_round_cycle
from motionloom.registration.pair_alignment import Pairs, align_pairs
from motionloom.registration.point_cloud import PointCloud, point_clouds
from motionloom.registration.settings import RegistrationSettings, settings_for
from motionloom.registration.time_alignment import AlignmentOutcome
from motionloom.registration.timewarp import TimewarpCurve
from motionloom.registration.timewarp_fit import MIN_KNOT_SPACING
from motionloom.registration.verdict import Verdict
from motionloom.repair.repair import mend_glitches

MAX_PIN_ERROR = 1e-3
"""Frames by which a curve may pass a pin and still meet it."""


def register(
    clips: Sequence[ClipLike] | Sequence[PointClipLike],
    *,
    profile: Profile = "default",
    slope_limit: int | None = None,
    window: float | None = None,
    points: int | Literal["joints"] | None = None,
    joint_weights: Mapping[str, float] | None = None,
    speed_weight: float | None = None,
    start: SpanEnd | None = None,
    end: SpanEnd | None = None,
    pins: Sequence[Pin] | None = None,
    events: Sequence[str] | None = None,
    alignment: Alignment = "auto",
    stiffness: float | None = None,
    min_rate: float | None = None,
    knot_spacing: float | None = None,
    smoothing: int | None = None,
    reference: int | None = None,
    form: Form | None = None,
    fit: FitMode | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> RegistrationCurve:
    """Find how clips correspond in time, in space and in their constraints.

    Options that are None take the profile's value.

    Parameters
    ----------
    clips
        Two or more clips of one body, or of the same points; constraints are matched where the clips have
        them. Joints at the ends of chains that not all clips have, such as fingers and props, are not
        compared, and neither are points that a clip loses for long.
    profile
        "default", or the papers' own settings: "paper" or "thesis".
    slope_limit
        Each frame of one clip corresponds to at most this many frames of another. Default 3.
    window
        Seconds to either side that are compared together with a frame. Default 1/15.
    points
        How many points stand for the body; "joints" compares joints and bone tips. Default "joints".
    joint_weights
        Factors on the weights of joints in the pose distance, by name. Default 1 each.
    speed_weight
        Weight of the points' speeds against their positions in the time alignment. Default 1.
    start, end
        Where the correspondence starts and ends: "corners" (the ends of all clips), "free" (found), one frame
        per clip such as (10, 14, 9), or "auto": corners, and the whole cycle of cyclic clips. Default "auto".
    pins
        Frames that correspond exactly, one per clip each, such as [(30, 42, 28)]. Default none.
    events
        Labels of events at which the clips correspond, where all have the same sequence of them; an empty
        list ignores events. Default ["strike"], and none beside start, end and pins.
    alignment
        "windowed" aligns the times of two clips in small windows, each as well as it can, whatever comes
        later: for clips that agree in parts only, and for long ones. "auto" finds the best path from end to
        end, and takes windows where the clips are too long for that. Default "auto".
    stiffness
        Weight of changes of rate where frames cannot be told apart; 0 follows the raw path. Default 5.
    min_rate
        Smallest ratio of two clips' rates. Default 1 / (2 · slope_limit).
    knot_spacing
        Seconds per piece of the curves. Default 0.1.
    smoothing
        Odd width of a median filter on sampled alignments, in samples; 1 is none. Default 1.
    reference
        Number of the clip that the others are registered to. Default: the one closest to all others.
    form
        Rule of the time alignment: "reversible" or "thesis". Default "reversible".
    fit
        How the timewarp curve is fitted: "exact", "nudge" (thesis) or "appendix" (paper). Default "exact".
    progress
        Called with how many of how many pairs of clips are aligned.

    Returns
    -------
    RegistrationCurve
        How the clips correspond, with a report and its verdict.

    Raises
    ------
    ParameterError
        Clips cannot be compared, or options cannot be met; the message says what to change.

    >>> from motionloom.synthesis import walk
    >>> slow, fast = (walk(speed=speed, duration=2.0, fps=30).clip for speed in (1.2, 1.6))
    >>> curve = register([slow, fast])
    >>> curve.timewarp(curve.domain[1]).round(6)
    array([60., 60.])
    """
    settings = settings_for(**options_given(REGISTRATION, locals()))
    # Clips of points offer all that the steps below ask of a clip: frames, rate, events and constraints.
    if progress is not None and not callable(progress):
        raise ParameterError(
            f"must be a function of two numbers, or None, not {progress!r}",
            parameter="progress",
            value=progress,
        )
    clips, notes = make_comparable(cast(Sequence[Clip], clips))
    _check_fits(settings, clips)
    fps, frame_time = clips[0].fps, clips[0].frame_time

    # Cyclic clips are compared over one cycle from a common phase.
    round_cycle = settings.start == settings.end == "auto" and all(clip.cyclic for clip in clips)
    cycles = Cycles.of(clips, settings.pins) if round_cycle else None
    spans = list(clips) if cycles is None else cycles.cut(clips)
    passed = list(settings.pins) if cycles is None else cycles.shift_pins(settings.pins)
    check_pins(passed, settings)
    clouds = make_clouds(spans, settings)

    # 1. Which frames correspond, pair by pair (paper 4.1, thesis 5.2.1).
    anchors = shared_events(spans, settings.event_labels) or [[] for _ in spans]
    # The first pin of cyclic clips is where their cycles begin and end.
    inner = [pin for pin in passed if cycles is None or any(pin)]
    pairs = align_pairs(clouds, anchors, replace(settings, pins=inner), frame_time, progress)
    paths = paths_of(pairs)
    chosen = choose_reference(pairs, clips) if settings.reference is None else settings.reference
    samples = corresponding_frames(paths, len(clips), chosen, settings, fps, anchors, inner)

    # 2. One strictly increasing timewarp curve through them (4.2, 5.2.2).
    if cycles is not None:
        anchors = add_start(anchors, spans, settings.event_labels)
    timewarp = fit_curve(samples, settings, fps, events=anchors, pins=passed, cycles=cycles)

    # 3. Where the clips lie on the ground along it, and 4. which constraints belong together.
    if cycles is not None:
        # Three cycles in a row, of which the middle one has its neighbours on both sides.
        samples = samples + cycles.phases
        clouds = make_clouds([unroll(clip, 3) for clip in clips], settings)
    stats = TimeStats(
        **_measure_strain(pairs, chosen, reach=round(settings.knot_spacing * fps)),
        cycle_error=cycle_error(paths, len(clips)),
        notes=(
            *notes,
            *_cycle_notes(clips),
            *_alignment_notes(pairs, settings),
            *_note_missed_pins(timewarp, settings),
        ),
    )
    return build_curve(clips, clouds, samples, timewarp, chosen, settings, stats=stats, stacklevel=2)


def make_clouds(clips: Sequence[Clip], settings: RegistrationSettings) -> list[PointCloud]:
    """Return the points of clips by which they are compared, without glitches of capture."""
    mended = [mend_glitches(clip) for clip in reduce_to_common(clips)]
    return point_clouds(mended, settings.points, settings.joint_weights)


def build_curve(
    clips: tuple[Clip, ...],
    clouds: Sequence[PointCloud],
    samples: FloatArray,
    timewarp: TimewarpCurve,
    reference: int,
    settings: RegistrationSettings,
    *,
    stats: TimeStats,
    stacklevel: int,
) -> RegistrationCurve:
    """Align clips in space along a timewarp curve, match their constraints, and warn if they do not fit.

    ``clouds`` are the points of the clips, of cyclic clips over three cycles; ``samples`` (N, K) are the
    frames that the curve was fitted to. ``stacklevel`` is how many calls lie between the user's line and this
    one.
    """
    fps, periodic = clips[0].fps, timewarp.periods is not None
    aligned = align_samples(
        clouds,
        timewarp,
        reference,
        half_width=round(settings.window * fps),
        shifts=0.0 if timewarp.periods is None else timewarp.periods,
    )
    alignment = fit_alignment(
        aligned,
        reference,
        knot_spacing=max(MIN_KNOT_SPACING, settings.knot_spacing * fps),
        smoothing=settings.smoothing,
        yaw_reach=YAW_REACH * fps,
        travels=[travel(clip) for clip in clips] if periodic else None,
    )
    found = match_round_cycle(clips, timewarp) if periodic else _match_end_to_end(clips, timewarp)
    report = assess(clips, clouds, timewarp, alignment, aligned, found, stats)
    if report.verdict is not Verdict.GOOD:
        warnings.warn(RegistrationWarning(report.sentence), stacklevel=stacklevel + 1)
    return RegistrationCurve(
        clips=clips,
        timewarp=timewarp,
        alignment=alignment,
        matches=found.matches,
        reference=reference,
        report=report,
        settings=settings,
        samples=samples,
    )


def _match_end_to_end(clips: Sequence[Clip], timewarp: TimewarpCurve) -> ConstraintMatches:
    spans = timewarp(timewarp.domain)
    return match_constraints(
        [clip.constraints for clip in clips],
        lambda k, frames: timewarp.inverse(k, np.clip(frames, *spans[:, k])),
    )


def _check_fits(settings: RegistrationSettings, clips: Sequence[Clip]) -> None:
    """Refuse a reference, pins and ends that the clips do not have."""
    n_clips = len(clips)
    if settings.reference is not None and not 0 <= settings.reference < n_clips:
        raise ParameterError(
            f"must be one of the clips 0 to {n_clips - 1}, not {settings.reference}",
            parameter="reference",
            value=settings.reference,
        )
    ends = [
        (name, end)
        for name, end in (("start", settings.start), ("end", settings.end))
        if isinstance(end, tuple)
    ]
    for name, frames in [*ends, *(("pins", pin) for pin in settings.pins)]:
        if len(frames) != n_clips:
            raise ParameterError(
                f"{frames} has {len(frames)} frames, but there are {n_clips} clips",
                subject=name,
                remedy="give one frame of each",
            )
        for k, (frame, clip) in enumerate(zip(frames, clips, strict=True)):
            if not 0 <= frame < clip.n_frames:
                raise ParameterError(
                    f"{frames} names frame {frame} of clip {k}, which has frames 0 to {clip.n_frames - 1}",
                    subject=name,
                )


def check_pins(pins: Sequence[Pin], settings: RegistrationSettings) -> None:
    """Refuse pins and ends that no correspondence can pass in their order.

    >>> check_pins([(3, 4), (9, 5)], RegistrationSettings(start=(1, 2)))
    """
    first, last = ([end] if isinstance(end, tuple) else [] for end in (settings.start, settings.end))
    for before, after in pairwise([*first, *pins, *last]):
        if not all(one < other for one, other in zip(before, after, strict=True)):
            raise ParameterError(
                f"no correspondence can pass {before} and then {after}",
                remedy="start, pins and end must each be later than the one before in every clip",
            )


def _measure_strain(pairs: Pairs, reference: int, reach: int) -> dict[str, float]:
    """Return saturation and distortion of the worst time alignment with the reference."""
    alignments = [pair.alignment for numbers, pair in pairs.items() if reference in numbers]
    return {
        "saturation": max(alignment.saturation for alignment in alignments),
        "distortion": max(alignment.distortion(reach) for alignment in alignments),
    }


def _cycle_notes(clips: Sequence[Clip]) -> list[str]:
    if len({clip.cyclic for clip in clips}) == 1:
        return []
    return ["some of the clips are cyclic and some are not: all were registered from end to end"]


def _alignment_notes(pairs: Pairs, settings: RegistrationSettings) -> list[str]:
    notes: list[str] = []
    windowed = any(pair.alignment.outcome is AlignmentOutcome.WINDOWED for pair in pairs.values())
    if windowed and settings.alignment == "auto":
        notes.append("the clips are long: they were aligned window by window, not on one whole grid")
    stretched = sum(pair.stretched for pair in pairs.values())
    if stretched:
        notes.append(
            f"in {stretched} of {len(pairs)} pairs one clip is more than twice as long as the other: "
            "they were stretched to one length before time alignment"
        )
    return notes


def _note_missed_pins(timewarp: TimewarpCurve, settings: RegistrationSettings) -> list[str]:
    """Return a sentence for each pin that the curve does not meet."""
    missed = measure_missed_pins(timewarp, settings.pins)
    return [
        f"pin {pin} was missed by {off:.2g} frames: it lies so close to another pin or to an end that the "
        "clips' rates would differ too much"
        for pin, off in zip(settings.pins, missed.tolist(), strict=True)
        if off > MAX_PIN_ERROR
    ]

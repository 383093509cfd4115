"""Close a captured gait or another repeating motion to a cycle."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from motionloom.annotation import annotate, strikes
from motionloom.annotation.treadmill import recover_if_in_place
from motionloom.cycles.cycle_report import (
    CycleReport,
    max_change,
    measure_cycle,
    plant_steps,
    seam_acceleration,
)
from motionloom.cycles.loop_annotations import Span, cycle_constraints, cycle_events
from motionloom.cycles.loop_closing import close_cycle, match_travel, sample_cycle, seam_placement
from motionloom.cycles.loop_search import Loop, find_loop, measure_travel
from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform
from motionloom.motion import Clip
from motionloom.motion.body import on_body
from motionloom.motion.clip import check_clip
from motionloom.motion.provenance import derive
from motionloom.motion.steady_travel import put_in_place
from motionloom.motion.unroll import MIN_CYCLE_FRAMES, travel
from motionloom.registration.distance import DEFAULT_WINDOW, MAX_WINDOW
from motionloom.validation import check_count, check_number

EASE = 0.5
"""Seconds on each side of the seam over which closing fades out: about half a stride of a walk, so that feet
that stand at the seam drift slowly and the rest of a longer cycle stays as captured."""


@on_body
def cyclify(
    clip: Clip,
    *,
    cycles: int | None = None,
    near: float | None = None,
    seam_limit: float | None = None,
    window: float = DEFAULT_WINDOW,
    ease: float = EASE,
) -> Clip:
    """Find the best cycle of a clip and close it, so that it repeats without a jump.

    Of all cycles whose seam is within the limit, the longest is taken, because it keeps most of the motion;
    among equally long ones of a gait, the smallest seam of those that represent the clip in speed and turn
    or, where none does, the one that comes nearest to it. Its ends are eased into one pose and one
    velocity. The root travels and turns as captured (:func:`~motionloom.motion.unroll.travel`). Time is
    stretched by at most half a frame per cycle, so that the cycle takes a whole number of frames. Constraints
    lie within frames 0 to T; one that crosses the seam is split into two that touch 0 and T.

    Parameters
    ----------
    clip
        A gait (whole strides are kept) or another repeating motion; annotated first unless it has strikes.
        A cyclic clip is returned unchanged; giving ``cycles`` for it is an error.
    cycles
        How many strides or repetitions to keep; as many as possible by default, and one with ``near``.
    near
        Frame of the clip near which the middle of the cycle is to lie, in place of one that represents the
        clip.
    seam_limit
        Largest distance between both ends before closing, metres; a tenth of the body's radius by default.
        When no cycle is within it, the one with the smallest seam is closed and ``report.passed`` is False.
    window
        Seconds to either side of an end that are compared.
    ease
        Seconds on each side of the seam over which closing fades out; at most half of the cycle.

    Returns
    -------
    Clip
        A cyclic clip whose ``report`` is a :class:`~motionloom.cycles.CycleReport`.

    >>> from motionloom.synthesis import walk
    >>> loop = cyclify(walk(duration=3.0).clip)
    >>> loop.cyclic, loop.n_frames, loop.report.cycles, loop.report.passed
    (True, 123, 2, True)
    """
    check_clip("cyclify", clip)
    _check_settings(cycles, seam_limit, window, ease)
    if near is not None:
        check_number("near", near, min=0.0, max=clip.n_frames - 1, unit="frames")
    if clip.cyclic:
        _refuse_recount(cycles)
        return clip
    cycles = 1 if cycles is None and near is not None else cycles
    _check_length(clip.n_frames, "clip")
    moving, steady = recover_if_in_place(clip)
    if steady is not None:
        cycle = cyclify(moving, cycles=cycles, near=near, seam_limit=seam_limit, window=window, ease=ease)
        start = steady.rows(np.array([cycle.report.start * clip.frame_time]))[0].tolist()
        return replace(put_in_place(cycle.placed(GroundTransform(*start).inverse())), report=cycle.report)
    known = clip if strikes(clip) else annotate(clip)

    # 1. Where to cut.
    loop = find_loop(known, cycles=cycles, seam_limit=seam_limit, window=window, near=near)
    _check_length(loop.n_frames, "cycle")

    # 2. Whole frames, and both ends eased into their mean.
    captured = sample_cycle(known, loop.start, loop.end, margin=max(round(window / clip.frame_time), 1))
    placement = seam_placement(captured)
    cycle = close_cycle(captured, placement, max(round(ease / clip.frame_time), 1))
    cycle = match_travel(cycle, placement)

    # 3. Constraints and events.
    span = Span(loop.start, loop.end, captured.n_frames, clip.frame_time)
    result = replace(
        cycle,
        constraints=cycle_constraints(known.constraints, span),
        events=cycle_events(known.events, span),
        cyclic=True,
        provenance=derive(known, "closed", start=span.start, rate=1.0 / span.scale),
    )
    change = max_change(result, captured.clip[captured.margin : captured.margin + captured.n_frames])
    return replace(result, report=_report(known, loop, result, change))


def try_cyclify(clip: Clip) -> Clip:
    """Return the longest cycle of a clip, or the clip itself where it is cyclic or no cycle closes well.

    >>> from motionloom.synthesis import stand, walk
    >>> try_cyclify(walk(duration=3.0).clip).cyclic, try_cyclify(stand(duration=0.1).clip).cyclic
    (True, False)
    """
    if clip.cyclic:
        return clip
    try:
        cycle = cyclify(clip)
    except ParameterError:
        return clip
    report = cycle.report
    return cycle if isinstance(report, CycleReport) and report.passed else clip


def frame_in_cycle(frame: float, clip: Clip, cycle: Clip, subject: str = "") -> float:
    """Return the frame of ``cycle``, with a fraction, that shows a frame of ``clip``, its origin.

    Where the cycle is the clip itself, frames stay as they are. ``subject`` begins the error for a frame that
    is not part of the cycle.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=3.0).clip
    >>> cycle = cyclify(clip)
    >>> frame_in_cycle(cycle.report.start, clip, cycle)
    0.0
    """
    if cycle is clip or not cycle.cyclic:
        return frame
    part = cycle.provenance.relative_to(clip.provenance)
    end = float(part.frames(cycle.n_frames))
    if not part.start <= frame <= end:
        subject = subject or f"the clips are to meet at frame {frame:g} of one"
        raise ParameterError(f"{subject}, of which frames {part.start:.0f} to {end:.0f} repeat")
    return float(part.clip_frames(frame)) % cycle.n_frames


def _report(clip: Clip, loop: Loop, result: Clip, change: float) -> CycleReport:
    plant_step, captured = plant_steps(result, clip[loop.start : int(loop.end) + 1])
    speed, turn = measure_cycle(result)
    clip_speed, clip_turn = measure_travel(clip)
    return CycleReport(
        unit=loop.unit,
        cycles=loop.cycles,
        start=loop.start,
        end=loop.end,
        duration=(loop.end - loop.start) * clip.frame_time,
        coverage=(loop.end - loop.start) / max(clip.n_frames - 1, 1),
        seam=loop.seam,
        seam_limit=loop.limit,
        change=change,
        acceleration=seam_acceleration(result),
        plant_step=plant_step,
        captured_plant_step=captured,
        travel=travel(result),
        speed=speed,
        turn=turn,
        clip_speed=clip_speed,
        clip_turn=clip_turn,
    )


def _check_settings(cycles: int | None, seam_limit: float | None, window: float, ease: float) -> None:
    if cycles is not None:
        check_count("cycles", cycles)
    if seam_limit is not None:
        check_number("seam_limit", seam_limit, min=0.0, unit="metres")
    check_number("window", window, min=0.0, max=MAX_WINDOW, unit="seconds")
    check_number("ease", ease, min=0.0, unit="seconds")


def _refuse_recount(cycles: int | None) -> None:
    """Refuse to count the strides of a closed cycle: it does not say where they could be cut apart."""
    if cycles is not None:
        raise ParameterError(
            "the clip is a closed cycle already",
            remedy=f"cyclify the captured clip again with cycles={cycles}, or leave cycles out",
        )


def _check_length(n_frames: int, what: str) -> None:
    if n_frames < MIN_CYCLE_FRAMES:
        raise ParameterError(
            f"the {what} has only {n_frames} frames and needs at least {MIN_CYCLE_FRAMES}",
            remedy="give a longer clip, or one with more frames per second",
        )

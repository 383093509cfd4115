"""Close a captured gait or another repeating motion to a cycle, with its constraints and events."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple, overload

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
from motionloom.cycles.loop_closing import close_cycle, match_travel, sample_cycle, seam_placement
from motionloom.cycles.loop_search import Loop, find_loop, measure_travel
from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform
from motionloom.motion import Clip, Constraint, Event, PointClip
from motionloom.motion.annotations import crop_constraints
from motionloom.motion.body import on_body
from motionloom.motion.point_body import take_body_as_points, take_points_as_body
from motionloom.motion.provenance import derive
from motionloom.motion.result import ClipLike, PointClipLike, Result, check_clip
from motionloom.motion.steady_travel import put_in_place
from motionloom.motion.unroll import MIN_CYCLE_FRAMES, travel
from motionloom.options.registration import DEFAULT_WINDOW, MAX_WINDOW
from motionloom.validation import check_count, check_number

EASE = 0.5
"""Seconds on each side of the seam over which closing fades out: about half a stride of a walk, so that feet
that stand at the seam drift slowly and the rest of a longer cycle stays as captured."""

SAME_INSTANT = 0.15
"""Seconds: a strike near the seam at the start of a cycle and one at its end that differ by no more than this
are the same strike, captured twice. One foot of the fastest runners strikes every 0.4 s."""


@overload
def cyclify(
    clip: ClipLike,
    *,
    cycles: int | None = None,
    near: float | None = None,
    seam_limit: float | None = None,
    window: float = DEFAULT_WINDOW,
    ease: float = EASE,
) -> Result[CycleReport]: ...
@overload
def cyclify(
    clip: PointClipLike,
    *,
    cycles: int | None = None,
    near: float | None = None,
    seam_limit: float | None = None,
    window: float = DEFAULT_WINDOW,
    ease: float = EASE,
) -> Result[CycleReport, PointClip]: ...
@on_body
def cyclify(
    clip: ClipLike | PointClipLike,
    *,
    cycles: int | None = None,
    near: float | None = None,
    seam_limit: float | None = None,
    window: float = DEFAULT_WINDOW,
    ease: float = EASE,
) -> Result[CycleReport] | Result[CycleReport, PointClip]:
    """Find the best cycle of a clip and close it, so that it repeats without a jump.

    Of all cycles whose seam is within the limit, the longest is taken, because it keeps most of the motion;
    among equally long ones of a gait, the smallest seam of those that represent the clip in speed and turn
    or, where none does, the one that comes nearest to it. Its ends are eased into one pose and one
    velocity. The root travels and turns as captured (:func:`~motionloom.motion.unroll.travel`). Time is
    stretched by at most half a frame per cycle, so that the cycle takes a whole number of frames. Constraints
    lie within frames 0 to T; one that crosses the seam is split into two that touch 0 and T.

    Points without a skeleton are taken as a body whose root lies below their middle. They do not say which of
    them are a left and a right foot, so repetitions are counted and not strides. Gaps are filled.

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
    Result
        A cyclic clip, and a :class:`~motionloom.cycles.CycleReport`.

    Raises
    ------
    ParameterError
        No cycle was found, the clip is too short, or ``cycles`` are asked of a cyclic clip.

    >>> from motionloom.synthesis import walk
    >>> loop = cyclify(walk(duration=3.0).clip)
    >>> loop.clip.cyclic, loop.clip.n_frames, loop.report.cycles, loop.report.passed
    (True, 123, 2, True)
    """
    points = clip.clip if isinstance(clip, Result) else clip
    if isinstance(points, PointClip):
        body = take_points_as_body(points)
        closed = cyclify(body, cycles=cycles, near=near, seam_limit=seam_limit, window=window, ease=ease)
        return Result(take_body_as_points(closed.clip, points), closed.report)
    clip = check_clip("cyclify", clip)
    _check_settings(cycles, seam_limit, window, ease)
    if near is not None:
        check_number("near", near, min=0.0, max=clip.n_frames - 1, unit="frames")
    if clip.cyclic:
        _refuse_recount(cycles)
        return Result(clip, _report_cyclic(clip, seam_limit))
    cycles = 1 if cycles is None and near is not None else cycles
    _check_length(clip.n_frames, "clip")
    moving, steady = recover_if_in_place(clip)
    if steady is not None:
        found = cyclify(moving, cycles=cycles, near=near, seam_limit=seam_limit, window=window, ease=ease)
        start = steady.rows(np.array([found.report.start * clip.frame_time]))[0].tolist()
        still = put_in_place(found.clip.placed(GroundTransform(*start).inverse())).clip
        return Result(still, found.report)
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
    return Result(result, _report(known, loop, result, change))


def try_cyclify(clip: Clip) -> Result[CycleReport | None]:
    """Return the longest cycle of a clip; the clip, without a report, where it is cyclic or none closes well.

    >>> from motionloom.synthesis import stand, walk
    >>> try_cyclify(walk(duration=3.0).clip).clip.cyclic, try_cyclify(stand(duration=0.1).clip).report
    (True, None)
    """
    if clip.cyclic:
        return Result(clip, None)
    try:
        cycle = cyclify(clip)
    except ParameterError:
        return Result(clip, None)
    return cycle if cycle.report.passed else Result(clip, None)


def frame_in_cycle(frame: float, clip: Clip, cycle: Clip, subject: str = "") -> float:
    """Return the frame of ``cycle``, with a fraction, that shows a frame of ``clip``, its origin.

    Where the cycle is the clip itself, frames stay as they are. ``subject`` begins the error for a frame that
    is not part of the cycle.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=3.0).clip
    >>> cycle = cyclify(clip)
    >>> frame_in_cycle(cycle.report.start, clip, cycle.clip)
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


def _report_cyclic(clip: Clip, seam_limit: float | None) -> CycleReport:
    """Return the report on a clip that is a cycle already."""
    whole = clip.n_frames >= MIN_CYCLE_FRAMES
    speed, turn = measure_cycle(clip) if whole else (0.0, 0.0)
    plant_step, captured = plant_steps(clip, clip) if whole else (0.0, 0.0)
    return CycleReport(
        unit="repetition",
        cycles=1,
        start=0,
        end=float(clip.n_frames),
        duration=clip.n_frames * clip.frame_time,
        coverage=1.0,
        seam=0.0,
        seam_limit=0.0 if seam_limit is None else seam_limit,
        change=0.0,
        acceleration=seam_acceleration(clip) if whole else 0.0,
        plant_step=plant_step,
        captured_plant_step=captured,
        travel=travel(clip) if whole else GroundTransform(),
        speed=speed,
        turn=turn,
        clip_speed=speed,
        clip_turn=turn,
        was_cyclic=True,
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


class Span(NamedTuple):
    """A cycle in the given clip: first frame, frame that follows it, number of frames, seconds per frame."""

    start: float
    end: float
    n_frames: int
    frame_time: float

    @property
    def scale(self) -> float:
        """Frames of the cycle per frame of the given clip."""
        return self.n_frames / (self.end - self.start)


def cycle_constraints(constraints: Iterable[Constraint], span: Span) -> tuple[Constraint, ...]:
    """Return the constraints of a cycle, within frames 0 to T; one across the seam is split in two.

    Where a constraint starts, or ends, near the seam at the start of the cycle and another does so at its
    end, both are moved to their mean, as the poses are.

    >>> plants = [Constraint("LeftFoot", "heel", 8, 30), Constraint("LeftFoot", "heel", 108.5, 120)]
    >>> [(c.start, c.end) for c in cycle_constraints(plants, Span(10.0, 110.0, 100, 1 / 60))]
    [(0.0, 20.0), (98.25, 100.0)]
    """
    lanes: dict[tuple[str, str], list[Constraint]] = {}
    for constraint in constraints:
        moved = constraint.retimed(span.scale, -span.start * span.scale)
        lanes.setdefault((moved.joint, moved.kind), []).append(moved)
    return tuple(
        found
        for lane in lanes.values()
        for found in crop_constraints(_reconcile(lane, span), 0.0, span.n_frames)
    )


def _reconcile(lane: Sequence[Constraint], span: Span) -> list[Constraint]:
    """Make starts and ends of constraints of one joint and kind agree at both ends of the cycle."""
    starts = _reconcile_instants([c.start for c in lane], span)
    ends = _reconcile_instants([c.end for c in lane], span)
    changed = zip(lane, starts, ends, strict=True)
    return [replace(c, start=start, end=end) for c, start, end in changed if start < end]


def cycle_events(events: Iterable[Event], span: Span) -> tuple[Event, ...]:
    """Return the events of a cycle, from frame 0 to before frame T; an event at the seam is there once.

    >>> hits = [Event(9.5, "strike", "LeftFoot"), Event(111.5, "strike", "LeftFoot")]
    >>> [event.frame for event in cycle_events(hits, Span(10.0, 110.0, 100, 1 / 60))]
    [0.5]
    """
    lanes: dict[tuple[str, str], list[Event]] = {}
    for event in events:
        moved = event.retimed(span.scale, -span.start * span.scale)
        lanes.setdefault((moved.label, moved.joint), []).append(moved)
    found = []
    for lane in lanes.values():
        frames = _reconcile_instants([event.frame for event in lane], span)
        within_cycle = [frame for frame in frames if 0.0 <= frame < span.n_frames]
        within_cycle += _wrap_lone_instants(frames, within_cycle, span)
        found += [replace(lane[0], frame=frame) for frame in within_cycle]
    return tuple(found)


def _wrap_lone_instants(frames: Sequence[float], inside: Sequence[float], span: Span) -> list[float]:
    """Return instants just outside the cycle, moved to its other end where nothing like them is near."""
    reach, period = SAME_INSTANT / span.frame_time, span.n_frames
    wrapped = []
    for frame in frames:
        is_near = -reach <= frame < 0.0 or period <= frame <= period + reach
        away = [abs((frame - other + period / 2.0) % period - period / 2.0) for other in inside]
        if is_near and min(away, default=np.inf) > 2.0 * reach:
            wrapped.append(frame % period)
    return wrapped


def _reconcile_instants(frames: Sequence[float], span: Span) -> list[float]:
    """Move the instant nearest to frame 0 and the one nearest to frame T to their mean if they are one."""
    agreed = np.array(frames, dtype=np.float64)
    reach = SAME_INSTANT / span.frame_time
    first, last = (int(np.abs(agreed - seam).argmin()) for seam in (0, span.n_frames))
    early, late = agreed[first], agreed[last] - span.n_frames
    at_seam = min(abs(early), abs(late)) <= reach
    if first != last and at_seam and abs(early - late) <= reach:
        agreed[first] = (early + late) / 2.0
        agreed[last] = agreed[first] + span.n_frames
    return [float(frame) for frame in agreed]

"""A captured gait or other repeating motion as a closed cycle."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from numbers import Real

from motionloom.annotation import annotate, strikes
from motionloom.cycles.loop_annotations import Span, cycle_constraints, cycle_events
from motionloom.cycles.loop_closing import captured_cycle, closed, seam_placement, settled
from motionloom.cycles.loop_measures import largest_change, plant_steps, seam_acceleration
from motionloom.cycles.loop_report import CycleReport
from motionloom.cycles.loop_search import Loop, find_loop
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.motion.unroll import MIN_CYCLE_FRAMES, travel
from motionloom.registration.distance import DEFAULT_WINDOW
from motionloom.validation import check_count

EASE = 0.5
"""Seconds on each side of the seam over which closing fades out: about half a stride of a walk, so that the
feet that stand at the seam drift slowly and the rest of a longer cycle stays as captured."""


def cyclify(
    clip: Clip,
    *,
    n_cycles: int | None = None,
    seam_limit: float | None = None,
    window: float = DEFAULT_WINDOW,
    ease: float = EASE,
) -> Clip:
    """Find the best cycle of a clip and close it: its last frame leads on to its first.

    Of all cycles whose seam keeps to the limit the longest is taken, as it keeps most of the motion; among
    equally long ones the one with the least seam. Its ends are eased into one pose and one velocity. The root
    travels and turns as captured (:func:`~motionloom.motion.unroll.travel`), and time is stretched by
    half a frame per cycle or less, so that the cycle takes a whole number of frames. Constraints lie within
    frames 0 to T; one that crosses the seam is cut into two that touch 0 and T.

    Parameters
    ----------
    clip
        A gait (whole strides are kept) or another motion that repeats; it is annotated unless it has strikes.
        A clip that is cyclic already is returned as it is, unless ``n_cycles`` is given, which is refused.
    n_cycles
        How many strides or repetitions to keep; as many as possible by default.
    seam_limit
        Largest distance between both ends before closing, metres; a tenth of the body's radius by default.
        When no cycle keeps to it, the one with the least seam is closed and ``report.passed`` is False.
    window
        Seconds to either side of an end that are compared.
    ease
        Seconds on each side of the seam over which closing fades out; at most half of the cycle is used.

    Returns
    -------
    Clip
        A cyclic clip; ``report`` is a :class:`~motionloom.cycles.loop_report.CycleReport`.

    >>> from motionloom.synthesis import walk
    >>> loop = cyclify(walk(duration=3.0).clip)
    >>> loop.cyclic, loop.n_frames, loop.report.n_cycles, loop.report.passed
    (True, 123, 2, True)
    """
    _check_settings(n_cycles, seam_limit, window, ease)
    if clip.cyclic:
        _refuse_recount(n_cycles)
        return clip
    _check_length(clip.n_frames, "clip")
    known = clip if strikes(clip) else annotate(clip)
    # 1. Where to cut.
    loop = find_loop(known, n_cycles=n_cycles, seam_limit=seam_limit, window=window)
    _check_length(loop.n_frames, "cycle")
    # 2. Whole frames, and both ends eased into their middle.
    captured = captured_cycle(known, loop.start, loop.end, margin=max(round(window / clip.frame_time), 1))
    way = seam_placement(captured)
    cycle = settled(closed(captured, way, max(round(ease / clip.frame_time), 1)), way)
    # 3. What the cycle carries.
    span = Span(loop.start, loop.end, captured.n_frames, clip.frame_time)
    result = replace(
        cycle,
        constraints=cycle_constraints(known.constraints, span),
        events=cycle_events(known.events, span),
        cyclic=True,
    )
    change = largest_change(result, captured.clip[captured.margin : captured.margin + captured.n_frames])
    return replace(result, report=_report(known, loop, result, change))


def _report(source: Clip, loop: Loop, result: Clip, change: float) -> CycleReport:
    plant_step, captured = plant_steps(result, source[loop.start : int(loop.end) + 1])
    return CycleReport(
        unit=loop.unit,
        n_cycles=loop.n_cycles,
        start=loop.start,
        end=loop.end,
        seconds=(loop.end - loop.start) * source.frame_time,
        coverage=(loop.end - loop.start) / max(source.n_frames - 1, 1),
        seam=loop.seam,
        seam_limit=loop.limit,
        change=change,
        acceleration=seam_acceleration(result),
        plant_step=plant_step,
        captured_plant_step=captured,
        travel=travel(result),
    )


def _check_settings(n_cycles: int | None, seam_limit: float | None, window: float, ease: float) -> None:
    if n_cycles is not None:
        check_count("n_cycles", n_cycles)
    if seam_limit is not None and not _is_amount(seam_limit):
        raise ParameterError(f"seam_limit must be a number of metres from zero up, not {seam_limit!r}")
    for name, value in (("window", window), ("ease", ease)):
        if not _is_amount(value):
            raise ParameterError(f"{name} must be a number of seconds from zero up, not {value!r}")


def _is_amount(value: object) -> bool:
    """Whether a value is a finite number from zero up; truth values are none."""
    return isinstance(value, Real) and not isinstance(value, bool) and 0.0 <= float(value) < inf


def _refuse_recount(n_cycles: int | None) -> None:
    """A closed cycle does not say where its strides could be cut apart again."""
    if n_cycles is not None:
        raise ParameterError(
            "the clip is a closed cycle already: cyclify the captured clip again with "
            f"n_cycles={n_cycles}, or leave n_cycles out"
        )


def _check_length(n_frames: int, what: str) -> None:
    if n_frames < MIN_CYCLE_FRAMES:
        raise ParameterError(
            f"the {what} has only {n_frames} frames, and {MIN_CYCLE_FRAMES} are needed to go on from: "
            "give a longer clip, or one with more frames per second"
        )

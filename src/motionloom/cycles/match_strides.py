"""Cut locomotion clips to the same strides: equally many, from the same moment of the gait."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from motionloom.annotation.labels import STRIKE
from motionloom.annotation.strides import gait_fault, gait_phase, strikes
from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.motion import Clip, Event
from motionloom.motion.anatomy import Leg, find_anatomy
from motionloom.motion.body import take_bodies
from motionloom.motion.result import ClipLike, Result, check_clips
from motionloom.validation import check_count

LEFT_STRIKE, RIGHT_STRIKE = 0.0, 0.5
"""Phases of the gait, in cycles, at which the left and the right foot strike."""

PHASE_STEP = 0.01
"""Cycles between the phases that are tried where no strike will do."""

SAME_STRIKE = 0.1
"""Seconds from a cut within which a strike of the same foot is the strike that the cut was made at."""

NEAR_END = 0.04
"""Cycles by which a cut may lie outside a clip, which is then cut at its end: about a frame at 30 Hz."""


@dataclass(frozen=True, kw_only=True)
class StrideCut:
    """What :func:`match_strides` kept of a clip.

    Attributes
    ----------
    event
        The moment that bounds the strides: "left strike", "right strike", or a phase between them.
    phase
        The same in cycles after a left strike, 0 to 1.
    strides
        How many strides were kept.
    start, end
        First and last frame that were kept, counted in the given clip.
    seconds_before, seconds_after
        Seconds dropped at the beginning and at the end.
    """

    event: str
    phase: float
    strides: int
    start: int
    end: int
    seconds_before: float
    seconds_after: float

    def __str__(self) -> str:
        return (
            f"{self.strides} strides from the {self.event}; dropped {self.seconds_before:.2f} s before and "
            f"{self.seconds_after:.2f} s after"
        )


def match_strides(clips: Iterable[ClipLike], *, strides: int | None = None) -> list[Result[StrideCut]]:
    """Cut annotated locomotion clips to the same number of whole strides from the same event.

    Clips that start on different feet do not correspond from their first frame on. All clips are cut from one
    phase of the gait to the same phase some strides later: a strike, or another phase where no strike leaves
    every clip a stride. Of a clip with more strides than needed, the most regular ones are kept.

    Parameters
    ----------
    clips
        Annotated clips of locomotion.
    strides
        How many strides to keep; as many as all clips have by default.

    Returns
    -------
    list of Result
        For each clip what is left of it, and a :class:`StrideCut` that says what was kept; the clip's
        provenance says where it lies in the source.

    Raises
    ------
    ParameterError
        A clip has no gait, or fewer strides than are asked for.

    >>> from motionloom.annotation import annotate
    >>> from motionloom.synthesis import jog, walk
    >>> clips = [annotate(walk(duration=4.0).clip), annotate(jog(duration=3.0, phase=0.4).clip)]
    >>> [(cut.report.strides, cut.report.event) for cut in match_strides(clips)]
    [(3, 'right strike'), (3, 'right strike')]
    """
    listed = take_bodies(check_clips("match_strides", clips))
    if strides is not None:
        check_count("strides", strides)
    for n, clip in enumerate(listed):
        _check_gait(n, clip)
    gaits = [_gait_frames(clip) for clip in listed]
    phases = [gait_phase(clip)[frames] for clip, frames in zip(listed, gaits, strict=True)]
    phase, available = _common_phase(phases)
    if available == 0:
        raise ParameterError(
            "no stride is whole in every clip", remedy="give longer clips, or drop the shortest one"
        )
    wanted = available if strides is None else strides
    if wanted > available:
        raise ParameterError(
            f"{wanted} strides are asked for, but from one phase on all clips have only {available}"
        )
    return [
        _cut(clip, frames, passed, phase, wanted)
        for clip, frames, passed in zip(listed, gaits, phases, strict=True)
    ]


def _check_gait(n: int, clip: Clip) -> None:
    fault = gait_fault(clip)
    if fault is not None:
        name = Path(clip.source.path).stem
        which = f"clip {n} ({name})" if name else f"clip {n}"
        raise ParameterError(f"no gait was found in {which}: {fault}; drop the clip if you cannot fix that")


def _gait_frames(clip: Clip) -> slice:
    """Return the frames of the gait: from a step before the first strike to a step after the last.

    Further out the body may stand or stop, while the phase continues evenly and would look most regular.
    """
    frames = np.array([hit.frame for hit in strikes(clip)])
    steps = np.diff(frames)
    first, last = frames[0] - (1.0 + NEAR_END) * steps[0], frames[-1] + (1.0 + NEAR_END) * steps[-1]
    return slice(max(0, int(np.floor(first))), min(clip.n_frames, int(np.ceil(last)) + 1))


def _common_phase(phases: Sequence[FloatArray]) -> tuple[float, int]:
    """Return the phase to cut at, 0 to 1, and how many strides all clips have from it on."""
    for tried in ([LEFT_STRIKE, RIGHT_STRIKE], np.arange(PHASE_STEP, 1.0, PHASE_STEP).tolist()):
        counts = {phase: min(_whole_strides(passed, phase) for passed in phases) for phase in tried}
        strides = max(counts.values())
        if strides > 0:
            best = [phase for phase, count in counts.items() if count == strides]
            chosen = max(best, key=lambda phase: min(_room(passed, phase, strides) for passed in phases))
            return chosen, strides
    return LEFT_STRIKE, 0


def _first_pass(passed: FloatArray, phase: float) -> float:
    """Return when a clip first passes a phase, in cycles of its own count."""
    return phase + float(np.ceil(passed[0] - phase - NEAR_END))


def _whole_strides(passed: FloatArray, phase: float) -> int:
    return max(0, int(np.floor(passed[-1] - _first_pass(passed, phase) + NEAR_END)))


def _room(passed: FloatArray, phase: float, strides: int) -> float:
    """Return how far, in cycles, the cuts stay from the ends of a clip at least."""
    first = _first_pass(passed, phase)
    return float(min(first - passed[0], passed[-1] - first - strides))


def _cut(clip: Clip, gait: slice, passed: FloatArray, phase: float, strides: int) -> Result[StrideCut]:
    """Cut a clip to its most regular strides, from a phase on; ``passed`` are the phases of the gait's
    frames.
    """
    marks = _first_pass(passed, phase) + np.arange(_whole_strides(passed, phase) + 1)
    frames = np.interp(marks, passed, np.arange(gait.start, gait.stop, dtype=np.float64))
    lengths = np.diff(frames)
    spreads = [np.ptp(lengths[n : n + strides]).round(6) for n in range(len(lengths) - strides + 1)]
    first = int(np.argmin(spreads))
    start, end = round(frames[first]), round(frames[first + strides])
    report = StrideCut(
        event=_name(phase),
        phase=phase,
        strides=strides,
        start=start,
        end=end,
        seconds_before=start * clip.frame_time,
        seconds_after=(clip.n_frames - 1 - end) * clip.frame_time,
    )
    kept = clip[start : end + 1]
    return Result(replace(kept, events=_events_at_cuts(kept, phase)).arranged(), report)


def _events_at_cuts(clip: Clip, phase: float) -> tuple[Event, ...]:
    """Return the events of a clip cut at strikes, with these strikes exactly at its first and last frame.

    They may have been found a frame off the cut, or not at all where the clip was cut at its own end. A cut
    at which the foot neither strikes nor begins to rest gets no strike: the phase of the gait continues
    evenly beyond the last strike, and the foot may still swing where the next one would be.
    """
    side = {LEFT_STRIKE: "left", RIGHT_STRIKE: "right"}.get(phase)
    feet = [leg for leg in find_anatomy(clip.skeleton).legs if leg.side == side]
    if not feet:
        return clip.events
    joint, last = clip.skeleton.names[feet[0].ankle], clip.n_frames - 1
    margin = SAME_STRIKE / clip.frame_time
    others = tuple(
        event
        for event in clip.events
        if (event.label, event.joint) != (STRIKE, joint) or margin < event.frame < last - margin
    )
    landings = _landings(clip, feet[0])
    ends = [cut for cut in (0.0, float(last)) if any(abs(frame - cut) <= margin for frame in landings)]
    return (
        *(Event(cut, STRIKE, joint) for cut in ends if cut == 0.0),
        *others,
        *(Event(cut, STRIKE, joint) for cut in ends if cut > 0.0),
    )


def _landings(clip: Clip, leg: Leg) -> list[float]:
    """Return the frames at which a foot strikes or begins to rest; a plant cut by the start begins there."""
    names = clip.skeleton.names
    foot = {names[joint] for joint in (leg.ankle, leg.toe) if joint is not None}
    struck = [event.frame for event in clip.events if event.label == STRIKE and event.joint in foot]
    return [*struck, *(plant.start for plant in clip.constraints if plant.joint in foot)]


def _name(phase: float) -> str:
    named = {LEFT_STRIKE: "left strike", RIGHT_STRIKE: "right strike"}
    return named.get(phase, f"{100 * phase:.0f} % of a stride after the left strike")

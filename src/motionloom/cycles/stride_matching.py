"""Locomotion clips cut to the same strides: the same number of them, from the same moment of the gait."""

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
from motionloom.motion.anatomy import find_anatomy
from motionloom.validation import check_count

LEFT_STRIKE, RIGHT_STRIKE = 0.0, 0.5
"""Phases of the gait, in cycles, at which the left and the right foot come to the floor."""

PHASE_STEP = 0.01
"""Steps in which other phases are tried where no strike will do, cycles."""

BESIDE = 0.1
"""Seconds from a cut within which a strike of the same foot is the one that the cut was made at."""

NEAR_END = 0.04
"""Cycles by which a cut may lie outside a clip and is then made at its end: about a frame at 30 Hz."""


@dataclass(frozen=True, kw_only=True)
class StrideCut:
    """What :func:`match_strides` kept of a clip and what it left out.

    Attributes
    ----------
    event
        The moment that bounds the strides: "left strike", "right strike", or a phase between them.
    phase
        The same in cycles after a left strike, 0 to 1.
    n_strides
        How many strides were kept.
    start, end
        First and last frame that were kept, counted in the clip as it was given.
    seconds_before, seconds_after
        What was left out at the beginning and at the end.
    """

    event: str
    phase: float
    n_strides: int
    start: int
    end: int
    seconds_before: float
    seconds_after: float

    def __str__(self) -> str:
        return (
            f"{self.n_strides} strides from the {self.event}, {self.seconds_before:.2f} s left out before "
            f"and {self.seconds_after:.2f} s after"
        )


def match_strides(clips: Iterable[Clip], *, n_strides: int | None = None) -> list[Clip]:
    """Cut annotated locomotion clips to the same number of whole strides from the same event.

    Clips that start on different feet cannot correspond from their first frames on. All clips are cut from
    one phase of the gait to the same phase some strides later: a strike, or where no strike leaves every clip
    a stride, another phase. Of a clip with more strides than needed the most even ones are kept.
    ``clip.report`` says what was left out (:class:`StrideCut`).

    Parameters
    ----------
    clips
        Annotated clips of locomotion.
    n_strides
        How many strides to keep; as many as all clips have by default.

    >>> from motionloom.annotation import annotate
    >>> from motionloom.synthesis import jog, walk
    >>> clips = [annotate(walk(duration=4.0).clip), annotate(jog(duration=3.0, phase=0.4).clip)]
    >>> [(clip.report.n_strides, clip.report.event) for clip in match_strides(clips)]
    [(3, 'right strike'), (3, 'right strike')]
    """
    clips = tuple(clips)
    if not clips:
        raise ParameterError("match_strides takes one clip or more")
    if n_strides is not None:
        check_count("n_strides", n_strides)
    for n, clip in enumerate(clips):
        _check_gait(n, clip)
    walked = [_walked(clip) for clip in clips]
    phases = [gait_phase(clip)[frames] for clip, frames in zip(clips, walked, strict=True)]
    phase, most = _common_phase(phases)
    if most == 0:
        raise ParameterError("no stride is whole in every clip: give longer clips, or leave the shortest out")
    wanted = most if n_strides is None else n_strides
    if wanted > most:
        raise ParameterError(
            f"{wanted} strides are asked for, but from one phase on all clips have only {most}"
        )
    return [
        _cut(clip, frames, course, phase, wanted)
        for clip, frames, course in zip(clips, walked, phases, strict=True)
    ]


def _check_gait(n: int, clip: Clip) -> None:
    fault = gait_fault(clip)
    if fault is not None:
        name = Path(clip.source.path).stem
        which = f"clip {n} ({name})" if name else f"clip {n}"
        raise ParameterError(
            f"no gait was found in {which}: {fault}; leave the clip out if that cannot be mended"
        )


def _walked(clip: Clip) -> slice:
    """The frames that belong to the gait: a step before the first strike to a step after the last.

    Further out somebody may stand or stop, while the phase goes on evenly: the most even strides of all.
    """
    frames = np.array([hit.frame for hit in strikes(clip)])
    steps = np.diff(frames)
    first, last = frames[0] - (1.0 + NEAR_END) * steps[0], frames[-1] + (1.0 + NEAR_END) * steps[-1]
    return slice(max(0, int(np.floor(first))), min(clip.n_frames, int(np.ceil(last)) + 1))


def _common_phase(phases: Sequence[FloatArray]) -> tuple[float, int]:
    """The phase to cut at, 0 to 1, and how many strides all clips have from it on."""
    for tried in ([LEFT_STRIKE, RIGHT_STRIKE], np.arange(PHASE_STEP, 1.0, PHASE_STEP).tolist()):
        counts = {phase: min(_whole_strides(course, phase) for course in phases) for phase in tried}
        most = max(counts.values())
        if most > 0:
            best = [phase for phase, count in counts.items() if count == most]
            return max(best, key=lambda phase: min(_room(course, phase, most) for course in phases)), most
    return LEFT_STRIKE, 0


def _first(course: FloatArray, phase: float) -> float:
    """The first time that a clip passes a phase, in cycles of its own count."""
    return phase + float(np.ceil(course[0] - phase - NEAR_END))


def _whole_strides(course: FloatArray, phase: float) -> int:
    return max(0, int(np.floor(course[-1] - _first(course, phase) + NEAR_END)))


def _room(course: FloatArray, phase: float, n_strides: int) -> float:
    """How far, in cycles, the cuts stay from the ends of a clip at least."""
    first = _first(course, phase)
    return float(min(first - course[0], course[-1] - first - n_strides))


def _cut(clip: Clip, walked: slice, course: FloatArray, phase: float, n_strides: int) -> Clip:
    """The most even strides of a clip, from a phase on; ``course`` is the phase of the frames walked."""
    marks = _first(course, phase) + np.arange(_whole_strides(course, phase) + 1)
    frames = np.interp(marks, course, np.arange(walked.start, walked.stop, dtype=np.float64))
    lengths = np.diff(frames)
    spreads = [np.ptp(lengths[n : n + n_strides]).round(6) for n in range(len(lengths) - n_strides + 1)]
    first = int(np.argmin(spreads))
    start, end = round(frames[first]), round(frames[first + n_strides])
    report = StrideCut(
        event=_name(phase),
        phase=phase,
        n_strides=n_strides,
        start=start,
        end=end,
        seconds_before=start * clip.frame_time,
        seconds_after=(clip.n_frames - 1 - end) * clip.frame_time,
    )
    kept = clip[start : end + 1]
    return replace(kept, events=_bounded(kept, phase), report=report)


def _bounded(clip: Clip, phase: float) -> tuple[Event, ...]:
    """The events of a clip that was cut at strikes, with these strikes at its first and last frame exactly.

    They may have been found a frame beside the cut, or not at all where the clip was cut at its own end.
    """
    side = {LEFT_STRIKE: "left", RIGHT_STRIKE: "right"}.get(phase)
    feet = [leg for leg in find_anatomy(clip.skeleton).legs if leg.side == side]
    if not feet:
        return clip.events
    joint, last = clip.skeleton.names[feet[0].ankle], clip.n_frames - 1
    margin = BESIDE / clip.frame_time
    others = (
        event
        for event in clip.events
        if (event.label, event.joint) != (STRIKE, joint) or margin < event.frame < last - margin
    )
    return (Event(0.0, STRIKE, joint), *others, Event(last, STRIKE, joint))


def _name(phase: float) -> str:
    named = {LEFT_STRIKE: "left strike", RIGHT_STRIKE: "right strike"}
    return named.get(phase, f"{100 * phase:.0f} % of a stride after the left strike")

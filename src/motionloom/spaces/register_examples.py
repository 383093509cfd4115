"""`register_examples`: register the clips of a space, so that the moments which are measured correspond."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Protocol, runtime_checkable

import numpy as np

from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.motion.result import ClipLike, Result, unwrap
from motionloom.registration import RegistrationCurve, Verdict
from motionloom.registration.distance import distance
from motionloom.spaces.measured_blends import find_moment
from motionloom.spaces.measures import Parameter
from motionloom.workflows.prepare import check_clips
from motionloom.workflows.prepare_and_register import prepare_and_register
from motionloom.workflows.retarget import retarget

MIN_PIN_GAP = 0.1
"""Seconds between two moments, and from the ends of a clip, from which they can be registered exactly."""

MAX_APART = 0.7
"""Largest distance between corresponding frames of two hits, over the largest between two frames of the
first, from which they show different motion: one stands where the other sits, though most is alike."""

COMPARED_RATE = 15.0
"""Frames per second at which the frames of a clip are compared: postures change more slowly."""


@runtime_checkable
class HasClip(Protocol):
    """A hit of a search, or a segment of a library: something with a clip."""

    def clip(self) -> Clip:
        """Return the motion."""
        ...


def register_examples(
    clips: Sequence[ClipLike] | Sequence[HasClip], parameters: Mapping[str, Parameter]
) -> RegistrationCurve:
    """Register clips whole, or cyclic ones as loops; the moments of parameters are pins.

    >>> from motionloom.spaces.parameters import height
    >>> from motionloom.synthesis import reach_out
    >>> clips = [reach_out(target=(-0.2, y, 0.4), fps=30).clip for y in (0.9, 1.4)]
    >>> register_examples(clips, {"hand": height("RightHand", at="apex")}).n_clips
    2
    """
    listed, notes = _take_clips(clips)
    if all(clip.cyclic for clip in listed):
        curve = prepare_and_register(listed, cut="loops")[1]
    else:
        curve = prepare_and_register(listed, cut="whole", pins=_find_pins(listed, parameters))[1]
    return replace(curve, report=replace(curve.report, notes=(*notes, *curve.report.notes)))


def _take_clips(clips: Sequence[ClipLike] | Sequence[HasClip]) -> tuple[tuple[Clip, ...], list[str]]:
    """Return the clips, and notes; of hits those that show the motion of the first, on its skeleton."""
    if not isinstance(clips, Iterable):
        return check_clips(clips), []
    given = [
        each if isinstance(each, HasClip) and not isinstance(each, Result) else unwrap(each) for each in clips
    ]
    hits = [each for each in given if isinstance(each, HasClip)]
    if hits and len(hits) == len(given):
        return _choose_hits(hits)
    listed = check_clips([each.clip() if isinstance(each, HasClip) else each for each in given])
    if len(listed) < 2:
        raise ParameterError("a motion space needs two clips or more that differ, not 1")
    return listed, []


def _choose_hits(hits: Sequence[HasClip]) -> tuple[tuple[Clip, ...], list[str]]:
    """Return the clips of hits that register with the first, on its skeleton, and notes on the others.

    Hits are people of all sizes, and some only look like the query: a space needs one body, and one motion.
    """
    if len(hits) < 2:
        raise ParameterError(f"a motion space needs two clips or more that differ, not {hits[0]} alone")
    first = hits[0].clip()
    few = first.resampled(min(first.fps, COMPARED_RATE))
    max_distance = MAX_APART * float(np.sqrt(distance(few, few).values.max()))
    chosen, notes = [first], list[str]()
    for hit in hits[1:]:
        clip = hit.clip()
        clip = clip if clip.skeleton == first.skeleton else retarget(clip, first.skeleton).clip
        report = prepare_and_register([first, clip], cut="whole")[1].report
        if report.verdict is Verdict.UNFIT or report.max_distance > max_distance:
            notes.append(f"left out, as it does not show the motion of the first: {hit}")
        else:
            chosen.append(clip)
    if len(chosen) < 2:
        raise ParameterError(
            f"none of the other {len(hits) - 1} hits shows the motion of the first, {hits[0]}: search with "
            "another example, or choose clips by hand"
        )
    return tuple(chosen), notes


def _find_pins(clips: Sequence[Clip], parameters: Mapping[str, Parameter]) -> list[list[float]]:
    """Return the frames (N, K) at which parameters are measured, where all clips have the same order."""
    pins: list[list[float]] = []
    for name, parameter in parameters.items():
        found = [find_moment(name, parameter, k, clip) for k, clip in enumerate(clips)]
        own = [frame for frame in found if frame is not None]
        if len(own) == len(clips) and _are_in_order([*pins, own], clips):
            pins.append(own)
    return sorted(pins)


def _are_in_order(pins: Sequence[Sequence[float]], clips: Sequence[Clip]) -> bool:
    """Return whether moments (N, K) are in the same order in all clips, with time between them."""
    seconds = np.array(sorted(map(list, pins))) * [clip.frame_time for clip in clips]
    ends = [clip.duration for clip in clips]
    gaps = np.diff(np.vstack([np.zeros(len(clips)), seconds, ends]), axis=0)
    return bool((gaps >= MIN_PIN_GAP).all())

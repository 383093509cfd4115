"""`register_examples`: register the clips of a space, so that the moments which are measured correspond."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol, runtime_checkable

import numpy as np

from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.registration import RegistrationCurve
from motionloom.spaces.measured_blends import find_moment
from motionloom.spaces.measures import Parameter
from motionloom.workflows.prepare import check_clips
from motionloom.workflows.prepare_and_register import prepare_and_register

MIN_PIN_GAP = 0.1
"""Seconds between two moments, and from the ends of a clip, from which they can be registered exactly."""


@runtime_checkable
class HasClip(Protocol):
    """A hit of a search, or a segment of a library: something with a clip."""

    def clip(self) -> Clip:
        """Return the motion."""
        ...


def register_examples(
    clips: Sequence[Clip] | Sequence[HasClip], parameters: Mapping[str, Parameter]
) -> RegistrationCurve:
    """Register clips whole, or cyclic ones as loops; the moments of parameters are pins.

    >>> from motionloom.spaces.parameters import height
    >>> from motionloom.synthesis import reach_out
    >>> clips = [reach_out(target=(-0.2, y, 0.4), fps=30).clip for y in (0.9, 1.4)]
    >>> register_examples(clips, {"hand": height("RightHand", at="apex")}).n_clips
    2
    """
    listed = _take_clips(clips)
    if all(clip.cyclic for clip in listed):
        return prepare_and_register(listed, cut="loops")[1]
    return prepare_and_register(listed, cut="whole", pins=_find_pins(listed, parameters))[1]


def _take_clips(clips: Sequence[Clip] | Sequence[HasClip]) -> tuple[Clip, ...]:
    """Return the clips, of hits too; refuse what has none."""
    if isinstance(clips, Clip) or not isinstance(clips, Iterable):
        return check_clips(clips)
    listed = check_clips([each.clip() if isinstance(each, HasClip) else each for each in clips])
    if len(listed) < 2:
        raise ParameterError("a motion space needs two clips or more that differ, not 1")
    return listed


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

"""Frame times, slices and what they do to annotations; shared by clips of joints and of points."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from motionloom.errors import ParameterError
from motionloom.motion.annotations import Constraint, Event, within


def checked_frame_time(frame_time: float) -> float:
    """The frame time in seconds, or an error when it is not a positive number."""
    value = float(frame_time)
    if not (np.isfinite(value) and value > 0.0):
        raise ParameterError(f"frame_time must be a positive number of seconds, not {frame_time}")
    return value


def rate(frame_time: float) -> float:
    """Frames per second; a whole number where the frame time is one's rounded reciprocal.

    >>> rate(1 / 120), round(rate(0.0083333), 3)
    (120.0, 120.0)
    """
    fps = 1.0 / frame_time
    whole = float(round(fps))
    return whole if whole > 0 and 1.0 / whole == frame_time else fps


def checked_slice(frames: slice, n_frames: int) -> tuple[int, int, int]:
    """First frame, frame after the last, and step of a slice that goes forward."""
    first, stop, step = frames.indices(n_frames)
    if step < 1:
        raise ParameterError(
            f"a clip is sliced with a positive step, not {step}: use clip.reversed() to run it backwards"
        )
    return first, stop, step


def retimed(
    constraints: Iterable[Constraint], events: Iterable[Event], scale: float, shift: float, n_frames: int
) -> tuple[tuple[Constraint, ...], tuple[Event, ...]]:
    """Annotations at ``scale * frame + shift``, cut to a clip of ``n_frames``."""
    last = n_frames - 1
    moved = (event.retimed(scale, shift) for event in events)
    return (
        within((constraint.retimed(scale, shift) for constraint in constraints), 0.0, last),
        tuple(event for event in moved if 0.0 <= event.frame <= last),
    )

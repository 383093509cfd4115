"""Frame times, slices and what they do to annotations; shared by clips of joints and of points."""

from __future__ import annotations

from collections.abc import Iterable

from motionloom.errors import ParameterError
from motionloom.motion.annotations import Constraint, Event, within
from motionloom.validation import check_positive

SHORTEST_FRAME, LONGEST_FRAME = 1e-6, 1e6
"""Seconds that a frame may last; no camera and no animation comes near either, and rates stay finite."""


def checked_frame_time(frame_time: float) -> float:
    """The frame time in seconds, or an error when it is not a positive number of a sensible size.

    >>> checked_frame_time(0.5)
    0.5
    """
    value = check_positive("frame_time", frame_time)
    if not SHORTEST_FRAME <= value <= LONGEST_FRAME:
        raise ParameterError(
            f"frame_time must lie between {SHORTEST_FRAME:g} s and {LONGEST_FRAME:g} s, not {value:g}"
        )
    return value


def frame_time_of(fps: float) -> float:
    """Seconds per frame of a rate, or an error when it is not a positive number of a sensible size.

    >>> frame_time_of(20)
    0.05
    """
    value = check_positive("fps", fps)
    if not 1.0 / LONGEST_FRAME <= value <= 1.0 / SHORTEST_FRAME:
        raise ParameterError(
            f"fps must lie between {1.0 / LONGEST_FRAME:g} and {1.0 / SHORTEST_FRAME:g}, not {value:g}"
        )
    return checked_frame_time(1.0 / value)


def rate(frame_time: float) -> float:
    """Frames per second; exactly a whole number where the frame time is its reciprocal as a float.

    >>> rate(1 / 120), round(rate(0.0083333), 5)
    (120.0, 120.00048)
    """
    fps = 1.0 / frame_time
    whole = float(round(fps))
    return whole if whole > 0 and 1.0 / whole == frame_time else fps


def checked_slice(frames: slice, n_frames: int) -> tuple[int, int]:
    """First frame and step of a slice that goes forward.

    >>> checked_slice(slice(2, None, 3), 10)
    (2, 3)
    """
    first, _, step = frames.indices(n_frames)
    if step < 1:
        raise ParameterError(
            f"a clip is sliced with a positive step, not {step}: use clip.reversed() to run it backwards"
        )
    return first, step


def retimed(
    constraints: Iterable[Constraint], events: Iterable[Event], scale: float, shift: float, last: float
) -> tuple[tuple[Constraint, ...], tuple[Event, ...]]:
    """Annotations at ``scale * frame + shift``, cut to the frames 0 to ``last``."""
    moved = (event.retimed(scale, shift) for event in events)
    return (
        within((constraint.retimed(scale, shift) for constraint in constraints), 0.0, last),
        tuple(event for event in moved if 0.0 <= event.frame <= last),
    )

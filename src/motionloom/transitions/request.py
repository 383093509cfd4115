"""What a caller asks of a transition: method, width and centre, and how much motion that takes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import index
from typing import Literal

import numpy as np

from motionloom.annotation.strides import is_locomotion, strides
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.motion.unroll import unroll
from motionloom.registration.dtw import Cell
from motionloom.validation import check_number

TransitionMethod = Literal["registration", "linear", "inertialize", "dead"]
"""Methods that choose their own frames to meet at."""

JoinMethod = Literal["registration", "linear", "inertialize", "dead", "overlap"]
"""All methods of :func:`motionloom.transition`."""

DEFAULT_HALF_WIDTH = 0.25
"""Seconds to either side of the centre if the clips show no gait: half a second in all."""

MIN_HALF_WIDTH, MAX_DEFAULT_HALF_WIDTH = 0.15, 1.0
"""Seconds to either side of the centre that are chosen at least, since less does not look like a blend, and
at most (Kovar's thesis: transitions of one to two seconds in all)."""

MAX_HALF_WIDTH = 600.0
"""Seconds to either side of the centre that callers may request: cycles repeat forever, memory does not."""

STRIDE_CYCLES = 3
"""Cycles of a cyclic clip in which its strides are measured."""

OWN_HALF_WEIGHT = 13 / 16
"""Mean weight of a clip over its own half of the transition, with the smooth ease."""


@dataclass(frozen=True)
class Room:
    """Frames that a transition takes of each clip, before and after the centre, in the order a, b."""

    before: tuple[float, float]
    after: tuple[float, float]

    def spans(self, a: Clip, b: Clip) -> tuple[range, range]:
        """Return the frames of both clips that have enough of their clip on either side."""
        first, second = (
            range(int(np.ceil(before)), max(int(np.floor(clip.n_frames - 1 - after)) + 1, 0))
            for clip, before, after in zip((a, b), self.before, self.after, strict=True)
        )
        return first, second

    def missing(self, a: Clip, b: Clip, centre: Cell | None = None) -> float:
        """Return the seconds of motion that are missing about a centre, or anywhere; 0 if there is enough."""
        missing = [0.0]
        for n, clip in enumerate((a, b)):
            last = clip.n_frames - 1
            if centre is None:
                missing.append((self.before[n] + self.after[n] - last) * clip.frame_time)
            else:
                missing.append((self.before[n] - centre[n]) * clip.frame_time)
                missing.append((self.after[n] - (last - centre[n])) * clip.frame_time)
        return max(missing)


@dataclass(frozen=True, eq=False, kw_only=True)
class TransitionRequest:
    """What is asked of a transition between two clips.

    Attributes
    ----------
    method
        How it is made.
    half
        Frames to either side of the centre.
    fixed
        Whether the caller asked for this width; otherwise it may be narrowed.
    at
        Frames of both given clips that meet, or None to find them.
    ratio
        Length of a stride of the second clip over that of the first.
    keep
        Frames of the second clip that must be left after the transition.
    """

    method: TransitionMethod
    half: float
    fixed: bool
    at: Cell | None
    ratio: float
    keep: float = 0.0

    def room(self, half: float, spare: float = 1.0) -> Room:
        """Return the motion that the transition takes with a half-width in frames."""
        room = room_for(spare * half, self.ratio, self.method)
        return Room(room.before, (room.after[0], room.after[1] + self.keep))


def make_request(
    a: Clip, b: Clip, at: Cell | None, half_width: float | None, method: TransitionMethod
) -> TransitionRequest:
    """Return the request of a caller, with the default width if none is given."""
    if half_width is not None:
        half_width = check_half_width(half_width, a.frame_time)
    seconds = default_half_width(a, b) if half_width is None else half_width
    return TransitionRequest(
        method=method,
        half=seconds / a.frame_time,
        fixed=half_width is not None,
        at=at,
        ratio=stride_ratio(a, b),
    )


def room_for(half: float, ratio: float, method: TransitionMethod) -> Room:
    """Return the motion that a transition of ``half`` frames to either side takes.

    ``ratio`` is the time that the second clip takes for what the first does in one unit of time: while the
    first has all the weight, the second advances by ``ratio`` of its frames per frame.
    """
    if method == "linear":
        return Room((half, half), (half, half))
    if method in ("inertialize", "dead"):
        # Velocities at the switch are differences with the frame before it.
        return Room((1.0, 1.0), (0.0, 2.0 * half))
    own, other = OWN_HALF_WEIGHT, 1.0 - OWN_HALF_WEIGHT
    return Room(
        (half * (own + other / ratio), half * (own * ratio + other)),
        (half * (other + own / ratio), half * (other * ratio + own)),
    )


def default_half_width(a: Clip, b: Clip) -> float:
    """Return seconds to either side of the centre: a mean stride of both clips, or 0.25 without a gait.

    >>> from motionloom.annotation import annotate
    >>> from motionloom.synthesis import walk
    >>> slow = annotate(walk(duration=4.0).clip)
    >>> 0.9 < default_half_width(slow, slow) <= 1.0
    True
    """
    durations = [stride_duration(clip) for clip in (a, b)]
    known = [duration for duration in durations if duration is not None]
    if len(known) < 2:
        return DEFAULT_HALF_WIDTH
    return float(np.clip(np.mean(known), MIN_HALF_WIDTH, MAX_DEFAULT_HALF_WIDTH))


def stride_ratio(a: Clip, b: Clip) -> float:
    """Return the stride duration of the second clip over that of the first; 1 without two gaits."""
    one, other = stride_duration(a), stride_duration(b)
    return 1.0 if one is None or other is None else other / one


def stride_duration(clip: Clip) -> float | None:
    """Return the mean duration of a stride in seconds, or None for a clip without a gait."""
    if clip.cyclic:
        # One cycle has no whole stride from strike to strike of the same foot.
        clip = unroll(clip, STRIDE_CYCLES)
    if not is_locomotion(clip):
        return None
    return float(np.mean([end - start for _, start, end in strides(clip)])) * clip.frame_time


def check_half_width(half_width: float, frame_time: float) -> float:
    """Return the half-width in seconds, which must be at least one frame."""
    try:
        seconds = check_number("half_width", half_width)
    except ParameterError:
        seconds = 0.0
    if seconds < frame_time:
        raise ParameterError(
            f"half_width must be seconds, at least one frame ({frame_time:.4g}), not {half_width!r}"
        )
    if seconds > MAX_HALF_WIDTH:
        raise ParameterError(f"half_width must be at most {MAX_HALF_WIDTH:.0f} seconds, not {half_width!r}")
    return seconds


def check_centre(at: Sequence[int], a: Clip, b: Clip) -> Cell:
    """Return the frames of both clips at which they should meet, which must be whole frames inside them."""
    try:
        i, j = (index(frame) for frame in at)
    except (TypeError, ValueError):
        raise ParameterError(
            f"at must be two whole frames, one of the first and one of the second clip, not {at!r}"
        ) from None
    for frame, clip, which in ((i, a, "first"), (j, b, "second")):
        if not 0 <= frame < clip.n_frames:
            raise ParameterError(
                f"at names frame {frame} of the {which} clip, which has frames 0 to {clip.n_frames - 1}"
            )
    return i, j

"""How wide a transition is, and how much motion it takes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from motionloom.annotation.strides import is_locomotion, strides
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.motion.unroll import unroll
from motionloom.validation import check_number

NO_GAIT = 0.25
"""Seconds to either side of the centre where the clips show no gait: half a second in all."""

NARROWEST, WIDEST = 0.15, 1.0
"""Seconds to either side of the centre that are chosen at least, below which nobody calls it a blend, and at
most (Kovar's thesis: transitions of one to two seconds in all)."""

LONGEST = 600.0
"""Seconds to either side of the centre that may be asked for at most: cycles repeat for ever, memory ends."""

CYCLES_LOOKED_AT = 3
"""Cycles of a cyclic clip that are looked at for its strides."""

LATE_SHARE = 13 / 16
"""Mean weight of a clip over the half of the transition that is its own, by the smooth ease."""

TransitionMethod = Literal["registration", "linear", "inertialize", "dead"]


@dataclass(frozen=True)
class Room:
    """Frames that a transition takes of each clip, before and after the centre, in the order a, b."""

    before: tuple[float, float]
    after: tuple[float, float]

    def spans(self, a: Clip, b: Clip) -> tuple[range, range]:
        """The frames of both clips that have enough of their clip on either side."""
        first, second = (
            range(int(np.ceil(before)), max(int(np.floor(clip.n_frames - 1 - after)) + 1, 0))
            for clip, before, after in zip((a, b), self.before, self.after, strict=True)
        )
        return first, second

    def missing(self, a: Clip, b: Clip, centre: tuple[int, int] | None = None) -> float:
        """Seconds that the clip which is shorter of motion lacks, about a centre or anywhere; 0 for none."""
        short = [0.0]
        for n, clip in enumerate((a, b)):
            last = clip.n_frames - 1
            if centre is None:
                short.append((self.before[n] + self.after[n] - last) * clip.frame_time)
            else:
                short.append((self.before[n] - centre[n]) * clip.frame_time)
                short.append((self.after[n] - (last - centre[n])) * clip.frame_time)
        return max(short)


def room_for(half: float, ratio: float, method: TransitionMethod) -> Room:
    """The motion that a transition of ``half`` frames to either side takes.

    ``ratio`` is the time that the second clip takes for what the first does in one unit of time: while the
    first has all the weight, the second goes through ``ratio`` of its frames per frame.
    """
    if method == "linear":
        return Room((half, half), (half, half))
    if method in ("inertialize", "dead"):
        # Velocities at the switch are differences with the frame before it.
        return Room((1.0, 1.0), (0.0, 2.0 * half))
    own, other = LATE_SHARE, 1.0 - LATE_SHARE
    return Room(
        (half * (own + other / ratio), half * (own * ratio + other)),
        (half * (other + own / ratio), half * (other * ratio + own)),
    )


def chosen_half_width(a: Clip, b: Clip) -> float:
    """Seconds to either side of the centre: a mean stride of both clips, or a quarter without a gait.

    >>> from motionloom.annotation import annotate
    >>> from motionloom.synthesis import walk
    >>> slow = annotate(walk(duration=4.0).clip)
    >>> 0.9 < chosen_half_width(slow, slow) <= 1.0
    True
    """
    periods = [stride_seconds(clip) for clip in (a, b)]
    known = [period for period in periods if period is not None]
    if len(known) < 2:
        return NO_GAIT
    return float(np.clip(np.mean(known), NARROWEST, WIDEST))


def stride_ratio(a: Clip, b: Clip) -> float:
    """How long the second clip takes for a stride, over how long the first does; 1 without two gaits."""
    one, other = stride_seconds(a), stride_seconds(b)
    return 1.0 if one is None or other is None else other / one


def stride_seconds(clip: Clip) -> float | None:
    """Mean length of a stride in seconds, or None for a clip that shows no gait."""
    if clip.cyclic:
        # One cycle has no whole stride from strike to strike of the same foot.
        clip = unroll(clip, CYCLES_LOOKED_AT)
    if not is_locomotion(clip):
        return None
    return float(np.mean([end - start for _, start, end in strides(clip)])) * clip.frame_time


def checked_half_width(half_width: float, frame_time: float) -> float:
    """The half-width in seconds, or an error when it is no time or less than a frame."""
    try:
        seconds = check_number("half_width", half_width)
    except ParameterError:
        seconds = 0.0
    if seconds < frame_time:
        raise ParameterError(
            f"half_width must be seconds, at least those of one frame ({frame_time:.4g}), not {half_width!r}"
        )
    if seconds > LONGEST:
        raise ParameterError(f"half_width must be at most {LONGEST:.0f} seconds, not {half_width!r}")
    return seconds

"""How far a clip travels and how much it turns: what controls ask for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.motion import Clip
from motionloom.motion.anatomy import facing
from motionloom.motion.unroll import extend_cycle, travel


@dataclass(frozen=True)
class Stride:
    """What a clip, or a registered part of it, does from its beginning to its end.

    Attributes
    ----------
    seconds
        How long it takes.
    length
        Metres along the path, without the sway of the body.
    turn
        Radians that the body turns, positive to the left.
    """

    seconds: float
    length: float
    turn: float

    @property
    def speed(self) -> float:
        """Metres per second."""
        return self.length / self.seconds

    @property
    def turn_rate(self) -> float:
        """Radians per second, positive to the left."""
        return self.turn / self.seconds


def stride_of(clip: Clip, first: float | None = None, last: float | None = None) -> Stride:
    """Length and turn of a clip between two frames: its whole length, or one cycle, unless stated.

    The body is taken to turn evenly. Seen from what turns with it, its mean velocity has no sway left.

    >>> from motionloom.synthesis import walk
    >>> stride = stride_of(walk(speed=1.2, curvature=0.3, duration=4.0).clip)
    >>> round(stride.speed, 1), round(stride.turn_rate, 2)
    (1.2, 0.36)
    """
    if clip.cyclic:
        seconds, turn = clip.n_frames * clip.frame_time, travel(clip).yaw
        roots = extend_cycle(clip, clip.n_frames + 1).root_positions
    else:
        first, last = first or 0.0, clip.n_frames - 1.0 if last is None else last
        part = clip[int(np.floor(first)) : int(np.ceil(last)) + 1]
        seconds, roots = part.duration, part.root_positions
        headings = facing(part)
        turn = float(headings[-1] - headings[0])
    way = _evenly_turned(np.diff(roots[:, [2, 0]], axis=0), turn)
    return Stride(seconds, float(np.hypot(*way)), turn)


def _evenly_turned(steps: FloatArray, turn: float) -> FloatArray:
    """The sum (2,) of steps (N, 2) along +Z and +X, each turned back by its share of the whole turn."""
    share = (np.arange(len(steps)) + 0.5) / len(steps)
    turned = (steps[:, 0] + 1j * steps[:, 1]) * np.exp(-1j * turn * share)
    total = complex(turned.sum())
    return np.array([total.real, total.imag])

"""Measure how far a clip goes and turns: duration, length and turn of its path."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.motion import Clip
from motionloom.motion.anatomy import facing
from motionloom.motion.unroll import extend_cycle, travel


@dataclass(frozen=True)
class PathTotals:
    """Duration, length and turn of the path of a clip, or of a part of it.

    Attributes
    ----------
    duration
        Seconds.
    length
        Metres along the path, without the sway of the body.
    turn
        Radians that the body turns, positive to the left.
    """

    duration: float
    length: float
    turn: float

    @property
    def speed(self) -> float:
        """Metres per second."""
        return self.length / self.duration

    @property
    def turn_rate(self) -> float:
        """Radians per second, positive to the left."""
        return self.turn / self.duration


def measure_path(clip: Clip, first: float | None = None, last: float | None = None) -> PathTotals:
    """Measure the path of a clip between two frames; by default all of it, or one cycle.

    The body is assumed to turn at a constant rate. In a frame that turns with it, the mean velocity has no
    sway.

    >>> from motionloom.synthesis import walk
    >>> path = measure_path(walk(speed=1.2, curvature=0.3, duration=4.0).clip)
    >>> round(path.speed, 1), round(path.turn_rate, 2)
    (1.2, 0.36)
    """
    clip = clip.body
    if clip.cyclic:
        duration, turn = clip.n_frames * clip.frame_time, travel(clip).yaw
        roots = extend_cycle(clip, clip.n_frames + 1).root_positions
    else:
        first, last = first or 0.0, clip.n_frames - 1.0 if last is None else last
        part = clip[int(np.floor(first)) : int(np.ceil(last)) + 1]
        duration, roots = part.duration, part.root_positions
        headings = facing(part)
        turn = float(headings[-1] - headings[0])
    # Steps along +Z and +X as complex numbers, each rotated back by its fraction of the whole turn.
    steps = np.diff(roots[:, [2, 0]], axis=0)
    fraction = (np.arange(len(steps)) + 0.5) / len(steps)
    total = complex(((steps[:, 0] + 1j * steps[:, 1]) * np.exp(-1j * turn * fraction)).sum())
    return PathTotals(duration, float(np.hypot(total.real, total.imag)), turn)

"""The result of every built-in motion: a clip and the ground truth about it; and checks of what callers ask
for.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from motionloom.arrays import FloatArray, check_array
from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform
from motionloom.motion import Clip, Constraint
from motionloom.validation import check_number, check_positive


@dataclass(frozen=True, eq=False)
class SyntheticMotion:
    """A clip without annotations, and the ground truth that annotation and registration should find.

    Attributes
    ----------
    clip
        The motion; ``clip.constraints`` is empty.
    plants
        When heels and toes are planted (frames) and exactly where (``target``, metres).
    phase
        (T,) increasing: gait cycles since a left heel strike, or progress from 0 to 1 where there is no gait.
    path
        (T, 3) the path of the body over the ground without sway, metres; ``y`` is zero.
    holds
        Intervals in which a point stays put in the air (the hand of a reach).

    >>> from motionloom.synthesis import walk
    >>> motion = walk(duration=1.0, fps=30)
    >>> len(motion.clip), motion.phase.shape, motion.clip.constraints
    (31, (31,), ())
    """

    clip: Clip
    plants: tuple[Constraint, ...]
    phase: FloatArray
    path: FloatArray
    holds: tuple[Constraint, ...] = ()

    def __post_init__(self) -> None:
        n_frames = self.clip.n_frames
        object.__setattr__(self, "phase", check_array("phase", self.phase, (n_frames,)))
        object.__setattr__(self, "path", check_array("path", self.path, (n_frames, 3)))

    def placed(self, transform: GroundTransform) -> SyntheticMotion:
        """Return the same motion and ground truth elsewhere on the ground."""
        return replace(
            self,
            clip=self.clip.placed(transform),
            plants=_place_targets(self.plants, transform),
            path=transform.apply(self.path),
            holds=_place_targets(self.holds, transform),
        )


def _place_targets(constraints: Iterable[Constraint], transform: GroundTransform) -> tuple[Constraint, ...]:
    return tuple(c if c.target is None else replace(c, target=transform.apply(c.target)) for c in constraints)


MAX_FPS = 2000.0
"""Highest frame rate, frames per second: a higher one is probably a mistake of units."""

MAX_FRAMES = 1_000_000
"""Most frames of one call; 22 joints of that many frames take 0.7 GB."""


def check_turn(turn: float) -> float:
    """Return the angle in radians, at most half a turn either way; the error mentions degrees.

    >>> check_turn(-1)
    -1.0
    """
    number = check_number("turn", turn)
    # A half turn that was rounded when converted from degrees is still a half turn.
    if abs(number) > np.pi + 1e-9:
        raise ParameterError(
            f"must be from -pi to pi radians (180 degrees either side), not {number:g}",
            parameter="turn",
            value=number,
        )
    return number


def frame_times(duration: float, fps: float) -> FloatArray:
    """Return the times (T,) in seconds of the frames of a clip of this duration, both ends included.

    >>> frame_times(0.1, 30).round(4).tolist()
    [0.0, 0.0333, 0.0667, 0.1]
    """
    fps = check_positive("fps", fps, max=MAX_FPS, unit="frames per second")
    duration = check_positive("duration", duration, unit="seconds")
    steps = np.rint(duration * fps)
    if not 1 <= steps < MAX_FRAMES:
        raise ParameterError(
            f"a duration of {duration:g} s at {fps:g} frames per second gives {steps + 1:.0f} frames",
            remedy=f"ask for 2 to {MAX_FRAMES}",
        )
    return np.arange(int(steps) + 1) / fps

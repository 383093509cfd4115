"""What every built-in motion returns: the clip and the truth about it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from motionloom.arrays import FloatArray, check_array
from motionloom.geometry import GroundTransform
from motionloom.motion import Clip, Constraint


@dataclass(frozen=True, eq=False)
class SyntheticMotion:
    """A clip without annotations, and beside it the truth that annotation and registration look for.

    Attributes
    ----------
    clip
        The motion; ``clip.constraints`` is empty.
    plants
        When heels and toes are planted (frames) and exactly where (``target``, metres).
    phase
        (T,) increasing: gait cycles since a left heel strike, or progress from 0 to 1 where there is no gait.
    path
        (T, 3) the way of the body over the ground without sway, metres, ``y`` is zero.
    holds
        Further intervals in which a point stays put in the air (the hand of a reach).

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
        """The same motion and truth elsewhere on the ground."""
        return replace(
            self,
            clip=self.clip.placed(transform),
            plants=_placed(self.plants, transform),
            path=transform.apply(self.path),
            holds=_placed(self.holds, transform),
        )


def _placed(constraints: Iterable[Constraint], transform: GroundTransform) -> tuple[Constraint, ...]:
    return tuple(c if c.target is None else replace(c, target=transform.apply(c.target)) for c in constraints)

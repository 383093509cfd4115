"""The ground that feet stand on: the clip's own floor, a level floor, or any surface."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.annotation.floor import OWN_HEIGHT, Floor, Surface, surface_heights
from motionloom.annotation.soles import find_soles
from motionloom.arrays import FloatArray
from motionloom.motion import Clip
from motionloom.motion.anatomy import find_anatomy
from motionloom.validation import check_number


@dataclass(frozen=True, eq=False)
class Ground:
    """The surface under a clip.

    Attributes
    ----------
    floor
        The floor to stand on.
    surface
        What to stand on instead, or None for the floor.
    captured
        The floor of the captured motion, where ``floor`` is another one.
    """

    floor: Floor
    surface: Surface | None = None
    captured: Floor | None = None

    def heights_before(self, positions: FloatArray) -> FloatArray:
        """Return how far (...) positions (..., 3) of the captured motion are above its own floor, metres."""
        return (self.captured or self.floor).heights_above(positions)

    def heights(self, positions: FloatArray) -> FloatArray:
        """Return the heights (...) of the ground below positions (..., 3), metres."""
        if self.surface is None:
            return np.asarray(positions[..., 1] - self.floor.heights_above(positions))
        return surface_heights(self.surface, positions)

    def level_of(self, position: FloatArray, standing: float) -> float:
        """Return the height for a point planted at ``position`` (3,), metres.

        ``standing`` is how far above the ground the point usually is. A point that stands on something in the
        capture is as far above a new floor as it was above its own.
        """
        level = float(self.heights(position)) + standing
        raised = float(self.heights_before(position)) - standing
        return level + raised if self.surface is None and raised > OWN_HEIGHT else level

    def __str__(self) -> str:
        return str(self.floor) if self.surface is None else f"the given ground; captured on a {self.floor}"


def find_ground(clip: Clip, ground: float | Surface | Floor | None) -> Ground:
    """Return the requested ground: a surface, a level floor at a height, or the clip's own floor.

    The latter may be given; with None the clip's plants show where it is and, where it has none, its standing
    feet do.

    >>> from motionloom.synthesis import stand
    >>> clip = stand(duration=0.5).clip
    >>> find_ground(clip, None).floor.height, find_ground(clip, 0.2).floor.height
    (0.0, 0.2)
    """
    if isinstance(ground, Floor):
        return Ground(ground)
    if ground is None or callable(ground):
        return Ground(find_floor(clip), ground)
    height = check_number("ground, as the height of a level floor,", ground)
    return Ground(Floor(height), captured=find_floor(clip))


def find_floor(clip: Clip) -> Floor:
    """Find the floor that the clip's plants or, without them, its standing feet stand on."""
    legs = find_anatomy(clip.skeleton).legs
    return find_soles(clip, legs)[0] if legs and clip.n_frames else Floor(0.0)

"""What the feet stand on: the clip's own floor, a level floor, or any surface over the ground plane."""

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
        The floor that the feet shall stand on.
    surface
        What they shall stand on instead, or None for the floor.
    captured
        The floor of the captured motion where ``floor`` is another one.
    """

    floor: Floor
    surface: Surface | None = None
    captured: Floor | None = None

    def heights_before(self, places: FloatArray) -> FloatArray:
        """How far (...) places (..., 3) of the captured motion are above its own floor, metres."""
        return (self.captured or self.floor).heights_above(places)

    def heights(self, places: FloatArray) -> FloatArray:
        """Heights (...) of the ground below places (..., 3), metres."""
        if self.surface is None:
            return np.asarray(places[..., 1] - self.floor.heights_above(places))
        return surface_heights(self.surface, places)

    def level_of(self, place: FloatArray, standing: float) -> float:
        """The height at which a point planted at ``place`` (3,) shall be, metres.

        ``standing`` is how far above the ground the point usually is. What stands on something in the capture
        is as far above a floor as it was above its own.
        """
        level = float(self.heights(place)) + standing
        raised = float(self.heights_before(place)) - standing
        return level + raised if self.surface is None and raised > OWN_HEIGHT else level

    def __str__(self) -> str:
        return str(self.floor) if self.surface is None else f"the given ground; captured on a {self.floor}"


def ground_under(clip: Clip, ground: float | Surface | Floor | None) -> Ground:
    """The ground that was asked for: a surface, the height of a level floor, or the clip's own floor.

    That one may be given; with None the plants of the clip say where it is, and where the clip has none, it
    is looked for below standing feet.

    >>> from motionloom.synthesis import stand
    >>> clip = stand(duration=0.5).clip
    >>> ground_under(clip, None).floor.height, ground_under(clip, 0.2).floor.height
    (0.0, 0.2)
    """
    if isinstance(ground, Floor):
        return Ground(ground)
    if ground is None or callable(ground):
        return Ground(_own_floor(clip), ground)
    height = check_number("ground, as the height of a level floor,", ground)
    return Ground(Floor(height), captured=_own_floor(clip))


def _own_floor(clip: Clip) -> Floor:
    legs = find_anatomy(clip.skeleton).legs
    return find_soles(clip, legs)[0] if legs and clip.n_frames else Floor(0.0)

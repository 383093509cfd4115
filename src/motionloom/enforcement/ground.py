"""What the feet stand on: the clip's own floor, a level floor, or any surface over the ground plane."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from motionloom.annotation.floor import Floor
from motionloom.annotation.soles import find_soles
from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.motion.anatomy import find_anatomy
from motionloom.motion.checks import checked_number

Surface = Callable[[float, float], float]
"""Height in metres over a place (x, z) of the ground plane."""

OWN_HEIGHT = 0.06
"""A plant higher than this above the floor stands on something and keeps its height, metres. Annotation lets
go of points at this height."""

TOUCHING = 0.001
"""A target this near to a floor stands on it, metres."""


@dataclass(frozen=True, eq=False)
class Ground:
    """The surface under a clip.

    Attributes
    ----------
    floor
        The floor of the captured motion.
    surface
        What the feet shall stand on instead, or None for the floor.
    """

    floor: Floor
    surface: Surface | None = None

    def heights(self, places: FloatArray) -> FloatArray:
        """Heights (...) of the ground below places (..., 3), metres."""
        if self.surface is None:
            return np.asarray(places[..., 1] - self.floor.heights_above(places))
        flat = places.reshape(-1, 3)
        return _surface_heights(self.surface, flat[:, 0], flat[:, 2]).reshape(places.shape[:-1])

    def level_of(self, place: FloatArray, standing: float) -> float:
        """The height at which a point planted at ``place`` (3,) shall be, metres.

        ``standing`` is how far above the ground the point usually is.
        """
        level = float(self.heights(place)) + standing
        own = float(place[1])
        return own if self.surface is None and own - level > OWN_HEIGHT else level

    def __str__(self) -> str:
        return str(self.floor) if self.surface is None else f"the given ground; captured on a {self.floor}"


def ground_under(clip: Clip, ground: float | Surface | None) -> Ground:
    """The ground that was asked for: a surface, the height of a level floor, or None to find the floor.

    >>> from motionloom.synthesis import stand
    >>> clip = stand(duration=0.5).clip
    >>> ground_under(clip, None).floor.height, ground_under(clip, 0.2).floor.height
    (0.0, 0.2)
    """
    if ground is None or callable(ground):
        return Ground(_remembered_floor(clip) or _found_floor(clip), ground)
    return Ground(Floor(checked_number("ground, as the height of a level floor,", ground)))


def _found_floor(clip: Clip) -> Floor:
    legs = find_anatomy(clip.skeleton).legs
    return find_soles(clip, legs)[0] if legs and clip.n_frames else Floor(0.0)


def _remembered_floor(clip: Clip) -> Floor | None:
    """The floor that an earlier run reported, when the targets of the clip still stand on it.

    Looking for it anew would find another slope by a hair, and doing it twice would not change nothing.
    """
    floor = getattr(clip.report, "floor", None)
    targets = [constraint.target for constraint in clip.constraints if constraint.target is not None]
    if not isinstance(floor, Floor) or not targets:
        return None
    lowest = float(floor.heights_above(np.array(targets)).min())
    return floor if abs(lowest) < TOUCHING else None


def _surface_heights(surface: Surface, x: FloatArray, z: FloatArray) -> FloatArray:
    """Heights (N,) of a surface that takes arrays, or only single numbers."""
    many: Callable[[FloatArray, FloatArray], object] = surface  # type: ignore[assignment]
    try:
        heights = np.asarray(many(x, z), dtype=np.float64)
        fits = heights.shape in (x.shape, ())
    except (TypeError, ValueError):
        fits = False
    if not fits:
        heights = np.array([float(surface(a, b)) for a, b in zip(x.tolist(), z.tolist(), strict=True)])
    heights = np.broadcast_to(heights, x.shape)
    if not np.isfinite(heights).all():
        where = int(np.flatnonzero(~np.isfinite(heights))[0])
        raise ParameterError(
            f"ground(x, z) must be a finite height everywhere: at ({x[where]:.3g}, {z[where]:.3g}) "
            f"it is {heights[where]}"
        )
    return heights

"""The ground under a clip: its own floor, a level floor at a given height, or any surface."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from motionloom.annotation.floor import MAX_PLANT_HEIGHT, Floor
from motionloom.annotation.soles import find_soles
from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.motion.anatomy import find_anatomy
from motionloom.validation import check_number

Surface = Callable[[Any, Any], Any]
"""The height of the ground at x and z, metres: a function of two numbers, or of two arrays (N,)."""


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

    def heights_above_captured(self, positions: FloatArray) -> FloatArray:
        """Return how far (...) positions (..., 3) of the captured motion lie above its own floor, metres."""
        return (self.captured or self.floor).heights_above(positions)

    def heights_above(self, positions: FloatArray) -> FloatArray:
        """Return how far (...) positions (..., 3) lie above the ground, metres.

        >>> Ground(Floor(0.0), lambda x, z: 0.1 * x).heights_above(np.array([[1.0, 0.5, 0.0]])).tolist()
        [0.4]
        """
        if self.surface is None:
            return self.floor.heights_above(positions)
        return np.asarray(positions[..., 1] - surface_heights(self.surface, positions))

    def heights(self, positions: FloatArray) -> FloatArray:
        """Return the heights (...) of the ground below positions (..., 3), metres."""
        if self.surface is None:
            return np.asarray(positions[..., 1] - self.floor.heights_above(positions))
        return surface_heights(self.surface, positions)

    def target_height(self, position: FloatArray, standing: float) -> float:
        """Return the height for a point planted at ``position`` (3,), metres.

        ``standing`` is how far above the ground the point usually is. A point that stands on something in the
        capture is as far above a new floor as it was above its own.
        """
        height = float(self.heights(position)) + standing
        raised = float(self.heights_above_captured(position)) - standing
        return height + raised if self.surface is None and raised > MAX_PLANT_HEIGHT else height

    def __str__(self) -> str:
        return str(self.floor) if self.surface is None else f"the given ground; captured on a {self.floor}"


GroundLike = float | Surface | Floor | Ground | None
"""What callers may give as ground: the height of a level floor in metres; a :data:`Surface`; the clip's own
:class:`Floor` where it is known; or None for the floor that the clip's plants or, without them, its standing
feet stand on."""


def find_ground(clip: Clip, ground: GroundLike) -> Ground:
    """Return the requested ground under a clip.

    >>> from motionloom.synthesis import stand
    >>> clip = stand(duration=0.5).clip
    >>> find_ground(clip, None).floor.height, find_ground(clip, 0.2).floor.height
    (0.0, 0.2)
    """
    if isinstance(ground, Floor | Ground):
        return choose_ground(Floor(0.0), ground)
    return choose_ground(find_floor(clip), ground)


def choose_ground(floor: Floor, ground: GroundLike) -> Ground:
    """Return the requested ground under a clip that was captured on ``floor``.

    >>> choose_ground(Floor(0.1), None).floor.height, choose_ground(Floor(0.1), 0.2).captured
    (0.1, Floor(height=0.1, slope=(0.0, 0.0), origin=(0.0, 0.0)))
    """
    if isinstance(ground, Ground):
        return ground
    if isinstance(ground, Floor):
        return Ground(ground)
    if ground is None or callable(ground):
        return Ground(floor, ground)
    height = check_number("ground, as the height of a level floor,", ground)
    return Ground(Floor(height), captured=floor)


def find_floor(clip: Clip) -> Floor:
    """Find the floor that the clip's plants or, without them, its standing feet stand on."""
    legs = find_anatomy(clip.skeleton).legs
    return find_soles(clip, legs)[0] if legs and clip.n_frames else Floor(0.0)


def surface_heights(surface: Surface, positions: FloatArray) -> FloatArray:
    """Return the heights (...) of a surface below positions (..., 3), metres.

    The surface is called once with arrays of all x and z and, where it does not take arrays, once per
    position.

    >>> surface_heights(lambda x, z: 0.2 if z > 1.0 else 0.0, np.array([[0.0, 1.0, 0.5], [0.0, 1.0, 1.5]]))
    array([0. , 0.2])
    """
    flat = positions.reshape(-1, 3)
    x, z = flat[:, 0], flat[:, 2]
    heights = _heights_at_once(surface, x, z)
    if heights is None:
        pairs = zip(x.tolist(), z.tolist(), strict=True)
        heights = np.array([_height_at(surface, *pair) for pair in pairs], dtype=np.float64)
    wrong = np.flatnonzero(~np.isfinite(heights))
    if wrong.size:
        n = int(wrong[0])
        raise ParameterError(
            f"ground(x, z) must be a finite height everywhere: at ({x[n]:.3g}, {z[n]:.3g}) it is {heights[n]}"
        )
    return heights.reshape(positions.shape[:-1])


def _heights_at_once(surface: Callable[..., object], x: FloatArray, z: FloatArray) -> FloatArray | None:
    """Return heights (N,) from one call with arrays, or None where the surface takes single numbers only."""
    try:
        heights = np.asarray(surface(x, z), dtype=np.float64)
    except (TypeError, ValueError):
        return None
    return np.broadcast_to(heights, x.shape) if heights.shape in (x.shape, ()) else None


def _height_at(surface: Callable[..., object], x: float, z: float) -> float:
    found = surface(x, z)
    try:
        return float(np.asarray(found, dtype=np.float64)[()])
    except (TypeError, ValueError):
        raise ParameterError(
            "ground(x, z) must be one height in metres for each position: "
            f"at ({x:.3g}, {z:.3g}) it is {found!r}"
        ) from None

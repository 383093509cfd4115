"""Placements on the ground: a rotation about the vertical and a shift in the floor plane."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, sin

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray
from motionloom.geometry import rotations
from motionloom.validation import check_number


@dataclass(frozen=True)
class GroundTransform:
    """A rigid transform of the ground plane: rotate by ``yaw`` about +Y, then shift by ``(x, z)``.

    ``x' = x cos + z sin``, ``z' = -x sin + z cos``: a positive yaw turns +Z towards +X.

    Attributes
    ----------
    yaw
        Angle in radians.
    x, z
        Shift in metres.

    >>> quarter = GroundTransform(yaw=np.pi / 2, x=1.0)
    >>> quarter.apply([0.0, 5.0, 1.0]).round(9)
    array([2., 5., 0.])
    >>> (quarter.inverse() @ quarter).apply([3.0, 0.0, 4.0]).round(9)
    array([3., 0., 4.])
    """

    yaw: float = 0.0
    x: float = 0.0
    z: float = 0.0

    def __post_init__(self) -> None:
        for name in ("yaw", "x", "z"):
            value = check_number(f"GroundTransform {name}", getattr(self, name))
            object.__setattr__(self, name, value)

    def __matmul__(self, other: GroundTransform) -> GroundTransform:
        """Return the transform that applies ``other`` first and then this one."""
        x, _, z = self.apply([other.x, 0.0, other.z])
        return GroundTransform(self.yaw + other.yaw, float(x), float(z))

    def inverse(self) -> GroundTransform:
        """Return the transform that undoes this one."""
        c, s = cos(self.yaw), sin(self.yaw)
        return GroundTransform(-self.yaw, -(self.x * c - self.z * s), -(self.x * s + self.z * c))

    def apply(self, points: npt.ArrayLike) -> FloatArray:
        """Return world points (..., 3) moved; heights stay the same."""
        return np.asarray(self.apply_to_directions(points) + np.array([self.x, 0.0, self.z]))

    def apply_to_directions(self, directions: npt.ArrayLike) -> FloatArray:
        """Rotate directions or velocities (..., 3) without shifting them."""
        given = np.asarray(directions, dtype=np.float64)
        c, s = cos(self.yaw), sin(self.yaw)
        x, y, z = given[..., 0], given[..., 1], given[..., 2]
        return np.stack([x * c + z * s, y, z * c - x * s], axis=-1)

    def apply_to_rotations(self, world_rotations: npt.ArrayLike) -> FloatArray:
        """Rotate world rotations (..., 4)."""
        return rotations.multiply(self.rotation(), world_rotations)

    def rotation(self) -> FloatArray:
        """Return the rotation as a quaternion (4,)."""
        return rotations.from_yaw(self.yaw)

    def row(self) -> FloatArray:
        """Yaw, x and z (3,): how arrays hold transforms."""
        return np.array([self.yaw, self.x, self.z])


def rotate_on_ground(
    yaws: npt.ArrayLike, x: npt.ArrayLike, z: npt.ArrayLike
) -> tuple[FloatArray, FloatArray]:
    """Return points x, z (...) on the floor, rotated about the origin by yaws (...).

    >>> [round(float(value), 9) for value in rotate_on_ground(np.pi / 2, 0.0, 1.0)]
    [1.0, 0.0]
    """
    c, s, x, z = np.cos(yaws), np.sin(yaws), np.asarray(x), np.asarray(z)
    return np.asarray(x * c + z * s), np.asarray(z * c - x * s)


def apply_rows(rows: FloatArray, points: FloatArray) -> FloatArray:
    """Move points (..., 3) by transforms given as yaw, x, z (..., 3); heights stay.

    >>> apply_rows(np.array([[0.0, 1.0, 2.0]]), np.zeros((1, 3))).tolist()
    [[1.0, 0.0, 2.0]]
    """
    x, z = rotate_on_ground(rows[..., 0], points[..., 0], points[..., 2])
    return np.stack([x + rows[..., 1], np.broadcast_to(points[..., 1], x.shape), z + rows[..., 2]], axis=-1)


def compose_rows(outer: FloatArray, inner: FloatArray) -> FloatArray:
    """Return the transforms, as yaw, x, z (..., 3), that apply ``inner`` (..., 3) first and then ``outer``
    (..., 3).

    >>> compose_rows(np.array([1.0, 2.0, 0.0]), np.array([0.5, 0.0, 0.0])).tolist()
    [1.5, 2.0, 0.0]
    """
    x, z = rotate_on_ground(outer[..., 0], inner[..., 1], inner[..., 2])
    return np.stack([outer[..., 0] + inner[..., 0], x + outer[..., 1], z + outer[..., 2]], axis=-1)

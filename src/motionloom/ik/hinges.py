"""The axis about which two bones bend, also where they are nearly in line and do not show it themselves."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray
from motionloom.ik import vectors

PLAIN_BEND = 0.14
"""Sine of the bend (about 8°) from which two bones show their hinge reliably; below it the usual hinge joins
in, because noise turns the plane of a nearly straight limb at random."""

_NONE = 1e-12
"""Length of an axis, or of a bone in metres, below which rounding alone gives its direction."""


def straightening(upper: npt.ArrayLike, lower: npt.ArrayLike) -> FloatArray:
    """Axes (..., 3) that turn the lower bones (..., 3) towards the upper ones; as long as the bend's sine.

    >>> (straightening([0, -2, 0], [0, 0, -1]) + 0.0).tolist()
    [-1.0, 0.0, 0.0]
    """
    upper, lower = np.asarray(upper, dtype=np.float64), np.asarray(lower, dtype=np.float64)
    sizes = vectors.lengths(upper)[..., None] * vectors.lengths(lower)[..., None]
    return np.asarray(np.cross(lower, upper) / np.where(sizes > 0.0, sizes, 1.0))


def usual(axes: npt.ArrayLike, fallback: npt.ArrayLike) -> FloatArray:
    """The unit axis (3,) that many axes (T, 3) have in common, long ones counting most; else the fallback.

    >>> usual([[0.5, 0.1, 0], [0.5, -0.1, 0]], [0, 0, 1]).tolist()
    [1.0, 0.0, 0.0]
    """
    mean = np.asarray(axes, dtype=np.float64).reshape(-1, 3).sum(axis=0)
    size = float(np.linalg.norm(mean))
    return np.asarray(mean / size if size > _NONE else fallback, dtype=np.float64)


def steady(upper: npt.ArrayLike, lower: npt.ArrayLike, hinge: npt.ArrayLike) -> FloatArray:
    """Unit axes (T, 3) at right angles to the lower bones: their own where they bend, else near the hinge.

    Parameters
    ----------
    upper, lower
        (T, 3) the two bones as vectors, metres.
    hinge
        (T, 3) or (3,) unit axis of the joint; turning the lower bone about it straightens the limb.

    >>> steady([[0, -1.0, 0]], [[0, -1.0, 0]], [-1.0, 0, 0]).tolist()
    [[-1.0, 0.0, 0.0]]
    """
    lower = np.asarray(lower, dtype=np.float64)
    own = straightening(upper, lower)
    shortfall = np.maximum(PLAIN_BEND - vectors.lengths(own)[..., None], 0.0)
    along = lower / np.maximum(vectors.lengths(lower)[..., None], _NONE)
    mixed = own + shortfall * np.asarray(hinge)
    across = mixed - vectors.dots(mixed, along)[..., None] * along
    size = vectors.lengths(across)[..., None]
    # A hinge along the bone says nothing; any axis across the bone will do then.
    least = np.eye(3)[np.abs(along).argmin(axis=-1)]
    aside = np.cross(along, least)
    aside /= np.maximum(vectors.lengths(aside)[..., None], _NONE)
    return np.where(size > _NONE, across / np.where(size > _NONE, size, 1.0), aside)

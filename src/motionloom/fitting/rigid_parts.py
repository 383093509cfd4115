"""Parts of a body whose points move together: their mean shape, and how they are turned in every frame."""

from __future__ import annotations

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.geometry import rotations as rot

MIN_FLATNESS = 0.12
"""Points whose second extent is below this fraction of the first lie on a line: they do not show twist."""

ROUNDS = 4
"""Times that shape and rotations are estimated from each other; more change less than 0.1 mm."""


def best_rotations(shape: FloatArray, points: FloatArray, weights: FloatArray | None = None) -> FloatArray:
    """Return the rotations (T, 4) that bring vectors (N, 3) nearest to others (T, N, 3), with weights (N,).

    >>> turned = rot.rotate(rot.from_yaw(0.3), np.eye(3))
    >>> best_rotations(np.eye(3), turned[None]).round(6).tolist() == [rot.from_yaw(0.3).round(6).tolist()]
    True
    """
    counted = shape if weights is None else shape * weights[:, None]
    left, _, right = np.linalg.svd(np.einsum("tni,nj->tij", points, counted))
    flips = np.sign(np.linalg.det(left @ right))
    left[..., -1] *= np.where(flips == 0.0, 1.0, flips)[:, None]
    return rot.from_matrix(left @ right)


def shows_rotation(shape: FloatArray) -> bool:
    """Tell whether vectors (N, 3) from a common point show how they are turned, and do not lie on a line.

    >>> shows_rotation(np.array([[0.1, 0, 0], [-0.1, 0, 0]])), shows_rotation(np.eye(3)[:2])
    (False, True)
    """
    if len(shape) < 2:
        return False
    sizes = np.linalg.svd(shape, compute_uv=False)
    return bool(sizes[1] > MIN_FLATNESS * sizes[0])


def mean_shape(rest: FloatArray, points: FloatArray, weights: FloatArray) -> FloatArray:
    """Return the vectors (N, 3) of a part as it stands at rest, in the size that points (T, N, 3) show.

    ``rest`` (N, 3) are the vectors of the layout, whose directions say how the part stands; ``weights`` (N,)
    say how much each counts.
    """
    sizes = np.median(np.linalg.norm(points, axis=-1), axis=0)
    lengths = np.linalg.norm(rest, axis=-1)
    shape = rest * (sizes / np.where(lengths > 0.0, lengths, 1.0))[:, None]
    for _ in range(ROUNDS):
        turned = best_rotations(shape, points, weights)
        shape = np.median(rot.rotate(rot.inverse(turned)[:, None], points), axis=0)
    return np.asarray(rot.rotate(best_rotations(shape, rest[None], weights), shape))

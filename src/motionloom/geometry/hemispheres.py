"""Which of the two quaternions of a rotation to take, so that rotations are averaged the short way round."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray

UNDECIDED = 0.17
"""Size of the inner product of two quaternions below which neither way round is much shorter: they are within
20° of half a turn apart. The sign then stays as it was, so that noise does not make it flicker."""

Signs = npt.NDArray[np.int8]


def short_way_signs(reference: FloatArray, other: FloatArray, periodic: bool = False) -> Signs:
    """Signs (N, ...) that bring quaternions ``other`` (N, ..., 4) to the reference's side, moment by moment.

    Where the two are about half a turn apart a sign is that of the last moment at which it was clear; before
    the first clear moment, that of the first, or of a ``periodic`` course that of the last. Where nothing is
    clear at all, signs are +1.

    >>> from motionloom.geometry import rotations as rot
    >>> still, turning = np.tile(rot.IDENTITY, (5, 1)), rot.from_yaw(np.linspace(0.0, 2.0 * np.pi, 5))
    >>> short_way_signs(still, turning).tolist()
    [1, 1, 1, -1, -1]
    """
    inner = np.einsum("n...c,n...c->n...", reference, other)
    clear = np.abs(inner) > UNDECIDED
    moments = np.arange(len(inner)).reshape(-1, *[1] * (inner.ndim - 1))
    last_clear = np.maximum.accumulate(np.where(clear, moments, -1), axis=0)
    ends = len(inner) - 1 - np.argmax(clear[::-1], axis=0) if periodic else np.argmax(clear, axis=0)
    chosen = np.where(last_clear < 0, ends, last_clear)
    decided = np.take_along_axis(inner, chosen, axis=0)
    return np.where((decided < 0.0) & clear.any(axis=0), -1, 1).astype(np.int8)

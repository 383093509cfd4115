"""Lengths and dot products of many short vectors; NumPy's own reductions over a short axis are slow."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray


def dots(a: npt.ArrayLike, b: npt.ArrayLike) -> FloatArray:
    """Dot products (...) of vectors (..., D).

    >>> dots([[1.0, 2.0, 2.0]], [[1.0, 0.0, 1.0]]).tolist()
    [3.0]
    """
    return np.asarray(np.einsum("...i,...i", np.asarray(a), np.asarray(b)))


def lengths(vectors: npt.ArrayLike) -> FloatArray:
    """Lengths (...) of vectors (..., D).

    >>> lengths([[1.0, 2.0, 2.0]]).tolist()
    [3.0]
    """
    return np.sqrt(dots(vectors, vectors))

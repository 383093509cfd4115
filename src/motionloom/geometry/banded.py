"""Symmetric positive definite systems of equations whose matrix has few diagonals: splines and smoothing."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom import kernels
from motionloom.arrays import FloatArray


@dataclass(frozen=True)
class BandedFactor:
    """The Cholesky factor of a matrix, to solve systems with.

    Attributes
    ----------
    columns
        (N, W) columns of the factor, each from its diagonal entry on.
    """

    columns: FloatArray

    def solve(self, right: FloatArray) -> FloatArray:
        """Return the solutions (N, C) of the system with right-hand sides (N, C)."""
        solution = np.array(right, dtype=np.float64, order="C")
        kernels.banded.solve(self.columns, solution)
        return solution


def factor_banded(bands: FloatArray) -> BandedFactor:
    """Factor a symmetric matrix (N, N).

    Parameters
    ----------
    bands
        (W, N) its diagonal, and the diagonals below it; entry (d, j) is that of row ``j + d`` and column j.

    Raises
    ------
    numpy.linalg.LinAlgError
        The matrix is not positive definite.

    >>> factor = factor_banded(np.array([[4.0, 5.0], [2.0, 0.0]]))
    >>> factor.solve(np.array([[8.0], [7.0]])).ravel().round(12)
    array([1.625, 0.75 ])
    """
    columns = np.array(bands.T, dtype=np.float64, order="C")
    failed = kernels.banded.factor(columns)
    if failed:
        raise np.linalg.LinAlgError(f"the matrix is not positive definite at column {failed - 1}")
    return BandedFactor(columns)

"""Symmetric positive definite systems of equations with few diagonals: splines, smoothing, planting."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom import kernels
from motionloom.arrays import BoolArray, FloatArray


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


@dataclass(eq=False)
class BandedProblem:
    """Normal equations of a least-squares problem over T frames: D unknowns each, coupled with the next two.

    Attributes
    ----------
    columns
        (T D, 2 D + 1) columns of their matrix, each from its diagonal entry on, in order of time.
    right
        (T, D) the right-hand side.

    >>> problem = BandedProblem.empty(3, 1)
    >>> problem.add_values(np.array([1.0, 0, 0]), np.ones((3, 1)), np.array([2.0, 0, 0]))
    >>> problem.add_changes(np.ones(2), np.ones(1), np.zeros(2))
    >>> known = np.array([[False], [False], [True]])
    >>> problem.solve(np.array([[0.0], [0], [8]]), known).ravel().round(6).tolist()
    [4.0, 6.0, 8.0]
    """

    columns: FloatArray
    right: FloatArray

    @classmethod
    def empty(cls, n_frames: int, size: int) -> BandedProblem:
        """Return a problem of ``size`` unknowns per frame in which nothing counts yet."""
        return cls(np.zeros((n_frames * size, 2 * size + 1)), np.zeros((n_frames, size)))

    def copy(self) -> BandedProblem:
        """Return a copy that can be added to by itself."""
        return BandedProblem(self.columns.copy(), self.right.copy())

    def add_values(self, weights: FloatArray, stencils: FloatArray, wanted: FloatArray) -> None:
        """Let ``stencils`` (T, D) · unknowns be near ``wanted`` (T,), with weights (T,)."""
        kernels.banded.add_values(self.columns, self.right, weights, stencils, wanted)

    def add_own_values(self, weights: FloatArray, unknown: int, wanted: FloatArray) -> None:
        """Let one of the unknowns be near ``wanted`` (T,), with weights (T,)."""
        self._diagonal(unknown)[:] += weights
        self.right[:, unknown] += weights * wanted

    def add_changes(self, weights: FloatArray, stencil: FloatArray, wanted: FloatArray) -> None:
        """Let ``stencil`` (D,) · unknowns change by ``wanted`` (T - 1,) from frame to frame."""
        kernels.banded.add_changes(self.columns, self.right, weights, stencil, wanted)

    def add_bends(self, weight: float, unknown: int) -> None:
        """Let one of the unknowns change evenly: its second differences count with ``weight``."""
        size = self.right.shape[1]
        own = self._diagonal(unknown)
        own[:-2] += weight
        own[1:-1] += 4.0 * weight
        own[2:] += weight
        rows = self.columns[unknown::size]
        rows[:-2, size] -= 2.0 * weight
        rows[1:-1, size] -= 2.0 * weight
        rows[:-2, 2 * size] += weight

    def solve(self, values: FloatArray, known: BoolArray) -> FloatArray:
        """Return the unknowns (T, D); where they are ``known`` (T, D), they are as in ``values``."""
        columns, right = self.columns.copy(), self.right.reshape(-1, 1).copy()
        kernels.banded.fix_known(columns, right[:, 0], values.ravel(), known.ravel())
        return factor_banded(columns.T).solve(right).reshape(self.right.shape)

    def _diagonal(self, unknown: int) -> FloatArray:
        """Return a view (T,) of what couples an unknown with itself."""
        return self.columns[unknown :: self.right.shape[1], 0]

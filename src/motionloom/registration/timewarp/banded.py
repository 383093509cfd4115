"""Symmetric banded systems of spline problems."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from motionloom.arrays import FloatArray, IntArray
from motionloom.registration.timewarp.problem import SparseRows, SplineProblem


@dataclass(frozen=True)
class _Places:
    """Where the products of row entries with each other belong in banded storage.

    Attributes
    ----------
    entries
        Indices into the flattened products (R, m, m, K, K) that fall on or below the diagonal.
    targets
        For each of them, its index in flattened banded storage.
    factors
        (R, m, m) products of the entries of each row.
    """

    entries: IntArray
    targets: IntArray
    factors: FloatArray


class BandedSystem:
    """The matrix of a spline problem's normal equations plus blocks that couple the clips at each step.

    Unknown ``i`` of clip ``k`` is number ``i K + k``; the lower triangle is stored by diagonals.
    ``clip_weights`` (K,) weigh the clips' objectives.
    """

    def __init__(self, problem: SplineProblem, clip_weights: FloatArray) -> None:
        self._n = problem.folding.n_unknowns
        self._n_clips = len(clip_weights)
        self.clip_weights = clip_weights
        all_rows = (problem.samples, problem.bends, problem.steps)
        reach = max(int(np.ptp(rows.columns, axis=1).max()) for rows in all_rows)
        self._width = (reach + 1) * self._n_clips
        self._step_places = self._places(problem.steps)
        self._fixed = self._normal_band(problem, clip_weights)

    def factor(self, step_blocks: FloatArray | None = None) -> Callable[[FloatArray], FloatArray]:
        """Factor the matrix with blocks (R, K, K) added at each step; the result solves for (n, K)."""
        from scipy.linalg import cho_solve_banded, cholesky_banded

        band = self._fixed
        if step_blocks is not None:
            band = band + self._filled(self._step_places, step_blocks)
        size = self._n * self._n_clips
        factored = cholesky_banded(band.reshape(-1, size), lower=True, check_finite=False)

        def solve(right: FloatArray) -> FloatArray:
            solution = cho_solve_banded((factored, True), right.reshape(size, -1), check_finite=False)
            return np.asarray(solution.reshape(right.shape))

        return solve

    def _normal_band(self, problem: SplineProblem, clip_weights: FloatArray) -> FloatArray:
        """Banded storage, flattened, of the normal equations of all clips, which do not couple them."""
        normal = problem.normal_matrix.tocoo()
        lower = normal.row >= normal.col
        row, column = normal.row[lower], normal.col[lower]
        band = np.zeros((self._width, self._n, self._n_clips))
        band[(row - column) * self._n_clips, column] = normal.data[lower, None] * clip_weights
        return band.ravel()

    def _places(self, rows: SparseRows) -> _Places:
        k = self._n_clips
        size = self._n * k
        numbers = rows.columns[:, :, None] * k + np.arange(k)
        row = numbers[:, :, None, :, None]
        column = numbers[:, None, :, None, :]
        diagonal, column = np.broadcast_arrays(row - column, column)
        entries = np.flatnonzero(diagonal.ravel() >= 0)
        targets = (diagonal * size + column).ravel()[entries]
        return _Places(entries, targets, rows.values[:, :, None] * rows.values[:, None, :])

    def _filled(self, places: _Places, blocks: FloatArray) -> FloatArray:
        """Banded storage, flattened, of the sum over rows of entry products times blocks (R, K, K)."""
        products = places.factors[..., None, None] * blocks[:, None, None]
        weights = products.ravel()[places.entries]
        band = np.bincount(places.targets, weights, minlength=self._fixed.size)
        return np.asarray(band, dtype=np.float64)

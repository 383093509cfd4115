"""Least squares over the frames of a clip: unknowns of each frame, coupled with those of the next two."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.arrays import BoolArray, FloatArray
from motionloom.geometry.banded import factor_banded


@dataclass(eq=False)
class BandedProblem:
    """Normal equations of a least-squares problem with D unknowns in each of T frames.

    Attributes
    ----------
    same, following
        (T, D, D) and (T - 1, D, D) what couples the unknowns of a frame with each other and with those of the
        next one.
    second
        (T - 2, D) what couples each unknown with itself two frames later.
    right
        (T, D) the right hand side.

    >>> problem = BandedProblem.empty(3, 1)
    >>> problem.add_values(np.array([1.0, 0, 0]), np.ones((3, 1)), np.array([2.0, 0, 0]))
    >>> problem.add_changes(np.ones(2), np.ones(1), np.zeros(2))
    >>> known = np.array([[False], [False], [True]])
    >>> problem.solve(np.array([[0.0], [0], [8]]), known).ravel().round(6).tolist()
    [4.0, 6.0, 8.0]
    """

    same: FloatArray
    following: FloatArray
    second: FloatArray
    right: FloatArray

    @classmethod
    def empty(cls, n_frames: int, size: int) -> BandedProblem:
        """Return a problem of ``size`` unknowns per frame in which nothing counts yet."""
        return cls(
            np.zeros((n_frames, size, size)),
            np.zeros((max(n_frames - 1, 0), size, size)),
            np.zeros((max(n_frames - 2, 0), size)),
            np.zeros((n_frames, size)),
        )

    def copy(self) -> BandedProblem:
        """Return a copy that can be added to by itself."""
        return BandedProblem(self.same.copy(), self.following.copy(), self.second.copy(), self.right.copy())

    def add_values(self, weights: FloatArray, stencils: FloatArray, wanted: FloatArray) -> None:
        """Let ``stencils`` (T, D) · unknowns be near ``wanted`` (T,), with weights (T,)."""
        weighted = weights[:, None] * stencils
        self.same += weighted[:, :, None] * stencils[:, None, :]
        self.right += weighted * wanted[:, None]

    def add_own_values(self, weights: FloatArray, unknown: int, wanted: FloatArray) -> None:
        """Let one of the unknowns be near ``wanted`` (T,), with weights (T,)."""
        self.same[:, unknown, unknown] += weights
        self.right[:, unknown] += weights * wanted

    def add_changes(self, weights: FloatArray, stencil: FloatArray, wanted: FloatArray) -> None:
        """Let ``stencil`` (D,) · unknowns change by ``wanted`` (T - 1,) from frame to frame."""
        block = weights[:, None, None] * (stencil[:, None] * stencil)
        self.same[:-1] += block
        self.same[1:] += block
        self.following -= block
        pull = (weights * wanted)[:, None] * stencil
        self.right[1:] += pull
        self.right[:-1] -= pull

    def add_bends(self, weight: float, unknown: int) -> None:
        """Let one of the unknowns change evenly: its second differences count with ``weight``."""
        own = self.same[:, unknown, unknown]
        own[:-2] += weight
        own[1:-1] += 4.0 * weight
        own[2:] += weight
        self.following[:-1, unknown, unknown] -= 2.0 * weight
        self.following[1:, unknown, unknown] -= 2.0 * weight
        self.second[:, unknown] += weight

    def solve(self, values: FloatArray, known: BoolArray) -> FloatArray:
        """Return the unknowns (T, D); where they are ``known`` (T, D), they are as in ``values``."""
        n, size = values.shape
        # In order of time: column d of a row couples an unknown with the one that is d later.
        bands = np.zeros((n, size, 2 * size + 1))
        for row in range(size):
            bands[:, row, : size - row] = self.same[:, row, row:]
            bands[:-1, row, size - row : 2 * size - row] += self.following[:, row]
            bands[:-2, row, 2 * size] = self.second[:, row]
        bands = bands.reshape(n * size, 2 * size + 1)
        right, fixed = np.array(self.right).reshape(-1, 1), np.where(known, values, 0.0).ravel()
        is_known = known.ravel()
        # Known values go to the right hand side.
        for apart in range(1, min(2 * size, n * size - 1) + 1):
            band = bands[:-apart, apart]
            right[apart:, 0] -= band * fixed[:-apart]
            right[:-apart, 0] -= band * fixed[apart:]
            band *= ~is_known[apart:] & ~is_known[:-apart]
        right[is_known, 0] = fixed[is_known]
        bands[is_known, 0] = 1.0
        return factor_banded(bands.T).solve(right).reshape(n, size)

"""The least-squares problem behind a timewarp curve, and its banded linear systems.

The unknowns are deviations (n, K) of the control points from the straight line that runs through the
correspondences from end to end. End conditions then cost nothing: a pinned end makes the outermost
deviation the negative of its neighbour, a cycle makes deviations repeat, and neither leaves a constant.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from motionloom.arrays import FloatArray, IntArray
from motionloom.geometry import splines
from motionloom.geometry.banded import factor_banded
from motionloom.registration.timewarp import Anchors

if TYPE_CHECKING:
    from collections.abc import Callable

STRAIGHTENING = 1e-10
"""Weight of squared bends that is always there: it decides control points that no sample determines."""


@dataclass(frozen=True)
class SparseRows:
    """A matrix (R, n) with the same number of entries in each row.

    Attributes
    ----------
    columns
        (R, m) column of each entry; columns may repeat within a row, and then add up.
    values
        (R, m) entries.
    """

    columns: IntArray
    values: FloatArray
    n_columns: int

    def times(self, x: FloatArray) -> FloatArray:
        """Return the product (R, K) with ``x`` (n, K)."""
        product = self.values[:, 0, None] * x[self.columns[:, 0]]
        for entry in range(1, self.columns.shape[1]):
            product += self.values[:, entry, None] * x[self.columns[:, entry]]
        return product

    def transpose_times(self, y: FloatArray) -> FloatArray:
        """Return the product (n, K) of the transposed matrix with ``y`` (R, K)."""
        columns = self.columns.ravel()
        products = [
            np.bincount(columns, (self.values * y[:, k, None]).ravel(), minlength=self.n_columns)
            for k in range(y.shape[1])
        ]
        return np.stack(products, axis=1)

    def multiply_by_itself(self, n_bands: int) -> FloatArray:
        """Return the transposed matrix times itself: its diagonal and those below it, (n_bands, n)."""
        row, column = self.columns[:, :, None], self.columns[:, None, :]
        lower = row >= column
        products = (self.values[:, :, None] * self.values[:, None, :])[lower]
        targets = ((row - column) * self.n_columns + column)[lower]
        band = np.bincount(targets, products, minlength=n_bands * self.n_columns)
        return np.asarray(band.reshape(n_bands, -1), dtype=np.float64)


@dataclass(frozen=True)
class Folding:
    """How the control points (D,) of all pieces come from the unknowns: ``signs * x[sources]``."""

    sources: IntArray
    signs: FloatArray
    n_unknowns: int

    def expand(self, x: FloatArray) -> FloatArray:
        """Return the control points (D, K) for unknowns (n, K)."""
        return np.asarray(self.signs[:, None] * x[self.sources])

    def rows(self, first: IntArray, weights: FloatArray) -> SparseRows:
        """Return rows over the unknowns for rows that weigh consecutive control points from ``first`` on."""
        points = first[:, None] + np.arange(weights.shape[1])
        return SparseRows(self.sources[points], weights * self.signs[points], self.n_unknowns)


@dataclass(frozen=True)
class SplineProblem:
    """Deviations ``x`` (n, K) that are close to the correspondences and bend little.

    Minimises the sum of ``|samples · x - residuals|²``, ``|anchors · x - anchor_residuals|²`` and
    ``penalty |bends · x|²``.

    Attributes
    ----------
    folding
        How control points follow from the unknowns.
    samples
        Row per correspondence: the spline's value there.
    anchors
        Row per anchor: the spline's value there, times the root of its weight.
    steps
        Row per control-point difference that is bounded.
    bends
        Row per piece: the change of slope over it.
    residuals
        (N, K) frames from the line to the correspondences.
    anchor_residuals
        (E, K) frames from the line to the anchors, times the root of their weight.
    line
        (D, K) control points of the line, frames.
    penalty
        Weight of squared bends.
    """

    folding: Folding
    samples: SparseRows
    anchors: SparseRows
    steps: SparseRows
    bends: SparseRows
    residuals: FloatArray
    anchor_residuals: FloatArray
    line: FloatArray
    penalty: float

    @property
    def line_step(self) -> FloatArray:
        """Control-point difference (K,) of the line, frames per piece."""
        return np.asarray(self.line[1] - self.line[0])

    def control_points(self, x: FloatArray) -> FloatArray:
        """Return the control points (D, K) in frames for deviations (n, K)."""
        return np.asarray(self.line + self.folding.expand(x))

    def steps_of(self, x: FloatArray) -> FloatArray:
        """Return the bounded control-point differences (R, K) in frames for deviations (n, K)."""
        return np.asarray(self.line_step + self.steps.times(x))

    def objectives(self, x: FloatArray) -> FloatArray:
        """Return the objective (K,) of each clip: squared errors plus weighted squared bends, frames²."""
        off_anchors = ((self.anchors.times(x) - self.anchor_residuals) ** 2).sum(axis=0)
        bending = (self.bends.times(x) ** 2).sum(axis=0)
        return np.asarray(self.sum_squared_error(x) + off_anchors + self.penalty * bending)

    def sum_squared_error(self, x: FloatArray) -> FloatArray:
        """Return the sum (K,) of squared distances of each clip's correspondences to the curve, frames²."""
        return np.asarray(((self.samples.times(x) - self.residuals) ** 2).sum(axis=0))

    def gradient_at_line(self) -> FloatArray:
        """Return the right-hand side (n, K) of the normal equations."""
        from_samples = self.samples.transpose_times(self.residuals)
        return np.asarray(from_samples + self.anchors.transpose_times(self.anchor_residuals))

    @cached_property
    def normal_bands(self) -> FloatArray:
        """Diagonals (W, n), from the main one down, of the normal equations of one clip."""
        rows = (self.samples, self.anchors, self.bends)
        n_bands = 1 + max(int(np.ptp(each.columns, axis=1).max(initial=0)) for each in rows)
        samples, anchors, bends = (each.multiply_by_itself(n_bands) for each in rows)
        return np.asarray(samples + anchors + self.penalty * bends)

    def normal_times(self, x: FloatArray) -> FloatArray:
        """Return the product (n, K) of the matrix of the normal equations with ``x`` (n, K)."""
        bands = self.normal_bands
        product = bands[0, :, None] * x
        for d in range(1, len(bands)):
            below = bands[d, :-d, None]
            product[d:] += below * x[:-d]
            product[:-d] += below * x[d:]
        return np.asarray(product)


def open_problem(
    samples: FloatArray,
    n_pieces: int,
    pin_start: bool,
    pin_end: bool,
    smoothing: float,
    anchors: Anchors | None = None,
) -> SplineProblem:
    """Return the problem of a curve with two ends, for correspondences (N, K) at ``u = 0 … N - 1``.

    >>> problem = open_problem(np.arange(9.0)[:, None], 2, pin_start=True, pin_end=True, smoothing=0.0)
    >>> problem.control_points(np.zeros((2, 1))).ravel()
    array([-2.,  2.,  6., 10.])
    """
    n_points = n_pieces + 2
    n_unknowns = n_points - pin_start - pin_end
    sources = np.arange(n_points) - pin_start
    signs = np.ones(n_points)
    if pin_start:
        sources[0], signs[0] = 0, -1.0
    if pin_end:
        sources[-1], signs[-1] = n_unknowns - 1, -1.0

    rate = (samples[-1] - samples[0]) / (len(samples) - 1)
    folding = Folding(sources, signs, n_unknowns)
    return _assemble(samples, anchors, rate, folding, len(samples) - 1, n_pieces + 1, smoothing)


def periodic_problem(
    samples: FloatArray,
    periods: FloatArray,
    n_pieces: int,
    smoothing: float,
    anchors: Anchors | None = None,
) -> SplineProblem:
    """Return the problem of a cyclic curve, for correspondences (N, K) at ``u = 0 … N - 1`` of a cycle of N.

    >>> problem = periodic_problem(np.arange(8.0)[:, None], np.array([8.0]), 2, smoothing=0.0)
    >>> problem.control_points(np.zeros((2, 1))).ravel()
    array([-2.,  2.,  6., 10.])
    """
    # Unknowns are numbered from both sides of the seam at once, so that neighbours on the circle stay
    # within a narrow band of each other.
    ring = np.arange(n_pieces)
    numbers = np.where(2 * ring < n_pieces, 2 * ring, 2 * (n_pieces - 1 - ring) + 1)
    sources = numbers[np.arange(n_pieces + 2) % n_pieces]
    folding = Folding(sources, np.ones(n_pieces + 2), n_pieces)
    return _assemble(samples, anchors, periods / len(samples), folding, len(samples), n_pieces, smoothing)


def _assemble(
    samples: FloatArray,
    anchors: Anchors | None,
    rate: FloatArray,
    folding: Folding,
    length: int,
    n_steps: int,
    smoothing: float,
) -> SplineProblem:
    n_pieces = len(folding.sources) - 2
    known = Anchors.none(samples.shape[1]) if anchors is None else anchors
    root = np.sqrt(np.broadcast_to(known.weight, known.u.shape))[:, None]
    u = np.arange(len(samples), dtype=np.float64)
    first, weights = splines.basis(u * (n_pieces / length), n_pieces)
    first_at_anchors, weights_at_anchors = splines.basis(known.u * (n_pieces / length), n_pieces)

    knots = np.arange(n_pieces + 2)
    step_weights = np.tile([-1.0, 1.0], (n_steps, 1))
    bend_weights = np.tile([1.0, -2.0, 1.0], (n_pieces, 1))
    return SplineProblem(
        folding=folding,
        samples=folding.rows(first, weights),
        anchors=folding.rows(first_at_anchors, root * weights_at_anchors),
        steps=folding.rows(knots[:n_steps], step_weights),
        bends=folding.rows(knots[:n_pieces], bend_weights),
        residuals=samples - (samples[0] + u[:, None] * rate),
        anchor_residuals=root * (known.frames - (samples[0] + known.u[:, None] * rate)),
        line=samples[0] + (length / n_pieces) * (knots[:, None] - 0.5) * rate,
        penalty=STRAIGHTENING + smoothing,
    )


@dataclass(frozen=True)
class _BandIndex:
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
        self._step_index = self._index(problem.steps)
        self._fixed = self._normal_band(problem, clip_weights)

    def factor(self, step_blocks: FloatArray | None = None) -> Callable[[FloatArray], FloatArray]:
        """Factor the matrix with blocks (R, K, K) added at each step; the result solves for (n, K)."""
        band = self._fixed
        if step_blocks is not None:
            band = band + self._fill(self._step_index, step_blocks)
        size = self._n * self._n_clips
        factored = factor_banded(band.reshape(-1, size))

        def solve(right: FloatArray) -> FloatArray:
            return factored.solve(right.reshape(size, -1)).reshape(right.shape)

        return solve

    def _normal_band(self, problem: SplineProblem, clip_weights: FloatArray) -> FloatArray:
        """Return the normal equations of all clips, which do not couple them, in flat banded storage."""
        band = np.zeros((self._width, self._n, self._n_clips))
        bands = problem.normal_bands
        band[: len(bands) * self._n_clips : self._n_clips] = bands[..., None] * clip_weights
        return band.ravel()

    def _index(self, rows: SparseRows) -> _BandIndex:
        k = self._n_clips
        size = self._n * k
        numbers = rows.columns[:, :, None] * k + np.arange(k)
        row = numbers[:, :, None, :, None]
        column = numbers[:, None, :, None, :]
        diagonal, column = np.broadcast_arrays(row - column, column)
        entries = np.flatnonzero(diagonal.ravel() >= 0)
        targets = (diagonal * size + column).ravel()[entries]
        return _BandIndex(entries, targets, rows.values[:, :, None] * rows.values[:, None, :])

    def _fill(self, index: _BandIndex, blocks: FloatArray) -> FloatArray:
        """Return, in flat banded storage, the sum over rows of entry products times blocks (R, K, K)."""
        products = index.factors[..., None, None] * blocks[:, None, None]
        weights = products.ravel()[index.entries]
        band = np.bincount(index.targets, weights, minlength=self._fixed.size)
        return np.asarray(band, dtype=np.float64)

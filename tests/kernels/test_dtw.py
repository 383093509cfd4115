from __future__ import annotations

import numpy as np

from motionloom import kernels
from motionloom.arrays import FloatArray, IntArray, read_only_view


def sweep(
    costs: FloatArray, limit: int, *, free_first_step: bool = True
) -> tuple[IntArray, FloatArray, FloatArray]:
    """The step table, and the values of the last row and column, with every cell reachable."""
    rows, columns = costs.shape
    band = np.tile(np.array([[0], [columns - 1], [-1]]), rows)
    band = np.ascontiguousarray(band)
    values, last_column = np.full((limit + 3, columns + 1), np.inf), np.full(rows, np.inf)
    steps = np.zeros((rows, columns), dtype=np.int16)
    kernels.dtw.sweep(
        read_only_view(costs), 0, 0, band, 1.0, free_first_step, True, values, steps, last_column
    )
    return steps.astype(np.int64), values[0, 1:], last_column


def reference(costs: FloatArray, limit: int) -> FloatArray:
    """Eq. 5.1 of Kovar's thesis as it stands: the cheapest path from the first cell to every cell."""
    best = np.full(costs.shape, np.inf)
    best[0, 0] = costs[0, 0]
    for i in range(1, costs.shape[0]):
        for j in range(1, costs.shape[1]):
            down = [
                best[i - r, j - 1] + costs[i - r + 1 : i + 1, j].sum() for r in range(1, min(limit, i) + 1)
            ]
            across = [
                best[i - 1, j - r] + costs[i, j - r + 1 : j + 1].sum() for r in range(1, min(limit, j) + 1)
            ]
            best[i, j] = min(down + across)
    return best


def test_values_are_those_of_the_thesis_equation() -> None:
    costs = np.random.default_rng(0).random((12, 15))
    for limit in (1, 2, 3, 5):
        expected = reference(costs, limit)
        _, last_row, last_column = sweep(costs, limit, free_first_step=False)
        np.testing.assert_allclose(last_row, expected[-1], rtol=1e-12)
        np.testing.assert_allclose(last_column, expected[:, -1], rtol=1e-12)


def test_ties_go_diagonal_then_to_the_shorter_run() -> None:
    steps, last_row, _ = sweep(np.zeros((4, 6)), 3)
    assert last_row.tolist() == [np.inf, 0, 0, 0, 0, 0]
    assert steps[1:, 1:].tolist() == [[0, 0, 0, -1, -2], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0]]


def test_trace_follows_runs_back_to_the_first_cell() -> None:
    steps = np.zeros((4, 4), dtype=np.int16)
    steps[3, 2], steps[0, 1] = 2, -1
    cells = np.zeros((8, 2), dtype=np.int64)
    count = kernels.dtw.trace(steps, 3, 2, cells)
    assert cells[:count].tolist() == [[3, 2], [2, 2], [1, 2], [0, 1], [0, 0]]

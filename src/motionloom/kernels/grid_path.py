"""Cheapest monotone paths through a grid of costs, with bounded runs along either axis.

A path is made of diagonal steps and of runs of steps along one axis; a run is at most ``limit - 1`` steps long
and diagonal steps, or an end of the path, stand on both sides of it. Every cell therefore needs two values:
the cheapest path that ends there, and the cheapest that enters it by a diagonal step and may begin a run.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from motionloom.kernels.compiling import Floats, Ints, kernel

Steps = npt.NDArray[np.int16]


@kernel
def sweep(
    costs: Floats,
    top: int,
    left: int,
    band: Ints,
    limit: int,
    diagonal_weight: float,
    leave_freely: bool,
    first_axis_wins: bool,
    out_steps: Steps,
    out_last_row: Floats,
    out_last_column: Floats,
) -> None:
    """Find the cheapest path from cell (top, left) of ``costs`` to every cell of an R × C region above it.

    ``band`` (3, R) holds per row the first and last live column and the column the path must pass, or −1;
    columns count from ``left`` and the first two never decrease. A cell counts ``diagonal_weight`` times when
    it is entered diagonally, once otherwise; the first cell counts once if ``diagonal_weight`` is 1, else not
    at all. ``leave_freely`` tells whether the first step may belong to a run. ``out_steps`` (R, C) receives
    the length of the run that ends in the cell: positive along the first axis, negative along the second, 0
    for none. ``out_last_row`` (C,) and ``out_last_column`` (R,) receive the values of the cells where paths
    leave the region, infinity where no path arrives.

    On equal values a shorter run wins (so a diagonal step before all), then the axis ``first_axis_wins`` names.
    Sums run in path order, so a transposed grid gives the same values to the last bit.
    """
    n_rows, n_columns = out_steps.shape
    # Columns are shifted by one, so that the column left of the band always exists.
    best = np.full(n_columns + 1, np.inf)
    runs = np.full((limit, n_columns + 1), np.inf)
    along = np.full((2, n_columns + 1), np.inf)
    out_last_row[:] = np.inf
    out_last_column[:] = np.inf
    first_value = costs[top, left] if diagonal_weight == 1.0 else 0.0

    for i in range(n_rows):
        low, high, pin = band[0, i], band[1, i], band[2, i]
        if low > high:
            return
        cost = costs[top + i, left + low : left + high + 1]
        if pin >= 0:
            best[pin + 1] = np.inf  # a diagonal step here would pass the pin by
        for r in range(limit - 1, 0, -1):
            shorter, longer = runs[r - 1, low + 1 : high + 2], runs[r, low + 1 : high + 2]
            for k in range(cost.shape[0]):
                longer[k] = shorter[k] + cost[k]
        before, entered = best[low : high + 1], runs[0, low + 1 : high + 2]
        for k in range(cost.shape[0]):
            entered[k] = before[k] + diagonal_weight * cost[k]
        if i == 0 and leave_freely:
            entered[0] = first_value

        here, steps = best[low + 1 : high + 2], out_steps[i, low : high + 1]
        for k in range(cost.shape[0]):
            here[k] = entered[k]
            steps[k] = 0
        runs[0, low] = np.inf
        shorter = runs[0, low : high + 1]
        for r in range(1, limit):
            along[r % 2, low] = np.inf
            longer, down = along[r % 2, low + 1 : high + 2], runs[r, low + 1 : high + 2]
            for k in range(cost.shape[0]):
                across = shorter[k] + cost[k]
                longer[k] = across
                take_down = (down[k] < across) | ((down[k] == across) & first_axis_wins)
                value = down[k] if take_down else across
                step = np.int16(r) if take_down else np.int16(-r)
                better = value < here[k]
                here[k] = value if better else here[k]
                steps[k] = step if better else steps[k]
            shorter = along[r % 2, low : high + 1]
        if i == 0:
            best[1] = first_value
        if high == n_columns - 1:
            out_last_column[i] = best[n_columns]
        best[low] = np.inf
        if pin >= 0:
            best[pin] = np.inf
    out_last_row[band[0, n_rows - 1] :] = best[band[0, n_rows - 1] + 1 :]


@kernel
def trace(steps: Steps, row: int, column: int, out_cells: Ints) -> int:
    """Follow ``steps`` from a cell back to (0, 0); fill ``out_cells`` (…, 2), last cell first; return how many."""
    i, j, count = row, column, 0
    while True:
        run = steps[i, j]
        for _ in range(abs(run)):
            out_cells[count, 0], out_cells[count, 1] = i, j
            count += 1
            if run > 0:
                i -= 1
            else:
                j -= 1
        out_cells[count, 0], out_cells[count, 1] = i, j
        count += 1
        if i == 0 and j == 0:
            return count
        i -= 1
        j -= 1

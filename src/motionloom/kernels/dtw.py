"""Slope-limited dynamic time warping: the cheapest monotone paths through a grid of costs.

A path is made of diagonal steps and of runs of steps along one axis; a run is at most ``limit - 1`` steps
long, and diagonal steps or an end of the path stand on both sides of it. Every cell therefore needs two
values: the cheapest path that ends there, and the cheapest that enters it diagonally and may begin a run.
"""

from __future__ import annotations

import numpy as np

from motionloom.kernels.array_types import (
    Floats2,
    Ints2,
    OutFloats1,
    OutFloats2,
    OutInts1,
    OutInts2,
    OutSigns2,
    OutSteps2,
    Signs2,
    Steps2,
)
from motionloom.kernels.compiling import kernel


@kernel
def sweep(
    costs: Floats2,
    top: int,
    left: int,
    band: Ints2,
    diagonal_weight: float,
    free_first_step: bool,
    prefer_first_axis: bool,
    rows: OutFloats2,
    out_steps: OutSteps2,
    out_last_column: OutFloats1,
) -> None:
    """Find the cheapest paths from cell (top, left) of ``costs`` to the cells of an R × C region after it.

    ``band`` (3, R) holds per row the first and last reachable column and the column the path must pass, or
    −1; columns count from ``left``, and the first two never decrease. A cell counts ``diagonal_weight`` times
    when it is entered diagonally, once otherwise. ``free_first_step`` tells whether the first step may belong
    to a run.

    ``rows`` (limit + 3, C + 1) comes filled with infinity, as does ``out_last_column`` (R,). Afterwards
    ``rows[0, 1:]`` holds the values of the cheapest paths to the last row, if that is reached, and
    ``out_last_column`` those to the last column; the other rows are the kernel's own. ``out_steps`` (R, C)
    receives the length of the run that ends in each reachable cell: positive along the first axis, negative
    along the second, 0 for none.

    Ties go to the shorter run (so to a diagonal step first), then to the axis that ``prefer_first_axis``
    names. Sums run in path order: a transposed grid has equal values to the last bit.
    """
    n_rows, n_columns = out_steps.shape
    limit = rows.shape[0] - 3
    # Row 0: the cheapest path. Row 1 + r: r steps down after a diagonal step. The last two: steps across, in
    # turn. Columns are shifted by one, so that the column left of the band always exists.
    best = rows[0]
    for i in range(n_rows):
        low, high, pin = band[0, i], band[1, i], band[2, i]
        if low > high:
            break
        n = high - low + 1
        cost = costs[top + i, left + low :]
        if pin >= 0:
            best[pin + 1] = np.inf  # a diagonal step here would pass the pin by
        for r in range(limit - 1, 0, -1):
            shorter, longer = rows[r, low + 1 :], rows[r + 1, low + 1 :]
            for k in range(n):
                longer[k] = shorter[k] + cost[k]
        before, entered = best[low:], rows[1, low + 1 :]
        for k in range(n):
            entered[k] = before[k] + diagonal_weight * cost[k]
        if i == 0 and free_first_step:
            entered[0] = cost[0]

        here, steps = best[low + 1 :], out_steps[i, low:]
        for k in range(n):
            here[k] = entered[k]
            steps[k] = 0
        rows[1, low] = np.inf
        shorter = rows[1, low:]
        for r in range(1, limit):
            across, down = rows[limit + 1 + r % 2], rows[r + 1, low + 1 :]
            across[low] = np.inf
            longer = across[low + 1 :]
            for k in range(n):
                value = shorter[k] + cost[k]
                longer[k] = value
                take_down = (down[k] < value) | ((down[k] == value) & prefer_first_axis)
                value = down[k] if take_down else value
                step = r if take_down else -r
                better = value < here[k]
                here[k] = value if better else here[k]
                steps[k] = step if better else steps[k]
            shorter = across[low:]
        if i == 0:
            best[1] = cost[0]
        if high == n_columns - 1:
            out_last_column[i] = best[n_columns]
        best[low] = np.inf
        if pin >= 0:
            best[pin] = np.inf


@kernel
def trace(steps: Steps2, row: int, column: int, out_cells: OutInts2) -> int:
    """Follow ``steps`` from a cell to (0, 0): fill ``out_cells`` (…, 2), last cell first, and count them."""
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


@kernel
def local_sweep(gains: Floats2, rows: OutFloats2, out_steps: OutSigns2, out_last: OutInts1) -> float:
    """Find the path of the largest sum of gains, anywhere in a grid (R, C), and return the sum.

    Steps are (1, 1), and (1, 2) and (2, 1) through the cell before the last. The cell that a longer step
    passes through counts only where its gain is negative, so that stretching one clip gains nothing. A path
    begins wherever those before it sum to nothing or less. ``rows`` (3, C) is the kernel's own. ``out_steps``
    (R, C) receives how each cell is entered: 0 where a path begins, 1 diagonally, 2 by (1, 2), 3 by (2, 1).
    ``out_last`` (2,) receives the last cell: (−1, −1) where no gain is positive.
    """
    n_rows, n_columns = gains.shape
    best, row, column = 0.0, -1, -1
    for i in range(n_rows):
        here, before, earlier = rows[i % 3], rows[(i - 1) % 3], rows[(i - 2) % 3]
        for j in range(n_columns):
            gain = gains[i, j]
            value, step = gain, 0
            if i > 0 and j > 0:
                if before[j - 1] > 0.0:
                    value, step = before[j - 1] + gain, 1
                if j > 1:
                    across = before[j - 2] + min(gains[i, j - 1], 0.0) + gain
                    if across > value and before[j - 2] > 0.0:
                        value, step = across, 2
                if i > 1:
                    down = earlier[j - 1] + min(gains[i - 1, j], 0.0) + gain
                    if down > value and earlier[j - 1] > 0.0:
                        value, step = down, 3
            here[j] = value
            out_steps[i, j] = step
            if value > best:
                best, row, column = value, i, j
    out_last[0], out_last[1] = row, column
    return best


@kernel
def trace_local(steps: Signs2, row: int, column: int, out_cells: OutInts2) -> int:
    """Follow the steps of :func:`local_sweep` back to the start: fill and count ``out_cells``, last first."""
    i, j, count = row, column, 0
    while True:
        out_cells[count, 0], out_cells[count, 1] = i, j
        count += 1
        step = steps[i, j]
        if step == 0:
            return count
        if step == 2:
            out_cells[count, 0], out_cells[count, 1] = i, j - 1
            count += 1
        elif step == 3:
            out_cells[count, 0], out_cells[count, 1] = i - 1, j
            count += 1
        i, j = i - (2 if step == 3 else 1), j - (2 if step == 2 else 1)

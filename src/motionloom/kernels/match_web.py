"""Where takes of a library run alongside each other: minima of their distance grids, and chains of them.

The grid of two takes has a cell for each pair of samples, with their distance. Cells near each other whose
distance is smaller than that of their neighbours form chains along which the takes correspond. Only cells
below a limit count. Lower bounds of distances come first (:mod:`motionloom.kernels.subsequence`), and
distances are measured where the bound is below the limit; so minima are exactly those of the distances.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from motionloom.kernels.array_types import (
    Floats,
    Floats1,
    Floats3,
    Ints,
    Ints2,
    OutBools1,
    OutFloats1,
    OutFloats2,
    OutInts1,
    OutInts2,
    OutSingles2,
    Singles,
    Singles1,
)
from motionloom.kernels.compiling import kernel
from motionloom.kernels.subsequence import (
    GROUND,
    GROUND_REST,
    HEIGHT,
    HEIGHT_REST,
    ROUNDING,
    SQUARE,
)

MAX_HELD = 2
"""Samples for which one take may advance while the other stands still."""

_STEPS = np.array([[1, 1], [1, 0], [0, 1], [2, 1], [1, 2], [2, 2]])
"""From one cell of a chain to the next; the larger steps bridge a sample that is no minimum."""


@kernel
def _measure_cell(a: Floats, b: Floats, a_square: float, b_square: float) -> float:
    """Return the distance of two windows (3, P), metres: ground points x and z about their mean, heights."""
    dot, cross, heights = 0.0, 0.0, 0.0
    for p in range(a.shape[1]):
        dot += a[0, p] * b[0, p] + a[1, p] * b[1, p]
        cross += a[1, p] * b[0, p] - a[0, p] * b[1, p]
        difference = a[2, p] - b[2, p]
        heights += difference * difference
    squared = a_square + b_square - 2.0 * sqrt(dot * dot + cross * cross) + heights
    return sqrt(squared) if squared > 0.0 else 0.0


@kernel
def _bound_cells(
    a: Singles, n_a: int, i: int, b: Singles, n_b: int, first: int, last: int, out: Singles, scratch: Singles
) -> None:
    """Fill squared lower bounds of the distances of sample ``i`` of a take to ``first <= j < last``.

    Both hold the values of their signatures one after the other, ``n_a`` and ``n_b`` of each.
    """
    n = last - first
    dots, crosses = scratch[0, :n], scratch[1, :n]
    dots[:] = np.float32(0.0)
    crosses[:] = np.float32(0.0)
    for k in range(GROUND):
        x, z = a[k * n_a + i], a[(GROUND + k) * n_a + i]
        real = b[k * n_b + first : k * n_b + last]
        imaginary = b[(GROUND + k) * n_b + first : (GROUND + k) * n_b + last]
        for j in range(n):
            dots[j] += x * real[j] + z * imaginary[j]
            crosses[j] += z * real[j] - x * imaginary[j]
    square, rest, height_rest = a[SQUARE * n_a + i], a[GROUND_REST * n_a + i], a[HEIGHT_REST * n_a + i]
    squares = b[SQUARE * n_b + first : SQUARE * n_b + last]
    rests = b[GROUND_REST * n_b + first : GROUND_REST * n_b + last]
    height_rests = b[HEIGHT_REST * n_b + first : HEIGHT_REST * n_b + last]
    for j in range(n):
        spread = (square + squares[j]) * (np.float32(1.0) - ROUNDING)
        turn = np.sqrt(dots[j] * dots[j] + crosses[j] * crosses[j])
        difference = height_rest - height_rests[j]
        out[j] = spread - np.float32(2.0) * (turn + rest * rests[j]) + difference * difference
    for k in range(2 * GROUND, 2 * GROUND + HEIGHT):
        height = a[k * n_a + i]
        heights = b[k * n_b + first : k * n_b + last]
        for j in range(n):
            difference = height - heights[j]
            out[j] += difference * difference


@kernel
def find_minima(
    a_signatures: Singles1,
    a_windows: Floats3,
    a_squares: Floats1,
    b_signatures: Singles1,
    b_windows: Floats3,
    b_squares: Floats1,
    max_distance: float,
    apart: int,
    first: int,
    last: int,
    rows: OutFloats2,
    bounds: OutSingles2,
    out_cells: OutInts2,
    out_distances: OutFloats1,
) -> int:
    """Fill the cells (., 2) that are minima, in rows ``first <= i < last``, and return how many there are.

    ``a_windows`` (n, 3, P) and ``a_squares`` (n,) are the windows of a take and their |c|², ``a_signatures``
    its signatures, flat; likewise of the other take. A minimum is nearer than ``max_distance`` and than both
    its neighbours in its row or in its column. Of a take with itself, ``apart >= 0``, only cells (i, j) with
    j > i + apart count. ``rows`` (3, n + 2) and ``bounds`` (3, n), n of the other take, are the kernel's own.
    """
    n_a, n_b = len(a_windows), len(b_windows)
    for k in range(3):
        rows[k, :] = np.inf
    limit = np.float32(max_distance * max_distance)
    count = 0
    for i in range(first - 1, last + 1):
        row = rows[(i + 3) % 3]
        row[:] = np.inf
        if 0 <= i < n_a:
            begin = max(0, i + apart) if apart >= 0 else 0
            if begin < n_b:
                _bound_cells(a_signatures, n_a, i, b_signatures, n_b, begin, n_b, bounds[0], bounds[1:])
                for j in range(begin, n_b):
                    if bounds[0, j - begin] <= limit:
                        row[j + 1] = _measure_cell(a_windows[i], b_windows[j], a_squares[i], b_squares[j])
        if i <= first:
            continue
        above, own, below = rows[(i + 1) % 3], rows[(i + 2) % 3], row
        for j in range(1, n_b + 1):
            value = own[j]
            if value > max_distance or (apart >= 0 and j - 1 <= i - 1 + apart):
                continue
            in_row = value < own[j - 1] and value <= own[j + 1]
            in_column = value < above[j] and value <= below[j]
            if in_row or in_column:
                out_cells[count, 0], out_cells[count, 1] = i - 1, j - 1
                out_distances[count] = value
                count += 1
    return count


@kernel
def _find_cell(cells: Ints, row: int, column: int) -> int:
    """Return the index of a cell among cells (N, 2) in order of rows and columns, or -1."""
    low, high = 0, len(cells)
    while low < high:
        half = (low + high) // 2
        if cells[half, 0] < row or (cells[half, 0] == row and cells[half, 1] < column):
            low = half + 1
        else:
            high = half
    return low if low < len(cells) and cells[low, 0] == row and cells[low, 1] == column else -1


@kernel
def chain_minima(
    cells: Ints2,
    distances: Floats1,
    min_steps: int,
    visited: OutBools1,
    out_order: OutInts1,
    out_starts: OutInts1,
) -> int:
    """Chain minima (N, 2), which are in order of rows and columns, and return the number of chains.

    Chain c is the cells ``out_order[out_starts[c]:out_starts[c + 1]]``. Both takes advance by ``min_steps``
    samples at least from its first cell to its last. Each cell belongs to one chain at most. ``visited`` (N,)
    is the kernel's own.
    """
    n = len(cells)
    visited[:] = False
    n_chains, filled = 0, 0
    out_starts[0] = 0
    for start in range(n):
        if visited[start]:
            continue
        at, length = start, 0
        held_row, held_column = 0, 0
        while at >= 0:
            visited[at] = True
            out_order[filled + length] = at
            length += 1
            best, best_step = -1, 0
            for step in range(len(_STEPS)):
                down, right = _STEPS[step, 0], _STEPS[step, 1]
                if (down == 0 and held_row >= MAX_HELD) or (right == 0 and held_column >= MAX_HELD):
                    continue
                # Larger steps only bridge where no smaller one leads on.
                if step >= 3 and best >= 0:
                    break
                other = _find_cell(cells, cells[at, 0] + down, cells[at, 1] + right)
                if other >= 0 and not visited[other] and (best < 0 or distances[other] < distances[best]):
                    best, best_step = other, step
            if best >= 0:
                held_row = held_row + 1 if _STEPS[best_step, 0] == 0 else 0
                held_column = held_column + 1 if _STEPS[best_step, 1] == 0 else 0
            at = best
        final = out_order[filled + length - 1]
        if min(cells[final, 0] - cells[start, 0], cells[final, 1] - cells[start, 1]) >= min_steps:
            filled += length
            n_chains += 1
            out_starts[n_chains] = filled
    return n_chains

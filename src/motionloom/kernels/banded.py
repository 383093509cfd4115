"""Symmetric positive definite systems of equations with few diagonals, solved by Cholesky's method.

Row j of ``columns`` (N, W) holds entries (j, j), (j + 1, j), … of a matrix. LAPACK solves such systems too,
but importing SciPy's linear algebra takes longer than blending two clips.
"""

from __future__ import annotations

from math import sqrt

from motionloom.kernels.array_types import Bools1, Floats1, Floats2, OutFloats1, OutFloats2
from motionloom.kernels.compiling import kernel


@kernel
def factor(columns: OutFloats2) -> int:
    """Replace a matrix by its factor; return 0, or the number of the first column that fails."""
    n, width = columns.shape
    for j in range(n):
        if not columns[j, 0] > 0.0:
            return j + 1
        root = sqrt(columns[j, 0])
        columns[j, 0] = root
        last = min(width, n - j)
        for d in range(1, last):
            columns[j, d] /= root
        for k in range(1, last):
            value = columns[j, k]
            if value == 0.0:
                continue
            for d in range(k, last):
                columns[j + k, d - k] -= columns[j, d] * value
    return 0


@kernel
def solve(columns: Floats2, right: OutFloats2) -> None:
    """Replace right-hand sides (N, C) by the solutions, given the factor that :func:`factor` leaves."""
    n, width = columns.shape
    for j in range(n):
        for c in range(right.shape[1]):
            right[j, c] /= columns[j, 0]
        for d in range(1, min(width, n - j)):
            for c in range(right.shape[1]):
                right[j + d, c] -= columns[j, d] * right[j, c]
    for j in range(n - 1, -1, -1):
        for d in range(1, min(width, n - j)):
            for c in range(right.shape[1]):
                right[j, c] -= columns[j, d] * right[j + d, c]
        for c in range(right.shape[1]):
            right[j, c] /= columns[j, 0]


@kernel
def add_values(
    columns: OutFloats2, right: OutFloats2, weights: Floats1, stencils: Floats2, wanted: Floats1
) -> None:
    """Add the squares of ``stencils`` (T, D) · unknowns − ``wanted`` (T,), times ``weights`` (T,).

    ``right`` (T, D) is the right-hand side; unknown d of frame t is number t D + d.
    """
    n, size = right.shape
    for t in range(n):
        for a in range(size):
            weighted = weights[t] * stencils[t, a]
            if weighted == 0.0:
                continue
            right[t, a] += weighted * wanted[t]
            for b in range(a, size):
                columns[t * size + a, b - a] += weighted * stencils[t, b]


@kernel
def add_changes(
    columns: OutFloats2, right: OutFloats2, weights: Floats1, stencil: Floats1, wanted: Floats1
) -> None:
    """Add the squares of changes of ``stencil`` (D,) · unknowns − ``wanted`` (T - 1,), weighted."""
    n, size = right.shape
    for a in range(size):
        if stencil[a] == 0.0:
            continue
        for t in range(n - 1):
            pull = weights[t] * stencil[a] * wanted[t]
            right[t, a] -= pull
            right[t + 1, a] += pull
        for b in range(size):
            product = stencil[a] * stencil[b]
            if product == 0.0:
                continue
            for t in range(n - 1):
                row = t * size + a
                columns[row, size + b - a] -= weights[t] * product
                if b >= a:
                    columns[row, b - a] += weights[t] * product
                    columns[row + size, b - a] += weights[t] * product


@kernel
def fix_known(columns: OutFloats2, right: OutFloats1, values: Floats1, known: Bools1) -> None:
    """Let unknowns that are ``known`` (N,) have their ``values`` (N,): they go to the right-hand side."""
    n, width = columns.shape
    for i in range(n):
        for d in range(1, min(width, n - i)):
            j = i + d
            if known[i] or known[j]:
                if known[i] and not known[j]:
                    right[j] -= columns[i, d] * values[i]
                elif known[j] and not known[i]:
                    right[i] -= columns[i, d] * values[j]
                columns[i, d] = 0.0
    for i in range(n):
        if known[i]:
            columns[i, 0] = 1.0
            right[i] = values[i]

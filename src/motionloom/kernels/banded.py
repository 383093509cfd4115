"""Solve symmetric positive definite systems of equations with few diagonals, by Cholesky's method.

LAPACK has the same, but importing SciPy's linear algebra takes longer than blending two clips.
"""

from __future__ import annotations

from math import sqrt

from motionloom.kernels.array_types import Floats2, OutFloats2
from motionloom.kernels.compiling import kernel


@kernel
def factor(columns: OutFloats2) -> int:
    """Factor a matrix in place; return 0, or the number of the first column that is not positive definite.

    Row j of ``columns`` (N, W) holds entries (j, j), (j + 1, j), … of the matrix, and then of its factor.
    """
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

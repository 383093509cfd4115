"""Windowed distances between point clouds that may be rotated and shifted on the ground.

All kernels take the frames of a clip as an array ``frames`` (6 + 4 ``half``, T), where ``half`` is the number
of frames to either side in a window, all weighted alike. Its rows are x and z of the weighted mean
ground point, the weighted squares of the points about it, the sum of all squares of a window about its own
mean, and, for each frame of the window, x and then z of its mean ground point about that of the window.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from motionloom.kernels.array_types import Floats, Floats1, Floats2, Floats3, Ints2, OutFloats2, OutFloats3
from motionloom.kernels.compiling import kernel

ROUNDING = 1e-13
"""Squared metres below which a distance is set to zero: equal frames are exactly alike, and ties are ties."""

X, Z, SPREAD, WINDOW_SPREAD, OFFSETS = range(5)
"""Rows of ``frames``; OFFSETS is the first of its 2 (2 ``half`` + 1)."""


@kernel
def _fill_windows(half: int, frames: Floats) -> None:
    """From the first three rows of ``frames``, fill the others for all frames with a whole window."""
    width = 2 * half + 1
    for t in range(half, frames.shape[1] - half):
        x, z = 0.0, 0.0
        for k in range(-half, half + 1):
            # Centres relative to the middle frame: small numbers wherever the clips are.
            x += (frames[X, t + k] - frames[X, t]) / width
            z += (frames[Z, t + k] - frames[Z, t]) / width
        total = 0.0
        for k in range(-half, half + 1):
            u, v = frames[X, t + k] - frames[X, t] - x, frames[Z, t + k] - frames[Z, t] - z
            frames[OFFSETS + half + k, t], frames[OFFSETS + width + half + k, t] = u, v
            total += frames[SPREAD, t + k] + u * u + v * v
        frames[WINDOW_SPREAD, t] = total


@kernel
def centre(
    positions: Floats3,
    weights: Floats1,
    roots: Floats1,
    mean_height: float,
    half: int,
    out_points: OutFloats3,
    out_frames: OutFloats2,
) -> None:
    """Fill ``frames``, and the points (3, P, T) of all frames times the roots (P,) of their weights.

    These are x and z about the mean ground point of the frame, and the height above ``mean_height``.
    """
    for t in range(positions.shape[0]):
        x, z, spread = 0.0, 0.0, 0.0
        for p in range(len(weights)):
            x += weights[p] * positions[t, p, 0]
            z += weights[p] * positions[t, p, 2]
        for p in range(len(weights)):
            u, v = (positions[t, p, 0] - x) * roots[p], (positions[t, p, 2] - z) * roots[p]
            height = (positions[t, p, 1] - mean_height) * roots[p]
            out_points[0, p, t], out_points[1, p, t], out_points[2, p, t] = u, v, height
            spread += u * u + v * v + height * height
        out_frames[X, t], out_frames[Z, t], out_frames[SPREAD, t] = x, z, spread
    _fill_windows(half, out_frames)


@kernel
def _cell(
    products: Floats, top: int, left: int, a: Floats, b: Floats, half: int, i: int, j: int
) -> tuple[float, float, float]:
    """Mean squared distance of one cell, and the dot and cross products whose angle is its yaw.

    Only offsets that both clips have are used, so this holds at the ends too.
    """
    first = -min(half, i, j)
    last = min(half, a.shape[1] - 1 - i, b.shape[1] - 1 - j)
    count = last - first + 1
    a_x, a_z, b_x, b_z = 0.0, 0.0, 0.0, 0.0
    for k in range(first, last + 1):
        a_x += (a[X, i + k] - a[X, i]) / count
        a_z += (a[Z, i + k] - a[Z, i]) / count
        b_x += (b[X, j + k] - b[X, j]) / count
        b_z += (b[Z, j + k] - b[Z, j]) / count
    spread, height, dot, cross = 0.0, 0.0, 0.0, 0.0
    for k in range(first, last + 1):
        x, z = a[X, i + k] - a[X, i] - a_x, a[Z, i + k] - a[Z, i] - a_z
        u, v = b[X, j + k] - b[X, j] - b_x, b[Z, j + k] - b[Z, j] - b_z
        spread += a[SPREAD, i + k] + b[SPREAD, j + k] + x * x + z * z + u * u + v * v
        row, column = i + k - top, j + k - left
        height += products[0, row, column]
        dot += products[1, row, column] + x * u + z * v
        cross += products[2, row, column] + z * u - x * v
    squared = (spread - 2.0 * (height + sqrt(dot * dot + cross * cross))) / count
    return squared if squared > ROUNDING else 0.0, dot, cross


@kernel
def _window_sums(
    products: Floats,
    top: int,
    left: int,
    a: Floats,
    b: Floats,
    half: int,
    i: int,
    first: int,
    height: Floats,
    dot: Floats,
    cross: Floats,
) -> None:
    """Sums over whole windows for the cells of row ``i`` from column ``first``, as many as ``dot`` has."""
    n, width = len(dot), 2 * half + 1
    height[:], dot[:], cross[:] = 0.0, 0.0, 0.0
    for k in range(width):
        row, column = i + k - half - top, first + k - half - left
        # Slices that start at the first cell: plain loops over them become vector instructions.
        heights, dots, crosses = (
            products[0, row, column:],
            products[1, row, column:],
            products[2, row, column:],
        )
        x, z = a[OFFSETS + k, i], a[OFFSETS + width + k, i]
        u, v = b[OFFSETS + k, first:], b[OFFSETS + width + k, first:]
        for j in range(n):
            height[j] += heights[j]
        for j in range(n):
            dot[j] += dots[j] + x * u[j] + z * v[j]
        for j in range(n):
            cross[j] += crosses[j] + z * u[j] - x * v[j]


@kernel
def windowed_distances(
    products: Floats3,
    top: int,
    left: int,
    a: Floats2,
    b: Floats2,
    half: int,
    columns: Ints2,
    out: OutFloats2,
    out_yaws: OutFloats2,
    scratch: OutFloats2,
    start: int,
    stop: int,
) -> None:
    """Fill mean squared distances (T0, T1), and the yaws that give them, for the rows ``start <= i < stop``.

    ``products`` (3, …) holds weighted sums over points of the products of heights, of the dot products of
    centred ground points, and of their cross products z x' − x z', from cell (``top``, ``left``) on. ``a``
    and ``b`` are the frames of the clips. Only the cells ``columns[i, 0] <= j < columns[i, 1]`` are computed;
    distances outside are set to zero. ``out_yaws`` is filled in the same cells, unless it is empty.
    ``scratch`` (3, T1) is the kernel's own.
    """
    n_a, n_b = out.shape
    heights, dots, crosses = scratch[0], scratch[1], scratch[2]
    for i in range(start, stop):
        first, last = columns[i, 0], columns[i, 1]
        out[i, :first] = 0.0
        out[i, last:] = 0.0
        inner_first, inner_last = max(first, half), min(last, n_b - half)
        if i < half or i >= n_a - half or inner_first >= inner_last:
            inner_first, inner_last = last, last
        if inner_first < inner_last:
            inner = slice(inner_first, inner_last)
            height, dot, cross = heights[inner], dots[inner], crosses[inner]
            _window_sums(products, top, left, a, b, half, i, inner_first, height, dot, cross)
            distances, spread = out[i, inner], b[WINDOW_SPREAD, inner]
            for j in range(len(distances)):
                length = sqrt(dot[j] * dot[j] + cross[j] * cross[j])
                squared = (a[WINDOW_SPREAD, i] + spread[j] - 2.0 * (height[j] + length)) / (2 * half + 1)
                distances[j] = squared if squared > ROUNDING else 0.0
        for j in range(first, last):
            if inner_first <= j < inner_last:
                continue
            out[i, j], dots[j], crosses[j] = _cell(products, top, left, a, b, half, i, j)
        if out_yaws.size > 0:
            for j in range(first, last):
                out_yaws[i, j] = -np.arctan2(crosses[j], dots[j])

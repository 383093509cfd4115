"""Windowed distances between point clouds that may be turned and shifted on the ground.

The inputs of all kernels: ``dots`` (2, T0, T1), weighted sums over points of the products of heights and of
the dot products of centred ground points; ``crosses`` (T0, T1), the same of their cross products z x' − x z';
``centres`` (2, T), weighted mean ground points; ``spreads`` (T,), weighted squares of centred points;
``half``, the number of frames to either side of a window, all of which count alike.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from motionloom.kernels.compiling import Floats, Ints, kernel

NOTHING = 1e-13
"""Squared metres below which a distance is rounding: equal frames are exactly alike, and ties are ties."""


@kernel
def _cell(
    dots: Floats,
    crosses: Floats,
    centres_a: Floats,
    centres_b: Floats,
    spreads_a: Floats,
    spreads_b: Floats,
    half: int,
    i: int,
    j: int,
) -> tuple[float, float, float]:
    """Mean squared distance of one cell, and the dot and cross products whose angle is its turn.

    Only offsets that both clips have are used, so this holds at the ends too.
    """
    first = -min(half, i, j)
    last = min(half, dots.shape[1] - 1 - i, dots.shape[2] - 1 - j)
    count = last - first + 1
    a_x, a_z, b_x, b_z = 0.0, 0.0, 0.0, 0.0
    for k in range(first, last + 1):
        # Centres relative to the middle frame: small numbers wherever the clips are.
        a_x += (centres_a[0, i + k] - centres_a[0, i]) / count
        a_z += (centres_a[1, i + k] - centres_a[1, i]) / count
        b_x += (centres_b[0, j + k] - centres_b[0, j]) / count
        b_z += (centres_b[1, j + k] - centres_b[1, j]) / count
    spread, height, dot, cross = 0.0, 0.0, 0.0, 0.0
    for k in range(first, last + 1):
        x, z = centres_a[0, i + k] - centres_a[0, i] - a_x, centres_a[1, i + k] - centres_a[1, i] - a_z
        u, v = centres_b[0, j + k] - centres_b[0, j] - b_x, centres_b[1, j + k] - centres_b[1, j] - b_z
        spread += spreads_a[i + k] + spreads_b[j + k] + x * x + z * z + u * u + v * v
        height += dots[0, i + k, j + k]
        dot += dots[1, i + k, j + k] + x * u + z * v
        cross += crosses[i + k, j + k] + z * u - x * v
    squared = (spread - 2.0 * (height + sqrt(dot * dot + cross * cross))) / count
    return squared if squared > NOTHING else 0.0, dot, cross


@kernel
def _window_offsets(centres: Floats, spreads: Floats, half: int, offsets: Floats, sums: Floats) -> None:
    """For frames with a whole window: centres about their mean (2, 2h+1, T), and summed squares (T,)."""
    n = centres.shape[1]
    for t in range(half, n - half):
        x, z = 0.0, 0.0
        for k in range(-half, half + 1):
            x += (centres[0, t + k] - centres[0, t]) / (2 * half + 1)
            z += (centres[1, t + k] - centres[1, t]) / (2 * half + 1)
        total = 0.0
        for k in range(-half, half + 1):
            u, v = centres[0, t + k] - centres[0, t] - x, centres[1, t + k] - centres[1, t] - z
            offsets[0, k + half, t], offsets[1, k + half, t] = u, v
            total += spreads[t + k] + u * u + v * v
        sums[t] = total


@kernel
def windowed_distances(
    dots: Floats,
    crosses: Floats,
    centres_a: Floats,
    centres_b: Floats,
    spreads_a: Floats,
    spreads_b: Floats,
    half: int,
    live: Ints,
    out: Floats,
    out_turns: Floats,
    start: int,
    stop: int,
) -> None:
    """Fill mean squared distances (T0, T1), and the yaws that give them, for the rows ``start <= i < stop``.

    Only the columns ``live[i, 0] <= j < live[i, 1]`` are filled. ``out_turns`` is filled when it has the
    shape of ``out``. Where windows are whole, the loops run along rows, so that they become vector
    instructions.
    """
    n_a, n_b = dots.shape[1], dots.shape[2]
    width = 2 * half + 1
    offsets_a, sums_a = np.empty((2, width, n_a)), np.empty(n_a)
    offsets_b, sums_b = np.empty((2, width, n_b)), np.empty(n_b)
    _window_offsets(centres_a, spreads_a, half, offsets_a, sums_a)
    _window_offsets(centres_b, spreads_b, half, offsets_b, sums_b)
    height, dot, cross = np.empty(n_b), np.empty(n_b), np.empty(n_b)
    wants_turns = out_turns.shape[0] == n_a
    for i in range(start, stop):
        first, last = live[i, 0], live[i, 1]
        inner_first, inner_last = max(first, half), min(last, n_b - half)
        if i < half or i >= n_a - half or inner_first >= inner_last:
            inner_first, inner_last = last, last
        height[inner_first:inner_last] = 0.0
        dot[inner_first:inner_last] = 0.0
        cross[inner_first:inner_last] = 0.0
        for k in range(width if inner_first < inner_last else 0):
            x, z = offsets_a[0, k, i], offsets_a[1, k, i]
            row = i + k - half
            for j in range(inner_first, inner_last):
                u, v = offsets_b[0, k, j], offsets_b[1, k, j]
                height[j] += dots[0, row, j + k - half]
                dot[j] += dots[1, row, j + k - half] + x * u + z * v
                cross[j] += crosses[row, j + k - half] + z * u - x * v
        for j in range(inner_first, inner_last):
            length = sqrt(dot[j] * dot[j] + cross[j] * cross[j])
            squared = (sums_a[i] + sums_b[j] - 2.0 * (height[j] + length)) / width
            out[i, j] = squared if squared > NOTHING else 0.0
        for j in range(first, last):
            if inner_first <= j < inner_last:
                continue
            out[i, j], dot[j], cross[j] = _cell(
                dots, crosses, centres_a, centres_b, spreads_a, spreads_b, half, i, j
            )
        if wants_turns:
            for j in range(first, last):
                out_turns[i, j] = -np.arctan2(cross[j], dot[j])

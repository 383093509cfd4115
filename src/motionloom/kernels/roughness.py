"""Second differences of whole clips: how sharply rotations and positions bend from frame to frame."""

from __future__ import annotations

from math import sqrt

import numpy as np

from motionloom.kernels.array_types import (
    Floats,
    Floats1,
    Floats2,
    Floats3,
    OutBools2,
    OutFloats1,
    OutFloats2,
    OutInts2,
)
from motionloom.kernels.compiling import kernel


@kernel
def rotation_roughness(
    rotations: Floats3, products: OutFloats2, roughness: OutFloats2, still: OutBools2
) -> None:
    """Fill inner products of neighbours, sizes of second differences, and which neighbours are equal.

    ``rotations`` are (T, J, 4), ``products`` and ``still`` (T - 1, J), ``roughness`` (T, J). Signs of
    quaternions do not matter; the first and the last frame have no roughness.
    """
    n_frames, n_joints = rotations.shape[0], rotations.shape[1]
    for t in range(n_frames):
        for j in range(n_joints):
            roughness[t, j] = 0.0
            if t == 0:
                continue
            product = 0.0
            is_still = True
            for c in range(4):
                product += rotations[t, j, c] * rotations[t - 1, j, c]
                is_still = is_still and rotations[t, j, c] == rotations[t - 1, j, c]
            products[t - 1, j] = product
            still[t - 1, j] = is_still
            if t == 1:
                continue
            # The second difference at the frame before, with both neighbours in its hemisphere.
            before = -1.0 if products[t - 2, j] < 0.0 else 1.0
            after = -1.0 if product < 0.0 else 1.0
            square = 0.0
            for c in range(4):
                difference = after * rotations[t, j, c] + before * rotations[t - 2, j, c]
                difference -= 2.0 * rotations[t - 1, j, c]
                square += difference * difference
            roughness[t - 1, j] = sqrt(square)


@kernel
def vector_roughness(values: Floats3, roughness: OutFloats2) -> None:
    """Fill sizes (T, S) of second differences of vectors (T, S, 3); 0 at the first and the last frame."""
    n_frames, n_series = values.shape[0], values.shape[1]
    for t in range(n_frames):
        for s in range(n_series):
            if t == 0 or t == n_frames - 1:
                roughness[t, s] = 0.0
                continue
            square = 0.0
            for c in range(values.shape[2]):
                difference = values[t + 1, s, c] - 2.0 * values[t, s, c] + values[t - 1, s, c]
                square += difference * difference
            roughness[t, s] = sqrt(square)


@kernel
def find_runs(
    values: Floats3,
    roughness: Floats2,
    min_sizes: Floats1,
    max_bends: Floats1,
    weights: Floats3,
    limits: Floats2,
    n_around: int,
    rotations: bool,
    runs: OutInts2,
    sizes: OutFloats1,
    path: OutFloats2,
    around: OutFloats1,
) -> int:
    """Fill runs (M, 3) of frames that leave their path, and by how much (M,); return how many there are.

    ``values`` are (T, S, C), ``roughness`` (T, S) the sizes of their second differences. A run is series,
    first frame and length. ``weights`` (N, N, 4) are those of the cubic over a gap of each length up to N.
    ``limits`` (N, 8) hold, for each length: the smallest roughness of edges as a fraction of ``min_sizes``
    (S,), the largest roughness with the gap bridged over that of the weaker edge, the largest step over the
    size, the same at an end of the clip, the smallest deviation of the outer frames over the largest, the
    smallest size as a fraction of ``min_sizes`` and of ``max_bends`` (S,) times the squared frames, the
    largest distance of the cubic from the straight line over the size, and the smallest roughness of the
    weaker edge over what is usual within ``n_around`` frames. At most M runs are filled, but all are counted.
    ``path`` (N + 4, C) and ``around`` (2 ``n_around``,) are the kernel's own.
    """
    n_frames, n_series, width = values.shape
    max_length = weights.shape[0]
    count = 0
    for first in range(1, n_frames - 1):
        for s in range(n_series):
            edge = max(roughness[first - 1, s], roughness[first, s])
            if not edge > limits[0, 0] * min_sizes[s]:
                continue
            for length in range(1, min(max_length, n_frames - 1 - first) + 1):
                after = first + length
                weaker = min(edge, max(roughness[after - 1, s], roughness[after, s]))
                if not weaker > limits[length - 1, 0] * min_sizes[s]:
                    continue
                is_end = first < 2 or after + 1 >= n_frames
                _lay_bridge(values, s, first, length, weights, rotations, path)
                size = 0.0
                outer = np.inf
                for n in range(length):
                    inner = 0.0
                    sign = 1.0
                    if rotations:
                        for c in range(width):
                            inner += values[first + n, s, c] * path[n + 2, c]
                        sign = -1.0 if inner < 0.0 else 1.0
                    square = 0.0
                    for c in range(width):
                        difference = sign * values[first + n, s, c] - path[n + 2, c]
                        square += difference * difference
                    off = sqrt(square)
                    size = max(size, off)
                    if n == 0 or n == length - 1:
                        outer = min(outer, off)
                bend = max_bends[s] * (length + 1) ** 2
                if not size > max(min_sizes[s], bend) * limits[length - 1, 5]:
                    continue
                if not outer > limits[length - 1, 4] * size:
                    continue
                if _measure_arch(path, length, width) > limits[length - 1, 6] * size:
                    continue
                step, rough = _measure_path(path, length + 4, width)
                max_step = limits[length - 1, 3] if is_end else limits[length - 1, 2]
                if not (rough < limits[length - 1, 1] * weaker and step < max_step * size):
                    continue
                usual = _usual_roughness(roughness, s, first, after, n_around, around)
                if weaker > limits[length - 1, 7] * usual:
                    if count < runs.shape[0]:
                        runs[count, 0], runs[count, 1], runs[count, 2] = s, first, length
                        sizes[count] = size
                    count += 1
    return count


@kernel
def _usual_roughness(
    roughness: Floats, s: int, first: int, after: int, n_around: int, around: Floats
) -> float:
    """Return the median roughness in the frames before and after a run."""
    # The differences at the frames beside a run contain frames of it; the ends of a clip have none.
    low, high = max(first - 1 - n_around, 1), min(after + 1 + n_around, roughness.shape[0] - 1)
    count = 0
    for t in range(low, high):
        if t < first - 1 or t > after:
            # Insert each in order: there are a few dozen.
            value, at = roughness[t, s], count
            while at > 0 and around[at - 1] > value:
                around[at] = around[at - 1]
                at -= 1
            around[at] = value
            count += 1
    return float(around[count // 2]) if count > 0 else 0.0


@kernel
def _lay_bridge(
    values: Floats, s: int, first: int, length: int, weights: Floats, rotations: bool, path: Floats
) -> None:
    """Fill a path: two frames before a gap, the cubic over it, two frames after it."""
    n_frames, width = values.shape[0], values.shape[2]
    after = first + length
    for c in range(width):
        path[0, c] = values[max(first - 2, 0), s, c]
        path[1, c] = values[first - 1, s, c]
        path[length + 2, c] = values[after, s, c]
        path[length + 3, c] = values[min(after + 1, n_frames - 1), s, c]
    if rotations:
        _turn_sign(path, 0, 1, width)
        _turn_sign(path, length + 2, 1, width)
        _turn_sign(path, length + 3, length + 2, width)
    for c in range(width):
        even = (path[length + 2, c] - path[1, c]) / (length + 1.0)
        if first < 2:
            path[0, c] = path[1, c] - even
        if after + 1 >= n_frames:
            path[length + 3, c] = path[length + 2, c] + even
    for n in range(length):
        square = 0.0
        for c in range(width):
            value = weights[length - 1, n, 0] * path[0, c] + weights[length - 1, n, 1] * path[1, c]
            value += weights[length - 1, n, 2] * path[length + 2, c]
            value += weights[length - 1, n, 3] * path[length + 3, c]
            path[n + 2, c] = value
            square += value * value
        if rotations:
            scale = 1.0 / sqrt(square) if square > 0.0 else 0.0
            for c in range(width):
                path[n + 2, c] *= scale


@kernel
def _turn_sign(path: Floats, row: int, to: int, width: int) -> None:
    """Bring one quaternion of a path into the hemisphere of another."""
    product = 0.0
    for c in range(width):
        product += path[row, c] * path[to, c]
    if product < 0.0:
        for c in range(width):
            path[row, c] = -path[row, c]


@kernel
def _measure_arch(path: Floats, length: int, width: int) -> float:
    """Return how far the cubic over a gap leaves the straight line over it."""
    arch = 0.0
    for n in range(length):
        fraction = (n + 1.0) / (length + 1.0)
        square = 0.0
        for c in range(width):
            straight = (1.0 - fraction) * path[1, c] + fraction * path[length + 2, c]
            square += (path[n + 2, c] - straight) ** 2
        arch = max(arch, sqrt(square))
    return arch


@kernel
def _measure_path(path: Floats, n_rows: int, width: int) -> tuple[float, float]:
    """Return the largest first and the largest second difference of a path."""
    step = 0.0
    rough = 0.0
    for n in range(1, n_rows):
        first_square = 0.0
        second_square = 0.0
        for c in range(width):
            first_difference = path[n, c] - path[n - 1, c]
            first_square += first_difference * first_difference
            if n > 1:
                second_difference = path[n, c] - 2.0 * path[n - 1, c] + path[n - 2, c]
                second_square += second_difference * second_difference
        step = max(step, sqrt(first_square))
        rough = max(rough, sqrt(second_square))
    return step, rough

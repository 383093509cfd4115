"""Search for a query in takes: lower bounds of distances, exact distances, and the cheapest paths.

A path gives every sample of the query one sample of the take. From one sample of the query to the next the
take advances by 0, 1 or 2 samples, never by 0 twice in a row, so the take runs at between half and twice the
query's speed. A path costs the sum of its distances, each times the weight of the query's sample. It may
start and end anywhere in the take.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from motionloom.kernels.array_types import (
    Floats,
    Floats1,
    Floats2,
    Floats3,
    Ints,
    Ints1,
    OutFloats1,
    OutFloats2,
    OutFloats3,
    OutInts1,
    OutInts2,
    OutSingles1,
    OutSingles2,
    Singles,
    Singles1,
    Singles2,
)
from motionloom.kernels.compiling import kernel

HALF_WINDOW = 2
"""Samples at 30 Hz to either side of a sample that are compared with it."""

GROUND, HEIGHT = 8, 8
"""Components of a signature: complex ones of the ground points, real ones of the heights."""

N_VALUES = 2 * GROUND + HEIGHT + 3
"""Numbers of a signature: real and imaginary parts, heights, |c|², and the residual norms of both parts."""

SQUARE, GROUND_REST, HEIGHT_REST = N_VALUES - 3, N_VALUES - 2, N_VALUES - 1

ROUNDING = np.float32(1e-6)
"""Fraction of |c|² of both samples by which single precision may lift a squared bound above the distance."""

PATH_ROUNDING, SAMPLE_ROUNDING = 1e-5, 6e-8
"""Fractions by which bounds of paths are lowered, for the rounding in single precision of each distance and,
for each sample of the query, of the sum."""


GROUP = 512
"""Samples of takes whose bounds are found together: loops over single takes are short, and these stay in the
processor's cache."""


@kernel
def _bound_row(
    query: Singles, i: int, take: Singles, n: int, out: Singles, dots: Singles, crosses: Singles
) -> None:
    """Fill the lower bounds (n,) of the distances of one sample of the query, metres.

    ``take`` holds the values of its signatures one after the other, ``n`` of each.
    """
    dots[:n] = np.float32(0.0)
    crosses[:n] = np.float32(0.0)
    for k in range(GROUND):
        x, z = query[k, i], query[GROUND + k, i]
        real, imaginary = take[k * n : (k + 1) * n], take[(GROUND + k) * n : (GROUND + k + 1) * n]
        for j in range(n):
            dots[j] += x * real[j] + z * imaginary[j]
            crosses[j] += z * real[j] - x * imaginary[j]
    rest, square = query[GROUND_REST, i], query[SQUARE, i]
    squares, rests = take[SQUARE * n : (SQUARE + 1) * n], take[GROUND_REST * n : (GROUND_REST + 1) * n]
    for j in range(n):
        spread = (square + squares[j]) * (np.float32(1.0) - ROUNDING)
        turn = np.sqrt(dots[j] * dots[j] + crosses[j] * crosses[j])
        out[j] = spread - np.float32(2.0) * (turn + rest * rests[j])
    for k in range(HEIGHT):
        height = query[2 * GROUND + k, i]
        heights = take[(2 * GROUND + k) * n : (2 * GROUND + k + 1) * n]
        for j in range(n):
            difference = height - heights[j]
            out[j] += difference * difference
    rest = query[HEIGHT_REST, i]
    rests = take[HEIGHT_REST * n : (HEIGHT_REST + 1) * n]
    for j in range(n):
        difference = rest - rests[j]
        squared = out[j] + difference * difference
        out[j] = np.sqrt(squared) if squared > np.float32(0.0) else np.float32(0.0)


@kernel
def _advance_row(
    row: Singles,
    weight: float,
    counts: Ints,
    first: int,
    last: int,
    moved: Singles,
    held: Singles,
    new: Singles,
) -> None:
    """Lengthen the cheapest paths by one sample of the query.

    ``moved`` and ``held`` (n,) are the costs of paths that end at each sample of the takes
    ``first <= t < last``, one after the other, and whose last advance was 1 or 2, or 0. ``new`` is scratch
    memory.
    """
    n, begin = len(moved), 0
    factor = np.float32(weight)
    for j in range(2, n):
        new[j] = min(min(moved[j - 1], held[j - 1]), min(moved[j - 2], held[j - 2]))
    for t in range(first, last):
        # No path leads from one take into the next.
        if counts[t] > 0:
            new[begin] = np.float32(np.inf)
        if counts[t] > 1:
            new[begin + 1] = min(moved[begin], held[begin])
        begin += counts[t]
    for j in range(n):
        cost = factor * row[j]
        held[j] = moved[j] + cost
        moved[j] = new[j] + cost


@kernel
def path_bounds(
    signatures: Singles1,
    starts: Ints1,
    counts: Ints1,
    query: Singles2,
    weights: Singles1,
    out: OutSingles1,
    out_starts: Ints1,
    first: int,
    last: int,
    joined: OutSingles1,
    scratch: OutSingles2,
) -> None:
    """Fill, for takes ``first <= t < last``, lower bounds of the cheapest paths that end at each sample.

    ``signatures`` holds the values of all takes: those of take t are N_VALUES × counts[t] numbers from
    starts[t] on. ``query`` (N_VALUES, m) and ``weights`` (m,) are the signatures of the query and what its
    samples count. Bounds, in metres, of take t are the counts[t] numbers of ``out`` from out_starts[t] on.
    ``joined`` (N_VALUES × n,) and ``scratch`` (5, n), for takes of up to n samples and n of ``GROUP`` at
    least, are the kernel's own.
    """
    factor = np.float32(1.0 - PATH_ROUNDING - SAMPLE_ROUNDING * query.shape[1])
    stop = first
    while stop < last:
        start, n = stop, counts[stop]
        stop += 1
        while stop < last and n + counts[stop] <= GROUP:
            n += counts[stop]
            stop += 1
        begin = 0
        for t in range(start, stop):
            for k in range(N_VALUES):
                own = signatures[starts[t] + k * counts[t] : starts[t] + (k + 1) * counts[t]]
                values = joined[k * n + begin : k * n + begin + counts[t]]
                for j in range(counts[t]):
                    values[j] = own[j]
            begin += counts[t]
        row, dots, crosses = scratch[0, :n], scratch[1, :n], scratch[2, :n]
        moved, held = scratch[3, :n], scratch[4, :n]
        for i in range(query.shape[1]):
            _bound_row(query, i, joined, n, row, dots, crosses)
            if i == 0:
                for j in range(n):
                    moved[j] = weights[0] * row[j]
                    held[j] = np.float32(np.inf)
            else:
                _advance_row(row, weights[i], counts, start, stop, moved, held, dots)
        begin = 0
        for t in range(start, stop):
            ends = out[out_starts[t] : out_starts[t] + counts[t]]
            for j in range(counts[t]):
                ends[j] = factor * min(moved[begin + j], held[begin + j])
            begin += counts[t]


@kernel
def sample_bounds(
    signatures: Singles1, n: int, query: Singles2, scratch: OutSingles2, out: OutSingles2
) -> None:
    """Fill lower bounds (m, n) of the distances of the query's samples to those of one take, metres.

    ``scratch`` (2, n) is the kernel's own.
    """
    for i in range(query.shape[1]):
        _bound_row(query, i, signatures, n, out[i], scratch[0], scratch[1])


@kernel
def rank_bounds(
    signatures: Singles1,
    n: int,
    query: Singles2,
    radius: float,
    scratch: OutSingles2,
    nearest: OutSingles1,
    out_counts: OutInts1,
    out_bounds: OutSingles1,
) -> None:
    """Fill how many of n samples have bounds below a radius (m,), and which bound is so many from the least.

    That is as many as ``nearest``, which is the kernel's own like ``scratch`` (3, n), is long. See
    :func:`sample_bounds`.
    """
    row, last = scratch[2], len(nearest) - 1
    for i in range(query.shape[1]):
        _bound_row(query, i, signatures, n, row, scratch[0], scratch[1])
        nearest[:] = np.inf
        count = 0
        for j in range(n):
            if row[j] < np.float32(radius):
                count += 1
            if row[j] < nearest[last]:
                at = last
                while at > 0 and nearest[at - 1] > row[j]:
                    nearest[at] = nearest[at - 1]
                    at -= 1
                nearest[at] = row[j]
        out_counts[i], out_bounds[i] = count, nearest[last]


@kernel
def fill_some_windows(
    points: Singles,
    weights: Floats,
    begin: int,
    first: int,
    stride: int,
    n_samples: int,
    means: Floats,
    out_ground: Floats,
    out_heights: Floats,
) -> None:
    """Fill so many windows as :func:`fill_windows` does, of a take whose points begin at ``begin``."""
    n_points, width = weights.shape[1], 2 * HALF_WINDOW + 1
    start, step = begin + 3 * n_points * (first - HALF_WINDOW), 3 * n_points * stride
    for n in range(n_samples):
        at = start + n * step
        centre = at + 3 * n_points * HALF_WINDOW
        x0, z0 = np.float64(points[centre]), np.float64(points[centre + 2])
        x, z = 0.0, 0.0
        for _ in range(width):
            for p in range(n_points):
                x += weights[0, p] * (np.float64(points[at]) - x0)
                z += weights[0, p] * (np.float64(points[at + 2]) - z0)
                at += 3
        means[0, n], means[1, n], means[2, n], means[3, n] = x0, x, z0, z
    for k in range(width):
        for p in range(n_points):
            # Point by point, because the windows of a point lie beside each other.
            root, row = weights[1, p], k * n_points + p
            xs, zs, heights = out_ground[0, row], out_ground[1, row], out_heights[row]
            at = start + 3 * row
            for n in range(n_samples):
                xs[n] = root * (np.float64(points[at]) - means[0, n] - means[1, n])
                zs[n] = root * (np.float64(points[at + 2]) - means[2, n] - means[3, n])
                heights[n] = root * np.float64(points[at + 1])
                at += step


@kernel
def fill_windows(
    points: Singles1,
    weights: Floats2,
    first: int,
    stride: int,
    scratch: OutFloats2,
    out_ground: OutFloats3,
    out_heights: OutFloats2,
) -> None:
    """Fill the windows of samples: ground points about their mean, and heights, times roots of weights.

    ``points`` (N × P × 3,) are at 30 Hz. ``weights`` (2, P) are those of one frame of a window, with sum 0.2,
    and their roots. Samples lie ``stride`` frames apart from ``first`` on. ``out_ground`` (2, 5 P, n) gets x
    and z, ``out_heights`` (5 P, n) the heights. ``scratch`` (4, n) is the kernel's own.
    """
    n = out_heights.shape[1]
    fill_some_windows(points, weights, 0, first, stride, n, scratch, out_ground, out_heights)


@kernel
def fill_signatures(
    ground: Floats3,
    heights: Floats2,
    ground_basis: Floats3,
    height_basis: Floats2,
    mean_heights: Floats1,
    scratch: OutFloats2,
    out: OutSingles2,
) -> None:
    """Fill the signatures (N_VALUES, n) of windows, which are as :func:`fill_windows` fills them.

    ``ground_basis`` (2, P, GROUND) holds the real and imaginary parts of an orthonormal basis, and
    ``height_basis`` (P, HEIGHT) another one, of heights about ``mean_heights`` (P,). ``scratch`` (3, GROUND)
    is the kernel's own. Library routines would start threads for each of these small products, and wait for
    them longer than the products take.
    """
    n_points = heights.shape[0]
    real, imaginary, lifts = scratch[0], scratch[1], scratch[2]
    for j in range(heights.shape[1]):
        real[:], imaginary[:], lifts[:] = 0.0, 0.0, 0.0
        square = 0.0
        for p in range(n_points):
            x, z, height = ground[0, p, j], ground[1, p, j], heights[p, j] - mean_heights[p]
            square += x * x + z * z
            for k in range(GROUND):
                u, v = ground_basis[0, p, k], ground_basis[1, p, k]
                real[k] += u * x + v * z
                imaginary[k] += u * z - v * x
            for k in range(HEIGHT):
                lifts[k] += height_basis[p, k] * height
        ground_rest, height_rest = 0.0, 0.0
        for p in range(n_points):
            x, z, height = ground[0, p, j], ground[1, p, j], heights[p, j] - mean_heights[p]
            for k in range(GROUND):
                u, v = ground_basis[0, p, k], ground_basis[1, p, k]
                x -= u * real[k] - v * imaginary[k]
                z -= u * imaginary[k] + v * real[k]
            for k in range(HEIGHT):
                height -= height_basis[p, k] * lifts[k]
            ground_rest += x * x + z * z
            height_rest += height * height
        for k in range(GROUND):
            out[k, j], out[GROUND + k, j] = real[k], imaginary[k]
        for k in range(HEIGHT):
            out[2 * GROUND + k, j] = lifts[k]
        out[SQUARE, j], out[GROUND_REST, j], out[HEIGHT_REST, j] = (
            square,
            sqrt(ground_rest),
            sqrt(height_rest),
        )


@kernel
def distance_row(
    a_ground: Floats,
    a_heights: Floats,
    i: int,
    b_ground: Floats,
    b_heights: Floats,
    first: int,
    last: int,
    dots: Floats,
    crosses: Floats,
    out: Floats,
) -> None:
    """Fill the distances of window ``i`` to the windows ``first <= j < last`` of others, metres."""
    # Indices that cannot count from the end: the loops below become vector code.
    start, stop = np.uint64(first), np.uint64(last)
    for j in range(start, stop):
        dots[j], crosses[j], out[j] = 0.0, 0.0, 0.0
    for p in range(a_heights.shape[0]):
        x, z, height = a_ground[0, p, i], a_ground[1, p, i], a_heights[p, i]
        us, vs, heights = b_ground[0, p], b_ground[1, p], b_heights[p]
        square = x * x + z * z
        for j in range(start, stop):
            u, v, difference = us[j], vs[j], height - heights[j]
            dots[j] += x * u + z * v
            crosses[j] += z * u - x * v
            out[j] += square + u * u + v * v + difference * difference
    for j in range(start, stop):
        squared = out[j] - 2.0 * sqrt(dots[j] * dots[j] + crosses[j] * crosses[j])
        out[j] = sqrt(squared) if squared > 0.0 else 0.0


@kernel
def window_distances(
    a_ground: Floats3,
    a_heights: Floats2,
    b_ground: Floats3,
    b_heights: Floats2,
    scratch: OutFloats2,
    out: OutFloats2,
) -> None:
    """Fill the distances (m, n) of windows that may be rotated and shifted on the ground, metres.

    Windows are as :func:`fill_windows` fills them. ``scratch`` (2, n) is the kernel's own.
    """
    n = b_heights.shape[1]
    for i in range(a_heights.shape[1]):
        distance_row(a_ground, a_heights, i, b_ground, b_heights, 0, n, scratch[0], scratch[1], out[i])


@kernel
def cheapest_paths(
    distances: Floats2,
    weights: Floats1,
    costs: OutFloats3,
    origins: OutInts2,
    out_costs: OutFloats1,
    out_paths: OutInts2,
) -> None:
    """Fill the cost (n,) of the cheapest path to each sample of the take, and the paths (n, m).

    A path lists the sample of the take for each sample of the query. Where no path ends the cost is infinite.
    Of equal costs the smaller advance wins. ``costs`` (m, 2, n) and ``origins`` (m, n) are the kernel's own.
    """
    m, n = distances.shape
    # costs[i, 0] of paths whose last advance was 1 or 2, costs[i, 1] of those whose last was 0.
    # origins of the first: 2 × advance + state of the sample before.
    for j in range(n):
        costs[0, 0, j], costs[0, 1, j] = weights[0] * distances[0, j], np.inf
    for i in range(1, m):
        for j in range(n):
            cost = weights[i] * distances[i, j]
            costs[i, 1, j] = costs[i - 1, 0, j] + cost
            best, origin = np.inf, 0
            for advance in range(1, 3):
                if advance <= j:
                    for state in range(2):
                        if costs[i - 1, state, j - advance] < best:
                            best, origin = costs[i - 1, state, j - advance], 2 * advance + state
            costs[i, 0, j], origins[i, j] = best + cost, origin
    for j in range(n):
        state = 1 if costs[m - 1, 1, j] < costs[m - 1, 0, j] else 0
        out_costs[j] = costs[m - 1, state, j]
        at = j
        for i in range(m - 1, -1, -1):
            out_paths[j, i] = at
            if i > 0 and np.isfinite(out_costs[j]):
                if state == 1:
                    state = 0
                else:
                    at, state = at - origins[i, at] // 2, origins[i, at] % 2

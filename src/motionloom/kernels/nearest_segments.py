"""The segments of takes that are nearest to a query, one after the other, and where they lie on the ground.

A segment is known by its end: the sample at which its path ends. Ends are measured in the order of their
lower bounds (:mod:`motionloom.kernels.subsequence`), each with those around it, until the next bound is not
below the best distance that is left; the segment at that end is the next one. All ends of one form of the
query come first, then those of the next form, take after take.
"""

from __future__ import annotations

from math import atan2, cos, sin

import numpy as np

from motionloom.kernels.array_types import (
    Floats,
    Floats1,
    Floats2,
    Floats3,
    Ints,
    Ints1,
    Ints2,
    OutFloats1,
    OutFloats2,
    OutFloats3,
    OutInts1,
    OutInts2,
    Singles1,
)
from motionloom.kernels.compiling import kernel
from motionloom.kernels.subsequence import HALF_WINDOW, distance_row, fill_some_windows

POSITION, HEAP_SIZE, N_FOUND, PROPOSED, IS_ACCEPTED = 0, 1, 2, 3, 4
"""What the numbers of a search's state are: how many ends in order are done, how many measured ones wait, how
many segments were found, the end that was returned last or -1, and whether the caller accepts that."""

N_STATE = 5

NONE, MORE = -1, -2
"""Returned for an end: there is no further segment, or further ends have to be put in order first."""

NEIGHBOURS = 1.2
"""Ends around one that is measured are measured with it where their bounds are at most so many times its."""


@kernel
def _measure_ends(
    points: Singles1,
    begin: int,
    stride: int,
    left: int,
    latest: int,
    start: int,
    stop: int,
    query_ground: Floats,
    query_heights: Floats,
    weights: Floats,
    point_weights: Floats,
    means: Floats,
    ground: Floats,
    heights: Floats,
    dots: Floats,
    crosses: Floats,
    row: Floats,
    costs: Floats,
    origins: Ints,
) -> None:
    """Find the cheapest paths from samples ``left`` to ``latest`` of a take to ``start`` to ``stop``.

    The last of ``costs`` (2, 2, n + 4), by whether the last advance was 1 or 2, or 0, are those of the paths;
    columns begin at the sample two before ``left``. ``origins`` (m, n) are as those of
    :func:`~motionloom.kernels.subsequence.cheapest_paths`.
    """
    m, n = len(weights), stop - left
    first_frame = HALF_WINDOW + left * stride
    fill_some_windows(points, point_weights, begin, first_frame, stride, n, means, ground, heights)
    for i in range(m):
        # Whatever lies outside of these is on no such path.
        rest = m - 1 - i
        first = max(i // 2, start - 2 * rest - left)
        last = max(first, min(latest + 2 * i, stop - 1 - rest // 2) - left + 1)
        distance_row(query_ground, query_heights, i, ground, heights, first, last, dots, crosses, row)
        old, new = costs[(i + 1) % 2], costs[i % 2]
        for state in range(2):
            new[state, first], new[state, first + 1] = np.inf, np.inf
            new[state, last + 2], new[state, last + 3] = np.inf, np.inf
        for j in range(first, last):
            cost = weights[i] * row[j]
            if i == 0:
                new[0, j + 2], new[1, j + 2] = cost, np.inf
                continue
            best, origin = old[0, j + 1], 2
            if old[1, j + 1] < best:
                best, origin = old[1, j + 1], 3
            if old[0, j] < best:
                best, origin = old[0, j], 4
            if old[1, j] < best:
                best, origin = old[1, j], 5
            new[1, j + 2] = old[0, j + 2] + cost
            new[0, j + 2], origins[i, j] = best + cost, origin


@kernel
def _trace(costs: Floats, origins: Ints, m: int, left: int, end: int, path: Ints) -> float:
    """Fill the path (m,) to an end that was measured, and return its cost."""
    last = costs[(m - 1) % 2]
    at = end - left
    state = 1 if last[1, at + 2] < last[0, at + 2] else 0
    cost: float = last[state, at + 2]
    if np.isfinite(cost):
        for i in range(m - 1, -1, -1):
            path[i] = at + left
            if i > 0:
                if state == 1:
                    state = 0
                else:
                    at, state = at - origins[i, at] // 2, origins[i, at] % 2
    return cost


@kernel
def _is_nearer(distances: Floats, a: int, b: int) -> bool:
    return distances[a] < distances[b] or (distances[a] == distances[b] and a < b)


@kernel
def _push(heap: Ints, size: int, distances: Floats, end: int) -> None:
    """Add an end to a heap of so many, of which the nearest is first."""
    at = size
    while at > 0 and _is_nearer(distances, end, heap[(at - 1) // 2]):
        heap[at] = heap[(at - 1) // 2]
        at = (at - 1) // 2
    heap[at] = end


@kernel
def _pop(heap: Ints, size: int, distances: Floats) -> int:
    """Take the nearest end from a heap of so many."""
    nearest: int = heap[0]
    moved, at = heap[size - 1], 0
    while 2 * at + 1 < size - 1:
        child = 2 * at + 1
        if child + 1 < size - 1 and _is_nearer(distances, heap[child + 1], heap[child]):
            child += 1
        if not _is_nearer(distances, heap[child], moved):
            break
        heap[at] = heap[child]
        at = child
    heap[at] = moved
    return nearest


@kernel
def _find_take(first_ends: Ints, place: int) -> int:
    """Return the take in which an end lies, by its place among those of one form."""
    low, high = 0, len(first_ends) - 1
    while high - low > 1:
        half = (low + high) // 2
        if first_ends[half] <= place:
            low = half
        else:
            high = half
    return low


@kernel
def _overlaps(found: Ints, latest: int, first: int, last: int, gap: int) -> bool:
    """Return whether samples lie less than ``gap`` from a segment of the same take that was found.

    ``found`` (N, 3) holds the first and last samples of segments, and the one before in the same take.
    """
    while latest >= 0:
        if first - found[latest, 1] < gap and found[latest, 0] - last < gap:
            return True
        latest = found[latest, 2]
    return False


@kernel
def next_segment(
    points: Singles1,
    begins: Ints1,
    first_ends: Ints1,
    stride: int,
    bounds: Singles1,
    order: Ints1,
    query_ground: Floats3,
    query_heights: Floats3,
    weights: Floats1,
    point_weights: Floats2,
    gap: int,
    max_distance: float,
    state: OutInts1,
    distances: OutFloats1,
    firsts: OutInts1,
    heap: OutInts1,
    latest: OutInts1,
    found: OutInts2,
    means: OutFloats2,
    ground: OutFloats3,
    heights: OutFloats2,
    dots: OutFloats1,
    crosses: OutFloats1,
    row: OutFloats1,
    costs: OutFloats3,
    origins: OutInts2,
    out_path: OutInts1,
) -> int:
    """Return the end of the next segment, nearest first, that does not overlap those that were accepted.

    Or ``NONE``, or ``MORE`` where ends have to be put in order first.

    Parameters
    ----------
    points, begins
        Of takes at 30 Hz, and where those of each of the T takes begin.
    first_ends
        (T + 1,) where the ends of each take begin, among the E ends of one form of the query.
    stride
        Frames at 30 Hz from one sample to the next.
    bounds
        (F × E,) of all ends, for F forms of the query.
    order
        The ends with the lowest bounds, lowest first.
    query_ground, query_heights
        (2 F, 85, m) and (F, 85, m) windows of each form.
    weights, point_weights
        (m,) of the query's samples and (17,) of points.
    gap, max_distance
        Samples between segments at least, and metres beyond which nothing is found.
    state
        (``N_STATE``,) zeros at first, and -1 for what was proposed.
    distances, firsts
        (F × E,) distances of ends, and first samples of their paths: -1 at first, and -2 where there is none.
    heap, latest, found
        (F × E,), (T,) of -1 at first, and (k, 3): the kernel's own.
    means, ground, heights, dots, crosses, row, costs, origins
        Scratch memory (4, W), (2, 85, W), (85, W), (W,) thrice, (2, 2, W + 4), (m, W), for W = 3 m samples.
    out_path
        (m,) samples of the segment that is returned.
    """
    m, n_ends = len(weights), first_ends[-1]
    if state[PROPOSED] >= 0 and state[IS_ACCEPTED]:
        take = _find_take(first_ends, state[PROPOSED] % n_ends)
        n_found = state[N_FOUND]
        found[n_found, 0], found[n_found, 1], found[n_found, 2] = out_path[0], out_path[m - 1], latest[take]
        latest[take] = n_found
        state[N_FOUND] += 1
    state[PROPOSED] = -1
    while True:
        is_short = state[POSITION] == len(order)
        bound = np.inf
        if is_short and len(order) < len(bounds):
            # Whatever is not in order yet is at least as far away.
            bound = np.float64(bounds[order[-1]])
        elif not is_short:
            bound = np.float64(bounds[order[state[POSITION]]])
        while state[HEAP_SIZE] > 0 and distances[heap[0]] <= min(bound, max_distance):
            end = _pop(heap, state[HEAP_SIZE], distances)
            state[HEAP_SIZE] -= 1
            form, place = end // n_ends, end % n_ends
            take = _find_take(first_ends, place)
            sample = place - first_ends[take]
            if _overlaps(found, latest[take], firsts[end], sample, gap):
                continue
            left = firsts[end]
            _measure_ends(
                points,
                begins[take],
                stride,
                left,
                left,
                sample,
                sample + 1,
                query_ground[2 * form : 2 * form + 2],
                query_heights[form],
                weights,
                point_weights,
                means,
                ground,
                heights,
                dots,
                crosses,
                row,
                costs,
                origins,
            )
            _trace(costs, origins, m, left, sample, out_path)
            state[PROPOSED] = end
            return end
        if not np.isfinite(bound) or bound > max_distance:
            return NONE
        if is_short:
            return MORE
        end = order[state[POSITION]]
        state[POSITION] += 1
        if firsts[end] != -1:
            continue
        form, place = end // n_ends, end % n_ends
        take = _find_take(first_ends, place)
        sample = place - first_ends[take]
        # The shortest path to this end may overlap what was found, and then all do.
        if _overlaps(found, latest[take], sample - (m - 1) // 2, sample, gap):
            continue
        base, limit = end - sample, np.float32(NEIGHBOURS * bound)
        start, stop = sample, sample + 1
        first, last = (
            max(0, sample - m // 2),
            min(first_ends[take + 1] - first_ends[take], sample + m // 2 + 1),
        )
        while start > first and firsts[base + start - 1] == -1 and bounds[base + start - 1] <= limit:
            start -= 1
        while stop < last and firsts[base + stop] == -1 and bounds[base + stop] <= limit:
            stop += 1
        left, min_length = max(0, start - 2 * (m - 1)), (m - 1) // 2
        _measure_ends(
            points,
            begins[take],
            stride,
            left,
            stop - 1 - min_length,
            start,
            stop,
            query_ground[2 * form : 2 * form + 2],
            query_heights[form],
            weights,
            point_weights,
            means,
            ground,
            heights,
            dots,
            crosses,
            row,
            costs,
            origins,
        )
        for j in range(start, stop):
            distance = _trace(costs, origins, m, left, j, out_path)
            if np.isfinite(distance):
                distances[base + j], firsts[base + j] = distance, out_path[0]
                _push(heap, state[HEAP_SIZE], distances, base + j)
                state[HEAP_SIZE] += 1
            else:
                firsts[base + j] = -2


@kernel
def place_segments(
    points: Singles1,
    begins: Ints1,
    frames: Ints2,
    are_mirrored: Ints1,
    scales: Floats1,
    query: Singles1,
    query_frames: Ints1,
    query_scale: float,
    weights: Floats1,
    partners: Ints1,
    out: OutFloats2,
) -> None:
    """Fill the yaw, x and z (H, 3) that put segments of takes on the query, each as nearly as possible.

    ``points`` hold those of takes, which begin at ``begins`` (H,), and ``frames`` (H, m) at 30 Hz correspond
    to ``query_frames`` (m,). Points are those of bodies times ``scales`` (H,) and ``query_scale``, and count
    ``weights`` (17,) each; those of mirrored segments change places with their ``partners`` (17,).
    """
    m, n_points = frames.shape[1], len(weights)
    for h in range(len(frames)):
        side = -1.0 if are_mirrored[h] else 1.0
        x, z, query_x, query_z = 0.0, 0.0, 0.0, 0.0
        for i in range(m):
            for p in range(n_points):
                partner = partners[p] if are_mirrored[h] else p
                own = begins[h] + 3 * (n_points * frames[h, i] + partner)
                other = 3 * (n_points * query_frames[i] + p)
                weight = weights[p] / m
                x += weight * (side * np.float64(points[own]) / scales[h])
                z += weight * (np.float64(points[own + 2]) / scales[h])
                query_x += weight * (np.float64(query[other]) / query_scale)
                query_z += weight * (np.float64(query[other + 2]) / query_scale)
        dot, cross = 0.0, 0.0
        for i in range(m):
            for p in range(n_points):
                partner = partners[p] if are_mirrored[h] else p
                own = begins[h] + 3 * (n_points * frames[h, i] + partner)
                other = 3 * (n_points * query_frames[i] + p)
                u = side * np.float64(points[own]) / scales[h] - x
                v = np.float64(points[own + 2]) / scales[h] - z
                query_u = np.float64(query[other]) / query_scale - query_x
                query_v = np.float64(query[other + 2]) / query_scale - query_z
                dot += weights[p] * (query_v * v + query_u * u)
                cross += weights[p] * (query_u * v - query_v * u)
        yaw = atan2(cross, dot)
        out[h, 0] = yaw
        out[h, 1] = query_x - (x * cos(yaw) + z * sin(yaw))
        out[h, 2] = query_z - (z * cos(yaw) - x * sin(yaw))

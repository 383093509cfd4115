"""`find_candidates`: frames of takes at which transitions may meet, and what each would lead to.

Candidates are local minima of the distance between poses, over all pairs of takes. A lower bound leaves out
nearly all pairs of frames; what remains is measured exactly (:mod:`motionloom.library.signatures`).

The nearest pairs are of little use: frames of near-duplicate takes, or of somebody who stands. What counts is
what a transition *gains*: how far what follows in the target is from what would have followed in the source.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from threading import Lock

import numpy as np

from motionloom import kernels
from motionloom.arrays import FloatArray, IntArray, freeze
from motionloom.graphs.node import GraphNode
from motionloom.kernels.threads import run_in_slices
from motionloom.library.body_points import RATE, sample_points
from motionloom.library.signatures import Singles, frame_of_sample, make_windows, sign_windows

MIN_JUMP = 0.5
"""Seconds that a transition within one take leads ahead or back at least: less leads nowhere."""

NEIGHBOURHOOD = 5
"""Samples at 30 Hz to either side, in both takes, within which a candidate is the nearest pair."""

LOOK_AHEAD = (0.5, 1.0, 1.5)
"""Seconds after the meeting at which the two futures are compared."""

FULL_GAIN = 0.15
"""Distance in metres of two futures that count as wholly different: about that of opposite feet in a walk."""

MAX_CELLS = 4_000_000
"""Pairs of samples that are looked at with one piece of memory."""


@dataclass(frozen=True, eq=False)
class Candidates:
    """Pairs of frames, nearest first, at which transitions may meet.

    Attributes
    ----------
    source, source_frame, target, target_frame
        (C,) numbers of the nodes, and frames.
    distance
        (C,) how far apart the poses are, metres of an adult with legs of 85 cm.
    gain
        (C,) from 0, where the same follows in both takes or the target ends, to 1, where something else does
        or the source ends.
    """

    source: IntArray
    source_frame: IntArray
    target: IntArray
    target_frame: IntArray
    distance: FloatArray
    gain: FloatArray

    def __len__(self) -> int:
        return len(self.distance)

    def append(self, others: Candidates) -> Candidates:
        """Return these candidates, and then others."""
        columns = zip(vars(self).values(), vars(others).values(), strict=True)
        return Candidates(*(freeze(np.concatenate(own)) for own in columns))

    def take(self, which: IntArray) -> Candidates:
        """Return some of the candidates."""
        return Candidates(*(freeze(own[which]) for own in vars(self).values()))


@dataclass(frozen=True, eq=False)
class _SignedTake:
    """Samples of a take at 30 Hz: flat signatures, windows (n, 3, 85), and their |c|² (n,)."""

    signatures: Singles
    windows: FloatArray
    squares: FloatArray

    def __len__(self) -> int:
        return len(self.squares)


def find_candidates(
    nodes: Sequence[GraphNode],
    max_distance: float,
    margin: float,
    involving: Collection[int] | None = None,
) -> Candidates:
    """Return all pairs of frames at which transitions may meet.

    Parameters
    ----------
    nodes
        Takes at one frame rate.
    max_distance
        Largest distance of the poses in metres.
    margin
        Seconds that must be left before and after the frames in their takes.
    involving
        Nodes of which each pair has one at least; all by default.
    """
    takes = [_sign_take(node) for node in nodes]
    pairs = [(a, b) for a in range(len(nodes)) for b in range(a, len(nodes))]
    if involving is not None:
        pairs = [(a, b) for a, b in pairs if a in involving or b in involving]
    found: dict[int, tuple[IntArray, FloatArray]] = {}
    lock = Lock()

    def compare(first: int, last: int) -> None:
        for n in range(first, last):
            a, b = pairs[n]
            apart = round(MIN_JUMP * RATE) if a == b else -1
            cells, distances = _find_minima(takes[a], takes[b], max_distance, apart)
            kept = _suppress_neighbours(cells, distances)
            with lock:
                found[n] = cells[kept], distances[kept]

    total = sum(map(len, takes))
    run_in_slices(len(pairs), compare, weight=max(1, total * total // (2 * len(pairs))))
    parts = [_candidates_of(*pairs[n], *found[n], takes) for n in range(len(pairs))]
    columns = [np.concatenate(own) for own in zip(*parts, strict=True)]
    source, first, target, second, distance, gain = columns
    frame_time = nodes[0].clip.frame_time
    frames = [
        np.rint(frame_of_sample(own.astype(np.int64), 30) / (RATE * frame_time)).astype(np.int64)
        for own in (first, second)
    ]
    lengths = np.array([node.n_frames for node in nodes])
    room = margin / frame_time
    inside = np.ones(len(distance), dtype=np.bool_)
    for node, frame in ((source, frames[0]), (target, frames[1])):
        inside &= (frame >= room) & (lengths[node.astype(np.int64)] - 1 - frame >= room)
    every = Candidates(source.astype(np.int64), frames[0], target.astype(np.int64), frames[1], distance, gain)
    order = np.lexsort((frames[1], frames[0], target, source, distance))
    return every.take(order[inside[order]])


def _sign_take(node: GraphNode) -> _SignedTake:
    windows = make_windows(sample_points(node.clip).astype(np.float32), 30)
    joined = np.stack([*windows.ground, windows.heights]).transpose(2, 0, 1)
    return _SignedTake(
        np.ascontiguousarray(sign_windows(windows)).ravel(),
        np.ascontiguousarray(joined),
        np.sum(windows.ground**2, axis=(0, 1)),
    )


def _find_minima(
    a: _SignedTake, b: _SignedTake, max_distance: float, apart: int
) -> tuple[IntArray, FloatArray]:
    """Return cells (N, 2) that are minima of their row or column, and their distances (N,)."""
    cells, distances = [np.empty((0, 2), np.int64)], [np.empty(0)]
    at_once = max(1, MAX_CELLS // max(1, len(b)))
    rows, bounds = np.empty((3, len(b) + 2)), np.empty((3, len(b)), np.float32)
    for first in range(0, len(a) if len(b) else 0, at_once):
        last = min(len(a), first + at_once)
        own, values = np.empty(((last - first) * len(b), 2), np.int64), np.empty((last - first) * len(b))
        count = kernels.match_web.find_minima(
            a.signatures,
            a.windows,
            a.squares,
            b.signatures,
            b.windows,
            b.squares,
            max_distance,
            apart,
            first,
            last,
            rows,
            bounds,
            own,
            values,
        )
        cells.append(own[:count].copy())
        distances.append(values[:count].copy())
    return np.concatenate(cells), np.concatenate(distances)


def _suppress_neighbours(cells: IntArray, distances: FloatArray) -> IntArray:
    """Return the cells (K,) that are the nearest of all in their neighbourhood, of cells (N, 2).

    >>> cells = np.array([[0, 0], [1, 1], [4, 4], [9, 9]])
    >>> _suppress_neighbours(cells, np.array([0.2, 0.1, 0.15, 0.3])).tolist()
    [1, 3]
    """
    if not len(cells):
        return np.zeros(0, np.int64)
    # The nearest cell of each block, then those that no block around has a nearer one for.
    blocks = cells // NEIGHBOURHOOD + 1
    shape = tuple(blocks.max(axis=0) + 2)
    flat = blocks[:, 0] * shape[1] + blocks[:, 1]
    order = np.lexsort((cells[:, 1], cells[:, 0], distances, flat))
    best = order[np.concatenate([[True], np.diff(flat[order]) > 0])]
    owner = np.full(shape, -1, np.int64)
    owner[blocks[best, 0], blocks[best, 1]] = best
    kept = np.ones(len(best), dtype=np.bool_)
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            other = owner[blocks[best, 0] + down, blocks[best, 1] + right]
            near = (other >= 0) & (np.abs(cells[other] - cells[best]).max(axis=1) <= NEIGHBOURHOOD)
            nearer = distances[other] < distances[best]
            # Of two equals the first one stays.
            nearer |= (distances[other] == distances[best]) & (other < best)
            kept &= ~(near & nearer)
    return np.sort(best[kept])


def _candidates_of(
    a: int, b: int, cells: IntArray, distances: FloatArray, takes: Sequence[_SignedTake]
) -> tuple[FloatArray, ...]:
    """Return source, sample, target, sample, distance and gain of both directions of minima."""
    directions = [(a, cells[:, 0], b, cells[:, 1]), (b, cells[:, 1], a, cells[:, 0])]
    columns = [
        (
            np.full(len(cells), s),
            first,
            np.full(len(cells), t),
            second,
            distances,
            _measure_gain(takes[s], takes[t], first, second),
        )
        for s, first, t, second in directions
    ]
    return tuple(np.concatenate(own) for own in zip(*columns, strict=True))


def _measure_gain(a: _SignedTake, b: _SignedTake, first: IntArray, second: IntArray) -> FloatArray:
    """Return how different (N,) what follows in take b is from what follows in take a, from 0 to 1."""
    gain = np.zeros(len(first))
    for seconds in LOOK_AHEAD:
        i, j = first + round(seconds * RATE), second + round(seconds * RATE)
        source_ends, target_ends = i >= len(a), j >= len(b)
        both = np.flatnonzero(~source_ends & ~target_ends)
        value = np.where(target_ends, 0.0, 1.0)
        value[both] = np.minimum(_measure_pairs(a, b, i[both], j[both]) / FULL_GAIN, 1.0)
        gain += value / len(LOOK_AHEAD)
    return gain


def _measure_pairs(a: _SignedTake, b: _SignedTake, i: IntArray, j: IntArray) -> FloatArray:
    """Return the distances (N,) of samples i of one take and j of another."""
    of_a, of_b = a.windows[i], b.windows[j]
    ground_a, ground_b = (own[:, 0] + 1j * own[:, 1] for own in (of_a, of_b))
    overlap = np.abs(np.einsum("np,np->n", ground_a.conj(), ground_b))
    heights = np.sum((of_a[:, 2] - of_b[:, 2]) ** 2, axis=1)
    squared = np.maximum(a.squares[i] + b.squares[j] - 2.0 * overlap + heights, 0.0)
    return np.asarray(np.sqrt(squared))

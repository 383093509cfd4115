"""Search in steps: hits become queries, and find what hardly resembles the first query any more.

Unchecked, such a chain derails: from a run to a jog to a walk to everything. So hits of the first step are
near beside how much the query moves and how near ordinary segments are; those of later steps are nearer still
to the hit that found them, and not much farther from the first query along the composed time alignment; and a
hit finds others only if registration would blend it with the first query.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.library.body_points import mirror_points
from motionloom.library.search import MIN_SAMPLES, Match, Query
from motionloom.library.search_index import SearchIndex
from motionloom.library.signatures import (
    SampleRate,
    Singles,
    Windows,
    count_samples,
    make_windows,
    measure_distances,
    stride_of,
)

RELATIVE_DISTANCE = 0.6
"""Fraction of the geometric mean of the query's spread and its ordinary distance within which a segment
counts as the same motion. This and the two below were chosen on actions that were marked by hand
(``python -m benchmarks.library quality``)."""

LATER_STEPS = 0.6
"""Fraction of that limit within which hits find others."""

MAX_DRIFT = 1.3
"""How many times that limit a segment may be away from the first query."""

ORDINARY = 0.03
"""Fraction of the library's segments that lie within the ordinary distance of a query: hits are nearer than
those where many resemble it."""

MIN_MOVEMENT = 0.6
"""Fraction of the first query's spread that segments of later steps have: standing matches everything."""

MAX_STRETCH = 2.0
"""How many times slower or faster than the first query a segment may be, as in a single step."""

MIN_APART = 0.3
"""Seconds between samples of a motion whose distances tell how much it moves."""

SAME = 0.8
"""Fraction of the shorter of two segments that they share when they are the same one."""

OTHER = 0.2
"""Fraction that different segments may share; what lies between is neither, and left out."""


FindAll = Callable[[Sequence[tuple[Singles, float]]], list[list[Match]]]
"""Returns what resembles each of several motions: points (N, 17, 3) at 30 Hz, each with a distance in metres
within which to find."""


@dataclass(frozen=True, eq=False)
class MatchNode:
    """A segment of the match graph.

    Attributes
    ----------
    take, mirrored
        Where it lies.
    path
        (m,) samples of the take, fractional, for the samples of the first query.
    distance
        To the first query along that path, metres.
    step
        In which step it was found.
    """

    take: int
    mirrored: bool
    path: FloatArray
    distance: float
    step: int

    def match(self) -> Match:
        """Return the node as a match of the first query, at whole samples."""
        return Match(self.take, self.mirrored, self.distance, np.rint(self.path).astype(np.int64))


@dataclass(frozen=True)
class MatchEdge:
    """Two segments of which one found the other.

    Attributes
    ----------
    found_by, found
        Indices of nodes; -1 is the first query.
    distance
        Metres, along their own time alignment.
    """

    found_by: int
    found: int
    distance: float


def search_in_steps(
    index: SearchIndex,
    query: Query,
    find_all: FindAll,
    points: Singles,
    steps: int,
    max_distance: float,
    blends: Callable[[MatchNode], bool],
) -> tuple[list[MatchNode], list[MatchEdge]]:
    """Return the segments that are reached in a number of steps, nearest to the first query first.

    Parameters
    ----------
    index
        The takes.
    query, points
        The first query, and its points (N, 17, 3) at 30 Hz.
    find_all
        Searches for several motions.
    steps
        How many times hits become queries, counting the first search.
    max_distance
        Metres within which the first query finds.
    blends
        Whether registration would blend a segment with the first query.
    """
    nodes: list[MatchNode] = []
    edges: list[MatchEdge] = []
    frontier = [-1]
    spread = max(measure_spread(query.windows, query.rate), 1e-6)
    for step in range(1, steps + 1):
        reached: list[int] = []
        wanted = [(points, max_distance)]
        if step > 1:
            sources = {origin: _points_of(index, nodes[origin], query) for origin in frontier}
            # Where a segment runs twice as fast as a short query, too little of it is left to be one.
            frontier = [n for n in frontier if count_samples(len(sources[n]), query.rate) >= MIN_SAMPLES]
            # What moves less than the first query finds within less.
            moves = [min(1.0, _movement(sources[n], query) / spread) for n in frontier]
            wanted = [
                (sources[n], max_distance * LATER_STEPS * move)
                for n, move in zip(frontier, moves, strict=True)
            ]
        for origin, matches in zip(frontier, find_all(wanted), strict=True):
            known, fresh = list[MatchEdge](), list[tuple[MatchNode, float]]()
            for match in matches:
                node = _compose(index, query, None if origin < 0 else nodes[origin], match, step)
                if step > 1 and not _is_comparable(index, node, query, spread):
                    continue
                overlaps = [_overlap(node, other) for other in (*nodes, *(each for each, _ in fresh))]
                nearest = int(np.argmax(overlaps)) if overlaps else -1
                if nearest >= 0 and overlaps[nearest] >= SAME:
                    if nearest < len(nodes) and nodes[nearest].mirrored == node.mirrored:
                        known.append(MatchEdge(origin, nearest, match.distance))
                elif (
                    nearest < 0 or overlaps[nearest] <= OTHER
                ) and node.distance <= MAX_DRIFT * max_distance:
                    fresh.append((node, match.distance))
            # Registration takes long, so only those that find something are registered.
            if fresh and origin >= 0 and not blends(nodes[origin]):
                continue
            edges += known
            for node, distance in fresh:
                edges.append(MatchEdge(origin, len(nodes), distance))
                reached.append(len(nodes))
                nodes.append(node)
        frontier = reached
    order = sorted(range(len(nodes)), key=lambda n: nodes[n].distance)
    rank = {old: new for new, old in enumerate(order)} | {-1: -1}
    return [nodes[n] for n in order], [MatchEdge(rank[e.found_by], rank[e.found], e.distance) for e in edges]


def measure_spread(windows: Windows, rate: SampleRate) -> float:
    """Return the median distance of samples of a motion that are at least 0.3 s apart, metres."""
    distances = measure_distances(windows, windows)
    n = len(distances)
    rows, columns = np.triu_indices(n, min(n - 1, round(MIN_APART * rate)))
    return float(np.median(distances[rows, columns]))


def choose_limit(query: Query, bounds: Singles) -> float:
    """Return the metres within which a segment probably is the same motion as the query.

    Where a query moves much, or little in the library resembles it, segments may be farther away.
    ``bounds`` are those of all paths of the library.
    """
    known = bounds[np.isfinite(bounds)]
    spread = measure_spread(query.windows, query.rate)
    ordinary = float(np.quantile(known, ORDINARY)) if len(known) else spread
    return RELATIVE_DISTANCE * float(np.sqrt(spread * ordinary))


def _movement(points: Singles, query: Query) -> float:
    return measure_spread(make_windows(points, query.rate), query.rate)


def _is_comparable(index: SearchIndex, node: MatchNode, query: Query, spread: float) -> bool:
    """Return whether a segment moves about as much as the first query, and about as fast."""
    stretch = (node.path[-1] - node.path[0]) / (query.n_samples - 1)
    moves = _movement(_points_of(index, node, query), query) >= MIN_MOVEMENT * spread
    return bool(1.0 / MAX_STRETCH <= stretch <= MAX_STRETCH) and moves


def _compose(
    index: SearchIndex, query: Query, origin: MatchNode | None, match: Match, step: int
) -> MatchNode:
    """Return a match of a node's segment as a node, aligned with the first query."""
    if origin is None:
        return MatchNode(
            match.take, match.mirrored, freeze(match.path.astype(np.float64)), match.distance, step
        )
    within = origin.path - np.floor(origin.path[0])
    path = np.interp(within, np.arange(len(match.path)), match.path)
    mirrored = origin.mirrored != match.mirrored
    distances = _distances_along(index, query, match.take, mirrored, path)
    return MatchNode(match.take, mirrored, freeze(path), float(query.weights @ distances), step)


def _distances_along(
    index: SearchIndex, query: Query, take: int, mirrored: bool, path: FloatArray
) -> FloatArray:
    """Return the distances (m,) of the query's samples to those of a take at the nearest whole samples."""
    samples = np.rint(path).astype(np.int64)
    points = index.points(take)
    windows = make_windows(
        np.asarray(mirror_points(points.astype(np.float64)), np.float32) if mirrored else points,
        query.rate,
        int(samples[0]),
        int(samples[-1]) + 1,
    )
    own = Windows(windows.ground[:, :, samples - samples[0]], windows.heights[:, samples - samples[0]])
    contiguous = Windows(np.ascontiguousarray(own.ground), np.ascontiguousarray(own.heights))
    return np.asarray(np.diag(measure_distances(query.windows, contiguous)))


def _points_of(index: SearchIndex, node: MatchNode, query: Query) -> Singles:
    """Return the points of a node's segment, mirrored where it is."""
    stride = stride_of(query.rate)
    first, last = int(np.floor(node.path[0])), int(np.ceil(node.path[-1]))
    # Windows reach two frames beyond the samples at both ends.
    points = index.points(node.take)[first * stride : last * stride + 5]
    return np.asarray(mirror_points(points.astype(np.float64)), np.float32) if node.mirrored else points


def _overlap(a: MatchNode, b: MatchNode) -> float:
    """Return the fraction of the shorter of two segments that they share, mirrored or not."""
    if a.take != b.take:
        return 0.0
    shared = min(a.path[-1], b.path[-1]) - max(a.path[0], b.path[0])
    shorter = min(a.path[-1] - a.path[0], b.path[-1] - b.path[0])
    return max(0.0, float(shared / shorter)) if shorter > 0.0 else 0.0

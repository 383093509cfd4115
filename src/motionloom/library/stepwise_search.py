"""Search in steps: hits become queries, and find what hardly resembles the first query any more.

Unchecked, such a chain derails: from a run to a jog to a walk to everything. So hits of the first step lie
within their limits (:mod:`motionloom.library.match_limits`). Later steps consider what is somewhat farther
from the first query, and what hits find along composed time alignments, and take what all hits so far agree
on: the average of its distance to the query and of its mean distance to the hits lies within its limit. And a
hit finds others only if registration would blend it with the first query.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.library.body_points import mirror_points
from motionloom.library.exact_search import MIN_SAMPLES, Match, Query
from motionloom.library.match_limits import measure_spread
from motionloom.library.search_index import SearchIndex
from motionloom.library.signatures import (
    SampleRate,
    Singles,
    Windows,
    count_samples,
    make_windows,
    measure_along,
    stride_of,
)

LATER_STEPS = 0.6
"""Fraction of the limit within which hits find others."""

MAX_DRIFT = 1.5
"""How many times the limit a segment may be away from the first query."""

MAX_CANDIDATES = 300
"""Segments that are considered at most, or as many as hits are asked for."""

MAX_VOTERS = 30
"""Hits, the nearest ones, to which the distance of a candidate is measured."""

MIN_MOVEMENT = 0.6
"""Fraction of the first query's spread that segments of later steps have: standing matches everything."""

MAX_STRETCH = 2.0
"""How many times slower or faster than the first query a segment may be, as in a single step."""

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
    limits: Callable[[Sequence[MatchNode]], FloatArray],
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
        Metres within which a segment as ordinary as the first query counts as the same motion.
    limits
        Within how many metres each of some segments counts.
    blends
        Whether registration would blend a segment with the first query.
    """
    graph = _MatchGraph(index, query, limits, blends)
    within = MAX_DRIFT * max_distance
    (first,) = find_all([(points, within)])
    graph.consider([_compose(index, query, None, match) for match in first])
    graph.take_near()
    spread = max(measure_spread(query.windows, query.rate), 1e-6)
    frontier = list(range(len(graph.nodes)))
    for step in range(2, steps + 1):
        sources = {n: _points_of(index, graph.nodes[n], query) for n in frontier}
        # Where a segment runs twice as fast as a short query, too little of it is left to be one.
        frontier = [n for n in frontier if count_samples(len(sources[n]), query.rate) >= MIN_SAMPLES]
        # What moves less than the first query finds within less.
        moves = [min(1.0, _movement(sources[n], query) / spread) for n in frontier]
        wanted = [
            (sources[n], max_distance * LATER_STEPS * move) for n, move in zip(frontier, moves, strict=True)
        ]
        for origin, matches in zip(frontier, find_all(wanted), strict=True):
            for match in matches:
                node = _compose(index, query, graph.nodes[origin], match)
                if node.distance <= within and _is_comparable(index, node, query, spread):
                    graph.consider([node], MatchEdge(origin, -1, match.distance))
        n_known = len(graph.nodes)
        graph.take_agreed(step)
        frontier = list(range(n_known, len(graph.nodes)))
    return graph.in_order()


class _MatchGraph:
    """Hits with who found whom, and candidates that may become hits.

    Attributes
    ----------
    nodes, edges
        The hits so far.
    """

    def __init__(
        self,
        index: SearchIndex,
        query: Query,
        limits: Callable[[Sequence[MatchNode]], FloatArray],
        blends: Callable[[MatchNode], bool],
    ) -> None:
        self._index, self._query, self._limits, self._blends = index, query, limits, blends
        self.nodes: list[MatchNode] = []
        self.edges: list[MatchEdge] = []
        self._waiting: list[tuple[MatchNode, float]] = []  # with their limits
        self._verdicts: dict[int, bool] = {}

    def consider(self, candidates: Sequence[MatchNode], edge: MatchEdge | None = None) -> None:
        """Let segments wait that are none of the hits and of those that wait; a hit gets another edge."""
        others = [*self.nodes, *(each for each, _ in self._waiting)]
        fresh = []
        for node in candidates:
            overlaps = [_overlap(node, other) for other in others]
            nearest = int(np.argmax(overlaps)) if overlaps else -1
            if nearest < 0 or overlaps[nearest] <= OTHER:
                fresh.append(node)
            elif edge is not None and overlaps[nearest] >= SAME and nearest < len(self.nodes):
                is_same = self.nodes[nearest].mirrored == node.mirrored
                self.edges += [replace(edge, found=nearest)] if is_same else []
        self._waiting += zip(fresh, self._limits(fresh).tolist(), strict=True)

    def take_near(self) -> None:
        """Take the candidates that are near the query: those of the first step."""
        for node, limit in self._waiting:
            if node.distance <= limit:
                self.edges.append(MatchEdge(-1, len(self.nodes), node.distance))
                self.nodes.append(node)
        self._waiting = [(node, limit) for node, limit in self._waiting if node.distance > limit]

    def take_agreed(self, step: int) -> None:
        """Take the candidates that are near the query and the hits so far, on the average of both."""
        order = sorted(range(len(self.nodes)), key=lambda n: self.nodes[n].distance)[:MAX_VOTERS]
        if not order:
            return
        voters = [self._windows(self.nodes[n]) for n in order]
        kept, taken = list[tuple[MatchNode, float]](), list[tuple[MatchNode, MatchEdge]]()
        for node, limit in self._waiting:
            # Half of its distance to the query is too much already.
            if node.distance > 2.0 * limit:
                continue
            own = self._windows(node)
            distances = [float(self._query.weights @ measure_along(voter, own)) for voter in voters]
            nearest = int(np.argmin(distances))
            agreed = 0.5 * (node.distance + float(np.mean(distances)))
            # Registration takes long, so only those that find something are registered.
            if agreed <= limit and self._is_good(order[nearest]):
                taken.append((replace(node, step=step), MatchEdge(order[nearest], -1, distances[nearest])))
            else:
                kept.append((node, limit))
        self._waiting = kept
        for node, edge in taken:
            self.edges.append(replace(edge, found=len(self.nodes)))
            self.nodes.append(node)

    def in_order(self) -> tuple[list[MatchNode], list[MatchEdge]]:
        """Return the hits, nearest to the query first, and who found whom."""
        order = sorted(range(len(self.nodes)), key=lambda n: self.nodes[n].distance)
        rank = {old: new for new, old in enumerate(order)} | {-1: -1}
        edges = [MatchEdge(rank[e.found_by], rank[e.found], e.distance) for e in self.edges]
        return [self.nodes[n] for n in order], edges

    def _is_good(self, n: int) -> bool:
        """Return whether registration would blend a hit with the query."""
        if n not in self._verdicts:
            self._verdicts[n] = self._blends(self.nodes[n])
        return self._verdicts[n]

    def _windows(self, node: MatchNode) -> Windows:
        return _windows_along(self._index, self._query.rate, node.take, node.mirrored, node.path)


def _movement(points: Singles, query: Query) -> float:
    return measure_spread(make_windows(points, query.rate), query.rate)


def _is_comparable(index: SearchIndex, node: MatchNode, query: Query, spread: float) -> bool:
    """Return whether a segment moves about as much as the first query, and about as fast."""
    stretch = (node.path[-1] - node.path[0]) / (query.n_samples - 1)
    moves = _movement(_points_of(index, node, query), query) >= MIN_MOVEMENT * spread
    return bool(1.0 / MAX_STRETCH <= stretch <= MAX_STRETCH) and moves


def _compose(index: SearchIndex, query: Query, origin: MatchNode | None, match: Match) -> MatchNode:
    """Return a match of a node's segment as a node, aligned with the first query."""
    if origin is None:
        return MatchNode(match.take, match.mirrored, freeze(match.path.astype(np.float64)), match.distance, 1)
    within = origin.path - np.floor(origin.path[0])
    path = np.interp(within, np.arange(len(match.path)), match.path)
    mirrored = origin.mirrored != match.mirrored
    windows = _windows_along(index, query.rate, match.take, mirrored, path)
    distance = float(query.weights @ measure_along(query.windows, windows))
    return MatchNode(match.take, mirrored, freeze(path), distance, origin.step + 1)


def _windows_along(
    index: SearchIndex, rate: SampleRate, take: int, mirrored: bool, path: FloatArray
) -> Windows:
    """Return the windows (m) of a take at the nearest whole samples."""
    samples = np.rint(path).astype(np.int64)
    stride = stride_of(rate)
    points = index.points(take)[samples[0] * stride : samples[-1] * stride + 5]
    windows = make_windows(_mirror(points) if mirrored else points, rate)
    return Windows(windows.ground[:, :, samples - samples[0]], windows.heights[:, samples - samples[0]])


def _points_of(index: SearchIndex, node: MatchNode, query: Query) -> Singles:
    """Return the points of a node's segment, mirrored where it is."""
    stride = stride_of(query.rate)
    first, last = int(np.floor(node.path[0])), int(np.ceil(node.path[-1]))
    # Windows reach two frames beyond the samples at both ends.
    points = index.points(node.take)[first * stride : last * stride + 5]
    return _mirror(points) if node.mirrored else points


def _mirror(points: Singles) -> Singles:
    return np.asarray(mirror_points(points.astype(np.float64)), np.float32)


def _overlap(a: MatchNode, b: MatchNode) -> float:
    """Return the fraction of the shorter of two segments that they share, mirrored or not."""
    if a.take != b.take:
        return 0.0
    shared = min(a.path[-1], b.path[-1]) - max(a.path[0], b.path[0])
    shorter = min(a.path[-1] - a.path[0], b.path[-1] - b.path[0])
    return max(0.0, float(shared / shorter)) if shorter > 0.0 else 0.0

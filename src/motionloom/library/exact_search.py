"""Search by example: the k segments of a library that are nearest to a query, exactly.

The distance of a segment to the query is the cost of the cheapest path between them
(:mod:`motionloom.kernels.subsequence`), with weights of the query's samples that sum to 1: metres of the
standard body, averaged over the query. Lower bounds of all paths are found first, from signatures. Paths are
then measured in the order of their bounds, until the next bound is not below the best distance that is left.
Of segments that overlap, the nearest is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush

import numpy as np

from motionloom import kernels
from motionloom.arrays import FloatArray, IntArray, freeze
from motionloom.errors import ParameterError
from motionloom.library.body_points import RATE, mirror_points
from motionloom.library.search_index import SearchIndex
from motionloom.library.signatures import (
    SampleRate,
    Singles,
    Windows,
    bound_distances,
    count_samples,
    frame_of_sample,
    make_windows,
    measure_distances,
    sign_windows,
    stride_of,
)

MIN_SAMPLES, MAX_SAMPLES = 3, 2000
"""Samples of a query: fewer have no course, more are no single motion."""

RARITY_RADIUS = 0.1
"""Metres within which a sample of the library counts as like a sample of the query."""

FIRST_CANDIDATES = 4096
"""Ends of paths that are put in order at first; four times as many whenever they do not suffice."""


@dataclass(frozen=True, eq=False)
class Query:
    """What is searched for.

    Attributes
    ----------
    windows, signatures
        Of its m samples.
    weights
        (m,) what each sample counts, with sum 1.
    rate
        Samples per second.
    gap
        Samples from the last of one segment to the first of the next, at least: the windows at their ends
        belong to segments too.
    """

    windows: Windows
    signatures: Singles
    weights: FloatArray
    rate: SampleRate
    gap: int

    @property
    def n_samples(self) -> int:
        """The number of samples m."""
        return len(self.weights)


@dataclass(frozen=True, eq=False)
class Match:
    """A segment that was found.

    Attributes
    ----------
    take
        Index of the take in the search index.
    mirrored
        Whether the take has to be mirrored.
    distance
        Metres of the standard body.
    path
        (m,) the sample of the take for each sample of the query.
    """

    take: int
    mirrored: bool
    distance: float
    path: IntArray


def make_query(points: FloatArray | Singles, rate: SampleRate, references: Singles | None = None) -> Query:
    """Return the query for points (N, 17, 3) at 30 Hz.

    With references, signatures (27, R) of ordinary samples, a sample counts by its rarity: the negative
    logarithm of the fraction of references that are like it, so that standing about counts little.
    """
    n_samples = count_samples(len(points), rate)
    if not MIN_SAMPLES <= n_samples <= MAX_SAMPLES:
        min_seconds, max_seconds = (MIN_SAMPLES - 1) / rate + 4 / RATE, MAX_SAMPLES / rate
        seconds = (len(points) - 1) / RATE
        raise ParameterError(
            f"a query has a duration of {min_seconds:.2f} to {max_seconds:.0f} s, not {seconds:.2f} s"
        )
    windows = make_windows(points, rate)
    signatures = sign_windows(windows)
    weights = np.ones(n_samples)
    if references is not None and references.shape[1] > 1:
        weights = weigh_samples(bound_distances(signatures, references))
    last = frame_of_sample(np.array(n_samples - 1), rate)
    gap = (frame_of_sample(np.array(0), rate) + len(points) - 1 - last) // stride_of(rate) + 1
    return Query(windows, signatures, freeze(weights / weights.sum()), rate, int(gap))


def weigh_samples(bounds: Singles) -> FloatArray:
    """Return what samples (n,) count by their rarity, from the bounds (n, R) of their distances to others."""
    n_others = bounds.shape[1]
    alike = np.mean(bounds < RARITY_RADIUS, axis=1)
    return np.asarray(-np.log((alike * n_others + 1.0) / (n_others + 2.0)))


def mirror_query(points: FloatArray | Singles, query: Query) -> Query:
    """Return the query for the mirrored motion, with the same weights."""
    windows = make_windows(mirror_points(np.asarray(points, np.float64)), query.rate)
    return replace(query, windows=windows, signatures=sign_windows(windows))


def find_matches(
    index: SearchIndex,
    queries: Sequence[tuple[bool, Query]],
    k: int,
    takes: IntArray,
    *,
    accept: Callable[[Match], bool] = lambda _: True,
    max_distance: float = np.inf,
) -> list[Match]:
    """Return the k nearest segments that do not overlap, nearest first.

    Parameters
    ----------
    index
        Where to search.
    queries
        Forms of the query of one length, each with whether it stands for mirrored takes.
    k
        How many.
    takes
        Indices of the takes to search.
    accept
        Whether a segment counts; those that do not hide no others.
    max_distance
        Metres beyond which nothing counts.
    """
    ends, gap = _Ends(index, queries, takes), queries[0][1].gap
    exact: list[tuple[float, int]] = []  # distances that were measured, and their ends
    found: list[Match] = []
    found_in: dict[int, list[Match]] = {}  # by take
    for bound, end in ends.in_order():
        # Whatever is not measured yet is at least as far away as its bound.
        while exact and exact[0][0] <= min(bound, max_distance) and len(found) < k:
            match = ends.match(heappop(exact)[1])
            if not _overlaps(match, found_in.get(match.take, ()), gap) and accept(match):
                found.append(match)
                found_in.setdefault(match.take, []).append(match)
        if len(found) == k or bound > max_distance or end < 0:
            break
        if not ends.is_measured(end) and not ends.is_inside(end, found_in):
            for measured in ends.measure_around(end):
                heappush(exact, measured)
    return found


class _Ends:
    """All samples at which a path may end, of all forms of the query: their bounds, and what was measured."""

    def __init__(self, index: SearchIndex, queries: Sequence[tuple[bool, Query]], takes: IntArray) -> None:
        self._index, self._queries, self._takes = index, queries, takes
        rate = queries[0][1].rate
        self._counts = index.counts(rate)[takes]
        self._first = np.concatenate([[0], np.cumsum(self._counts)])
        self._n = int(self._first[-1])
        self._bounds = np.concatenate(
            [
                index.bound_paths(query.signatures, query.weights.astype(np.float32), rate, takes)
                for _, query in queries
            ]
        )
        self._measured = np.zeros(len(self._bounds), dtype=bool)
        self._blocks: dict[int, tuple[int, FloatArray, IntArray]] = {}  # by end: first end, costs, paths

    def in_order(self) -> Iterator[tuple[float, int]]:
        """Yield bounds and ends, lowest bound first; last of all an infinite bound and no end."""
        done, size = 0, FIRST_CANDIDATES
        while done < len(self._bounds):
            size = min(size, len(self._bounds))
            lowest = (
                np.argpartition(self._bounds, size - 1)[:size]
                if size < len(self._bounds)
                else np.arange(size)
            )
            order = lowest[np.lexsort((lowest, self._bounds[lowest]))][done:]
            for end in order:
                bound = float(self._bounds[end])
                if not np.isfinite(bound):
                    done = size = len(self._bounds)
                    break
                yield bound, int(end)
            done, size = size, 4 * size
        yield np.inf, -1

    def is_measured(self, end: int) -> bool:
        """Return whether the path to an end was measured."""
        return bool(self._measured[end])

    def is_inside(self, end: int, found_in: Mapping[int, Sequence[Match]]) -> bool:
        """Return whether an end lies in a segment that was found, so that whatever ends there overlaps it."""
        _, take, sample = self._locate(end)
        return any(match.path[0] <= sample <= match.path[-1] for match in found_in.get(take, ()))

    def match(self, end: int) -> Match:
        """Return what was measured at an end."""
        form, take, _ = self._locate(end)
        first, costs, paths = self._blocks[end]
        distance, path = float(costs[end - first]), freeze(paths[end - first].copy())
        return Match(take, self._queries[form][0], distance, path)

    def measure_around(self, end: int) -> list[tuple[float, int]]:
        """Measure the paths to an end and to those around it; return their distances and ends."""
        form, take, sample = self._locate(end)
        query = self._queries[form][1]
        m, base = query.n_samples, end - sample
        count = count_samples(self._index.rows[take].n_points, query.rate)
        start, stop = max(0, sample - m // 2), min(count, sample + m // 2 + 1)
        left = max(0, start - 2 * (m - 1))
        windows = make_windows(self._index.points(take), query.rate, left, stop)
        distances = measure_distances(query.windows, windows)
        costs, paths = find_cheapest_paths(distances, query.weights)
        paths += left
        block = base + left, costs, paths
        new = np.flatnonzero(~self._measured[base + start : base + stop] & np.isfinite(costs[start - left :]))
        self._measured[base + start : base + stop] = True
        ends = (new + (base + start)).tolist()
        self._blocks.update(dict.fromkeys(ends, block))
        return list(zip(costs[new + (start - left)].tolist(), ends, strict=True))

    def _locate(self, end: int) -> tuple[int, int, int]:
        """Return the form of the query, the take and the sample of an end."""
        form, place = divmod(end, self._n)
        n = int(np.searchsorted(self._first, place, side="right")) - 1
        return form, int(self._takes[n]), place - int(self._first[n])


def _overlaps(match: Match, others: Sequence[Match], gap: int) -> bool:
    """Return whether a match overlaps others of the same take."""
    first, last = match.path[0], match.path[-1]
    return any(first - other.path[-1] < gap and other.path[0] - last < gap for other in others)


def find_cheapest_paths(distances: FloatArray, weights: FloatArray) -> tuple[FloatArray, IntArray]:
    """Return the costs (n,) of the cheapest paths through distances (m, n), and the paths (n, m).

    >>> find_cheapest_paths(np.array([[0.0, 2.0], [2.0, 0.0]]), np.array([0.5, 0.5]))[1].tolist()
    [[0, 0], [0, 1]]
    """
    m, n = distances.shape
    scratch = np.empty((m, 2, n)), np.empty((m, n), dtype=np.int64)
    costs, paths = np.empty(n), np.empty((n, m), dtype=np.int64)
    kernels.subsequence.cheapest_paths(distances, weights, *scratch, costs, paths)
    return costs, paths

"""Search by example: the k segments of a library that are nearest to a query, exactly.

The distance of a segment to the query is the cost of the cheapest path between them
(:mod:`motionloom.kernels.subsequence`), with weights of the query's samples that sum to 1: metres of the
standard body, averaged over the query. Lower bounds of all paths are found first, from signatures. Paths are
then measured in the order of their bounds, until the next bound is not below the best distance that is left.
Of segments that overlap, the nearest is kept.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom import kernels
from motionloom.arrays import FloatArray, IntArray, freeze
from motionloom.errors import ParameterError
from motionloom.kernels.compiling import bind
from motionloom.library.body_points import RATE, mirror_points
from motionloom.library.search_index import SearchIndex
from motionloom.library.signatures import (
    WINDOW_WEIGHTS,
    SampleRate,
    Singles,
    Windows,
    bound_distances,
    count_samples,
    frame_of_sample,
    make_windows,
    sign_windows,
    stride_of,
)

MIN_SAMPLES, MAX_SAMPLES = 3, 2000
"""Samples of a query: fewer have no course, more are no single motion."""

RARITY_RADIUS = 0.1
"""Metres within which a sample of the library counts as like a sample of the query."""

FIRST_CANDIDATES = 64
"""Ends of paths, for each segment that is looked for, that are put in order at first; four times as many
whenever they do not suffice."""


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
        alike = np.count_nonzero(bound_distances(signatures, references) < RARITY_RADIUS, axis=1)
        weights = weigh_samples(alike, references.shape[1])
    last = frame_of_sample(np.array(n_samples - 1), rate)
    gap = (frame_of_sample(np.array(0), rate) + len(points) - 1 - last) // stride_of(rate) + 1
    return Query(windows, signatures, freeze(weights / weights.sum()), rate, int(gap))


def weigh_samples(n_alike: IntArray, n_others: int) -> FloatArray:
    """Return what samples (n,) count by their rarity: of so many others, so many are like each."""
    return np.asarray(-np.log((n_alike + 1.0) / (n_others + 2.0)))


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
    accept: Callable[[Match], bool] | None = None,
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
        Whether a segment counts; those that do not hide no others. All count by default.
    max_distance
        Metres beyond which nothing counts.
    """
    found: list[Match] = []
    for part, points, begins in index.points_of_all(takes):
        # What is no nearer than k others are is none of the nearest.
        within = max_distance if len(found) < k else min(max_distance, found[-1].distance)
        here = _Ends(index, queries, part, points, begins, within).find(k, accept)
        found = sorted([*found, *here], key=lambda match: match.distance)[:k]
    return found


class _Ends:
    """All samples at which a path may end, of all forms of the query: their bounds, and what was measured."""

    def __init__(
        self,
        index: SearchIndex,
        queries: Sequence[tuple[bool, Query]],
        takes: IntArray,
        points: Singles,
        begins: IntArray,
        max_distance: float,
    ) -> None:
        self._queries, self._takes = queries, takes
        query = queries[0][1]
        self._first = np.concatenate([[0], np.cumsum(index.counts(query.rate)[takes])]).astype(np.int64)
        self._first_ends = self._first.tolist()
        self._bounds = np.concatenate(
            [
                index.bound_paths(form.signatures, form.weights.astype(np.float32), form.rate, takes)
                for _, form in queries
            ]
        )
        n, m, n_values = len(self._bounds), query.n_samples, len(query.windows.heights)
        self._path, self._distances = np.empty(m, np.int64), np.empty(n)
        self._state = np.zeros(kernels.nearest_segments.N_STATE, np.int64)
        self._state[kernels.nearest_segments.PROPOSED] = -1
        width = 3 * m
        self._before_order = (
            points,
            begins,
            self._first,
            stride_of(query.rate),
            self._bounds,
        )
        self._after_order = (
            np.concatenate([form.windows.ground for _, form in queries]),
            np.stack([form.windows.heights for _, form in queries]),
            query.weights,
            WINDOW_WEIGHTS,
            query.gap,
            max_distance,
            self._state,
            self._distances,
            np.full(n, -1, np.int64),
            np.empty(n, np.int64),
            np.full(len(takes), -1, np.int64),
            np.empty((n + 1, 3), np.int64),
            np.empty((4, width)),
            np.empty((2, n_values, width)),
            np.empty((n_values, width)),
            *np.empty((3, width)),
            np.empty((2, 2, width + 4)),
            np.empty((m, width), np.int64),
            self._path,
        )

    def find(self, k: int, accept: Callable[[Match], bool] | None) -> list[Match]:
        """Return the k nearest segments that are accepted."""
        found: list[Match] = []
        size = FIRST_CANDIDATES * k
        go_on = self._bind(size)
        while len(found) < k:
            end = go_on()
            if end == kernels.nearest_segments.MORE:
                size *= 4
                go_on = self._bind(size)
            elif end == kernels.nearest_segments.NONE:
                break
            else:
                match = self._match(end)
                is_accepted = accept is None or accept(match)
                self._state[kernels.nearest_segments.IS_ACCEPTED] = is_accepted
                found += [match] if is_accepted else []
        return found

    def _bind(self, size: int) -> Callable[[], int]:
        """Return the kernel that finds the next segment, with so many ends in order of their bounds."""
        order = _order_lowest(self._bounds, size)
        return bind(kernels.nearest_segments.next_segment, *self._before_order, order, *self._after_order)

    def _match(self, end: int) -> Match:
        form, place = divmod(end, self._first_ends[-1])
        take = int(self._takes[bisect_right(self._first_ends, place) - 1])
        distance, path = float(self._distances[end]), freeze(self._path.copy())
        return Match(take, self._queries[form][0], distance, path)


def _order_lowest(bounds: Singles, size: int) -> IntArray:
    """Return the ends with the lowest bounds, lowest first: so many and those that tie with the last, or all.

    More of them begin with the same ones: a search that asks for more goes on where it was.

    >>> _order_lowest(np.array([2, 1, 3, 1, 2], np.float32), 3).tolist()
    [1, 3, 0, 4]
    """
    lowest = np.arange(len(bounds))
    if size < len(bounds):
        lowest = np.flatnonzero(~(bounds > np.partition(bounds, size - 1)[size - 1]))
    return np.asarray(lowest[np.lexsort((lowest, bounds[lowest]))])


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

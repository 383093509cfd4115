"""The library's distance computed everywhere, without signatures or bounds: what a search must agree with."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from motionloom.arrays import FloatArray, IntArray
from motionloom.library.exact_search import Match, Query, find_cheapest_paths
from motionloom.library.search_index import SearchIndex
from motionloom.library.signatures import make_windows, measure_distances


def measure_all(index: SearchIndex, query: Query, take: int) -> tuple[FloatArray, IntArray]:
    """Return the costs (n,) and paths (n, m) of the cheapest paths to all samples of a take."""
    windows = make_windows(index.points(take), query.rate)
    return find_cheapest_paths(measure_distances(query.windows, windows), query.weights)


def search_everywhere(index: SearchIndex, queries: Sequence[tuple[bool, Query]], k: int) -> list[Match]:
    """Return the k nearest segments that do not overlap, of all forms of a query."""
    gap = queries[0][1].gap
    ends: list[tuple[float, int, bool, IntArray]] = []
    for take in range(len(index.rows)):
        for mirrored, query in queries:
            costs, paths = measure_all(index, query, take)
            ends += [(float(costs[n]), take, mirrored, paths[n]) for n in np.flatnonzero(np.isfinite(costs))]
    ends.sort(key=lambda end: end[0])
    found: list[Match] = []
    spans: dict[int, list[tuple[int, int]]] = {}
    for cost, take, mirrored, path in ends:
        first, last = int(path[0]), int(path[-1])
        if all(first - b >= gap or a - last >= gap for a, b in spans.get(take, ())):
            spans.setdefault(take, []).append((first, last))
            found.append(Match(take, mirrored, cost, path))
            if len(found) == k:
                break
    return found

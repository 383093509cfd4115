"""Takes that hold almost the same motion: another cut, another rig, or the same capture cleaned again."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from motionloom.arrays import BoolArray, IntArray
from motionloom.library.exact_search import MIN_SAMPLES, find_matches, make_query
from motionloom.library.search_index import SearchIndex

MAX_COMPARED = 1800
"""Frames at 30 Hz of a take that are compared: a minute."""

N_PROBES = 6
"""Samples of a take that must all have their like in another one before the takes are compared."""

PROBE_FACTOR = 2.0
"""How much farther than the limit of the mean a single sample may be."""


def find_near_duplicates(
    index: SearchIndex, max_distance: float, progress: Callable[[int, int], None] | None = None
) -> list[list[int]]:
    """Return groups of takes, as indices, of which each is found whole in another one of its group.

    ``max_distance`` is the mean distance in metres. Takes are compared at 30 Hz, since cuts may lie at any
    frame, the shorter ones with those that are not shorter; of takes longer than a minute, the first minute.
    """
    counts = index.counts(30)
    group = list(range(len(index.rows)))
    order = np.argsort(counts, kind="stable")
    for done, take in enumerate(order, 1):
        if counts[take] >= MIN_SAMPLES:
            for other in _candidates(index, int(take), counts >= counts[take], max_distance):
                if _root(group, int(take)) != _root(group, other) and _is_found(
                    index, int(take), other, max_distance
                ):
                    group[_root(group, int(take))] = _root(group, other)
        if progress is not None:
            progress(done, len(order))
    groups: dict[int, list[int]] = {}
    for take in range(len(group)):
        groups.setdefault(_root(group, take), []).append(take)
    return [members for members in groups.values() if len(members) > 1]


def _candidates(index: SearchIndex, take: int, longer: BoolArray, max_distance: float) -> list[int]:
    """Return other takes that have something like each of a few samples of a take."""
    own, counts = index.signatures(take, 30)[:, :MAX_COMPARED], index.counts(30)
    left: IntArray = np.flatnonzero(longer & (np.arange(len(longer)) != take) & (counts > 0))
    for at in np.linspace(0, own.shape[1] - 1, N_PROBES).round().astype(np.int64):
        if not len(left):
            break
        probe = np.ascontiguousarray(own[:, at : at + 1])
        bounds = index.bound_paths(probe, np.ones(1, np.float32), 30, left)
        nearest = np.minimum.reduceat(bounds, np.concatenate([[0], np.cumsum(counts[left])[:-1]]))
        left = left[nearest <= PROBE_FACTOR * max_distance]
    return [int(n) for n in left]


def _is_found(index: SearchIndex, take: int, other: int, max_distance: float) -> bool:
    query = make_query(index.points(take)[:MAX_COMPARED], 30)
    return bool(find_matches(index, [(False, query)], 1, np.array([other]), max_distance=max_distance))


def _root(group: list[int], take: int) -> int:
    while group[take] != take:
        take = group[take]
    return take

"""Prune a graph to what can be played for ever: strongly connected parts, one for each label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from motionloom.arrays import IntArray
from motionloom.graphs.edge import Edge
from motionloom.graphs.node import GraphNode


@dataclass(frozen=True, eq=False)
class Parts:
    """Strongly connected parts of the moments of takes at which edges leave and land.

    Attributes
    ----------
    component
        For each node, (T,) the part that each frame belongs to; −1 where none can go on for ever.
    """

    component: tuple[IntArray, ...]


def find_parts(nodes: Sequence[GraphNode], edges: Sequence[Edge]) -> Parts:
    """Return the strongly connected part of each frame.

    A frame belongs to a part if it lies between two of its moments that follow each other in a take.
    """
    moments = [
        np.unique([e.departure for e in edges if e.source == n] + [e.landing for e in edges if e.target == n])
        for n in range(len(nodes))
    ]
    firsts = np.concatenate([[0], np.cumsum([len(own) for own in moments])]).astype(np.int64)
    tails, tips = [], []
    for n, own in enumerate(moments):
        steps = np.arange(firsts[n], firsts[n] + max(0, len(own) - 1))
        tails += steps.tolist()
        tips += (steps + 1).tolist()
    for e in edges:
        tails.append(int(firsts[e.source] + np.searchsorted(moments[e.source], e.departure)))
        tips.append(int(firsts[e.target] + np.searchsorted(moments[e.target], e.landing)))
    n_moments = int(firsts[-1])
    grid = coo_array((np.ones(len(tails)), (tails, tips)), shape=(n_moments, n_moments))
    _, labels = connected_components(grid, directed=True, connection="strong")
    components = []
    for n, node in enumerate(nodes):
        own = np.full(node.n_frames, -1, dtype=np.int64)
        at, label = moments[n], labels[firsts[n] : firsts[n + 1]]
        for k in range(len(at) - 1):
            if label[k] == label[k + 1]:
                own[at[k] : at[k + 1] + 1] = label[k]
        components.append(own)
    return Parts(tuple(components))


def keep_core(nodes: Sequence[GraphNode], edges: Sequence[Edge]) -> list[Edge]:
    """Return the edges of the part with most frames."""
    parts = find_parts(nodes, edges)
    every = np.concatenate(parts.component)
    counts = np.bincount(every[every >= 0]) if (every >= 0).any() else np.zeros(0)
    if not len(counts):
        return []
    best = int(counts.argmax())
    return [
        e
        for e in edges
        if parts.component[e.source][e.departure] == best and parts.component[e.target][e.landing] == best
    ]

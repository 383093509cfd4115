"""`walk_route`: random walks through a graph that go on for ever and come to every take.

At each landing one of the transitions that can follow is drawn. Those that were taken least are likelier, and
those that were taken just now hardly ever: a walk spreads over the graph and does not stutter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from motionloom.arrays import FloatArray, IntArray
from motionloom.graphs.route import Route, count_frames, crop_route

if TYPE_CHECKING:
    from motionloom.graphs.graph import MotionGraph

MIN_PLAY = 0.4
"""Seconds that a take plays between two transitions if there is a choice."""

HASTE_WEIGHT = 0.1
"""Weight of a transition that leaves sooner."""

VISIT_POWER = 3.0
"""Power of the number of visits by which a transition's weight falls."""

RECENT = 12
"""Transitions that count as taken just now."""

RECENT_WEIGHT = 0.02
"""Weight of a transition that was taken just now."""


def walk_route(graph: MotionGraph, n_frames: int, seed: int, start: int | None = None) -> Route:
    """Return a random route of about ``n_frames`` frames, the same for the same seed.

    It begins in the node ``start``, or anywhere in the largest part of the graph, and stays within one
    strongly connected part.
    """
    table, parts = graph.table, graph.edge_parts
    rng = np.random.default_rng(seed)
    entries = np.flatnonzero(parts == 0 if start is None else table.target == start)
    edge = int(rng.choice(entries))
    start_node, start_frame = int(table.target[edge]), int(table.landing[edge])
    min_frames = MIN_PLAY / graph.frame_time
    visits = np.zeros(len(parts), dtype=np.int64)
    arrivals = np.zeros(len(graph.nodes), dtype=np.int64)
    options = _list_options(graph)
    edges: list[int] = []
    total = 0
    while total < n_frames:
        own, plays = options[edge]
        counts = visits[own] - visits[own].min()
        met = arrivals[table.target[own]] - arrivals[table.target[own]].min()
        weights = (1.0 + counts) ** -VISIT_POWER / (1.0 + met)
        weights[plays < min_frames] *= HASTE_WEIGHT
        weights[np.isin(own, edges[-RECENT:])] *= RECENT_WEIGHT
        chosen = _draw(rng, weights)
        edge = int(own[chosen])
        total += int(plays[chosen]) + 1 + int(table.n_frames[edge])
        visits[edge] += 1
        arrivals[table.target[edge]] += 1
        edges.append(edge)
    route = Route(start_node, start_frame, tuple(edges), int(table.landing[edge]))
    return crop_route(table, route, n_frames) if count_frames(table, route) > n_frames else route


def _list_options(graph: MotionGraph) -> list[tuple[IntArray, IntArray]]:
    """Return, for each edge, those of its part that can follow, and how many frames play before them."""
    table, parts = graph.table, graph.edge_parts
    options = []
    for edge in range(len(parts)):
        following = table.successors(edge)
        own = following[parts[following] == parts[edge]]
        options.append((own, table.departure[own] - table.landing[edge]))
    return options


def _draw(rng: np.random.Generator, weights: FloatArray) -> int:
    """Draw a number with a probability in proportion to its weight."""
    sums = np.cumsum(weights)
    return int(min(np.searchsorted(sums, rng.random() * sums[-1], side="right"), len(weights) - 1))

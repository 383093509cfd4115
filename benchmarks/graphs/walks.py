"""Random walks: ten hours as a route, and ten minutes that are made."""

from __future__ import annotations

import time
from itertools import pairwise

import numpy as np

from benchmarks.graphs.measures import measure_seams, measure_skate
from motionloom.graphs.graph import MotionGraph
from motionloom.graphs.route import check_route, count_frames
from motionloom.quality.feet import plant_measures

TEN_HOURS = 36_000.0
"""Seconds of the walk that is not made."""


def measure_walk(graph: MotionGraph, minutes: float) -> None:
    """Print what ten hours of random walk are like, and minutes that are made."""
    measure_route(graph)
    measure_motion(graph, minutes)


def measure_route(graph: MotionGraph) -> None:
    """Print whether a walk of ten hours goes on, what it visits, and what it repeats."""
    table, start = graph.table, time.process_time()
    route = check_route(graph, graph.walk_route(TEN_HOURS, seed=1))
    seconds = time.process_time() - start
    lasted = count_frames(table, route) * graph.frame_time / 3600.0
    dead = sum(not len(table.successors(edge)) for edge in range(len(graph.edges)))
    core = {int(n) for n in table.target[graph.edge_parts == 0]}
    visited = {int(table.target[edge]) for edge in route.edges}
    first, length = find_longest_repeat(list(route.edges))
    frames = sum(
        int(table.n_frames[a] + 1 + table.departure[b] - table.landing[a])
        for a, b in pairwise(route.edges[first : first + length + 1])
    )
    print(
        f"the walk lasts {lasted:.2f} hours: {len(route.edges)} transitions; {dead} of {len(graph.edges)} "
        f"edges lead to a dead end; {len(visited & core)} of {len(core)} takes of the core visited; longest "
        f"repeat {length} transitions ({frames * graph.frame_time:.1f} s); {seconds:.1f} s of processor time"
    )
    again = graph.walk_route(TEN_HOURS, seed=1)
    print(f"the same seed gives the same route: {again == route}")


def measure_motion(graph: MotionGraph, minutes: float) -> None:
    """Print how smooth a walk is that is made, and what its feet do."""
    start = time.process_time()
    result = graph.walk(60.0 * minutes, seed=2)
    seconds = time.process_time() - start
    seams = measure_seams(graph, result)
    slides = plant_measures(result.clip).travel
    released = sum("plant" in note for note in result.report.notes)
    print(
        f"{minutes:.0f} minutes made in {seconds:.1f} s of processor time: {len(seams)} transitions; seams "
        f"over their two takes after planting: median {np.median(seams):.2f}, "
        f"{100 * (seams > 1.0).mean():.1f} % above 1, largest {seams.max():.2f}; slide of {len(slides)} "
        f"plants: median {1000 * np.median(slides):.3f} mm, 99 % {1000 * np.percentile(slides, 99):.3f} mm, "
        f"largest {1000 * slides.max():.3f} mm; skate {100 * measure_skate(result.clip):.2f} cm/s; "
        f"{released} notes on released plants"
    )


def find_longest_repeat(edges: list[int]) -> tuple[int, int]:
    """Return where the longest sequence that occurs twice begins, and its length."""
    order = sorted(range(len(edges)), key=lambda n: edges[n : n + 200])
    best = (0, 0)
    for a, b in pairwise(order):
        length = 0
        while max(a, b) + length < len(edges) and edges[a + length] == edges[b + length]:
            length += 1
        if length > best[1]:
            best = (a, length)
    return best

"""Random walks: ten hours as a route, and ten minutes that are made."""

from __future__ import annotations

import time
from itertools import pairwise

import numpy as np

from benchmarks.graphs.measures import measure_seams, measure_skate
from motionloom.graphs.assemble import assemble_route
from motionloom.graphs.graph import MotionGraph
from motionloom.quality.feet import plant_measures


def measure_walk(graph: MotionGraph, minutes: float) -> None:
    """Walk for ten hours, and make some minutes of it."""
    start = time.process_time()
    route = graph.walk_route(36_000.0, seed=1)
    seconds = time.process_time() - start
    core = {int(n) for n in graph.table.target[graph.edge_parts == 0]}
    visited = {int(graph.table.target[edge]) for edge in route.edges}
    repeat = find_longest_repeat(list(route.edges))
    frames = sum(
        int(graph.table.n_frames[a] + 1 + graph.table.departure[b] - graph.table.landing[a])
        for a, b in zip(route.edges[repeat[0] :][: repeat[1]], route.edges[repeat[0] + 1 :], strict=False)
    )
    print(
        f"ten hours: {len(route.edges)} transitions, no dead end, {len(visited & core)} of {len(core)} "
        f"takes of the core visited, longest repeat {repeat[1]} transitions "
        f"({frames * graph.frame_time:.1f} s), {seconds:.1f} s of processor time"
    )
    again = graph.walk_route(36_000.0, seed=1)
    print(f"the same seed gives the same route: {again == route}")
    start = time.process_time()
    route = graph.walk_route(60.0 * minutes, seed=2)
    result = assemble_route(graph, route)
    seconds = time.process_time() - start
    seams = measure_seams(graph, result)
    slides = plant_measures(result.clip).travel
    released = sum("plant" in note for note in result.report.notes)
    print(
        f"{minutes:.0f} minutes made in {seconds:.1f} s of processor time: {len(result.report.seams) // 2} "
        f"transitions; seams over their two takes after planting: median {np.median(seams):.2f}, "
        f"{100 * (seams > 1.0).mean():.1f} % above 1, largest {seams.max():.2f}; "
        f"slide of {len(slides)} plants: median {1000 * np.median(slides):.3f} mm, 99 % "
        f"{1000 * np.percentile(slides, 99):.3f} mm, largest {1000 * slides.max():.3f} mm; skate "
        f"{100 * measure_skate(result.clip):.2f} cm/s; {released} notes on released plants"
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

"""How graphs are built: time, edges and core, growth, determinism, and takes that share nothing."""

from __future__ import annotations

import multiprocessing
import resource
import time
from concurrent.futures import ProcessPoolExecutor

import numpy as np

import motionloom as ml
from benchmarks.corpus import MOCAP, need_corpus
from benchmarks.graphs.measures import processor_time
from benchmarks.graphs.sets import TakeSet, load_takes
from motionloom.graphs.graph import MotionGraph, NoTransitionError

GROWTH = (10, 20, 40, 80, 107)
"""Takes of the graphs whose time and memory are measured; 107 are all of them, ten minutes."""

N_SAME_TAKES, N_SAME_WALKS = 20, 3
"""Takes of the graphs that must not differ, and walks along them."""

PARTS = {
    "walk": ("16/16_15", 0.0, 4.0),
    "brisk walk": ("16/16_21", 0.0, 4.0),
    "lying": ("113/113_08", 4.0, 11.0),
    "lying down": ("113/113_08", 0.8, 3.2),
    "cartwheel": ("49/49_06", 1.0, 3.0),
}
"""Parts of takes that share no poses, or hardly any, except the walks: file, first and last second."""

STRANGERS = (
    ("lying down", "cartwheel"),
    ("walk", "brisk walk", "lying", "cartwheel"),
)
"""Parts that are given to a graph together."""


def measure_build(takes: TakeSet, *, density: int | None, jobs: int) -> MotionGraph:
    """Build the graph of a set and print what it took."""
    start, begun = processor_time(), time.perf_counter()
    graph = takes.build(density=density, jobs=jobs)
    seconds, passed = processor_time() - start, time.perf_counter() - begun
    seams, slides = (np.array([getattr(e, key) for e in graph.edges]) for key in ("seam", "slide"))
    print(f"{len(takes.clips)} takes, {takes.duration:.0f} s")
    print(graph.report)
    print(
        f"processor time {seconds:.1f} s ({passed:.1f} s passed), "
        f"{1000 * seconds / graph.report.tried:.1f} ms per transition tried, "
        f"{1000 * seconds / len(graph.edges):.1f} ms per edge kept"
    )
    print(f"seams: median {np.median(seams):.2f}, largest {seams.max():.3f}")
    print(
        f"slide before planting: median {100 * np.median(slides):.1f} cm, largest {100 * slides.max():.1f} cm"
    )
    return graph


def measure_growth(density: int | None) -> None:
    """Print time and memory of graphs of more and more takes, each built in a process of its own."""
    for n_takes in GROWTH:
        with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
            print(pool.submit(_build_alone, n_takes, density).result(), flush=True)


def _build_alone(n_takes: int, density: int | None) -> str:
    """Return time and memory of a graph as a sentence."""
    takes = load_takes("several").spread(n_takes)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.process_time()
    graph = takes.build(density=density)
    seconds = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    frames = graph.report.frames
    return (
        f"{n_takes:4d} takes, {takes.duration:4.0f} s, {frames:6d} frames: {graph.report.tried:6d} tried, "
        f"{len(graph.edges):6d} edges, core {100 * graph.report.core_fraction:3.0f} %; {seconds:6.1f} s of "
        f"processor time, {1e3 * seconds / frames:.1f} ms per frame; resident at most {peak / 1024:.0f} MB "
        f"({before / 1024:.0f} before it was built)"
    )


def check_determinism(density: int | None) -> None:
    """Build a graph with one process, again, and with two, and walk and follow a line in each."""
    takes = load_takes("several").spread(N_SAME_TAKES)
    graphs = [takes.build(density=density, jobs=jobs) for jobs in (1, 1, 2)]
    first = graphs[0]
    line = [[0.0, 0.0], [0.0, 3.0], [2.0, 5.0]]
    for what, other in zip(("built again", "built by two processes"), graphs[1:], strict=True):
        walks = [
            _are_same(first.walk(30.0, seed=seed).clip, other.walk(30.0, seed=seed).clip)
            for seed in range(N_SAME_WALKS)
        ]
        print(
            f"{what}: {len(first.edges)} and {len(other.edges)} edges, all the same: "
            f"{_have_same_edges(first, other)}; walks the same: {all(walks)}; motion along a line the same: "
            f"{_are_same(first.follow(line).clip, other.follow(line).clip)}"
        )
    routes = {first.walk_route(600.0, seed=seed).edges for seed in range(10)}
    print(f"ten seeds give {len(routes)} different walks of ten minutes")


def _have_same_edges(first: MotionGraph, second: MotionGraph) -> bool:
    return len(first.edges) == len(second.edges) and all(
        (a.source, a.departure, a.target, a.landing) == (b.source, b.departure, b.target, b.landing)
        and _are_same(a.clip, b.clip)
        for a, b in zip(first.edges, second.edges, strict=True)
    )


def _are_same(first: ml.Clip, second: ml.Clip) -> bool:
    """Whether clips are the same to the last bit."""
    return np.array_equal(first.rotations, second.rotations) and np.array_equal(
        first.root_positions, second.root_positions
    )


def join_strangers() -> None:
    """Print what is said about takes that share nothing, with tags and without."""
    need_corpus()
    for names in STRANGERS:
        clips = []
        for file, first, last in (PARTS[name] for name in names):
            clip = ml.load(MOCAP / "library" / f"{file}.bvh")
            clips.append(clip[round(first * clip.fps) : round(last * clip.fps) + 1])
        for tags in (None, [name.split()[-1] for name in names]):
            print(f"{', '.join(names)}, {'with tags' if tags else 'without tags'}:")
            try:
                report = MotionGraph(clips, names=names, tags=tags).report
            except NoTransitionError as error:
                print(f"  {error}")
                report = error.report
            sentences = [f"islands: {' | '.join(', '.join(own) for own in report.islands)}", *report.lost]
            print("  " + "\n  ".join(sentences))

"""Motion graphs measured: build, walk, growth or fuzz, with --set and --jobs.

- build: a graph of ten minutes of library takes; transitions, processor time in all and per transition,
  core, seams and slide of all edges.
- walk: ten hours of random walk (dead ends, takes visited, longest repeat), and ten minutes that are made:
  seams, slide of planted feet after planting.
- growth: processor time and memory of graphs of more and more takes.
- fuzz: damaged graph files; every one must be refused with a sentence or read as a graph.

Sets are "several" (walks, turns and runs of all subjects) and "one" (subject 16, and its mirror images).
"""

from __future__ import annotations

import argparse
import json
import re
import resource
import tempfile
import time
import tracemalloc
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

import motionloom as ml
from benchmarks.corpus import MOCAP, need_corpus
from benchmarks.library.corpus_library import read_descriptions
from motionloom.arrays import FloatArray
from motionloom.errors import MotionloomError
from motionloom.files.native.archive import read_archive, write_archive
from motionloom.graphs.assemble import assemble_route
from motionloom.graphs.graph import MotionGraph
from motionloom.graphs.graph_file import FORMAT, VERSION
from motionloom.graphs.route import Route
from motionloom.motion import Clip
from motionloom.motion.kinematics import max_distance
from motionloom.quality import seam_smoothness
from motionloom.synthesis import walk

WORDS = re.compile("walk|run|turn|jog|veer")
"""Words in the descriptions of takes that are joined."""

SURROUNDINGS = 30
"""Frames before and after a transition that its smoothness is measured in."""

MIN_SECONDS = 2.0
"""Shorter takes have hardly a frame that is farther than one transition from both ends."""


def load_takes(which: str, n_takes: int | None = None) -> tuple[list[Clip], list[str], list[str]]:
    """Return clips, names and labels of a set."""
    need_corpus()
    clips, names, labels = list[Clip](), list[str](), list[str]()
    for name, description in sorted(read_descriptions().items()):
        subject = name.split("_")[0]
        if not WORDS.search(description) or (which == "one" and subject != "16"):
            continue
        clip = ml.load(MOCAP / "library" / subject / f"{name}.bvh")
        if clip.duration < MIN_SECONDS:
            continue
        clips.append(clip)
        names.append(name)
        labels.append("run" if re.search("run|jog", description) else "walk")
    if which == "one":
        clips += [clip.mirrored() for clip in clips]
        names += [f"{name} mirrored" for name in names]
        labels += labels
    return clips[:n_takes], names[:n_takes], labels[:n_takes]


def _processor_time() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def measure_build(which: str, jobs: int) -> MotionGraph:
    """Build the graph of a set and print what it took."""
    clips, names, labels = load_takes(which)
    start, begun = _processor_time(), time.perf_counter()
    graph = MotionGraph(clips, names=names, tags=labels, jobs=jobs)
    seconds, passed = _processor_time() - start, time.perf_counter() - begun
    seams, slides = (np.array([getattr(e, key) for e in graph.edges]) for key in ("seam", "slide"))
    print(f"{which}: {len(clips)} takes, {sum(clip.duration for clip in clips):.0f} s")
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


def measure_walk(graph: MotionGraph, minutes: float) -> None:
    """Walk for ten hours, and make some minutes of it."""
    start = time.process_time()
    route = graph.walk_route(36_000.0, seed=1)
    seconds = time.process_time() - start
    core = {int(n) for n in graph.table.target[graph.edge_parts == 0]}
    visited = {int(graph.table.target[edge]) for edge in route.edges}
    repeat = _find_longest_repeat(list(route.edges))
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
    seams = _measure_seams(graph, route, result.clip, result.report.seams)
    slides = [_measure_slide(result.clip, c) for c in result.clip.constraints]
    released = sum("plant" in note for note in result.report.notes)
    print(
        f"{minutes:.0f} minutes made in {seconds:.1f} s of processor time: {len(result.report.seams) // 2} "
        f"transitions; seams over their two takes after planting: median {np.median(seams):.2f}, "
        f"{100 * (seams > 1.0).mean():.1f} % above 1, largest {seams.max():.2f}; "
        f"slide of {len(slides)} plants: median {1000 * np.median(slides):.3f} mm, 99 % "
        f"{1000 * np.percentile(slides, 99):.3f} mm, largest {1000 * max(slides):.3f} mm; "
        f"{released} notes on released plants"
    )


def _measure_seams(graph: MotionGraph, route: Route, clip: Clip, seams: tuple[float, ...]) -> FloatArray:
    """Return the larger of acceleration and jerk of each transition over what is usual in its two takes."""
    scores = []
    for edge, first, last in zip(route.edges, seams[::2], seams[1::2], strict=True):
        start = max(0, int(first) - SURROUNDINGS)
        around = clip[start : int(last) + SURROUNDINGS]
        own = graph.edges[edge]
        sources = [graph.nodes[n].clip.arranged() for n in (own.source, own.target)]
        smooth = seam_smoothness(around, [first - start, last - start], sources)
        scores.append(max(smooth.acceleration, smooth.jerk))
    return np.array(scores)


def _measure_slide(clip: Clip, plant: ml.Constraint) -> float:
    held = plant.whole_frames(clip.n_frames)
    if len(held) < 2:
        return 0.0
    return max_distance(
        clip.point_positions(plant.joint, plant.point, slice(held.start, held.stop))[:, [0, 2]]
    )


def _find_longest_repeat(edges: list[int]) -> tuple[int, int]:
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


def measure_growth() -> None:
    """Print time and memory of graphs of more and more takes."""
    for n_takes in (10, 20, 40, 80):
        clips, names, _ = load_takes("several", n_takes)
        tracemalloc.start()
        start = time.process_time()
        graph = MotionGraph(clips, names=names)
        seconds = time.process_time() - start
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        total = sum(clip.duration for clip in clips)
        print(
            f"{n_takes:4d} takes, {total:5.0f} s: {len(graph.edges):5d} transitions, {seconds:6.1f} s of "
            f"processor time, peak {peak / 1e6:.0f} MB"
        )


def fuzz_files(n_files: int, seed: int) -> None:
    """Damage a graph file again and again, and count what is read, refused, or fails otherwise."""
    rng = np.random.default_rng(seed)
    counts = {"read": 0, "refused": 0, "failed": 0}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "graph.npz")
        MotionGraph([walk(duration=4.0, fps=30).clip]).save(path)
        whole = path.read_bytes()
        header, arrays = read_archive(path, FORMAT, VERSION)
        for n in range(n_files):
            if n % 2:
                path.write_bytes(_damage_bytes(bytearray(whole), rng))
            else:
                own = json.loads(json.dumps(header.values))
                write_archive(path, _damage_header(own, rng), _damage_arrays(dict(arrays), rng), True)
            try:
                ml.load_graph(path).walk(3.0, plant=False)
                counts["read"] += 1
            except MotionloomError:
                counts["refused"] += 1
            except Exception as error:
                counts["failed"] += 1
                print(type(error).__name__, error)
    print(f"{n_files} damaged files: {counts}")


def _damage_bytes(data: bytearray, rng: np.random.Generator) -> bytes:
    """Change, remove or insert bytes; checksums of the zip find most of that."""
    for _ in range(int(rng.integers(1, 8))):
        at = int(rng.integers(len(data)))
        match int(rng.integers(3)):
            case 0:
                data[at] = int(rng.integers(256))
            case 1:
                del data[at : at + int(rng.integers(1, 64))]
            case _:
                data[at:at] = rng.bytes(int(rng.integers(1, 32)))
    return bytes(data)


def _damage_header(values: Any, rng: np.random.Generator) -> Any:
    """Replace a value somewhere in a header."""
    if rng.random() < 0.3:
        return values
    at = values
    while True:
        keys = list(at) if isinstance(at, dict) else list(range(len(at)))
        if not keys:
            return values
        key = keys[int(rng.integers(len(keys)))]
        if isinstance(at[key], dict | list) and at[key] and rng.random() < 0.85:
            at = at[key]
            continue
        at[key] = [None, -1, 1e12, "x", [], {}, True, 0.5][int(rng.integers(8))]
        return values


def _damage_arrays(arrays: dict[str, Any], rng: np.random.Generator) -> dict[str, Any]:
    """Change a number of an array, its shape, or leave it out."""
    if rng.random() < 0.3:
        return arrays
    name = sorted(arrays)[int(rng.integers(len(arrays)))]
    array = np.array(arrays[name])
    match int(rng.integers(4)):
        case 0:
            del arrays[name]
        case 1:
            arrays[name] = np.ascontiguousarray(array[: len(array) // 2])
        case _ if array.size:
            value = rng.choice([0.0, -1.0, 1e7, 3.0, np.nan])
            if array.dtype.kind == "f" or np.isfinite(value):
                array.ravel()[int(rng.integers(array.size))] = value
            arrays[name] = array
    return arrays


def main() -> None:
    """Run one of the measurements."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=("build", "walk", "growth", "fuzz"))
    parser.add_argument("--set", choices=("one", "several"), default="several")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--files", type=int, default=3000)
    parser.add_argument("--graph", type=Path, help="a graph that `build` saved, to walk without building it")
    given = parser.parse_args()
    if given.what in ("build", "walk"):
        graph = ml.load_graph(given.graph) if given.what == "walk" and given.graph else None
        graph = graph or measure_build(given.set, given.jobs)
        if given.what == "build" and given.graph:
            graph.save(given.graph, overwrite=True)
        if given.what == "walk":
            measure_walk(graph, given.minutes)
    elif given.what == "growth":
        measure_growth()
    else:
        fuzz_files(given.files, seed=1)


if __name__ == "__main__":
    main()

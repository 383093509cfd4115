"""Seconds of a search beside the full computation, NumPy on the same signatures, and faiss where installed.

All in one run, on the whole library, for queries of 2 s; medians of time that passes and of processor time of
all threads (which says more on a busy machine), and ratios of the latter. Then sizes on the disk, webs of ten
minutes and of everything with the memory that they take, and reading and indexing.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

import motionloom as ml
from benchmarks.corpus import MOCAP
from benchmarks.library.brute_force import search_everywhere
from benchmarks.library.corpus_library import FOLDER, open_library
from benchmarks.peers import find_peer
from motionloom.library.add_files import index_clip
from motionloom.library.body_points import sample_points
from motionloom.library.exact_search import Query, find_matches, make_query
from motionloom.library.search_index import SearchIndex
from motionloom.library.shards import KINDS, list_shards
from motionloom.library.signatures import Singles
from motionloom.library.stored_clip import store_clip

SEED = 3
K, MORE_HITS = 20, 100
N_ADDED = 60
"""Takes by which the time of adding is measured."""

SMALL = {"N_ADDED": 1}

WEB_SCRIPT = """
import time, threading, motionloom as ml

def own():
    lines = open("/proc/self/smaps_rollup").read().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Anonymous:")) / 1e3

def watch():
    while True:
        peak[0] = max(peak[0], own())
        time.sleep(0.05)

library = ml.Library({library!r})
library.match_web(where=lambda take: take.id == library.takes[0].id)
before = own()
peak = [before]
threading.Thread(target=watch, daemon=True).start()
spent = time.process_time()
web = library.match_web(file={file})
seconds = time.process_time() - spent
print(f"{{seconds:.1f}} s CPU, {{web}}, {{len(web.cells)}} cells, {{peak[0] - before:.0f}} MB more memory")
"""


def run(path: Path | None, n_queries: int) -> None:
    library = open_library(path)
    index = library._read().index
    rng = np.random.default_rng(SEED)
    takes = [take for take in library.takes if take.duration > 2.5]
    everything = np.arange(len(index.rows))
    joined = np.concatenate([index.signatures(n, 10) for n in range(len(index.rows))], axis=1)
    find_faiss = _make_faiss(joined)
    times: dict[str, list[float]] = {}
    processor: dict[str, list[float]] = {}
    for _ in range(n_queries):
        take = takes[rng.integers(len(takes))]
        start = int(rng.integers(take.n_frames - round(2 * take.fps)))
        segment = take.segment(start, start + round(2 * take.fps))
        clip = segment.clip()
        points = sample_points(clip).astype(np.float32)
        query = make_query(points, 10, index.references)
        work: dict[str, Callable[..., object]] = {
            "search, top 20": partial(find_matches, index, [(False, query)], K, everything),
            "search, top 100": partial(find_matches, index, [(False, query)], MORE_HITS, everything),
            "Library.search, k=20": partial(library.search, clip, k=K),
            "Library.search, k=100": partial(library.search, clip, k=MORE_HITS),
            "bounds of all paths": partial(
                index.bound_paths, query.signatures, query.weights.astype(np.float32), 10, everything
            ),
            "NumPy, same signatures": partial(bound_by_numpy, joined, query, index),
            "full computation": partial(search_everywhere, index, [(False, query)], K),
        }
        if find_faiss is not None:
            work["faiss flat, frames only"] = partial(find_faiss, query.signatures)
        for name, do in work.items():
            began, spent = time.perf_counter(), time.process_time()
            do()
            times.setdefault(name, []).append(time.perf_counter() - began)
            processor.setdefault(name, []).append(time.process_time() - spent)
    base = float(np.median(processor["search, top 20"]))
    print(f"{joined.shape[1]} samples at 10 Hz, {n_queries} queries of 2 s")
    for name, own in times.items():
        cpu = float(np.median(processor[name]))
        print(f"{name:<26}{1000 * np.median(own):>8.1f} ms {1000 * cpu:>8.1f} ms CPU {cpu / base:>6.1f} x")
    size = sum(path.stat().st_size for _, path in list_shards(library.path, "signatures10"))
    each = size / joined.shape[1] * 0.25
    print(f"signatures at 10 Hz: {size / 1e6:.1f} MB, {each:.1f} MB per 250,000 samples")
    _print_sizes(library)
    _time_web(library, rng)
    _time_whole_web(library)
    _time_adding(rng)


def _print_sizes(library: ml.Library) -> None:
    """Print what an hour of motion takes on the disk, and what it would at 120 frames per second."""
    hours = sum(take.duration for take in library.takes) / 3600.0
    parts: dict[str, int] = {
        kind: sum(path.stat().st_size for _, path in list_shards(library.path, kind)) for kind in KINDS
    }
    every = sum(path.stat().st_size for path in library.path.iterdir() if path.is_file())
    rest = every - sum(parts.values())
    each = ", ".join(
        f"{kind} {size / hours / 1e6:.1f}" for kind, size in {**parts, "catalogue": rest}.items()
    )
    print(f"MB per hour of motion: {every / hours / 1e6:.1f} ({each})")
    poses, seconds = 0, 0.0
    for path in sorted((MOCAP / "locomotion" / "s16").glob("*.bvh")):
        clip = ml.load(path)
        poses, seconds = poses + len(store_clip(clip).poses), seconds + clip.duration
    dense = poses / seconds * 3600
    whole = dense + (every - parts["poses"]) / hours
    print(f"captured at 120 frames per second with 31 joints: {whole / 1e6:.1f} (poses {dense / 1e6:.1f})")


def _time_adding(rng: np.random.Generator) -> None:
    """Print the processor time of reading and of indexing some files, and what that is for all."""
    paths = sorted(FOLDER.rglob("*.bvh"))
    chosen = [paths[n] for n in rng.permutation(len(paths))[:N_ADDED]]
    index_clip(ml.load(chosen[0]), "first")
    reading, indexing = 0.0, 0.0
    for path in chosen:
        began = time.process_time()
        clip = ml.load(path)
        loaded = time.process_time()
        index_clip(clip, path.stem)
        reading, indexing = reading + loaded - began, indexing + time.process_time() - loaded
    factor = len(paths) / len(chosen)
    print(
        f"{len(chosen)} of {len(paths)} takes: for all, {factor * reading:.0f} s CPU to read and "
        f"{factor * indexing:.0f} s CPU to index, {factor * indexing / 2:.0f} s on two cores"
    )


def bound_by_numpy(signatures: Singles, query: Query, index: SearchIndex) -> Singles:
    """Return the bounds of all paths as NumPy computes them, on the same signatures."""
    q = query.signatures
    a, b = q[:8] + 1j * q[8:16], signatures[:8] + 1j * signatures[8:16]
    turn = np.abs(a.conj().T @ b)
    squared = q[24][:, None] + signatures[24] - 2.0 * (turn + q[25][:, None] * signatures[25])
    heights = q[16:24]
    squared += np.sum(heights**2, axis=0)[:, None] + np.sum(signatures[16:24] ** 2, axis=0)
    squared -= 2.0 * heights.T @ signatures[16:24]
    squared += (q[26][:, None] - signatures[26]) ** 2
    rows = np.sqrt(np.maximum(squared, 0.0)) * query.weights[:, None]
    # Paths may not run from one take into the next.
    first = np.concatenate([[0], np.cumsum(index.counts(10))[:-1]])
    moved, held = rows[0].copy(), np.full(rows.shape[1], np.inf)
    for row in rows[1:]:
        best = np.minimum(moved, held)
        one, two = np.roll(best, 1), np.roll(best, 2)
        one[first] = np.inf
        two[first] = np.inf
        two[np.minimum(first + 1, len(two) - 1)] = np.inf
        moved, held = np.minimum(one, two) + row, moved + row
    return np.asarray(np.minimum(moved, held), np.float32)


def _make_faiss(signatures: Singles) -> Callable[[Singles], object] | None:
    faiss = find_peer("faiss")
    if faiss is None:
        return None
    flat = faiss.IndexFlatL2(signatures.shape[0])
    flat.add(np.ascontiguousarray(signatures.T))
    return lambda query: flat.search(np.ascontiguousarray(query.T), 100)


def _time_whole_web(library: ml.Library) -> None:
    """Print what the web of all takes takes, in memory and in a file, each in a process of its own."""
    for where in ("in memory", "in a file"):
        with tempfile.TemporaryDirectory() as folder:
            file = repr(f"{folder}/takes.web") if where == "in a file" else None
            script = WEB_SCRIPT.format(library=str(library.path), file=file)
            done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
        print(f"web of all takes {where}: {done.stdout.strip()}")


def _time_web(library: ml.Library, rng: np.random.Generator) -> None:
    seconds, names = 0.0, set()
    for n in rng.permutation(len(library.takes)):
        if seconds < 600.0:
            names.add(library.takes[n].id)
            seconds += library.takes[n].duration
    library.match_web(where=lambda take: take.id == library.takes[0].id)
    times = []
    for _ in range(3):
        began, spent = time.perf_counter(), time.process_time()
        web = library.match_web(where=lambda take: take.id in names)
        times.append((time.perf_counter() - began, time.process_time() - spent))
    wall, cpu = np.min(times, axis=0)
    print(f"web of {seconds / 60:.1f} minutes at 10 Hz: {wall:.2f} s, {cpu:.2f} s CPU, {web}")

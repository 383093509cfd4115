"""Registration: the distance grid, the time alignment, whole sets of clips, and how they grow.

Run with `make bench`. (a) Two clips of 600 frames with 40 points a frame and a window of five: our grid and
alignment against the bare matrix products plus a bare sweep of the grid, and against a loop over cells. (b)
is `benchmarks.time_alignment`. (c) 18 clips of 300 frames, all pairs and through a reference. (d) Growth with
the length and the number of clips. The papers report 3.43 s for the grid of (a) and 3.3 s for (c), on a
1.3 GHz Athlon.
"""

from __future__ import annotations

import resource
import time
import warnings
from collections.abc import Callable, Sequence
from functools import partial
from statistics import median

import numpy as np

from benchmarks.timing import median_seconds, print_table
from motionloom.annotation import annotate
from motionloom.arrays import FloatArray
from motionloom.motion import Clip
from motionloom.registration import register
from motionloom.registration.distance import cloud_distance
from motionloom.registration.dtw import SlopeRule
from motionloom.registration.pair_alignment import PairTask, align_pair
from motionloom.registration.point_cloud import PointCloud, point_cloud
from motionloom.registration.time_alignment import align_times
from motionloom.synthesis import walk

N_FRAMES, N_POINTS, HALF = 600, 40, 2
ROUNDS = 9
N_CELLS, N_CLIPS, N_CLIP_FRAMES = 2000, 18, 300
LENGTHS, LONG_LENGTHS = (300, 600, 1200, 2400), (5000, 10_000, 20_000)
COUNTS, LONG_FRAMES = (3, 6, 12, 18), 20_000
SMALL = {
    "N_FRAMES": 30,
    "ROUNDS": 1,
    "N_CELLS": 5,
    "N_CLIPS": 2,
    "N_CLIP_FRAMES": 40,
    "LENGTHS": (30, 60),
    "LONG_LENGTHS": (60, 90),
    "COUNTS": (2, 3),
    "LONG_FRAMES": 200,
}


def clouds(n_frames: int, n_points: int = N_POINTS) -> tuple[PointCloud, PointCloud]:
    fps = 30.0
    clips = [walk(speed=speed, duration=(n_frames - 1) / fps, fps=fps).clip for speed in (1.2, 1.5)]
    one, two = (point_cloud(clip, points=n_points) for clip in clips)
    return one, two


def pair(a: PointCloud, b: PointCloud, slope_limit: int = 2) -> PairTask:
    return PairTask(a, b, HALF, 30.0, SlopeRule(slope_limit, "reversible"), "corners", "corners", ())


def slow_cell(a: PointCloud, b: PointCloud, i: int, j: int) -> float:
    """One cell by the papers' closed form, in plain NumPy."""
    frames = [
        k for k in range(-HALF, HALF + 1) if 0 <= i + k < len(a.positions) and 0 <= j + k < len(b.positions)
    ]
    p = a.positions[[i + k for k in frames]].reshape(-1, 3)
    q = b.positions[[j + k for k in frames]].reshape(-1, 3)
    p, q = p - p.mean(axis=0) * [1, 0, 1], q - q.mean(axis=0) * [1, 0, 1]
    yaw = np.arctan2(
        (p[:, 0] * q[:, 2] - p[:, 2] * q[:, 0]).sum(), (p[:, 0] * q[:, 0] + p[:, 2] * q[:, 2]).sum()
    )
    c, s = np.cos(yaw), np.sin(yaw)
    turned = np.stack([q[:, 0] * c + q[:, 2] * s, q[:, 1], q[:, 2] * c - q[:, 0] * s], axis=1)
    return float(((p - turned) ** 2).sum(axis=1).mean())


def loop_seconds(a: PointCloud, b: PointCloud) -> float:
    """The time of a loop over all cells, from some of them."""
    rng = np.random.default_rng(0)
    which = rng.integers(0, N_FRAMES, (N_CELLS, 2)).tolist()
    start = time.perf_counter()
    for i, j in which:
        slow_cell(a, b, i, j)
    return (time.perf_counter() - start) * N_FRAMES**2 / N_CELLS


def one_pair() -> None:
    a, b = clouds(N_FRAMES)
    grid: FloatArray = cloud_distance(a, b, HALF).values
    flat, height = np.random.default_rng(0).normal(size=(2, N_FRAMES, 2 * N_POINTS))
    warm = np.empty((3, N_FRAMES, N_FRAMES))

    def warm_products() -> None:
        np.matmul(height[:, :N_POINTS], height[:, :N_POINTS].T, out=warm[0])
        np.matmul(flat, flat.T, out=warm[1])
        np.matmul(flat, flat.T, out=warm[2])

    works: dict[str, Callable[[], object]] = {
        "grid and alignment": lambda: align_pair(pair(a, b)),
        "bare matrix products, memory kept": warm_products,
        "bare matrix products, memory fresh": lambda: (
            flat @ flat.T,
            flat @ flat.T,
            height[:, :N_POINTS] @ height[:, :N_POINTS].T,
        ),
        "bare sweep of a given grid": lambda: align_times(grid, slope_limit=2),
        "whole grid, all cells": lambda: cloud_distance(a, b, HALF),
    }
    # In turn, several times over: whatever else the machine does meets all of them.
    rounds = [{name: median_seconds(work, 15) for name, work in works.items()} for _ in range(ROUNDS)]
    rows = {name: median(times[name] for times in rounds) for name in works}
    rows["loop over cells in NumPy (from some)"] = loop_seconds(a, b)
    title = f"(a) {N_FRAMES} × {N_FRAMES} frames, {N_POINTS} points, window of five"
    print_table(title, rows, "grid and alignment")
    # We keep memory between grids, so the fair bound keeps it too; the other shows the difference.
    for memory in ("kept", "fresh"):
        ratio = median(
            times["grid and alignment"]
            / (times[f"bare matrix products, memory {memory}"] + times["bare sweep of a given grid"])
            for times in rounds
        )
        print(f"  grid and alignment / (products, memory {memory}, + sweep): {ratio:.2f}")
    print()


def many_clips() -> None:
    speeds = np.linspace(1.0, 1.8, N_CLIPS)
    clips: list[Clip] = [
        annotate(walk(speed=s, duration=(N_CLIP_FRAMES - 1) / 30, fps=30).clip) for s in speeds
    ]
    some = [point_cloud(clip) for clip in clips]
    rows = {
        "register, all pairs": median_seconds(lambda: register(clips, events=()), 3),
        "pairs with one reference only": median_seconds(
            lambda: [align_pair(pair(some[0], c, 3)) for c in some[1:]], 3
        ),
    }
    print_table(f"(c) {N_CLIPS} clips of {N_CLIP_FRAMES} frames", rows, "register, all pairs")


def power(sizes: Sequence[int], times: Sequence[float]) -> float:
    """The slope of times over sizes on logarithmic axes."""
    return float(np.polyfit(np.log(sizes), np.log(times), 1)[0])


def growth() -> None:
    print("(d) one pair, by length")
    for lengths in (LENGTHS, LONG_LENGTHS):
        tasks = [pair(*clouds(n)) for n in lengths]
        times = [median_seconds(partial(align_pair, task), 3) for task in tasks]
        way = "window by window" if tasks[0].windowed else "whole grid"
        for n, seconds in zip(lengths, times, strict=True):
            print(f"  {n:6d} frames  {1000 * seconds:9.1f} ms  {way}")
        print(f"  grows with the power {power(lengths, times):.2f} of the length\n")
    print("    all pairs, by the number of clips of 150 frames")
    clips = [walk(speed=s, duration=149 / 30, fps=30).clip for s in np.linspace(1.0, 1.8, COUNTS[-1])]
    times = [median_seconds(partial(register, clips[:n]), 3) for n in COUNTS]
    for n, seconds in zip(COUNTS, times, strict=True):
        print(f"  {n:6d} clips   {1000 * seconds:9.1f} ms")
    print(f"  grows with the power {power(COUNTS, times):.2f} of the number of clips")
    long = [walk(speed=s, duration=LONG_FRAMES / 120, fps=120).clip for s in (1.2, 1.5)]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = time.perf_counter()
    curve = register(long)
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    memory = f"resident memory {before >> 10} → {peak >> 10} MiB"
    print(f"\n  register, 2 × {LONG_FRAMES + 1} frames: {seconds:.1f} s, {memory}")
    print(f"  notes: {curve.report.notes}")


def main() -> None:
    warnings.simplefilter("ignore")
    one_pair()
    many_clips()
    growth()


if __name__ == "__main__":
    main()

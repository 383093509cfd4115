"""GLB writing and reading of 75 joints × 10,000 frames, against the bare bytes.

Run with `python -m benchmarks.gltf`. The bound is three times what merely writing the same bytes to a new
file takes, flushed to the disk as ours are.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import motionloom as ml
from benchmarks.timing import median_seconds, print_table
from motionloom.geometry import rotations

N_FRAMES, N_JOINTS, FPS = 10_000, 75, 120.0
REPEATS = 25
SMALL = {"N_FRAMES": 60, "REPEATS": 1}
"""Disks are moody: a few runs do not tell."""

OURS, BARE = "motionloom save, with fsync", "writing the bytes alone, with fsync"


def main() -> None:
    clip = wriggling_chain()
    with tempfile.TemporaryDirectory() as folder:
        path, bare = Path(folder) / "chain.glb", Path(folder) / "bare.glb"
        ml.save(clip, path)
        content = path.read_bytes()
        again = ml.load(path)
        off = np.abs(again.root_positions - clip.root_positions).max()
        size = f"{N_FRAMES} frames, {N_JOINTS} joints, {len(content) / 1e6:.1f} MB"
        print(f"{size}, root off by {1e6 * off:.2f} µm\n")

        writing = alternating_medians(
            {OURS: lambda: ml.save(clip, path, overwrite=True), BARE: lambda: write_bytes(bare, content)}
        )
        print_table("From clip to file", writing, OURS)
        print(f"  {writing[OURS] / writing[BARE]:.1f} × the bytes alone (bound: 3)\n")
        reading = {
            "motionloom load": median_seconds(lambda: ml.load(path)),
            "reading the bytes alone": median_seconds(path.read_bytes),
        }
        print_table("From file to clip", reading, "motionloom load")


def alternating_medians(works: dict[str, Callable[[], object]]) -> dict[str, float]:
    """The median seconds of each call; the calls take turns, so that a slow moment of the disk meets all."""
    seconds: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(REPEATS):
        for name, work in works.items():
            start = time.perf_counter()
            work()
            seconds[name].append(time.perf_counter() - start)
    return {name: statistics.median(each) for name, each in seconds.items()}


def wriggling_chain() -> ml.Clip:
    """A chain of joints that turn at random, smoothly."""
    rng = np.random.default_rng(0)
    times = np.arange(N_FRAMES)[:, None, None] / FPS
    waves = np.sin(times * rng.uniform(1, 6, (1, N_JOINTS, 3)) + rng.uniform(0, 6, (1, N_JOINTS, 3)))
    names = [f"joint {n}" for n in range(N_JOINTS)]
    offsets = np.tile([0.0, 0.02, 0.0], (N_JOINTS, 1))
    skeleton = ml.Skeleton(tuple(names), np.arange(N_JOINTS) - 1, offsets)
    turns = rotations.from_rotation_vector(0.6 * waves)
    return ml.Clip(skeleton, 1.0 / FPS, np.cumsum(0.01 * waves[:, 0], axis=0), turns)


def write_bytes(path: Path, content: bytes) -> None:
    path.unlink(missing_ok=True)
    with open(path, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


if __name__ == "__main__":
    main()

"""Loading BVH files against pybvh: a long walk and fifteen captured takes; what finding faults costs.

Run with `make bench`. Both load a file in turn, from bytes to quaternions; pybvh without them stands beside
it. "Notes read" is loading and then reading `clip.source.notes`, for which faults of capture are looked for.

`python -m benchmarks.loading SRC` compares with another version instead, whose `src` folder is named: how
long each takes per take, and every difference in what they find (frames, units, axes, loops, faults, notes)
in all files of the corpus. It ends with exit code 1 where there are differences.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import motionloom as ml
from benchmarks.corpus import MOCAP, need_corpus
from benchmarks.peers import find_peer
from benchmarks.timing import print_table
from motionloom.synthesis import walk

N_FRAMES, FPS = 20_000, 120.0
N_TAKES = 15
TURNS = 9
"""How often each loads a file; medians are printed."""

EVERY = 1
"""Every so many files of the corpus are compared."""

SMALL = {"N_FRAMES": 40, "N_TAKES": 2, "TURNS": 1, "EVERY": 400}

SUFFIXES = (".bvh", ".amc", ".glb", ".gltf", ".npz", ".csv")

WORKER = """
import hashlib, json, sys, time, warnings
warnings.simplefilter("ignore")
import motionloom as ml
from motionloom.motion.loop_detection import find_closed_loop
for line in sys.stdin:
    start = time.process_time()
    try:
        clip = ml.load(json.loads(line))
    except ml.MotionloomError as error:
        print(json.dumps([0.0, {"refused": str(error)}]), flush=True)
        continue
    seconds = time.process_time() - start
    source = clip.source
    found = {
        "motion": clip.content_hash(),
        "frames": [clip.n_frames, clip.frame_time, clip.cyclic],
        "source": [source.format, source.unit, source.metres_per_unit, source.up, source.root_offset],
        "notes": list(source.notes),
        "faults": [str(fault) for fault in ml.find_faults(clip)],
        "loop": str(find_closed_loop(clip)),
    }
    print(json.dumps([seconds, found]), flush=True)
"""


def main() -> None:
    if len(sys.argv) > 1:
        need_corpus()
        compare_versions(corpus_files(), Path(sys.argv[1]))
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "walk.bvh"
        ml.save(walk(duration=(N_FRAMES - 1) / FPS, fps=FPS, curvature=0.1).clip, path)
        print_times(f"{N_FRAMES} frames × 22 joints", [path])
    if MOCAP.is_dir():
        takes = usual_takes()
        size = sum(take.stat().st_size for take in takes) / 1e6
        print_times(f"{len(takes)} captured takes, {size:.1f} MB", takes)
    else:
        print("the captured clips are not there: captured takes are left out")


def usual_takes() -> list[Path]:
    """Takes of the library, evenly spread over its list."""
    takes = sorted((MOCAP / "library").glob("*/*.bvh"))
    return takes[:: len(takes) // N_TAKES][:N_TAKES]


def print_times(title: str, paths: list[Path]) -> None:
    """Print what loading the files takes, ours and the peer's in turn."""
    works: dict[str, Callable[[Path], object]] = {
        "motionloom load": ml.load,
        "motionloom load, notes read": lambda path: list(ml.load(path).source.notes),
    }
    pybvh = find_peer("pybvh")
    if pybvh is not None:
        works["pybvh read_bvh_file().to_quat()"] = lambda path: pybvh.read_bvh_file(str(path)).to_quat()
        works["pybvh read_bvh_file()"] = lambda path: pybvh.read_bvh_file(str(path))
    works["reading the bytes alone"] = Path.read_bytes
    seconds: dict[str, list[float]] = {name: [] for name in works}
    for turn in range(TURNS + 1):
        for name, work in works.items():
            start = time.perf_counter()
            for path in paths:
                work(path)
            if turn:  # the first loads kernels
                seconds[name].append(time.perf_counter() - start)
    print_table(title, {name: statistics.median(each) for name, each in seconds.items()}, "motionloom load")


def corpus_files() -> list[Path]:
    """All files of the corpus that hold motion of a skeleton and need no other program to be read."""
    return sorted(path for path in MOCAP.rglob("*") if path.suffix.lower() in SUFFIXES)[::EVERY]


def compare_versions(files: Iterable[Path], other: Path) -> None:
    """Print what loading takes in this version and in another one, and where they find different things."""
    if not (other / "motionloom").is_dir():
        raise SystemExit(f"{other} holds no motionloom package: name the src folder of a checkout")
    sources = {"the other version": other, "this version": Path(__file__).parents[1] / "src"}
    workers = {name: start_worker(source) for name, source in sources.items()}
    seconds = dict.fromkeys(workers, 0.0)
    n_clips, differences = 0, []
    for turn, path in enumerate(files):
        found = {}
        for name in list(workers)[:: 1 if turn % 2 else -1]:
            spent, found[name] = ask_worker(workers[name], path)
            seconds[name] += spent if turn else 0.0  # the first loads kernels
        before, now = found.values() if turn % 2 else reversed(found.values())
        n_clips += "frames" in now
        differences += [
            f"{path.relative_to(MOCAP)}: {key}: {before.get(key)} → {now.get(key)}"
            for key in sorted(before.keys() | now.keys())
            if before.get(key) != now.get(key)
        ]
    for worker in workers.values():
        worker.terminate()
        worker.wait()
    print(f"{n_clips} clips, processor time")
    for name, each in seconds.items():
        ratio = each / seconds["the other version"]
        print(f"  {name:<20}{1000.0 * each / max(n_clips, 1):>8.2f} ms per clip{100.0 * ratio:>8.0f} %")
    print("\n".join([f"{len(differences)} differences", *differences]))
    if differences:
        raise SystemExit(1)


def start_worker(source: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WORKER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(source.resolve())},
    )


def ask_worker(worker: subprocess.Popen[str], path: Path) -> tuple[float, dict[str, Any]]:
    """Return the seconds that a worker took to load a file, and what it found."""
    assert worker.stdin is not None
    assert worker.stdout is not None
    print(json.dumps(str(path)), file=worker.stdin, flush=True)
    seconds, found = json.loads(worker.stdout.readline())
    return seconds, found


if __name__ == "__main__":
    main()

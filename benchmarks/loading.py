"""What the checks of `load` cost: faults, loops, up axis and frame rate, against reading the files alone.

The described clips are loaded as users load them, and again with every check replaced by its quiet answer, in
turn and clip by clip in one run, kernels compiled. Times are processor times, the median of each clip's. What
two checks share, such as joint positions, is counted where it comes first. `python -m benchmarks.loading SRC`
compares with another version instead, whose `src` folder is named: each runs in a process of its own, and
both load a clip in turn.
"""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import Any
from unittest.mock import patch

from benchmarks.corpus import MOCAP, need_corpus

N_PASSES = 7

CHECKS: dict[str, tuple[str, str, Callable[..., Any]]] = {
    "faults of capture": ("motionloom.files.normalize", "find_faults", lambda clip: ()),
    "up axis": ("motionloom.files.normalize", "_up", lambda clip, stated, notes: stated or "y"),
    "frame rate": ("motionloom.files.normalize", "detect_wrong_rate", lambda clip: None),
    "root jumps": ("motionloom.files.normalize", "find_root_jumps", lambda clip: []),
    "loops": ("motionloom.files.load_save", "find_closed_loop", lambda clip: None),
}
"""What `load` checks -> the module and the name that it is called by, and the answer that finds nothing."""

WORKER = """
import json, sys, time, warnings
warnings.simplefilter("ignore")
import motionloom as ml
for line in sys.stdin:
    path, animation = json.loads(line)
    options = {} if animation is None else {"animation": animation}
    start = time.process_time()
    ml.load(path, **options)
    print(time.process_time() - start, flush=True)
"""


def main() -> None:
    need_corpus()
    files = described_files()
    if len(sys.argv) > 1:
        compare_versions(files, Path(sys.argv[1]))
    else:
        print_shares(files)


def described_files() -> list[tuple[Path, int | None]]:
    """The files of the corpus' list that hold motion of a skeleton, and which animation of them to read."""
    from motionloom.errors import MotionloomError
    from motionloom.files import load

    with (MOCAP / "index.csv").open(encoding="utf-8") as file:
        paths = [MOCAP / row["path"] for row in csv.DictReader(file)]
    paths += sorted((MOCAP / "locomotion" / "triples").glob("*.bvh"))
    files: list[tuple[Path, int | None]] = []
    for path in dict.fromkeys(paths):
        if path.suffix in (".bvh", ".amc", ".glb"):
            try:
                load(path)
                files.append((path, None))
            except MotionloomError:
                files.append((path, 0))
    return files


def print_shares(files: list[tuple[Path, int | None]]) -> None:
    """Print what the checks take, each and all."""
    from motionloom.files import load

    times: defaultdict[tuple[str, Path], list[float]] = defaultdict(list)
    for _ in range(N_PASSES):
        for path, animation in files:
            spent: defaultdict[str, float] = defaultdict(float)
            with timed_checks(spent):
                start = time.process_time()
                load(path, animation=animation)
                times["load", path].append(time.process_time() - start)
            for name in CHECKS:
                times[name, path].append(spent[name])
            with quiet_checks():
                start = time.process_time()
                load(path, animation=animation)
                times["reading alone", path].append(time.process_time() - start)
    totals = {
        name: sum(median(times[name, path]) for path, _ in files)
        for name in ("reading alone", *CHECKS, "load")
    }
    print(f"{len(files)} clips, {N_PASSES} passes, processor time")
    for name, seconds in totals.items():
        part = 100.0 * seconds / totals["reading alone"]
        print(f"  {name:<20}{1000.0 * seconds / len(files):>8.2f} ms per clip{part:>8.0f} %")


@contextmanager
def timed_checks(spent: defaultdict[str, float]) -> Iterator[None]:
    """Add what each check takes to ``spent``."""
    from importlib import import_module

    def timed(name: str, check: Callable[..., Any]) -> Callable[..., Any]:
        def run(*args: Any) -> Any:
            start = time.process_time()
            result = check(*args)
            spent[name] += time.process_time() - start
            return result

        return run

    with ExitStack() as stack:
        for name, (module, function, _) in CHECKS.items():
            check = getattr(import_module(module), function)
            stack.enter_context(patch(f"{module}.{function}", timed(name, check)))
        yield


@contextmanager
def quiet_checks() -> Iterator[None]:
    """Replace each check by the answer that finds nothing."""
    with ExitStack() as stack:
        for module, function, answer in CHECKS.values():
            stack.enter_context(patch(f"{module}.{function}", answer))
        yield


def compare_versions(files: list[tuple[Path, int | None]], other: Path) -> None:
    """Print what loading takes in this version and in another one."""
    if not (other / "motionloom").is_dir():
        raise SystemExit(f"{other} holds no motionloom package: name the src folder of a checkout")
    sources = {"the other version": other, "this version": Path(__file__).parents[1] / "src"}
    workers = {name: start_worker(source) for name, source in sources.items()}
    times: defaultdict[tuple[str, Path], list[float]] = defaultdict(list)
    for turn in range(N_PASSES + 1):
        for path, animation in files:
            for name in list(workers)[:: 1 if turn % 2 else -1]:
                seconds = ask_worker(workers[name], path, animation)
                if turn:  # the first pass compiles
                    times[name, path].append(seconds)
    for worker in workers.values():
        worker.terminate()
        worker.wait()
    totals = {name: sum(median(times[name, path]) for path, _ in files) for name in sources}
    print(f"{len(files)} clips, {N_PASSES} passes, processor time")
    for name, seconds in totals.items():
        ratio = 100.0 * seconds / totals["the other version"]
        print(f"  {name:<20}{1000.0 * seconds / len(files):>8.2f} ms per clip{ratio:>8.0f} %")


def start_worker(source: Path) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", WORKER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(source.resolve())},
    )


def ask_worker(worker: subprocess.Popen[str], path: Path, animation: int | None) -> float:
    assert worker.stdin is not None
    assert worker.stdout is not None
    print(json.dumps([str(path), animation]), file=worker.stdin, flush=True)
    return float(worker.stdout.readline())


if __name__ == "__main__":
    main()

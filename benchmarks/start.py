"""How long commands take to start, and where that time goes.

Each command runs in five fresh processes with warm caches; medians of processor time (user and system),
which other work on the machine changes less than the time that passes, and of the time that passed. Processes
write byte code, whatever ``PYTHONDONTWRITEBYTECODE`` says here. ``--against FOLDER`` runs the same commands
with the source tree of an older version, before → after.

Parts are the processor time of importing each package, without what it imports from others, and the rest: the
work itself.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

RUNS = 5
SMALL = {"RUNS": 1}

COMMANDS = {
    "import motionloom": ["-c", "import motionloom"],
    "motionloom --help": ["-m", "motionloom", "--help"],
    "motionloom info": ["-m", "motionloom", "info", "walk.bvh"],
    "motionloom blend": [
        *("-m", "motionloom", "blend", "walk.bvh", "jog.bvh"),
        *("-w", "0.5", "0.5", "--force", "-o", "blended.bvh"),
    ],
    "bare python": ["-c", "pass"],
    "import numpy": ["-c", "import numpy"],
    "import numba": ["-c", "import numba"],
}

PARTS = """
import json, sys, time
from importlib import _bootstrap

PACKAGES = "motionloom", "numpy", "scipy", "numba", "llvmlite", "click"
real, inner, own = _bootstrap._find_and_load_unlocked, [], {}

def find_and_load(name, import_):
    start = time.process_time()
    inner.append(0.0)
    try:
        return real(name, import_)
    finally:
        took = time.process_time() - start
        package = name.partition(".")[0]
        package = package if package in PACKAGES else "other"
        own[package] = own.get(package, 0.0) + took - inner.pop()
        if inner:
            inner[-1] += took

_bootstrap._find_and_load_unlocked = find_and_load
from motionloom.cli.main import main
try:
    main(sys.argv[1:])
except SystemExit:
    pass
own["work"] = time.process_time() - sum(own.values())
print("\\n" + json.dumps(own))
"""
"""Runs a command and prints, last, the seconds of each part as JSON."""


def main() -> None:
    against = sys.argv[sys.argv.index("--against") + 1] if "--against" in sys.argv else None
    trees = [*([Path(against)] if against else []), Path(__file__).parents[1]]
    with tempfile.TemporaryDirectory() as folder:
        environments = [_environment(tree) for tree in trees]
        for name in ("walk", "jog"):
            _run(["-m", "motionloom", "synthesize", name, "-o", f"{name}.bvh"], environments[-1], folder)
        print(f"Start: processor seconds (passed), medians of {RUNS}")
        for title, command in COMMANDS.items():
            times = [_time(command, environment, folder) for environment in environments]
            print(f"  {title:<20}", " → ".join(f"{cpu:.2f} ({passed:.2f})" for cpu, passed in times))
        for title in ("motionloom info", "motionloom blend"):
            found = [_find_parts(COMMANDS[title][2:], environment, folder) for environment in environments]
            print(f"Parts of {title}, milliseconds of processor time")
            for part in dict.fromkeys(name for parts in found for name in parts):
                print(f"  {part:<20}", " → ".join(f"{1000 * parts.get(part, 0.0):.0f}" for parts in found))


def _environment(tree: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPATH": str(tree / "src")}


def _run(arguments: Sequence[str], environment: dict[str, str], folder: str) -> str:
    command = [sys.executable, *arguments]
    return subprocess.run(
        command, cwd=folder, env=environment, check=True, capture_output=True, text=True
    ).stdout


def _time(arguments: Sequence[str], environment: dict[str, str], folder: str) -> tuple[float, float]:
    """Return medians of processor time and of time that passed, without the first run, which fills caches."""
    cpu, passed = [], []
    for _ in range(RUNS + 1):
        before, start = os.times(), time.perf_counter()
        _run(arguments, environment, folder)
        passed.append(time.perf_counter() - start)
        after = os.times()
        cpu.append(
            after.children_user + after.children_system - before.children_user - before.children_system
        )
    return median(cpu[1:]), median(passed[1:])


def _find_parts(arguments: Sequence[str], environment: dict[str, str], folder: str) -> dict[str, float]:
    """Return the median seconds of every part."""
    runs = [
        json.loads(_run(["-c", PARTS, *arguments], environment, folder).splitlines()[-1]) for _ in range(RUNS)
    ]
    return {part: median(run.get(part, 0.0) for run in runs) for part in runs[0]}


if __name__ == "__main__":
    main()

"""Fuzzed files and messages of every kind: read, or refused with a sentence, soon and in little memory.

Run with `make fuzz MINUTES=20`, or `python -m benchmarks.fuzz 20 [target …]`. The minutes are shared by all
targets, each in a process of its own. With atheris installed the fuzzer is guided by the code that files
reach; without it whole files are damaged at random. Files that show a fault are kept in the folder that is
printed at the end: make a small one of each, and add it to `tests/files/test_found_by_fuzzing.py`.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

from benchmarks.fuzz.process import Tally
from benchmarks.fuzz.targets import GROUPS

NAMES = tuple(name for names in GROUPS.values() for name in names)

SLOW = ("USD text", "USD binary")
"""Targets that another program reads."""

GRACE = 1200.0
"""Seconds that a process may take beyond its time on a crowded machine, to start and to end."""


def main(minutes: float, names: tuple[str, ...]) -> None:
    """Fuzz all targets for so many minutes together, and print how they fared."""
    how = "guided by coverage (atheris)" if find_spec("atheris") else "at random (atheris is not installed)"
    found = Path(tempfile.mkdtemp(prefix="motionloom-fuzzed-"))
    print(f"{minutes:g} minutes, {how}; USD at random.\n")
    print("| target | inputs | read | crashes | hangs | other faults | longest | largest memory |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    faults: list[str] = []
    for name in names:
        tally, end = run(name, 60.0 * minutes / len(names), found)
        crashes = sum(kind.startswith("crash") for kind in tally.faults)
        others = len(tally.faults) - crashes
        counts = [tally.inputs, tally.read, crashes + (end == "died"), int(end == "hung"), others]
        cells = " | ".join(f"{count:,}" for count in counts)
        print(f"| {name} | {cells} | {tally.longest:.2f} s | {tally.largest / 1e6:.0f} MB |", flush=True)
        faults += [f"{name}: {kind}: {text}" for kind, text in tally.faults.items()]
        faults += [f"{name}: the process {end}"] if end else []
    if faults:
        print("\n".join(["", *faults]))
        raise SystemExit(f"{len(faults)} faults; their files are in {found}")
    print("\nNo file took more than 20 times its size and 50 MB.")


def run(name: str, seconds: float, found: Path) -> tuple[Tally, str]:
    """Fuzz a target in a process of its own; returns its tally, and "hung" or "died" where it did."""
    place = found / name.replace(" ", "-")
    place.mkdir()
    kind = "slow" if name in SLOW else "guided"
    words = [sys.executable, "-m", "benchmarks.fuzz.process", name, str(seconds), str(place), kind]
    end = ""
    with (place / "log").open("wb") as log:
        try:
            done = subprocess.run(
                words, stdout=log, stderr=subprocess.STDOUT, timeout=seconds + GRACE, check=False
            )
            end = "died" if done.returncode else ""
        except subprocess.TimeoutExpired:
            end = "hung"
    if "Timeout (" in (place / "log").read_text(errors="replace"):  # what faulthandler writes
        end = "hung"
    path = place / "tally.json"
    return Tally(**json.loads(path.read_text())) if path.exists() else Tally(), end


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 20.0, tuple(sys.argv[2:]) or NAMES)

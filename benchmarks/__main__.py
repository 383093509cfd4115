"""Run every benchmark and write what they print into docs/results.md.

Run with `make bench`, on a machine that does nothing else: it takes about a quarter of an hour. Each
benchmark is a process of its own, so that none profits from what another compiled or loaded. Times depend on
the machine; ratios within one table come from one run.

`python -m benchmarks files loading` runs some and writes nothing. `--small` runs all on inputs so small that
this only shows whether they work. README quotes the results: `python -m benchmarks.readme` writes its table.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import time
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from benchmarks.bounds import MISSED
from benchmarks.small import import_benchmark
from motionloom import __version__

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "docs" / "results.md"

MODULES: dict[str, tuple[str, ...]] = {
    "start": (),
    "files": (),
    "loading": (),
    "kinematics": (),
    "time_alignment": (),
    "registration": (),
    "blending": (),
    "continuity": ("12",),
    "gravity": (),
    "control": (),
    "transitions": (),
    "automatic_transitions": ("--step", "3"),
    "stated_centres": ("--count", "10"),
    "enforcement": (),
    "holding": (),
    "rests": (),
    "weight_bearing": (),
    "fit_skeleton": (),
    "planting": (),
    "planting_traces": ("--takes", "30", "--pairs", "30"),
    "framespace": (),
    "warping": (),
    "gltf": (),
    "round_trips": (),
    "retargeting": (),
    "files_damaged": ("200",),
    "budgets": (),
    "glitches": (),
    "frame_rates": (),
    "takes": ("--pairs", "40"),
    "library": ("speed", "--count", "10"),
    "up_axis": (),
    "batch": (),
    "video": (),
    "studio": (),
    "studio_page": (),
    "quality": (),
    "claims": (),
}
"""Benchmark -> what follows its name on the command line. Of large corpora samples are taken, so that the
whole run takes a quarter of an hour."""

MAX_MINUTES = 15.0


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="Run benchmarks.")
    parser.add_argument("names", nargs="*", metavar="name", help="by default all")
    parser.add_argument("--small", action="store_true", help="on small inputs, to see whether they work")
    given = parser.parse_args(words)
    unknown = sorted(set(given.names) - MODULES.keys())
    if unknown:
        parser.error(f"there is no benchmark {', '.join(unknown)}; there are {', '.join(MODULES)}")
    start = time.perf_counter()
    parts, failed, missed = list[str](), list[str](), list[str]()
    for name in given.names or MODULES:
        part = run(name, small=given.small)
        if part is None:
            failed.append(name)
        else:
            parts.append(part)
            missed += [name] if "\nmissed: " in part else []
    minutes = (time.perf_counter() - start) / 60.0
    print(f"{minutes:.1f} minutes" + (f", more than {MAX_MINUTES:g}" if minutes > MAX_MINUTES else ""))
    if not (given.small or given.names):
        RESULTS.write_text(
            "\n\n".join([write_head(minutes, failed, missed), *parts]) + "\n", encoding="utf-8"
        )
        print(f"wrote {RESULTS.name}: `python -m benchmarks.readme` puts its figures into README.md")
    if missed:
        print(f"these benchmarks missed their bounds: {', '.join(missed)}")
    if failed:
        raise SystemExit(f"these benchmarks failed: {', '.join(failed)}")


def run(name: str, *, small: bool) -> str | None:
    """Run a benchmark; returns its part of the results, None where it failed."""
    command = [f"benchmarks.{name}", *MODULES[name]]
    print(f"== {' '.join(command)}", flush=True)
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", *(["benchmarks.small", name] if small else command)],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    seconds = time.perf_counter() - start
    print(done.stdout, done.stderr, sep="", flush=True)
    if done.returncode not in (0, MISSED):
        return None
    first_line = (import_benchmark(name).__doc__ or "").strip().splitlines()[0]
    return "\n\n".join(
        [
            f"## {name.replace('_', ' ')}",
            f"`python -m {' '.join(command)}`, {seconds:.0f} s. {first_line}",
            f"```text\n{done.stdout.rstrip()}\n```",
        ]
    )


def write_head(minutes: float, failed: Sequence[str], missed: Sequence[str] = ()) -> str:
    """Return what stands above all results."""
    made = f"on {date.today().isoformat()} in {minutes:.0f} minutes"
    place = f"Python {platform.python_version()}, {os.cpu_count()} cores"
    said = (
        f"What `make bench` printed {made}: Motionloom {__version__}, commit {find_commit()}, {place}. "
        "Each table comes from one run; on a shared machine times vary by a factor of two and more, ratios "
        "less."
    )
    failures = f"These benchmarks failed: {', '.join(failed)}." if failed else ""
    misses = f"These benchmarks missed their bounds: {', '.join(missed)}." if missed else ""
    return "\n\n".join(part for part in ("# Results", said, failures, misses) if part)


def find_commit() -> str:
    """Return the commit of the checkout, and whether it was changed since."""

    def ask(*words: str) -> str:
        done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
        return done.stdout.strip()

    changed = ask("status", "--porcelain", "--untracked-files=no", "--", "src", "benchmarks")
    return (ask("rev-parse", "--short=12", "HEAD") or "unknown") + (" with changes" if changed else "")


if __name__ == "__main__":
    main()

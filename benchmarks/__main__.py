"""Run every benchmark and write what they print into docs/results.md.

Run with `make bench`. Each benchmark is a process of its own, so that none profits from what another compiled
or loaded. Times depend on the machine; ratios within one table come from one run.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import time
from datetime import date
from importlib import import_module
from pathlib import Path

from motionloom import __version__

RESULTS = Path(__file__).parents[1] / "docs" / "results.md"

MODULES = (
    "start",
    "files",
    "loading",
    "kinematics",
    "time_alignment",
    "registration",
    "blending",
    "continuity",
    "gravity",
    "control",
    "transitions",
    "automatic_transitions",
    "stated_centres",
    "enforcement",
    "holding",
    "rests",
    "weight_bearing",
    "fit_skeleton",
    "planting",
    "planting_traces",
    "framespace",
    "warping",
    "gltf",
    "round_trips",
    "retargeting",
    "files_damaged",
    "budgets",
    "glitches",
    "frame_rates",
    "takes",
    "up_axis",
    "batch",
    "video",
    "studio",
    "studio_page",
    "quality",
    "claims",
)


def main() -> None:
    parts = [
        "# Results",
        f"What `make bench` printed on {date.today().isoformat()}: Motionloom {__version__}, Python "
        f"{platform.python_version()}, {os.cpu_count()} cores. Each table comes from one run; on a shared "
        "machine times vary by a factor of two and more, ratios less.",
    ]
    failed = []
    for module in MODULES:
        start = time.perf_counter()
        print(f"== {module}", flush=True)
        run = subprocess.run(
            [sys.executable, "-m", f"benchmarks.{module}"], capture_output=True, text=True, check=False
        )
        print(run.stdout, run.stderr, sep="", flush=True)
        seconds = time.perf_counter() - start
        if run.returncode:
            failed.append(module)
            continue
        parts.append(f"## {module.replace('_', ' ')}")
        parts.append(f"`python -m benchmarks.{module}`, {seconds:.0f} s. {_first_line(module)}")
        parts.append(f"```text\n{run.stdout.rstrip()}\n```")
    RESULTS.write_text("\n\n".join(parts) + "\n", encoding="utf-8")
    print(f"wrote {RESULTS.name}")
    if failed:
        raise SystemExit(f"these benchmarks failed: {', '.join(failed)}")


def _first_line(module: str) -> str:
    """What a benchmark is about, in its own words."""
    name = f"benchmarks.{module}"
    try:
        text = import_module(f"{name}.__main__").__doc__
    except ModuleNotFoundError:
        text = import_module(name).__doc__
    return (text or "").strip().splitlines()[0]


if __name__ == "__main__":
    main()

"""How long a video takes: ten seconds at 1280 x 720, a stick figure that the camera follows.

Run with `python -m benchmarks.video`. Wall-clock time depends on what else the machine does, so the processor
time of the process and of ffmpeg is printed beside it.
"""

from __future__ import annotations

import resource
import tempfile
import time
from os import getloadavg
from pathlib import Path

import motionloom as ml
from motionloom.motion import Clip
from motionloom.synthesis import stand, walk

SECONDS = 10.0
SMALL = {"SECONDS": 0.2}
MAX_SECONDS = 6.0
"""Seconds that a video of ten seconds may take on two cores."""


def measure(clip: Clip, path: Path) -> tuple[float, float, float]:
    """Return the seconds that a video takes: wall clock, processor here, processor in ffmpeg."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    own = time.process_time()
    ml.render(clip, path, overwrite=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    encoder = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.perf_counter() - start, time.process_time() - own, encoder


def main() -> None:
    load = getloadavg()[0]
    print(f"A video of {SECONDS:g} s at 1280 x 720, 30 Hz (load {load:.1f}; at most {MAX_SECONDS:g} s)")
    print()
    print("| figure | seconds | of the processor | of ffmpeg | MB |")
    print("|---|--:|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "clip.mp4"
        measure(walk(duration=0.2).clip, path)  # loads and compiles what is needed
        for name, motion in (("walks, followed", walk), ("stands, fixed camera", stand)):
            wall, own, encoder = measure(motion(duration=SECONDS).clip, path)
            size = path.stat().st_size / 1e6
            print(f"| {name} | {wall:.1f} | {own:.1f} | {encoder:.1f} | {size:.1f} |")


if __name__ == "__main__":
    main()

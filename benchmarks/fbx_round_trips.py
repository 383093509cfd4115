"""Random skeletons that go through FBX files, all in one Blender: how far joints are off afterwards.

python -m benchmarks.fbx_round_trips 200

Bipeds, bipeds on their back and random trees of joints, from 0.3 to 5 m. Starting Blender takes most of the
time of reading or writing one file, so that one process does all of them; it runs the script that Motionloom
starts otherwise. Needs a Python that has ``bpy``: the environment of ``motionloom install-fbx``, or what
MOTIONLOOM_BLENDER names.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

import motionloom as ml
from motionloom.files.fbx import read, write
from motionloom.files.fbx.blender import WORKER, blender_command
from motionloom.jobs.workers import run_worker
from tests.files.test_round_trips import TENTH_OF_A_MILLIMETRE, positions_by_name, random_clip

SERVE = f"""
import json, os, sys
sys.path.insert(0, {str(WORKER.parent)!r})
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)  # Blender prints what it does
import worker
for line in sys.stdin:
    verb, *words = json.loads(line)
    try:
        (worker.read if verb == "read" else worker.write)(*words)
        said = "done"
    except BaseException as error:
        said = repr(error)
    print(said, file=answers, flush=True)
"""


def main(count: int) -> None:
    """Print the table."""
    warnings.simplefilter("ignore")
    blender = subprocess.Popen(
        [blender_command(WORKER)[0], "-P", "-c", SERVE],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )

    def run_here(command: Sequence[str], path: Path, *_: Any) -> None:
        assert blender.stdin is not None
        assert blender.stdout is not None
        blender.stdin.write(json.dumps(command[list(command).index("--") + 1 :]) + "\n")
        blender.stdin.flush()
        said = blender.stdout.readline().strip()
        if said != "done":
            raise ml.MotionloomError(f"{path}: {said}")

    for module in (read, write):
        setattr(module, run_worker.__name__, run_here)
    start, furthest = time.monotonic(), []
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(count):
            clip, path = random_clip(seed), Path(folder, "clip.fbx")
            found = positions_by_name(ml.load(ml.save(clip, path, overwrite=True)), clip.skeleton.names)
            off = np.abs(found - clip.world_positions()).max() if len(found) == clip.n_frames else np.inf
            furthest.append(float(off))
    blender.kill()
    blender.wait()
    n_bad = sum(off >= TENTH_OF_A_MILLIMETRE for off in furthest)
    print("| FBX files | farther off than 0.1 mm | largest | median | seconds |")
    print("|---:|---:|---:|---:|---:|")
    largest, median = (1000.0 * figure for figure in (max(furthest), float(np.median(furthest))))
    print(f"| {count} | {n_bad} | {largest:.4f} mm | {median:.4f} mm | {time.monotonic() - start:.0f} |")
    print("seeds:", [seed for seed, off in enumerate(furthest) if off >= TENTH_OF_A_MILLIMETRE] or "none")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)

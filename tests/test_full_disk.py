"""Every writer on a disk that fills up: an older file survives, and a sentence says what happened."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = """
import json, resource, signal, sys
from pathlib import Path
import motionloom as ml
from motionloom.synthesis import walk

folder, endings = Path(sys.argv[1]), sys.argv[2:]
clip = ml.annotate(walk(duration=1.0, fps=30).clip)
# A file that may not grow fails as on a full disk. Children inherit the limit, but not what the signal does.
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
unlimited = resource.getrlimit(resource.RLIMIT_FSIZE)


def write(path):
    if path.suffix in (".mp4", ".gif", ".png"):
        ml.render(clip, path, width=160, height=90, overwrite=True)
    else:
        ml.save(clip, path, overwrite=True)


outcomes = {}
for ending in endings:
    path = folder / f"walk{ending}"
    write(path)
    whole, files = path.read_bytes(), sorted(folder.iterdir())
    for percent in (1, 25, 50, 75, 90, 99):
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(whole) * percent // 100, unlimited[1]))
        try:
            write(path)
            outcome = "wrote"
        except (ml.MotionloomError, OSError) as error:
            outcome = str(error)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, unlimited)
        kept = path.read_bytes() == whole and sorted(folder.iterdir()) == files
        outcomes[f"{ending} {percent} %"] = [outcome, kept]
print(json.dumps(outcomes))
"""

ENDINGS = (".bvh", ".amc", ".glb", ".gltf", ".csv", ".npz", ".usda", ".usdc", ".mp4", ".gif", ".png")


@pytest.mark.slow
def test_an_older_file_survives_a_full_disk(tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(tmp_path), *ENDINGS], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    outcomes = json.loads(ended.stdout)
    assert len(outcomes) == 6 * len(ENDINGS)
    assert {what: seen for what, seen in outcomes.items() if seen[0] == "wrote" or not seen[1]} == {}

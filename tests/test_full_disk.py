"""Every writer on a disk that fills up: an older file survives, and a sentence says what happened."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from motionloom.viewer.page import TEMPLATE_VARIABLE

SCRIPT = """
import json, resource, signal, sys
from pathlib import Path
import motionloom as ml
from motionloom.synthesis import walk

folder, endings = Path(sys.argv[1]), sys.argv[2:]
clip = ml.annotate(walk(duration=1.0, fps=30).clip)
points = ml.PointClip(clip.skeleton.names, clip.frame_time, clip.world_positions())
# A file that may not grow fails as on a full disk. Children inherit the limit, but not what the signal does.
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
unlimited = resource.getrlimit(resource.RLIMIT_FSIZE)


def write(path):
    if path.suffix in (".mp4", ".gif", ".png"):
        ml.render(clip, path, width=160, height=90, overwrite=True)
    else:
        ml.save(points if path.suffix in (".trc", ".c3d") else clip, path, overwrite=True)


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

MOTION = (".bvh", ".amc", ".glb", ".gltf", ".csv", ".npz", ".usda", ".usdc", ".trc", ".c3d")
PICTURES = (".mp4", ".gif", ".png", ".html")


@pytest.mark.slow
def test_an_older_file_survives_a_full_disk(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    template = tmp_path_factory.mktemp("template") / "viewer.html"  # no Node is needed for this one
    template.write_text("<title><!--title--></title><body><!--poster--><!--data--></body>")
    monkeypatch.setenv(TEMPLATE_VARIABLE, str(template))
    endings = [*MOTION, *PICTURES]
    ended = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(tmp_path), *endings], capture_output=True, text=True, check=False
    )
    assert ended.returncode == 0, ended.stderr
    outcomes = json.loads(ended.stdout)
    assert len(outcomes) == 6 * len(endings)
    assert {what: seen for what, seen in outcomes.items() if seen[0] == "wrote" or not seen[1]} == {}

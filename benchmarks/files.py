"""BVH reading and writing against pybvh 0.9.0, on a 22-joint, 20,000-frame file.

Run with `make bench`, or `python benchmarks/files.py` where the extra `bench` is installed. Prints one table
for reading (from file to quaternions, and what merely reading the bytes takes) and one for writing (ours
flushes to the disk, the peer does not).
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import numpy as np

import motionloom as ml
from benchmarks.peers import find_peer
from benchmarks.timing import median_seconds, print_table
from motionloom.arrays import FloatArray
from motionloom.files.bvh.read import read_bvh
from motionloom.synthesis import walk

N_FRAMES = 20_000
FPS = 120.0
SMALL = {"N_FRAMES": 40}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path, again, theirs_out = (Path(folder) / name for name in ("walk.bvh", "again.bvh", "peer.bvh"))
        ml.save(walk(duration=(N_FRAMES - 1) / FPS, fps=FPS, curvature=0.1).clip, path)
        clip = ml.load(path)
        print(
            f"{clip.n_frames} frames, {clip.skeleton.n_joints} joints, {path.stat().st_size / 1e6:.1f} MB\n"
        )
        pybvh = find_peer("pybvh")
        reading = {
            "motionloom load": median_seconds(lambda: ml.load(path)),
            "motionloom load, detection off": median_seconds(lambda: read_bvh(path)),
            "reading the bytes alone": median_seconds(path.read_bytes),
        }
        if pybvh is not None:
            peer = pybvh.read_bvh_file(str(path))
            check_same_rotations(clip, np.asarray(peer.to_quat()[1]))
            reading["pybvh read_bvh_file().to_quat()"] = median_seconds(
                lambda: pybvh.read_bvh_file(str(path)).to_quat(), 3
            )
            reading["pybvh read_bvh_file()"] = median_seconds(lambda: pybvh.read_bvh_file(str(path)), 3)
        print_table("From file to quaternions", reading, "motionloom load")

        writing = {
            "motionloom save, with fsync": median_seconds(lambda: ml.save(clip, again, overwrite=True)),
            "writing the bytes alone, with fsync": median_seconds(
                lambda: write_bytes(theirs_out, path.read_bytes())
            ),
        }
        if pybvh is not None:
            writing["pybvh write_bvh_file"] = median_seconds(
                lambda: pybvh.write_bvh_file(peer, str(theirs_out)), 3
            )
        print_table("From quaternions to file", writing, "motionloom save, with fsync")


def check_same_rotations(clip: ml.Clip, quaternions: FloatArray) -> None:
    """Both readers must agree on what the file says before their times are compared."""
    same = np.abs(np.einsum("tji,tji->tj", quaternions, clip.rotations))
    assert np.abs(same - 1.0).max() < 1e-9, "the two readers disagree"


def write_bytes(path: Path, content: bytes) -> None:
    with open(path, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


if __name__ == "__main__":
    main()

"""World positions of 20,000 frames × 22 joints against upc-pymotion's `fk`.

Run with `make bench`. The lower bound is copying the arrays that go in and come out.
"""

from __future__ import annotations

import numpy as np

from benchmarks.peers import find_peer
from benchmarks.timing import median_seconds, print_table
from motionloom.motion.kinematics import world_transforms
from motionloom.synthesis import walk

N_FRAMES = 20_000
FPS = 120.0
SMALL = {"N_FRAMES": 40}


def main() -> None:
    clip = walk(duration=(N_FRAMES - 1) / FPS, fps=FPS, curvature=0.1).clip
    skeleton, roots, turns = clip.skeleton, clip.root_positions, clip.rotations
    positions, worlds = world_transforms(skeleton, roots, turns)
    rows = {
        "motionloom, positions and rotations": median_seconds(
            lambda: world_transforms(skeleton, roots, turns)
        ),
        "copying input and output": median_seconds(lambda: (turns.copy(), positions.copy(), worlds.copy())),
    }
    peer = find_peer("pymotion.ops.skeleton")
    if peer is not None:
        given = (turns, roots, skeleton.offsets, skeleton.parents)
        assert np.abs(peer.fk(*given)[0] - positions).max() < 1e-7, "the two disagree"
        rows["upc-pymotion fk"] = median_seconds(lambda: peer.fk(*given), 3)
    print_table(f"World transforms, {len(turns)} frames × {skeleton.n_joints} joints", rows, next(iter(rows)))


if __name__ == "__main__":
    main()

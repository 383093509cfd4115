"""World positions of 20,000 frames × 22 joints against upc-pymotion's `fk`.

Run with `make bench`. The lower bound is copying the arrays that go in and come out.
"""

from __future__ import annotations

import numpy as np
from pymotion.ops.skeleton import fk

from benchmarks.timing import median_seconds, print_table
from motionloom.motion.kinematics import world_transforms
from motionloom.synthesis import walk

N_FRAMES = 20_000
FPS = 120.0


def main() -> None:
    clip = walk(duration=(N_FRAMES - 1) / FPS, fps=FPS, curvature=0.1).clip
    skeleton, roots, turns = clip.skeleton, clip.root_positions, clip.rotations
    positions, worlds = world_transforms(skeleton, roots, turns)
    theirs = fk(turns, roots, skeleton.offsets, skeleton.parents)[0]
    assert np.abs(theirs - positions).max() < 1e-7, "the two disagree"

    rows = {
        "motionloom, positions and rotations": median_seconds(
            lambda: world_transforms(skeleton, roots, turns)
        ),
        "upc-pymotion fk": median_seconds(lambda: fk(turns, roots, skeleton.offsets, skeleton.parents), 3),
        "copying input and output": median_seconds(lambda: (turns.copy(), positions.copy(), worlds.copy())),
    }
    print_table(f"World transforms, {len(turns)} frames × {skeleton.n_joints} joints", rows, next(iter(rows)))


if __name__ == "__main__":
    main()

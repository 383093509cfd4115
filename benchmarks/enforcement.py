"""Enforcement of a minute of walking at 120 frames per second, whose feet skate by some centimetres.

Run with `make bench`. The lower bounds are one pass of forward kinematics, without which nobody knows where
the feet are, and copying the arrays of the clip. Last, how many times faster than real time it is.
"""

from __future__ import annotations

from dataclasses import replace

from benchmarks.timing import median_seconds, print_table
from motionloom.annotation import annotate
from motionloom.enforcement import enforce
from motionloom.motion import Clip
from motionloom.motion.kinematics import world_transforms
from motionloom.synthesis import walk

SECONDS, FPS = 60.0, 120.0
SKATE = 1.05
SMALL = {"SECONDS": 2.0}
"""Factor on the way of the root: the feet slide by five per cent of each step."""


def skating_walk() -> Clip:
    planted = annotate(walk(duration=SECONDS, fps=FPS, curvature=0.1).clip)
    return replace(planted, root_positions=planted.root_positions * [SKATE, 1.0, SKATE])


def main() -> None:
    clip = skating_walk()
    skeleton, roots, turns = clip.skeleton, clip.root_positions, clip.rotations

    def whole() -> Clip:
        # A clip keeps its world positions; a new one has to find them, as it does for a caller.
        return enforce(replace(clip)).clip

    held = enforce(clip)
    assert not held.report.unreached, "a plant was not kept"
    rows = {
        "motionloom, enforce": median_seconds(whole),
        "forward kinematics of the clip": median_seconds(lambda: world_transforms(skeleton, roots, turns)),
        "copying the clip": median_seconds(lambda: (turns.copy(), roots.copy())),
    }
    print_table(
        f"Enforcement, {clip.n_frames} frames × {skeleton.n_joints} joints, {len(clip.constraints)} plants",
        rows,
        next(iter(rows)),
    )
    print(f"  {clip.duration / next(iter(rows.values())):.0f} times faster than real time")


if __name__ == "__main__":
    main()

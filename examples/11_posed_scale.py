"""Scale a swing until it meets a pose: the paper's way of warping, with factors for single axes."""

import numpy as np

import motionloom as ml
from motionloom.synthesis import walk

clip = walk(duration=2.5, fps=30).clip
knee = clip.skeleton.index("LeftLeg")


def bend(motion: ml.Clip) -> np.ndarray:
    """Return the angle of the left knee, degrees."""
    return np.asarray(np.degrees(2.0 * np.arccos(np.clip(np.abs(motion.rotations[:, knee, 0]), 0.0, 1.0))))


# Factors by axis: the knee's hinge is x, and swings half as far; the other axes stay.
calm = ml.warp(clip, [ml.Key(1.0, "LeftLeg", scale=(0.5, 1.0, 1.0), zero=(1, 0, 0, 0), ease=None)])
print(f"scaled by 0.5: bends by up to {bend(clip).max():.1f}° before, {bend(calm.clip).max():.1f}° after")

# A pose instead of a factor: the knee is to be bent by 80° where it is bent most.
frame = int(bend(clip).argmax())
axis = clip.rotations[frame, knee, 1:] / np.linalg.norm(clip.rotations[frame, knee, 1:])
posed = np.concatenate([[np.cos(np.radians(40.0))], np.sin(np.radians(40.0)) * axis])
key = ml.Key(frame * clip.frame_time, "LeftLeg", orient=posed, zero=(1, 0, 0, 0), solve="scale", ease=None)
lifted = ml.warp(clip, [key], keep_plants=True)
print(f"posed at 80°: bends by {bend(ml.warp(clip, [key]).clip)[frame]:.1f}° there, every swing with it")
print(lifted.report.key_count)

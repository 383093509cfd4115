"""Blend two walks that curve in opposite directions: the result is straight, with planted feet."""

import sys
from pathlib import Path

import numpy as np

import motionloom as ml
from motionloom.synthesis import walk

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "example-output")
folder.mkdir(exist_ok=True)

left, right = (walk(curvature=turn, duration=5.0, fps=30).clip for turn in (0.3, -0.3))
curve = ml.register(ml.match_strides([ml.annotate(left), ml.annotate(right)]))

# Linear blending collapses; a blend along the registration curve goes straight.
ours = ml.blend(curve, [0.5, 0.5])
linear = ml.blend(curve, [0.5, 0.5], method="linear")
for name, result in (("registration", ours), ("linear", linear)):
    steps = np.diff(result.clip.root_positions[:, [0, 2]], axis=0)
    print(f"{name:>12}: the root travels {np.linalg.norm(steps, axis=1).sum():.2f} m")

# The result keeps what went into every frame: weights, common time, source frames, placements.
print(f"frame 30 comes from frames {ours.frames[30].round(1)} of the clips")
ml.plot.blend(ours, folder / "half-plot.png", names=["left", "right"], overwrite=True)

planted = ml.enforce(ours.clip)
print(planted.report)
ml.render([planted], folder / "half.png", overwrite=True)
ml.save(planted, folder / "half.bvh", overwrite=True)

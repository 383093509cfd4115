"""Steer a character by turn and style while it moves: one pose at a time, for as long as you like."""

import sys
from pathlib import Path

import numpy as np

import motionloom as ml
from motionloom.synthesis import locomotion_set

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "example-output")
folder.mkdir(exist_ok=True)

# Nine loops: walk, jog and sneak, each straight, to the left and to the right.
loops = [ml.cyclify(ml.annotate(motion.clip), cycles=1) for motion in locomotion_set(fps=30).values()]
curve = ml.register(loops)
controls = ml.Controls(curve, styles=np.repeat(["walk", "jog", "sneak"], 3).tolist())

# Live: weights from what the user asks for now, one pose per step, in a buffer that is reused.
live = ml.LiveBlend(curve, weights=controls.weights(style="walk"))
for step in range(90):
    wanted = controls.weights(turn=0.4 * np.sin(step / 20), style={"walk": 1 - step / 90, "jog": step / 90})
    pose = live.step(1 / 30, wanted)
print(f"after {live.time:.1f} s the root is at {pose.root_positions.round(2)}")

# The same control for a whole clip, from keys.
keys = {
    0.0: controls.weights(style="walk"),
    4.0: controls.weights(turn=0.5, style="jog"),
    8.0: controls.weights(turn=-0.4, style="walk"),
    12.0: controls.weights(style="sneak"),
}
steered = ml.blend(curve, ml.KeyedWeights(keys))
ml.render([ml.enforce(steered.clip)], folder / "steered.png", n_poses=12, overwrite=True)

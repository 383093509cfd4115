"""Make an edit on one walk, save it, and apply it to another walk: keys at events, for joints by role."""

import sys
from pathlib import Path

import motionloom as ml
from motionloom.synthesis import walk

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "example-output")
folder.mkdir(exist_ok=True)
slow, brisk = (walk(duration=2.5, fps=30, speed=speed).clip for speed in (1.0, 1.5))

# Keys as an animator sets them, in seconds and in the axes of this rig.
made = ml.warping.Warp.of([ml.Key(1.25, "LeftLeg", rotate=(0.4, 0, 0)), ml.Key(1.25, move=(0, -0.04, 0))])

# The same in terms that other clips have.
ml.warping.generalize_warp(slow, made).save(folder / "dip.json", overwrite=True)
dip = ml.warping.Warp.load(folder / "dip.json")
print(dip.keys[0].time, "·", dip.keys[0].joint, "→", ml.warp(brisk, dip, keep_plants=True).report.moments)

# Presets are such keys, too, and can be edited: a limp with a shorter stance, a higher hurdle.
limp = ml.warping.preset_keys("limp")
shorter = ml.warping.Warp(
    limp.layers, (ml.warping.TimeKeys(stretches=[("every left strike", "left lift", 0.6)]),)
)
over = ml.warping.preset_keys("step-over")
higher = ml.warping.Warp(over.layers, obstacle=ml.warping.Obstacle("hurdle", at=0.4, height=0.1))
for name, edit in {"limp": shorter, "step over": higher}.items():
    result = ml.warp(brisk, edit, keep_plants=True)
    print(f"{name}: {result.report.key_count}, {result.clip.duration:.2f} s")

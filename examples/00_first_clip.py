"""Make a motion, save it, load it and render it."""

import sys
from pathlib import Path

import motionloom as ml
from motionloom.synthesis import walk

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "example-output")
folder.mkdir(exist_ok=True)

motion = walk(speed=1.3, curvature=0.2, duration=3.0, fps=30)
ml.save(motion.clip, folder / "walk.bvh", overwrite=True)

clip = ml.load(folder / "walk.bvh")
print(clip)
for note in clip.source.notes:
    print("note:", note)
print("picture:", ml.render(clip, folder / "walk.png", overwrite=True))

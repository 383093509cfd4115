"""Three walkers from one clip: the clip, its mirror image, and a slow copy, side by side."""

import sys
from pathlib import Path

import motionloom as ml
from motionloom.synthesis import walk

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "example-output")
folder.mkdir(exist_ok=True)

clip = walk(speed=1.4, curvature=0.3, duration=2.5, fps=60).clip
walkers = [
    clip,
    clip.mirrored().placed(ml.GroundTransform(x=-2.0)),
    clip.sped_up(0.5)[: clip.n_frames].placed(ml.GroundTransform(x=2.0)),
]
print("picture:", ml.render(walkers, folder / "walkers.png", n_poses=5, overwrite=True))

"""Say what corresponds: pins and ends for three clips, met exactly, and alignment window by window."""

import sys
from pathlib import Path

import numpy as np

import motionloom as ml
from motionloom.synthesis import kick

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "example-output")
folder.mkdir(exist_ok=True)

# Three kicks whose impacts you know better than any comparison of poses does.
kicks = [ml.annotate(kick(style=style, fps=30).clip) for style in ("front", "high", "front")]
kicks[2] = kicks[2].sped_up(1.2)
impacts = (27, 26, 21)
free = ml.register(kicks)
pinned = ml.register(kicks, pins=[impacts])
for name, curve in (("found", free), ("pinned", pinned)):
    met = curve.timewarp(curve.timewarp.inverse(0, impacts[0]))
    print(f"{name:>7}: impact at frames {', '.join(f'{frame:.3f}' for frame in met)}")

# Start and end somewhere inside the clips, at one frame of each.
part = ml.register(kicks, start=(3, 4, 2), end=tuple(clip.n_frames - 4 for clip in kicks), pins=[impacts])
print("spans from", part.spans[0].round(3).tolist(), "to", part.spans[1].round(3).tolist())

# Window by window, each stretch is aligned as well as it can be, whatever comes later in the clips.
stepwise = ml.register(kicks, pins=[impacts], alignment="windowed")
frames = np.arange(kicks[0].n_frames)
maps = [curve.timewarp(curve.timewarp.inverse(0, frames)) for curve in (pinned, stepwise)]
print(f"windows and the whole grid differ by {np.abs(maps[0] - maps[1]).mean():.2f} frames on average")

# Pins hold in every blend, and from the command line too:
#   motionloom register a.bvh b.bvh c.bvh -o kicks.npz --pin 27,26,21 --alignment windowed
mixed = ml.blend(pinned, [1, 1, 1])
print("blend:", mixed.clip, ml.save(mixed.clip, folder / "kick.bvh", overwrite=True))

"""Register three gaits that start on different feet: which frames correspond, and where they are placed."""

import sys
from pathlib import Path

import motionloom as ml
from motionloom.synthesis import jog, sneak, walk

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "example-output")
folder.mkdir(exist_ok=True)

motions = {
    "walk": walk(speed=1.4, duration=4.0, fps=30),
    "jog": jog(speed=2.6, curvature=0.2, duration=3.0, phase=0.4, fps=30),
    "sneak": sneak(speed=0.7, duration=6.0, phase=0.7, fps=30),
}

# Detect foot plants and gait events, then cut all clips to the same strides from the same event.
clips = ml.match_strides([ml.annotate(motion.clip) for motion in motions.values()])
for name, clip in zip(motions, clips, strict=True):
    print(
        f"{name:>6}: {clip.report.strides} strides from the {clip.report.event}, {clip.clip.n_frames} frames"
    )

# One curve: corresponding frames, where they are placed, and which foot plants belong together.
curve = ml.register(clips)
print(curve)
for u in (0.0, 0.25 * curve.domain[1], 0.5 * curve.domain[1]):
    frames = ", ".join(f"{name} {frame:.1f}" for name, frame in zip(motions, curve.timewarp(u), strict=True))
    print(f"u = {u:5.1f}: {frames}")
print("picture:", ml.plot.registration(curve, folder / "gaits.png", overwrite=True))

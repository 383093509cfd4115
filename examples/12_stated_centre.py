"""A stated centre is met: in the middle of a transition, both clips are exactly at the frames you name."""

import motionloom as ml
from motionloom.synthesis import jog, walk

walking = ml.annotate(walk(duration=4.0, fps=30).clip)
jogging = ml.annotate(jog(duration=4.0, fps=30).clip)

for at in ((61, 50), (64.5, 47.25), (40, 80)):
    for snap in (True, False):
        result = ml.transition(walking, jogging, at=at, snap=snap)
        middle = sum(map(int, result.report.seams)) // 2
        frames, weights = result.frames[middle], result.weights[middle]
        off = max(abs(frame - wanted) for frame, wanted in zip(frames, at, strict=True))
        how = "cross-faded" if result.report.fallbacks else "registered"
        print(f"asked for {at}, weights {weights.tolist()}: {off:.1e} frames off ({how}, snap={snap})")

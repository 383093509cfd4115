"""A hand that leans on a wall: found, and held while the body sways."""

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

import motionloom as ml
from motionloom.annotation import annotate_and_report
from motionloom.synthesis import reach_out

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "example-output")
folder.mkdir(exist_ok=True)

# Someone reaches for a wall, and leans towards it and away again while the hand stays there.
motion = reach_out(duration=10.0, fps=30, target=(-0.2, 1.3, 0.4))
(hold,) = motion.holds
time = np.arange(motion.clip.n_frames)
leans = 0.09 * np.sin(np.pi * np.clip((time - hold.start) / (hold.end - hold.start), 0.0, 1.0) * 4.0)
swaying = replace(motion.clip, root_positions=motion.clip.root_positions + leans[:, None] * [0.0, 0.0, 1.0])
leaning = ml.enforce(replace(swaying, constraints=(*motion.plants, hold)))


def slide(clip: ml.Clip, plant: ml.Constraint) -> float:
    frames = plant.whole_frames(clip.n_frames)
    track = clip.point_positions(plant.joint, plant.point)[frames.start : frames.stop]
    return 1000.0 * float(np.linalg.norm(track - track.mean(axis=0), axis=1).max())


print(f"the hand moves by {slide(swaying, hold):.0f} mm, held by {slide(leaning.clip, hold):.3f} mm")

# Annotation finds such hands by themselves: still for long enough while the body behind them moves.
found = annotate_and_report(replace(leaning.clip, constraints=(), events=()), parts=("feet", "hands"))
for report in found.report.rests:
    print(report)
hands = [plant for plant in found.clip.constraints if plant.kind == "hand"]
print(
    f"held in frames {hold.start:.0f} to {hold.end:.0f}, found in {hands[0].start:.0f} to {hands[0].end:.0f}"
)

ml.render(leaning, folder / "leaning.png", n_poses=8, view="side", overwrite=True)

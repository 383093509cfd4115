"""Transitions from a walk to a jog and back; where and how long is chosen automatically."""

import sys
from pathlib import Path

import motionloom as ml
from motionloom.synthesis import jog, walk

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "example-output")
folder.mkdir(exist_ok=True)

walking = ml.cyclify(ml.annotate(walk(speed=1.3, duration=4.0, fps=30).clip))
jogging = ml.cyclify(ml.annotate(jog(speed=2.6, curvature=0.2, duration=4.0, fps=30).clip))

# Loops repeat where a transition needs more motion than they have.
there = ml.transition(walking, jogging, loop=True)
print(f"walk to jog between frames {there.report.seams} of {there.clip.n_frames}")

# Compare with other methods.
for method in ("registration", "linear", "inertialize", "dead"):
    made = ml.transition(walking, jogging, loop=True, half_width=0.5, method=method)
    figures = ml.measure(made.clip, sources=[walking, jogging], seams=made.report.seams)
    print(f"{method:>12}: jerk at the seams {figures.value('seam jerk'):.2f} times the usual jerk")

whole = ml.concatenate([walking, jogging, walking], loop=True)
planted = ml.enforce(whole.clip)
ml.render([planted], folder / "there-and-back.png", n_poses=14, overwrite=True)
ml.save(planted, folder / "there-and-back.bvh", overwrite=True)

"""Automatic transitions keep your motion: late in one clip, early in the next, or all of both."""

import sys
import warnings
from pathlib import Path

import motionloom as ml
from motionloom.errors import RegistrationWarning
from motionloom.synthesis import kick, walk

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "example-output")
folder.mkdir(exist_ok=True)
# A kick and a walk hardly correspond; the report says so, too.
warnings.simplefilter("ignore", RegistrationWarning)

walking = ml.annotate(walk(duration=3.0, fps=30).clip)
kicking = ml.annotate(kick(fps=30).clip)

for keep in (None, 0.9, "all"):
    result = ml.transition(kicking, walking, keep=keep)
    played, alone = result.report.kept[0], result.report.alone[0]
    print(f"keep={keep!r}: {played:.0%} of the kick play, {alone:.0%} alone")
    print(f"  doubts: {result.report.doubts[0] or 'none'}")

# An action between two walks.
chain = ml.concatenate([walking, kicking, walking], plant=True)
print("; ".join(f"{kept:.0%}" for kept in chain.report.kept), "of walk, kick and walk play")
ml.render([chain.clip], folder / "walk-kick-walk.png", n_poses=14, overwrite=True)

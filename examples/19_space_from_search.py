"""From a folder of takes to kicks of any height: search by example, and make a motion space of the hits.

With a folder of your own as the second argument, that is added instead of the built-in takes.
"""

import sys
from pathlib import Path

import motionloom as ml
from motionloom.synthesis import jog, kick, walk

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "example-output")
folder.mkdir(exist_ok=True)

# 1. A folder of takes: kicks of both legs, low and high, among other things.
takes = folder / "kick_takes"
takes.mkdir(exist_ok=True)
for name, motion in {
    "walk": walk(duration=3.0, fps=30),
    "jog": jog(duration=2.0, fps=30),
    "kick_front": kick(duration=1.6, fps=30),
    "kick_high_left": kick(style="high", side="left", duration=1.8, fps=30),
    "kick_side": kick(style="side", duration=1.5, fps=30),
}.items():
    ml.save(motion.clip, takes / f"{name}.npz", overwrite=True)
library = ml.Library(folder / "kick_takes.library")
library.add(sys.argv[2] if len(sys.argv) > 2 else takes)

# 2. Search by example. Kicks of the left leg are found mirrored.
hits = library.search(kick(duration=1.6, fps=30).clip, k=3, mirrored=True)
for hit in hits:
    print(f"{100 * hit.distance:5.1f} cm  {hit.segment}")

# 3. Give the hits to a space as they are. What does not show the motion of the first is left out, and named.
space = ml.MotionSpace(hits, {"foot": ml.parameters.height("RightFoot")})
print(space)
for note in space.notes:
    print("note:", note)

# 4. Ask for heights between those that were captured, and take them to an engine.
low, high = space.range[:, 0]
for fraction in (0.25, 0.5, 0.75):
    result = space.blend({"foot": low + fraction * (high - low)})
    print(result.report)
written = ml.engines.save_blend_space(space, folder / "kicks", engine="godot", grid=4, overwrite=True)
print("wrote", ", ".join(path.name for path in written))

"""From a folder of takes to a blend of the kicks in it: add, search by example, register, blend, look.

With a folder of your own as the second argument, that is added instead of the built-in takes.
"""

import sys
from pathlib import Path

import motionloom as ml
from motionloom.synthesis import jog, kick, punch, walk

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "example-output")
folder.mkdir(exist_ok=True)

# 1. A folder of takes: here kicks of several durations and sides among other things.
takes = folder / "takes"
takes.mkdir(exist_ok=True)
for name, motion in {
    "walk": walk(duration=3.0, fps=30),
    "jog": jog(duration=2.0, fps=30),
    "punch": punch(fps=30),
    "kick_slow": kick(duration=1.9, fps=30),
    "kick_fast": kick(duration=1.3, fps=30),
    "kick_left": kick(side="left", duration=1.6, fps=30),
}.items():
    ml.save(motion.clip, takes / f"{name}.npz", overwrite=True)

# 2. Into a library. What was added before is left alone, so this can be repeated.
library = ml.Library(folder / "takes.library")
print(library.add(sys.argv[2] if len(sys.argv) > 2 else takes), "-", library)

# 3. Where does somebody do this? Mirrored kicks count too.
example = kick(duration=1.6, fps=30).clip
hits = library.search(example[6:42], k=10, mirrored=True)
for hit in hits:
    print(f"{100 * hit.distance:5.1f} cm  {hit.segment}")

# 4. Those that probably are the same motion can be registered, and blended.
kicks = hits.near()
curve = kicks.register()
print(f"{len(kicks)} kicks: {curve.report.verdict.name.lower()}")
blended = ml.blend(curve, [1.0 / len(kicks)] * len(kicks))

# 5. Side by side in the viewer; open the page in a browser.
clips = [*kicks.clips(), blended.clip]
names = [*(str(hit.segment) for hit in kicks), "blend"]
ml.view(clips, folder / "kicks.html", names=names, layout="side", overwrite=True)
ml.render(blended.clip, folder / "blended_kick.png", n_poses=8, view="side", overwrite=True)

"""Mix a walk and a jog along a drawn curve, four gaits in a box, and a punch with a walk."""

import sys
from pathlib import Path

import motionloom as ml
from motionloom.framespace import Framespace, PolylineInterpolant
from motionloom.synthesis import jog, punch, sneak, walk

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "example-output")
folder.mkdir(exist_ok=True)

# Two clips span a rectangle. Captures are cut to one cycle, and their states are detected and matched.
space = Framespace([walk(duration=4.0, fps=60).clip, jog(duration=3.0, fps=60).clip])
print(space)
print(space.correspondence)

# A curve from the first clip (v = 0) to the second (v = 1), over eight cycles. Cycles get shorter along it.
faster = space.blend([(0, 0), (0.3, 0), (0.7, 1), (1, 1)], cycles=8)
cycles = faster.report.cycle_durations
print("seconds per cycle:", ", ".join(f"{seconds:.2f}" for seconds in cycles))
ml.plot.framespace(space, faster, folder / "faster.png", names=["walk", "jog"], overwrite=True)
ml.save(faster.clip, folder / "faster.bvh", overwrite=True)

# A constant gives a blend; closed to a loop, it is a gait that nobody captured.
loop = space.blend(0.4, loop=True)
print("a slow jog:", loop.clip)

# Four clips span a box with two weights, v and w.
gaits = [walk, jog, sneak, lambda **choices: walk(curvature=0.5, **choices)]
box = Framespace([gait(duration=5.0, fps=60).clip for gait in gaits])
mixed = box.blend([(0, 0, 0), (0.3, 1, 0), (0.7, 1, 1), (1, 0, 1)], cycles=8)
print("through the box:", mixed)
ml.plot.framespace(box, mixed, folder / "box.png", names=["walk", "jog", "sneak", "left"], overwrite=True)

# A motion that does not repeat plays once; decoupled, it moves the arms while the legs keep walking.
both = Framespace([walk(duration=4.0, fps=60).clip, punch(fps=60).clip], acyclic=1, decoupled=True)
arms = PolylineInterpolant([(0.2, 0), (0.35, 1), (0.65, 1), (0.8, 0)])
punching = both.blend(0.0, upper=arms, cycles=4)
print("a punch on a walk:", punching)
ml.save(punching.clip, folder / "punching.bvh", overwrite=True)

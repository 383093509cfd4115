"""Ask for what a motion should do: reaches to any place between four built-in ones."""

import sys
from pathlib import Path

import motionloom as ml
from motionloom.synthesis import reach_out

folder = Path(sys.argv[1] if len(sys.argv) > 1 else "example-output")
folder.mkdir(exist_ok=True)

# 1. Clips of one action that differ in what you want to ask for.
targets = [(x, y, 0.4) for x in (-0.35, 0.0) for y in (0.9, 1.4)]
reaches = [reach_out(target=target, fps=30).clip for target in targets]

# 2. The space: blends are made and measured until the weights between them are accurate.
space = ml.MotionSpace(reaches, {"hand": ml.parameters.position("RightHand", at="apex", axes="xy")})
print(space)

# 3. Ask. The report tells what was met.
for wanted in ((-0.1, 1.2), (-0.3, 1.0), (0.4, 2.0)):
    result = space.blend({"hand": wanted})
    print(f"asked for {wanted}: {result.report}")

# 4. Keep the space, and look at a result beside the clips it is made of.
ml.save(space, folder / "reaches.npz", overwrite=True)
again = ml.load(folder / "reaches.npz", ml.MotionSpace)
clips = [again.blend({"hand": (-0.1, 1.2)}).clip, reaches[0], reaches[3]]
ml.view(clips, folder / "reach.html", names=["asked for", "low", "high"], layout="side", overwrite=True)
print("wrote", folder / "reaches.npz", "and", folder / "reach.html")

"""How fast each foot moves: world velocities, and the anatomy that finds the feet on any skeleton."""

import numpy as np

from motionloom.motion.anatomy import body_height, find_anatomy
from motionloom.synthesis import jog

clip = jog(speed=2.8, duration=3.0, fps=120).clip
body = find_anatomy(clip.skeleton)
speeds = np.linalg.norm(clip.world_velocities(), axis=-1)

print(f"body height {body_height(clip.skeleton):.2f} m, {len(body.pairs)} pairs of left and right joints")
for leg in body.legs:
    ankle = speeds[:, leg.ankle]
    print(f"{leg.side:>5} ankle: {ankle.min():.2f} to {ankle.max():.2f} m/s, mean {ankle.mean():.2f} m/s")

"""Positions in, a rig out: what text-to-motion models and pose estimators give becomes a clip."""

from __future__ import annotations

import numpy as np

import motionloom as ml
from motionloom import synthesis
from motionloom.fitting import LAYOUTS

# Stands in for the positions (T, 22, 3) of a model: a walk whose rotations are thrown away.
smpl = LAYOUTS["smpl"]
walk = ml.retarget(synthesis.walk(duration=3.0, fps=30).clip, to=smpl.skeleton)
order = [walk.clip.skeleton.index(name) for name in smpl.points]
positions = walk.clip.world_positions()[:, order]

clip = ml.fit_skeleton(positions, layout="smpl", fps=30)
print(clip.report)

# The same from a poor camera: a centimetre of noise, and a tenth of the joints missing.
rng = np.random.default_rng(0)
noisy = positions + rng.normal(scale=0.01, size=positions.shape)
noisy[rng.random(noisy.shape[:2]) < 0.1] = np.nan
clip = ml.fit_skeleton(noisy, layout="smpl", fps=30, bandwidth=6.0)
print(clip.report)

planted = ml.enforce(ml.annotate(clip))
print(planted.report)

"""The height of planted feet: flat while heel and toe are planted, and rolling off as captured.

A foot that pushes off stands on its toes, and the ball that counts as planted rises by some centimetres while
it stays over one place. Forcing it down would pull the whole body down with it. Held on the ground plane to
the full, a point of a foot may therefore rise from its target as it does in the capture; it never sinks.
"""

from __future__ import annotations

import numpy as np

from motionloom.arrays import BoolArray, FloatArray
from motionloom.enforcement.limbs import Plant

FLAT = 0.005
"""Of a rise, this much is taken for noise and left out, metres; small rises go almost entirely."""

LOW_SHARE = 0.25
"""A point that is planted alone stands as low as in the lowest quarter of its frames."""

ON_TARGET = 0.0005
"""A point this near to its target, metres, is on it."""


def rolled(plant: Plant, positions: FloatArray, both: BoolArray) -> FloatArray:
    """Heights (N,) in metres at which a point is in the N frames of its plant, which has a target.

    ``positions`` (T, 3) are where the point is, ``both`` (T,) the frames in which the foot is held at two
    points.

    >>> rising = np.array([[0, 0.02, 0], [0, 0.02, 0], [0, 0.08, 0]])
    >>> held = Plant(0, range(3), np.zeros(3), np.array([0.1, 0, 0]))
    >>> rolled(held, rising, np.array([True, True, False])).round(3).tolist()
    [0.0, 0.0, 0.055]
    """
    assert plant.target is not None
    frames = np.arange(plant.frames.start, plant.frames.stop)
    level, heights = float(plant.target[1]), positions[frames, 1]
    aside = np.hypot(*(positions[frames] - plant.target)[:, [0, 2]].T)
    if aside.max() < ON_TARGET and abs(heights.min() - level) < ON_TARGET:
        return np.asarray(np.maximum(heights, level))
    flat = frames[both[frames]]
    if len(flat):
        standing = np.interp(frames, flat, positions[flat, 1])
    else:
        standing = np.full(len(frames), np.quantile(heights, LOW_SHARE))
    rise = np.maximum(heights - standing, 0.0)
    return np.asarray(level + rise - FLAT * (1.0 - np.exp(-rise / FLAT)))

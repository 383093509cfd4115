"""Fists held before the chin, ready to strike or to cover."""

from __future__ import annotations

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.geometry import rotations as rot
from motionloom.synthesis.arms import reaching_arm
from motionloom.synthesis.body import Side, sign
from motionloom.synthesis.figure import Arm, Trunk

GUARD = (-0.06, 0.02, 0.27)
"""Where a fist is held, seen from its shoulder: outward, up, ahead, metres."""


def guarding_arm(trunk: Trunk, side: Side, place: FloatArray | None = None) -> Arm:
    """An arm with its fist at ``place`` (T, 3): outward, up, ahead of the shoulder, metres; None guards.

    >>> from motionloom.synthesis.standing import side_by_side, standing, staying
    >>> time = np.array([0.0, 0.5])
    >>> feet = {side: staying(foot, time) for side, foot in side_by_side(0.2, 0.0).items()}
    >>> body = standing(time, 2.0, feet)
    >>> guarding_arm(body.trunk, "left").upper.shape
    (2, 4)
    """
    outward = np.array([sign(side), 1.0, 1.0])
    offset = rot.rotate(trunk.facing, outward * (np.asarray(GUARD) if place is None else place))
    return reaching_arm(trunk, side, trunk.shoulder(side) + offset)

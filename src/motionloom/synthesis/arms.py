"""Arms that hang and swing, and arms whose hands go somewhere."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.geometry import rotations as rot
from motionloom.synthesis.body import Side, sign
from motionloom.synthesis.figure import Arm, Trunk
from motionloom.synthesis.limbs import arm_rotations


@dataclass(frozen=True)
class ArmAngles:
    """Angles (T,) of an arm in radians; all zero is an arm that hangs straight down.

    Attributes
    ----------
    flexion, abduction
        Of the upper arm, forward and away from the body.
    inward
        Turn of the upper arm about its length that brings a bent forearm across the body.
    elbow
        Bend of the elbow.
    """

    flexion: FloatArray
    abduction: FloatArray
    inward: FloatArray
    elbow: FloatArray


def hanging_arm(trunk: Trunk, side: Side, angles: ArmAngles) -> Arm:
    """An arm posed by its angles on the chest.

    >>> from motionloom.synthesis.standing import side_by_side, standing, staying
    >>> time = np.array([0.0, 0.5])
    >>> feet = {side: staying(foot, time) for side, foot in side_by_side(0.2, 0.0).items()}
    >>> body = standing(time, 2.0, feet)
    >>> straight_down = ArmAngles(*np.zeros((4, 2)))
    >>> upper = hanging_arm(body.trunk, "right", straight_down).upper
    >>> rot.rotate(upper[0], [-1.0, 0.0, 0.0]).round(9) + 0.0
    array([ 0., -1.,  0.])
    """
    mirror = [1.0, 1.0, sign(side), sign(side)]
    x, y, z = np.eye(3)
    # Worked out for the left arm, which lies along +X at rest; the right one is its mirror image.
    upper = rot.multiply(
        rot.from_axis_angle(x, -angles.flexion), rot.from_axis_angle(z, angles.abduction - np.pi / 2.0)
    )
    upper = rot.multiply(upper, rot.from_axis_angle(x, angles.inward)) * mirror
    bend = rot.from_axis_angle(y, -angles.elbow) * mirror
    world = rot.multiply(trunk.turns["Spine2"], upper)
    return Arm(world, rot.multiply(world, bend))


def reaching_arm(trunk: Trunk, side: Side, wrist: FloatArray) -> Arm:
    """An arm whose wrist is at the world positions (T, 3).

    >>> from motionloom.synthesis.standing import side_by_side, standing, staying
    >>> time = np.array([0.0, 0.5])
    >>> feet = {side: staying(foot, time) for side, foot in side_by_side(0.2, 0.0).items()}
    >>> body = standing(time, 2.0, feet)
    >>> wrist = body.trunk.shoulder("left") + [0.0, 0.0, 0.4]
    >>> reaching_arm(body.trunk, "left", wrist).fore.shape
    (2, 4)
    """
    return Arm(*arm_rotations(side, trunk.shoulder(side), wrist, trunk.facing))

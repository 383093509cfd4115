"""Which way a body stands and looks in its rest pose.

Up is the way from the hips to the shoulders (for four-legged bodies: from the feet to the hips), left the way
from the right hip to the left one. Where nothing tells left from right, feet point forward; where they do
not, the body is taken to look along +Z, or along −Y when it stands along Z.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.geometry import rotations
from motionloom.motion.anatomy import tree
from motionloom.motion.anatomy.naming import Chain
from motionloom.motion.skeleton import Skeleton

SNAP = np.cos(np.radians(15.0))
"""An axis this near to a coordinate axis is taken to be it: rest poses are drawn upright, and measured bodies
lean and differ left from right by up to about ten degrees."""
MIN_FOOT = 0.3
"""Feet tell forward when this share of their length lies across the plane of up and left."""
ALONG, ACROSS = 0.7, 0.5
"""Four-legged: legs and arms within about 45° of each other, and at more than 60° to the trunk."""

X, Y, Z = (freeze(axis) for axis in np.eye(3))


def up_axis(skeleton: Skeleton, legs: Sequence[Chain], arms: Sequence[Chain], head: int | None) -> FloatArray:
    """The upward unit axis (3,) of the rest pose; +Y where the skeleton does not tell."""
    positions = skeleton.rest_positions()
    hips = _mean_position(positions, [leg[0] for leg in legs]) if legs else positions[0]
    leg_down = _unit(_mean_position(positions, [leg[2] for leg in legs]) - hips) if legs else np.zeros(3)
    tops = [arm[0] for arm in arms] or ([head] if head is not None else [])
    trunk = _unit(_mean_position(positions, tops) - hips) if tops else np.zeros(3)
    if legs and arms:
        arm_down = _unit(
            _mean_position(positions, [arm[2] for arm in arms]) - _mean_position(positions, tops)
        )
        if leg_down @ arm_down > ALONG and abs(leg_down @ trunk) < ACROSS:
            return _snap(-leg_down)
    if trunk.any():
        return _snap(trunk)
    return _snap(-leg_down) if leg_down.any() else Y


def left_axis(skeleton: Skeleton, pairs: Sequence[tuple[int, int]], up: FloatArray) -> FloatArray | None:
    """The unit axis (3,) across ``up`` from the right joints to the left ones; None where they do not part.

    The first of the (left, right) pairs that lies apart decides.
    """
    positions = skeleton.rest_positions()
    min_length = tree.COINCIDENT * tree.size(skeleton)
    for left, right in pairs:
        apart = _across(positions[left] - positions[right], up)
        if np.linalg.norm(apart) > min_length:
            return _across_unit(_snap(_unit(apart)), up)
    return None


def forward_by_feet(
    skeleton: Skeleton, ankles: Sequence[int], up: FloatArray, sideways: FloatArray
) -> FloatArray:
    """The unit axis (3,) across ``up`` and ``aside`` into which the feet point, or the customary one."""
    axis = np.cross(sideways, up)
    feet = [(ankle, tree.end_point(skeleton, ankle)) for ankle in ankles]
    rest_rotations = skeleton.rest_world_rotations()
    directions = [
        _unit(rotations.rotate(rest_rotations[ankle], tip.offset)) for ankle, tip in feet if tip is not None
    ]
    pointing = float(np.mean([direction @ axis for direction in directions])) if directions else 0.0
    if abs(pointing) >= MIN_FOOT:
        return np.asarray(axis * np.sign(pointing))
    customary = customary_forward(up)
    return np.asarray(axis * (np.sign(axis @ customary) or 1.0))


def customary_forward(up: FloatArray) -> FloatArray:
    """Where most files let a body look: along +Z, or along −Y when it stands along Z."""
    return -Y if abs(up[2]) > ALONG else Z


def customary_left(up: FloatArray) -> FloatArray:
    """The left of a body that looks where most files let it look."""
    return _across_unit(np.cross(up, customary_forward(up)), up)


def _mean_position(positions: FloatArray, joints: Sequence[int]) -> FloatArray:
    return np.asarray(positions[list(joints)].mean(axis=0))


def _unit(vector: FloatArray) -> FloatArray:
    length = np.linalg.norm(vector)
    return vector / length if length > 0 else np.zeros(3)


def _across(vector: FloatArray, up: FloatArray) -> FloatArray:
    return np.asarray(vector - (vector @ up) * up)


def _across_unit(vector: FloatArray, up: FloatArray) -> FloatArray:
    return _unit(_across(vector, up))


def _snap(axis: FloatArray) -> FloatArray:
    """The coordinate axis within reach of this one, else the axis itself."""
    nearest = int(np.abs(axis).argmax())
    if abs(axis[nearest]) < SNAP:
        return axis
    return np.asarray(np.eye(3)[nearest] * np.sign(axis[nearest]))

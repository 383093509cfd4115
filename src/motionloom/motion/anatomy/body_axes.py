"""The axes of a body in its rest pose: up, left and forward.

Up is the direction from the hips to the shoulders (for four-legged bodies: from the feet to the hips), left
the direction from the right hip to the left one. Where left and right are unknown, feet point forward; where
they do not, the body is assumed to face +Z, or −Y when it stands along Z.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.geometry import rotations
from motionloom.motion.anatomy import tree
from motionloom.motion.anatomy.joint_names import Chain
from motionloom.motion.anatomy.thresholds import ACROSS, ALONG
from motionloom.motion.skeleton import Skeleton

SNAP = np.cos(np.radians(15.0))
"""An axis this near to a coordinate axis snaps to it: rest poses are drawn upright, and measured bodies lean
and are asymmetric by up to about ten degrees."""
MIN_FOOT = 0.3
"""Feet show forward when this fraction of their length is perpendicular to up and left."""
X, Y, Z = (freeze(axis) for axis in np.eye(3))


def up_axis(skeleton: Skeleton, legs: Sequence[Chain], arms: Sequence[Chain], head: int | None) -> FloatArray:
    """Find the upward unit axis (3,) of the rest pose; +Y where the skeleton does not show it."""
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
    """Find the unit axis (3,) perpendicular to ``up`` from right joints to left ones; None where they
    coincide.

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
    """Find the unit axis (3,) perpendicular to ``up`` and ``sideways`` along which the feet point, or the
    usual one.
    """
    axis = np.cross(sideways, up)
    feet = [(ankle, tree.end_point(skeleton, ankle)) for ankle in ankles]
    rest_rotations = skeleton.rest_world_rotations()
    directions = [
        _unit(rotations.rotate(rest_rotations[ankle], tip.offset)) for ankle, tip in feet if tip is not None
    ]
    pointing = float(np.mean([direction @ axis for direction in directions])) if directions else 0.0
    if abs(pointing) >= MIN_FOOT:
        return np.asarray(axis * np.sign(pointing))
    usual = usual_forward(up)
    return np.asarray(axis * (np.sign(axis @ usual) or 1.0))


def usual_forward(up: FloatArray) -> FloatArray:
    """Return where bodies face in most files: +Z, or −Y when they stand along Z."""
    return -Y if abs(up[2]) > ALONG else Z


def usual_left(up: FloatArray) -> FloatArray:
    """Return the left of a body that faces as in most files."""
    return _across_unit(np.cross(up, usual_forward(up)), up)


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
    """Return the coordinate axis near this one, else the axis itself."""
    nearest = int(np.abs(axis).argmax())
    if abs(axis[nearest]) < SNAP:
        return axis
    return np.asarray(np.eye(3)[nearest] * np.sign(axis[nearest]))

"""Legs and arms: two bones from a given joint to a given end, in closed form."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.geometry import rotations as rot
from motionloom.synthesis.biped import FOREARM, LEG, SHIN, THIGH, UPPER_ARM, Side, offset, sign

LEG_REACH = 0.992 * LEG
"""Longest distance from hip to ankle, metres: a knee that is never quite straight only bends forward."""

FOLDED_LEG = 0.24
"""Shortest distance from hip to ankle, metres: the knee is then bent by about 147 degrees."""

_HEIGHT_BLEND = 0.008
"""Width of the smooth transition, metres, where the pelvis sinks because a leg would be too short."""

_ELBOW_BACK = np.array([0.0, -0.8, 0.6])
"""Arm direction for which the elbow bends about the body's lateral axis; no reach goes the opposite way."""


def solve_two_bones(
    start: FloatArray, end: FloatArray, upper: float, lower: float, axis: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the directions of both bones and the bending axis, each (T, 3), of a limb from ``start`` to
    ``end``.

    The lower bone is rotated from the upper one by a positive angle about ``axis`` (T, 3), which is made
    perpendicular to the limb first.

    >>> start, end = np.array([[0.0, 1.0, 0.0]]), np.zeros((1, 3))
    >>> first, second, _ = solve_two_bones(start, end, 0.6, 0.6, np.array([1.0, 0.0, 0.0]))
    >>> (0.6 * (first + second)).round(9).tolist(), bool(first[0, 2] > 0)
    ([[0.0, -1.0, 0.0]], True)
    """
    span = end - start
    length = np.linalg.norm(span, axis=-1, keepdims=True)
    along = span / length
    axis = axis - along * np.sum(along * axis, axis=-1, keepdims=True)
    axis = axis / np.linalg.norm(axis, axis=-1, keepdims=True)
    cosine = (upper**2 + length**2 - lower**2) / (2.0 * upper * length)
    sine = np.sqrt(np.maximum(1.0 - cosine**2, 0.0))
    first = along * cosine + np.cross(along, axis) * sine
    second = (span - upper * first) / lower
    return first, second, axis


def align_rotations(
    direction: FloatArray, axis: FloatArray, rest_direction: FloatArray, rest_axis: FloatArray
) -> FloatArray:
    """Return world rotations (T, 4) that take a bone's rest direction and bending axis to these (T, 3).

    >>> down, left = np.array([0.0, -1.0, 0.0]), np.array([1.0, 0.0, 0.0])
    >>> align_rotations(down[None], left[None], down, left).tolist()
    [[1.0, 0.0, 0.0, 0.0]]
    """
    wanted = np.stack([direction, axis, np.cross(direction, axis)], axis=-1)
    rest = np.stack([rest_direction, rest_axis, np.cross(rest_direction, rest_axis)], axis=-1)
    return rot.from_matrix(wanted @ rest.T)


def leg_rotations(hip: FloatArray, ankle: FloatArray, knee_axis: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return world rotations (T, 4) of thigh and shin that reach the ankle exactly, the knee forward.

    >>> hip, ankle = np.array([[0.0, 0.9, 0.0]]), np.array([[0.0, 0.08, 0.1]])
    >>> thigh, shin = leg_rotations(hip, ankle, np.array([[1.0, 0.0, 0.0]]))
    >>> knee = hip + rot.rotate(thigh, [0, -THIGH, 0])
    >>> (knee + rot.rotate(shin, [0, -SHIN, 0])).round(9).tolist()
    [[0.0, 0.08, 0.1]]
    """
    thigh, shin, axis = solve_two_bones(hip, ankle, THIGH, SHIN, knee_axis)
    down, left = np.array([0.0, -1.0, 0.0]), np.array([1.0, 0.0, 0.0])
    return align_rotations(thigh, axis, down, left), align_rotations(shin, axis, down, left)


def arm_rotations(
    side: Side, shoulder: FloatArray, wrist: FloatArray, body: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return world rotations (T, 4) of upper arm and forearm that reach the wrist (T, 3) exactly.

    The elbow points back and down as seen from the ``body`` rotations (T, 4).

    >>> shoulder, wrist = np.array([[0.2, 1.4, 0.0]]), np.array([[0.2, 1.4, 0.4]])
    >>> upper, fore = arm_rotations("left", shoulder, wrist, rot.IDENTITY[None])
    >>> elbow = shoulder + rot.rotate(upper, [UPPER_ARM, 0, 0])
    >>> (elbow + rot.rotate(fore, [FOREARM, 0, 0])).round(9).tolist(), bool(elbow[0, 1] < 1.4)
    ([[0.2, 1.4, 0.4]], True)
    """
    reach = rot.rotate(rot.inverse(body), wrist - shoulder)
    axis = rot.rotate(rot.multiply(body, rot.between(_ELBOW_BACK, reach)), [-1.0, 0.0, 0.0])
    upper, fore, axis = solve_two_bones(shoulder, wrist, UPPER_ARM, FOREARM, axis)
    outward, bend = np.array([sign(side), 0.0, 0.0]), np.array([0.0, -sign(side), 0.0])
    return align_rotations(upper, axis, outward, bend), align_rotations(fore, axis, outward, bend)


def hip_offset(side: Side, pelvis: FloatArray) -> FloatArray:
    """Return the offset (T, 3) from the root to a hip, metres, for pelvis rotations (T, 4).

    >>> hip_offset("left", rot.IDENTITY[None]).tolist()
    [[0.09, -0.03, 0.0]]
    """
    return rot.rotate(pelvis, offset(side.capitalize() + "UpLeg"))


def knee_axis(heading: FloatArray, foot_yaw: FloatArray) -> FloatArray:
    """Return the axis (T, 3) about which a knee bends: halfway between where body and foot point.

    >>> knee_axis(np.zeros(1), np.zeros(1)).tolist()
    [[1.0, 0.0, 0.0]]
    """
    return rot.rotate(rot.from_yaw((heading + foot_yaw) / 2.0), [1.0, 0.0, 0.0])


def limit_height(height: FloatArray, limits: Sequence[FloatArray]) -> FloatArray:
    """Lower heights (T,) smoothly to stay below every limit (T,).

    >>> float(limit_height(np.array([0.5]), [np.array([0.9])])[0].round(6))
    0.5
    """
    total = -height / _HEIGHT_BLEND
    for limit in limits:
        total = np.logaddexp(total, -limit / _HEIGHT_BLEND)
    return np.asarray(-_HEIGHT_BLEND * total)


def max_root_height(hip: FloatArray, ankle: FloatArray) -> FloatArray:
    """Return the greatest root height (T,) at which a leg still reaches its ankle (T, 3).

    ``hip`` (T, 3) is the hip for a root on the floor. NaN where the ankle is too far away at any height.

    >>> hip, ankle = np.array([[0.0, -0.03, 0.0]]), np.zeros((1, 3))
    >>> round(float(max_root_height(hip, ankle)[0] - LEG_REACH), 9)
    0.03
    """
    squared_distance = np.sum((ankle - hip)[:, [0, 2]] ** 2, axis=-1)
    squared_height = LEG_REACH**2 - squared_distance
    height = np.sqrt(np.where(squared_height > 0.0, squared_height, np.nan))
    return np.asarray(ankle[:, 1] + height - hip[:, 1])

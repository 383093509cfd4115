"""Legs and arms: two segments from a fixed joint to a wanted place, in closed form."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.geometry import rotations as rot
from motionloom.synthesis.body import FOREARM, LEG, SHIN, THIGH, UPPER_ARM, Side, offset, sign

LEG_REACH = 0.992 * LEG
"""Longest distance from hip to ankle, metres: a knee this side of straight bends one way only."""

FOLDED_LEG = 0.24
"""Shortest distance from hip to ankle, metres: the knee is then bent by about 147 degrees."""

_HEIGHT_BLEND = 0.008
"""How gently, in metres, the pelvis gives way where a leg would be too short."""

_ELBOW_BACK = np.array([0.0, -0.8, 0.6])
"""Arm direction for which the elbow bends about the body's lateral axis; nobody reaches to its opposite."""


def two_segments(
    start: FloatArray, end: FloatArray, upper: float, lower: float, axis: FloatArray
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Directions of both segments and the bending axis, each (T, 3), of a limb from ``start`` to ``end``.

    The lower segment is turned from the upper one by a positive angle about ``axis`` (T, 3), which is made
    square to the limb first.

    >>> start, end = np.array([[0.0, 1.0, 0.0]]), np.zeros((1, 3))
    >>> first, second, _ = two_segments(start, end, 0.6, 0.6, np.array([1.0, 0.0, 0.0]))
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


def turned_to(
    direction: FloatArray, axis: FloatArray, rest_direction: FloatArray, rest_axis: FloatArray
) -> FloatArray:
    """World rotations (T, 4) that take a segment's rest direction and bending axis to these (T, 3).

    >>> down, left = np.array([0.0, -1.0, 0.0]), np.array([1.0, 0.0, 0.0])
    >>> turned_to(down[None], left[None], down, left).tolist()
    [[1.0, 0.0, 0.0, 0.0]]
    """
    wanted = np.stack([direction, axis, np.cross(direction, axis)], axis=-1)
    rest = np.stack([rest_direction, rest_axis, np.cross(rest_direction, rest_axis)], axis=-1)
    return rot.from_matrix(wanted @ rest.T)


def leg_rotations(hip: FloatArray, ankle: FloatArray, knee_axis: FloatArray) -> tuple[FloatArray, FloatArray]:
    """World rotations (T, 4) of thigh and shin that put the ankle exactly at its place, the knee forward.

    >>> hip, ankle = np.array([[0.0, 0.9, 0.0]]), np.array([[0.0, 0.08, 0.1]])
    >>> thigh, shin = leg_rotations(hip, ankle, np.array([[1.0, 0.0, 0.0]]))
    >>> knee = hip + rot.rotate(thigh, [0, -THIGH, 0])
    >>> (knee + rot.rotate(shin, [0, -SHIN, 0])).round(9).tolist()
    [[0.0, 0.08, 0.1]]
    """
    thigh, shin, axis = two_segments(hip, ankle, THIGH, SHIN, knee_axis)
    down, left = np.array([0.0, -1.0, 0.0]), np.array([1.0, 0.0, 0.0])
    return turned_to(thigh, axis, down, left), turned_to(shin, axis, down, left)


def arm_rotations(
    side: Side, shoulder: FloatArray, wrist: FloatArray, body: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """World rotations (T, 4) of upper arm and forearm that put the wrist (T, 3) exactly at its place.

    The elbow points back and down as seen from the ``body`` rotations (T, 4).

    >>> shoulder, wrist = np.array([[0.2, 1.4, 0.0]]), np.array([[0.2, 1.4, 0.4]])
    >>> upper, fore = arm_rotations("left", shoulder, wrist, rot.IDENTITY[None])
    >>> elbow = shoulder + rot.rotate(upper, [UPPER_ARM, 0, 0])
    >>> (elbow + rot.rotate(fore, [FOREARM, 0, 0])).round(9).tolist(), bool(elbow[0, 1] < 1.4)
    ([[0.2, 1.4, 0.4]], True)
    """
    reach = rot.rotate(rot.inverse(body), wrist - shoulder)
    axis = rot.rotate(rot.multiply(body, rot.between(_ELBOW_BACK, reach)), [-1.0, 0.0, 0.0])
    upper, fore, axis = two_segments(shoulder, wrist, UPPER_ARM, FOREARM, axis)
    outward, bend = np.array([sign(side), 0.0, 0.0]), np.array([0.0, -sign(side), 0.0])
    return turned_to(upper, axis, outward, bend), turned_to(fore, axis, outward, bend)


def hip_offset(side: Side, pelvis: FloatArray) -> FloatArray:
    """From the root to a hip (T, 3), metres, for pelvis rotations (T, 4).

    >>> hip_offset("left", rot.IDENTITY[None]).tolist()
    [[0.09, -0.03, 0.0]]
    """
    return rot.rotate(pelvis, offset(side.capitalize() + "UpLeg"))


def knee_axis(heading: FloatArray, foot_yaw: FloatArray) -> FloatArray:
    """The axis (T, 3) about which a knee bends: halfway between where body and foot point.

    >>> knee_axis(np.zeros(1), np.zeros(1)).tolist()
    [[1.0, 0.0, 0.0]]
    """
    return rot.rotate(rot.from_yaw((heading + foot_yaw) / 2.0), [1.0, 0.0, 0.0])


def lowered(height: FloatArray, limits: Sequence[FloatArray]) -> FloatArray:
    """Heights (T,) that stay below every limit (T,) and follow the given ones where these allow it, smoothly.

    >>> float(lowered(np.array([0.5]), [np.array([0.9])])[0].round(6))
    0.5
    """
    lowest = -height / _HEIGHT_BLEND
    for limit in limits:
        lowest = np.logaddexp(lowest, -limit / _HEIGHT_BLEND)
    return np.asarray(-_HEIGHT_BLEND * lowest)


def highest_root(hip: FloatArray, ankle: FloatArray) -> FloatArray:
    """Greatest root height (T,) at which a leg still reaches its ankle (T, 3).

    ``hip`` (T, 3) is the hip for a root on the floor. NaN where the ankle is too far away at any height.

    >>> hip, ankle = np.array([[0.0, -0.03, 0.0]]), np.zeros((1, 3))
    >>> round(float(highest_root(hip, ankle)[0] - LEG_REACH), 9)
    0.03
    """
    aside = np.sum((ankle - hip)[:, [0, 2]] ** 2, axis=-1)
    room = LEG_REACH**2 - aside
    tall = np.sqrt(np.where(room > 0.0, room, np.nan))
    return np.asarray(ankle[:, 1] + tall - hip[:, 1])

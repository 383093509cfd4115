"""The centre of mass, by the usual share of every limb in the mass of an adult."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.motion.anatomy import find_anatomy

# Share of the body's mass, and where the centre of mass lies on the way between the ends of the segment
# (Winter, Biomechanics and Motor Control of Human Movement, after Dempster).
TRUNK_AND_HEAD = 0.578, 0.660  # from the middle of the hips to the middle of the shoulders
UPPER_ARM = 0.028, 0.436
FOREARM_AND_HAND = 0.022, 0.682
THIGH = 0.100, 0.433
SHIN = 0.0465, 0.433
FOOT = 0.0145, 0.5


def centre_of_mass(clip: Clip) -> FloatArray:
    """The centre of mass (T, 3) of a body with two arms and two legs, metres.

    >>> from motionloom.synthesis import stand
    >>> centre = centre_of_mass(stand(duration=1.0).clip)
    >>> bool(0.9 < centre[0, 1] < 1.1)
    True
    """
    anatomy = find_anatomy(clip.skeleton)
    if len(anatomy.legs) != 2 or len(anatomy.arms) != 2:
        raise ParameterError("the centre of mass needs two arms and two legs: they were not all found")
    places = clip.world_positions()
    hips = _middle(places, [leg.hip for leg in anatomy.legs])
    shoulders = _middle(places, [arm.shoulder for arm in anatomy.arms])
    total = _share(TRUNK_AND_HEAD, hips, shoulders)
    for arm in anatomy.arms:
        total += _share(UPPER_ARM, places[:, arm.shoulder], places[:, arm.elbow])
        total += _share(FOREARM_AND_HAND, places[:, arm.elbow], places[:, arm.wrist])
    for leg in anatomy.legs:
        ankle = places[:, leg.ankle]
        ball = ankle if leg.toe is None else places[:, leg.toe]
        if leg.toe is None and leg.tip is not None:
            ball = clip.point_positions(leg.tip.joint, leg.tip.offset)
        total += _share(THIGH, places[:, leg.hip], places[:, leg.knee])
        total += _share(SHIN, places[:, leg.knee], ankle)
        total += _share(FOOT, ankle, ball)
    return np.asarray(total)


def _middle(places: FloatArray, joints: Sequence[int]) -> FloatArray:
    return np.asarray(places[:, list(joints)].mean(axis=1))


def _share(segment: tuple[float, float], start: FloatArray, end: FloatArray) -> FloatArray:
    """The part of a segment in the mean of all mass (T, 3)."""
    mass, way = segment
    return np.asarray(mass * (start + way * (end - start)))

"""The centre of mass of a body, from the masses of its segments."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.motion.anatomy import tree
from motionloom.motion.anatomy.find_anatomy import Anatomy, find_anatomy
from motionloom.motion.skeleton import Skeleton

if TYPE_CHECKING:
    from motionloom.motion.clip import Clip

TRUNK_AND_HEAD = 0.578
"""Fraction of the body's mass in trunk and head, spread evenly along the spine from pelvis to head. A line
from hips to shoulders, as in tables for upright bodies, does not bend: somersaults then seem to fall 15 %
faster."""

# Fraction of the body's mass, and where the centre of mass lies along the segment, as a fraction of its
# length (Winter, Biomechanics and Motor Control of Human Movement, after Dempster).
UPPER_ARM = 0.028, 0.436
FOREARM_AND_HAND = 0.022, 0.682
THIGH = 0.100, 0.433
SHIN = 0.0465, 0.433
FOOT = 0.0145, 0.5


@dataclass(frozen=True, eq=False)
class BodyMasses:
    """How the mass of a body is spread over its joints: the centre of mass is linear in their transforms.

    Attributes
    ----------
    masses
        (J,) fraction of the mass at each joint, with sum 1.
    moments
        (J, 3) masses times their offsets from the joint, in the joint's own frame: feet that end in a tip.
    complete
        Whether two arms and two legs were found.

    >>> from motionloom.synthesis import stand
    >>> body = find_body_masses(stand(duration=0.1).clip.skeleton)
    >>> body.complete, round(float(body.masses.sum()), 9)
    (True, 1.0)
    """

    masses: FloatArray
    moments: FloatArray
    complete: bool

    def centre(self, positions: FloatArray, rotations: FloatArray) -> FloatArray:
        """Return the centre of mass (..., 3) of world positions (..., J, 3) and rotations (..., J, 4)."""
        centre = np.einsum("j,...jc->...c", self.masses, positions)
        for j in np.flatnonzero(self.moments.any(axis=1)):
            centre = centre + rot.rotate(rotations[..., j, :], self.moments[j])
        return np.asarray(centre)


@lru_cache(maxsize=64)
def find_body_masses(skeleton: Skeleton) -> BodyMasses | None:
    """Return the masses of a body, or None where no legs were found. Missing limbs weigh nothing."""
    anatomy = find_anatomy(skeleton)
    if not anatomy.legs:
        return None
    masses, moments = np.zeros(skeleton.n_joints), np.zeros((skeleton.n_joints, 3))

    def add(segment: tuple[float, float], start: list[int], end: list[int]) -> None:
        mass, fraction = segment
        masses[start] += mass * (1.0 - fraction) / len(start)
        masses[end] += mass * fraction / len(end)

    for mass, start, end in _divide_trunk(skeleton, anatomy):
        add((mass, 0.5), start, end)
    for arm in anatomy.arms:
        add(UPPER_ARM, [arm.shoulder], [arm.elbow])
        add(FOREARM_AND_HAND, [arm.elbow], [arm.wrist])
    for leg in anatomy.legs:
        add(THIGH, [leg.hip], [leg.knee])
        add(SHIN, [leg.knee], [leg.ankle])
        tip = leg.tip if leg.toe is None else None
        add(FOOT, [leg.ankle], [leg.toe or (leg.ankle if tip is None else tip.joint)])
        if tip is not None:
            moments[tip.joint] += FOOT[0] * FOOT[1] * tip.offset
    total = masses.sum()
    complete = len(anatomy.legs) == len(anatomy.arms) == 2
    return BodyMasses(freeze(masses / total), freeze(moments / total), complete)


def centre_of_mass(clip: Clip) -> FloatArray:
    """Return the centre of mass (T, 3) of a body with two arms and two legs, metres.

    >>> from motionloom.synthesis import stand
    >>> centre = centre_of_mass(stand(duration=1.0).clip)
    >>> bool(0.9 < centre[0, 1] < 1.1)
    True
    """
    body = find_body_masses(clip.skeleton)
    if body is None or not body.complete:
        raise ParameterError("the centre of mass needs two arms and two legs: they were not all found")
    return body.centre(clip.world_positions(), clip.world_rotations())


def _divide_trunk(skeleton: Skeleton, anatomy: Anatomy) -> list[tuple[float, list[int], list[int]]]:
    """Return mass, lower and upper joint of each bone of the spine; without one, from hips to shoulders."""
    bones = list(pairwise(anatomy.spine))
    lengths = np.array([tree.bone(skeleton, upper) for _, upper in bones])
    if lengths.sum() > 0.0:
        masses = (TRUNK_AND_HEAD * lengths / lengths.sum()).tolist()
        return [(mass, [lower], [upper]) for mass, (lower, upper) in zip(masses, bones, strict=True)]
    hips, shoulders = [leg.hip for leg in anatomy.legs], [arm.shoulder for arm in anatomy.arms]
    return [(TRUNK_AND_HEAD, hips, shoulders or [anatomy.pelvis])]

"""Which joints turn so that another one comes to a place: its limb first, the spine a little."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.ik import usual_hinge
from motionloom.motion import Clip
from motionloom.motion.anatomy import Anatomy, Arm, Leg, find_anatomy

LIMB, COLLAR, SPINE = 1.0, 0.3, 0.12
"""How readily joints turn for a reach. The spine's share is small while the arm can do it, and grows where
the arm alone cannot."""


@dataclass(frozen=True, eq=False)
class Hinge:
    """An elbow or a knee: it bends about one axis and not past straight.

    Attributes
    ----------
    upper, middle, lower
        The joints at both ends and amid two bones.
    axis
        (3,) in the frame of the upper joint; turning about it straightens the limb.
    """

    upper: int
    middle: int
    lower: int
    axis: FloatArray


@dataclass(frozen=True, eq=False)
class Chain:
    """The joints that turn for one end, from the body outwards.

    Attributes
    ----------
    end
        The joint that shall reach.
    joints, readiness
        Indices of the joints, and how readily each turns.
    hinges
        Those of the joints that are elbows or knees, by index.
    keeps_world
        Whether the end keeps its rotation in the world: feet stay level, hands go with the forearm.
    """

    end: int
    joints: tuple[int, ...]
    readiness: tuple[float, ...]
    hinges: dict[int, Hinge]
    keeps_world: bool


def chain_to(clip: Clip, end: int) -> Chain:
    """The chain of joints that brings a joint to a place; the root is never part of it.

    >>> from motionloom.synthesis import stand
    >>> clip = stand(duration=0.5).clip
    >>> chain = chain_to(clip, clip.skeleton.index("LeftHand"))
    >>> [clip.skeleton.names[joint] for joint in chain.joints]
    ['Spine', 'Spine1', 'Spine2', 'LeftShoulder', 'LeftArm', 'LeftForeArm']
    """
    anatomy = find_anatomy(clip.skeleton)
    parents = clip.skeleton.parents.tolist()
    joints: list[int] = []
    joint = parents[end]
    hips = {leg.hip for leg in anatomy.legs}
    while joint > 0:
        joints.insert(0, joint)
        joint = -1 if joint in hips else parents[joint]
    limbs: dict[int, Leg | Arm] = {leg.knee: leg for leg in anatomy.legs}
    limbs |= {arm.elbow: arm for arm in anatomy.arms}
    hinges = {joint: _hinge(clip, anatomy, limbs[joint]) for joint in joints if joint in limbs}
    readiness = tuple(_readiness(anatomy, parents, joint) for joint in joints)
    return Chain(end, tuple(joints), readiness, hinges, end in {leg.ankle for leg in anatomy.legs})


def _hinge(clip: Clip, anatomy: Anatomy, limb: Leg | Arm) -> Hinge:
    sideways = -anatomy.left if isinstance(limb, Leg) else anatomy.left
    axis = usual_hinge(clip.world_positions(), clip.world_rotations(), limb.chain, sideways)
    return Hinge(*limb.chain, np.asarray(axis))


def _readiness(anatomy: Anatomy, parents: Sequence[int], joint: int) -> float:
    if joint in anatomy.spine:
        return SPINE
    collars = {above for arm in anatomy.arms for above in _ancestors(parents, arm.shoulder)}
    return COLLAR if joint in collars else LIMB


def _ancestors(parents: Sequence[int], joint: int) -> list[int]:
    found = []
    while parents[joint] >= 0:
        joint = parents[joint]
        found.append(joint)
    return found

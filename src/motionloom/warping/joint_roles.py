"""Joints by role ("left knee", "spine") and axes of the body, for keys that fit any rig.

Rigs name joints differently and give them different axes. A role names the joint by anatomy. In axes of the
body, a rotation vector (x, y, z) rotates about the body's left, up and forward: x bends forward, points toes
down and swings limbs back, y turns to the left, z leans to the right. At knees and elbows x is the hinge, and
positive angles bend it; y twists about the bone.
"""

from __future__ import annotations

import re
from functools import lru_cache

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.ik.two_bone import find_hinge
from motionloom.motion import Clip, Skeleton
from motionloom.motion.anatomy import Arm, Leg, body_height, facing, find_anatomy
from motionloom.motion.anatomy.find_anatomy import SIDES
from motionloom.retargeting.body_parts import find_body_parts

LEG, ARM = ("hip", "knee", "ankle", "toe"), ("shoulder", "elbow", "wrist")
COLLAR = "collar"
ROLES = (
    "hips", "spine", "chest", "neck", "head",
    *(f"{side} {part}" for side in SIDES for part in (*LEG, COLLAR, *ARM)),
)  # fmt: skip
"""The roles of joints. Longer spines also have "spine 2" and so on, and fingers "left index 2"."""

SIDE_WORDS = ("leading", "trailing")
"""Sides that an obstacle decides: of the foot that passes over it first, and of the other one."""


_SPINE = re.compile(r"spine ([2-9])")


@lru_cache(maxsize=64)
def find_roles(skeleton: Skeleton) -> dict[str, int]:
    """Find the joint of every role that a skeleton has.

    "spine" is the joint above the pelvis, "spine 2" the next one, and so on up to the chest or the neck.

    >>> from motionloom.synthesis import biped
    >>> roles = find_roles(biped())
    >>> biped().names[roles["left knee"]], biped().names[roles["spine"]]
    ('LeftLeg', 'Spine')
    """
    anatomy = find_anatomy(skeleton)
    roles: dict[str, int] = {"hips": 0}
    for limb, parts in [(leg, LEG) for leg in anatomy.legs] + [(arm, ARM) for arm in anatomy.arms]:
        roles |= {f"{limb.side} {part}": joint for part, joint in zip(parts, limb.joints, strict=False)}
    if len(anatomy.spine) > 1:
        roles["spine"] = anatomy.spine[1]
        roles["head"] = anatomy.head if anatomy.head is not None else anatomy.spine[-1]
        chest = find_body_parts(skeleton).joints.get("chest")
        if chest is not None and chest not in roles.values():
            roles["chest"] = chest
        neck = int(skeleton.parents[roles["head"]])
        if anatomy.head is not None and neck not in roles.values() and neck in anatomy.spine:
            roles["neck"] = neck
    for arm in anatomy.arms:
        above = int(skeleton.parents[arm.shoulder])
        if above not in anatomy.spine and above not in roles.values():
            roles[f"{arm.side} {COLLAR}"] = above
    taken = set(roles.values())
    for part, joint in find_body_parts(skeleton).joints.items():
        if joint not in taken and part not in roles and part[-1].isdigit():
            roles[part] = joint
    for n, joint in enumerate(anatomy.spine[2:], 2):
        if joint not in roles.values():
            roles[f"spine {n}"] = joint
    return roles


def find_joint(skeleton: Skeleton, joint: str, *, role_first: bool = False) -> int:
    """Return the index of a joint by its name or its role; "" is the root.

    Parameters
    ----------
    skeleton
        Any skeleton.
    joint
        Name of a joint, or one of :data:`ROLES`.
    role_first
        Whether a role counts before a joint of that name.

    >>> from motionloom.synthesis import biped
    >>> find_joint(biped(), "right elbow") == biped().index("RightForeArm")
    True
    """
    if not joint:
        return 0
    roles = find_roles(skeleton)
    if joint in skeleton.names and not (role_first and joint in roles):
        return skeleton.index(joint)
    if joint in roles:
        return roles[joint]
    higher = _SPINE.fullmatch(joint)
    if higher is not None and "spine" in roles:
        # A shorter spine bends at its highest joint.
        below = [f"spine {n}" for n in range(int(higher[1]), 1, -1)]
        return next((roles[role] for role in (*below, "chest") if role in roles), roles["spine"])
    if joint in ROLES:
        known = ", ".join(role for role in ROLES if role in roles)
        raise ParameterError(
            f"the skeleton has no joint for the role {joint!r}: it has {known}; leave the key out, or name "
            "one of its joints"
        )
    return skeleton.index(joint)


class BodyFrame:
    """The axes and the size of the body in a clip, for keys in axes of the body.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=2.0).clip
    >>> bool(BodyFrame(clip).axes(clip.skeleton.index("Spine"))[0, 0] > 0.99)
    True
    """

    def __init__(self, clip: Clip) -> None:
        self.clip = clip
        self.anatomy = find_anatomy(clip.skeleton)
        height = body_height(clip.skeleton)
        if height is None:
            raise ParameterError(
                "keys in axes of the body need a body with legs, which this skeleton does not show",
                remedy="give keys with the names of its joints and without a frame",
            )
        self.height = height
        self._facing = facing(clip)
        self._axes: dict[int, FloatArray] = {}

    def axes(self, joint: int) -> FloatArray:
        """Return the body's axes (3, 3) at a joint, as columns in the mean frame of the joint."""
        if joint not in self._axes:
            self._axes[joint] = self._find_axes(joint)
        return self._axes[joint]

    def root_axes(self, time: float) -> FloatArray:
        """Return the body's axes (3, 3) at a time, as columns in the frame of the root at that time."""
        root = self.clip.rotations[self.frame(time), 0]
        return rot.to_matrix(rot.multiply(rot.inverse(root), self.heading(time)))

    def heading(self, time: float) -> FloatArray:
        """Return the rotation (4,) about the vertical from axes of the body to the world."""
        return rot.from_yaw(float(self._facing[self.frame(time)]))

    def frame(self, time: float) -> int:
        """Return the frame nearest to a time."""
        return int(np.clip(round(time / self.clip.frame_time), 0, self.clip.n_frames - 1))

    def bend_rotation(self, joint: int, bend: float) -> FloatArray:
        """Return the local rotation (4,) of a knee or elbow that is bent by an angle from straight."""
        lower = self._limb_below(joint)
        offsets, rest = self.clip.skeleton.offsets, self.clip.skeleton.rest_rotations[joint]
        straight = rot.multiply(rot.between(rot.rotate(rest, offsets[lower]), offsets[joint]), rest)
        hinge = rot.rotate(rest, self.axes(joint)[:, 0])
        return rot.multiply(rot.from_rotation_vector(bend * hinge), straight)

    def limb_rotation(self, joint: int, direction: FloatArray) -> FloatArray:
        """Return the local rotation (4,) of a shoulder or hip whose limb points in a direction (3,) of the
        body's axes, with the trunk as at rest.
        """
        skeleton, anatomy = self.clip.skeleton, self.anatomy
        rest = skeleton.rest_world_rotations()
        limb = rot.rotate(rest[joint], skeleton.offsets[self._limb_below(joint)])
        there = direction @ np.stack([anatomy.left, anatomy.up, anatomy.forward])
        above = rest[skeleton.parents[joint]]
        world = rot.multiply(rot.between(limb, there), rest[joint])
        return rot.multiply(rot.inverse(above), world)

    def limb_direction(self, joint: int, rotation: FloatArray) -> FloatArray:
        """Return where a thigh or upper arm of a local rotation (4,) points, (3,) in axes of the body."""
        skeleton, anatomy = self.clip.skeleton, self.anatomy
        above = skeleton.rest_world_rotations()[skeleton.parents[joint]]
        limb = rot.rotate(rot.multiply(above, rotation), skeleton.offsets[self._limb_below(joint)])
        return np.stack([anatomy.left, anatomy.up, anatomy.forward]) @ (limb / np.linalg.norm(limb))

    def _find_axes(self, joint: int) -> FloatArray:
        for limbs, sideways in ((self.anatomy.legs, -1.0), (self.anatomy.arms, 1.0)):
            for limb in limbs:
                if joint == limb.chain[1]:
                    return self._hinge_axes(limb.chain, sideways * self.anatomy.left)
        yaw = self._facing
        none, one = np.zeros_like(yaw), np.ones_like(yaw)
        left = np.stack([np.cos(yaw), none, -np.sin(yaw)], axis=-1)
        forward = np.stack([np.sin(yaw), none, np.cos(yaw)], axis=-1)
        world = np.stack([left, np.stack([none, one, none], axis=-1), forward], axis=1)
        back = rot.inverse(self.clip.world_rotations()[:, joint])
        own = rot.rotate(back[:, None], world).mean(axis=0)
        return np.asarray((own / np.linalg.norm(own, axis=-1, keepdims=True)).T)

    def _hinge_axes(self, chain: tuple[int, int, int], fallback: FloatArray) -> FloatArray:
        skeleton = self.clip.skeleton
        fallback = rot.rotate(rot.inverse(skeleton.rest_world_rotations()[chain[0]]), fallback)
        hinge = -find_hinge(self.clip.world_positions(), self.clip.world_rotations(), chain, fallback)
        # The hinge is known in the frame above; the joint's own may be rotated against it at rest.
        hinge = rot.rotate(rot.inverse(skeleton.rest_rotations[chain[1]]), hinge)
        bone = -skeleton.offsets[chain[2]]
        along = bone - (bone @ hinge) * hinge
        along /= np.linalg.norm(along)
        return np.stack([hinge, along, np.cross(hinge, along)], axis=1)

    def _limb_below(self, joint: int) -> int:
        limbs: tuple[Leg | Arm, ...] = (*self.anatomy.legs, *self.anatomy.arms)
        for limb in limbs:
            if joint in limb.chain[:2]:
                return limb.chain[limb.chain.index(joint) + 1]
        name = self.clip.skeleton.names[joint]
        raise ParameterError(
            f"a zero in axes of the body is for hips, knees, shoulders and elbows, not {name!r}"
        )

"""The skeleton of a synthetic character: the biped in other proportions, with fingers, end joints and the
names of other rigs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.geometry import rotations as rot
from motionloom.motion import Skeleton, Tip
from motionloom.synthesis.biped import HIP_DROP, LEG, Side, biped, sign
from motionloom.synthesis.character_mesh import Finger, HandJoints
from motionloom.synthesis.footwear import FootShape
from motionloom.validation import check_number

JointNames = Literal["plain", "mixamo", "unreal"]
ProportionsName = Literal["adult", "child", "giant"]

_FINGERS = ("Thumb", "Index", "Middle", "Ring", "Pinky")
_KNUCKLES = (
    (0.03, -0.01, 0.03),
    (0.09, 0.0, 0.03),
    (0.092, 0.0, 0.01),
    (0.088, 0.0, -0.01),
    (0.08, 0.0, -0.03),
)
"""First joint of each finger from the wrist: outward, up and ahead, metres."""

_BONES = (
    (0.03, 0.028, 0.024),
    (0.04, 0.025, 0.02),
    (0.044, 0.028, 0.02),
    (0.04, 0.026, 0.02),
    (0.03, 0.02, 0.018),
)
"""Lengths of the bones of each finger, metres."""

_CURL = 0.25
"""How far each joint of a finger is bent in all motions, radians."""

_UNREAL = {
    "Hips": "pelvis",
    "Spine": "spine_01",
    "Spine1": "spine_02",
    "Spine2": "spine_03",
    "Neck": "neck_01",
    "Head": "head",
    "HeadTop_End": "head_end",
    "Shoulder": "clavicle",
    "Arm": "upperarm",
    "ForeArm": "lowerarm",
    "Hand": "hand",
    "UpLeg": "thigh",
    "Leg": "calf",
    "Foot": "foot",
    "ToeBase": "ball",
    "Toe_End": "ball_end",
}


@dataclass(frozen=True, kw_only=True)
class BodyProportions:
    """Sizes of the parts of a body as multiples of the biped's, an adult of 1.75 m.

    Attributes
    ----------
    scale
        All of the body, 0.3 to 3.
    legs, arms, trunk, feet
        Lengths of the parts on top of that, 0.7 to 1.4.

    >>> BodyProportions(scale=0.6, legs=0.9).arms
    1.0
    """

    scale: float = 1.0
    legs: float = 1.0
    arms: float = 1.0
    trunk: float = 1.0
    feet: float = 1.0

    def __post_init__(self) -> None:
        check_number("body scale", self.scale, min=0.3, max=3.0, unit="times an adult's")
        # Longer arms on shorter legs would reach through the floor.
        for name in ("legs", "arms", "trunk", "feet"):
            check_number(f"body {name}", getattr(self, name), min=0.7, max=1.4, unit="times an adult's")


PROPORTIONS: dict[ProportionsName, BodyProportions] = {
    "adult": BodyProportions(),
    "child": BodyProportions(scale=0.62, legs=0.88, arms=0.9, trunk=1.05, feet=1.05),
    "giant": BodyProportions(scale=1.7, legs=1.08, arms=1.1, feet=1.1),
}


@dataclass(frozen=True)
class CharacterBody:
    """The proportions of a body, and its feet."""

    proportions: BodyProportions
    foot: FootShape

    @property
    def leg_size(self) -> float:
        """Length of the legs as a multiple of the biped's."""
        return self.proportions.scale * self.proportions.legs

    @property
    def arm_size(self) -> float:
        """Length of the arms as a multiple of the biped's."""
        return self.proportions.scale * self.proportions.arms

    def offset(self, name: str, offset: FloatArray) -> FloatArray:
        """Return the offset (3,) of a joint of this body, named as the biped's."""
        part = name.removeprefix("Left").removeprefix("Right")
        sizes = self.proportions
        if part == "Hips":
            height = self.foot.ankle_height + self.leg_size * LEG + sizes.scale * HIP_DROP
            return np.array([0.0, height, 0.0])
        if part == "ToeBase":
            return self.foot.toe_offset
        if part in ("Leg", "Foot"):
            return self.leg_size * offset
        if part in ("ForeArm", "Hand"):
            return self.arm_size * offset
        return np.asarray(sizes.scale * offset * (1.0 if part in ("Arm", "UpLeg") else sizes.trunk))


@dataclass(frozen=True)
class CharacterJoint:
    """A joint of a character under its plain name; ``tip`` (3,) is the end of its bone where it is the last,
    ``bend`` its constant rotation where the biped has no such joint.
    """

    name: str
    parent: str
    offset: FloatArray
    tip: FloatArray | None = None
    bend: FloatArray | None = None


def list_joints(body: CharacterBody, fingers: bool, end_joints: bool) -> list[CharacterJoint]:
    """List the joints of a body, depth first.

    >>> from motionloom.synthesis.footwear import Footwear, fit_foot
    >>> body = CharacterBody(BodyProportions(), fit_foot(Footwear()))
    >>> len(list_joints(body, fingers=False, end_joints=False))
    22
    """
    reference = biped()
    tips = {reference.names[tip.joint]: tip.offset for tip in reference.tips}
    listed: list[CharacterJoint] = []
    for n, name in enumerate(reference.names):
        parent = "" if n == 0 else reference.names[reference.parents[n]]
        tip = tips.get(name)
        if name == "Head":
            tip = body.proportions.scale * tips[name]
        elif name.endswith("ToeBase"):
            tip = np.array([0.0, -body.foot.toe_height, body.foot.footwear.toe_length])
        elif name.endswith("Hand"):
            tip = None if fingers else body.arm_size * tips[name]
        row = CharacterJoint(name, parent, body.offset(name, reference.offsets[n]), tip)
        rows = [row, *(_list_fingers(name, body.arm_size) if fingers and name.endswith("Hand") else [])]
        for each in rows:
            end = _end_name(each.name)
            if each.tip is None or not end_joints or end is None:
                listed.append(each)
            else:
                listed += [
                    replace(each, tip=None),
                    CharacterJoint(end, each.name, each.tip, bend=rot.IDENTITY),
                ]
    return listed


def _end_name(name: str) -> str | None:
    """Return what Mixamo calls the joint at the end of a bone; None for hands, which get none."""
    if name == "Head":
        return "HeadTop_End"
    if name.endswith("ToeBase"):
        return name.removesuffix("Base") + "_End"
    return name[:-1] + "4" if name.endswith("3") else None


def _list_fingers(hand: str, size: float) -> list[CharacterJoint]:
    """List the three joints of each of five fingers."""
    side: Side = "left" if hand.startswith("Left") else "right"
    outward = np.array([sign(side), 1.0, 1.0])
    listed = []
    for finger, knuckle, lengths in zip(_FINGERS, _KNUCKLES, _BONES, strict=True):
        # The thumb points half ahead, the others outward; all curl towards the palm, which faces down.
        along = np.array([0.8, -0.1, 0.6]) if finger == "Thumb" else np.array([1.0, 0.0, 0.0])
        along = outward * along / np.linalg.norm(along)
        bend = rot.from_axis_angle(np.array([0.0, 0.0, 1.0]), -sign(side) * _CURL)
        parent, offset = hand, size * outward * knuckle
        for n, length in enumerate(lengths, start=1):
            name = f"{hand}{finger}{n}"
            tip = size * length * along if n == len(lengths) else None
            listed.append(CharacterJoint(name, parent, offset, tip, bend))
            parent, offset = name, size * length * along
    return listed


def build_skeleton(joints: Sequence[CharacterJoint], joint_names: JointNames) -> Skeleton:
    """Build the skeleton of listed joints, with the names of a rig.

    >>> from motionloom.synthesis.footwear import Footwear, fit_foot
    >>> body = CharacterBody(BodyProportions(scale=2.0), fit_foot(Footwear()).scaled(2.0))
    >>> skeleton = build_skeleton(list_joints(body, fingers=True, end_joints=True), "unreal")
    >>> skeleton.n_joints, round(float(skeleton.rest_positions()[skeleton.index("ball_l"), 1]), 9)
    (65, 0.04)
    """
    numbers = {row.name: n for n, row in enumerate(joints)}
    return Skeleton(
        tuple(_name_joint(row.name, joint_names) for row in joints),
        np.array([numbers[row.parent] if row.parent else -1 for row in joints]),
        np.array([row.offset for row in joints]),
        tips=tuple(Tip(n, row.tip) for n, row in enumerate(joints) if row.tip is not None),
    )


def _name_joint(name: str, joint_names: JointNames) -> str:
    """Return what a rig calls a joint of the biped or of a hand.

    >>> _name_joint("LeftHandIndex2", "unreal"), _name_joint("RightFoot", "mixamo")
    ('index_02_l', 'mixamorig:RightFoot')
    """
    if joint_names == "plain":
        return name
    if joint_names == "mixamo":
        return "mixamorig:" + name
    part = name.removeprefix("Left").removeprefix("Right")
    side = "" if part == name else "_l" if name.startswith("Left") else "_r"
    if part[:-1].removeprefix("Hand") in _FINGERS:
        return f"{part[:-1].removeprefix('Hand').lower()}_0{part[-1]}{side}"
    return _UNREAL[part] + side


def find_hand(side: Side, joints: Sequence[CharacterJoint], skeleton: Skeleton, size: float) -> HandJoints:
    """Return the joints of a hand, and where its fingers end at rest."""
    hand = side.capitalize() + "Hand"
    numbers = {row.name: n for n, row in enumerate(joints)}
    fingers = []
    for finger, lengths in zip(_FINGERS, _BONES, strict=True):
        if f"{hand}{finger}1" not in numbers:
            return HandJoints(numbers[hand])
        first, second, third = (numbers[f"{hand}{finger}{n}"] for n in (1, 2, 3))
        end = skeleton.offsets[third] * lengths[2] / lengths[1]
        fingers.append(Finger((first, second, third), skeleton.rest_positions()[third] + end, size))
    return HandJoints(numbers[hand], tuple(fingers))

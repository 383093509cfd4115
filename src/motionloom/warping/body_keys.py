"""Keys in terms of a body: "bend the spine", "left knee", on any skeleton with legs, arms and a spine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.ik.two_bone import find_hinge
from motionloom.motion import Clip
from motionloom.motion.anatomy import Anatomy, body_height, facing, find_anatomy
from motionloom.warping.keys import EASE, Key

Part = Literal[
    "spine", "head",
    "left hip", "left knee", "left ankle", "left shoulder", "left elbow",
    "right hip", "right knee", "right ankle", "right shoulder", "right elbow",
]  # fmt: skip

_LEG, _ARM = ("hip", "knee", "ankle"), ("shoulder", "elbow", "wrist")

CARRY_FORWARD, CARRY_BEND = 0.25, 1.45
"""Radians by which upper arms point forward of straight down, and elbows bend, to carry something."""

CARRY_SWING = 0.15
"""Fraction of their swing that arms keep when they carry something heavy."""


@dataclass(frozen=True, eq=False)
class BodyKeys:
    """Makes keys for an annotated clip in terms of its anatomy.

    Positive angles bend the upper body forward, bend knees, and point toes down. Lengths are in body
    heights, times in seconds; ease None holds a key over the clip.
    """

    clip: Clip
    anatomy: Anatomy
    height: float

    @classmethod
    def of(cls, clip: Clip) -> BodyKeys:
        """Find the anatomy of a clip whose skeleton has legs, arms and a spine."""
        anatomy = find_anatomy(clip.skeleton)
        height = body_height(clip.skeleton)
        if len(anatomy.legs) < 2 or len(anatomy.arms) < 2 or len(anatomy.spine) < 2 or height is None:
            raise ParameterError("warp presets need a body with two legs, two arms and a spine")
        return cls(clip, anatomy, height)

    def joint(self, part: Part) -> int:
        """Return the index of a joint; the spine bends above the pelvis, the head at the neck."""
        if part == "spine":
            return self.anatomy.spine[1]
        if part == "head":
            return self.anatomy.head if self.anatomy.head is not None else self.anatomy.spine[-1]
        names = _LEG if part.split()[1] in _LEG else _ARM
        return self._chain(part)[names.index(part.split()[1])]

    def name(self, part: Part) -> str:
        """Return the name of a joint."""
        return self.clip.skeleton.names[self.joint(part)]

    def bend(self, time: float, part: Part, angle: float, ease: float | None = EASE) -> Key:
        """Bend a part about the axis from side to side."""
        return Key(time, self.name(part), rotate=angle * self.bending_axis(part), ease=ease)

    def hold_bend(self, part: Part, angle: float) -> Key:
        """Bend a part over the whole clip."""
        return self.bend(0.0, part, angle, ease=None)

    def move(self, time: float, *, up: float = 0.0, left: float = 0.0, ease: float | None = None) -> Key:
        """Move the body up and to its left, in body heights."""
        yaw = float(facing(self.clip)[self._frame(time)])
        offset = np.array([left * np.cos(yaw), up, -left * np.sin(yaw)])
        return Key(time, move=self.height * offset, ease=ease)

    def turn(self, time: float, angle: float, ease: float | None = EASE) -> Key:
        """Turn the body, and its path, to the left about the vertical."""
        root = self.clip.rotations[self._frame(time), 0]
        return Key(time, rotate=angle * rot.rotate(rot.inverse(root), np.array([0.0, 1.0, 0.0])), ease=ease)

    def lean(self, time: float, angle: float, ease: float | None = EASE) -> Key:
        """Lean the upper body to its right."""
        joint = self.joint("spine")
        axis = self.body_axis(joint, np.pi / 2.0)
        return Key(time, self.clip.skeleton.names[joint], rotate=angle * axis, ease=ease)

    def scale_swing(self, part: Part, factor: float, bend: float | None = None) -> Key:
        """Scale the swings of a part over the whole clip, about their mean or about a given bend."""
        zero = None if bend is None else self._bend_rotation(part, bend)
        return Key(0.0, self.name(part), scale=factor, zero=zero, ease=None)

    def lengthen_strides(self, factor: float) -> Key:
        """Scale the path over the ground from its start."""
        start = self.clip.root_positions[0]
        return Key(0.0, scale=(factor, 1.0, factor), zero=start, ease=None)

    def carry(self, part: Part) -> Key:
        """Hold an arm joint almost still, as if something heavy lay on both forearms."""
        zero = self._bend_rotation(part, CARRY_BEND) if part.endswith("elbow") else self._hang_rotation(part)
        return Key(0.0, self.name(part), scale=CARRY_SWING, zero=zero, ease=None)

    def bending_axis(self, part: Part) -> FloatArray:
        """Return the axis (3,) in the joint's own frame about which a part bends by positive angles."""
        if part.endswith(("knee", "elbow")):
            sideways = -self.anatomy.left if part.endswith("knee") else self.anatomy.left
            positions, rotations = self.clip.world_positions(), self.clip.world_rotations()
            return -find_hinge(positions, rotations, self._chain(part), sideways)
        return self.body_axis(self.joint(part), 0.0)

    def body_axis(self, joint: int, angle: float) -> FloatArray:
        """Return a level axis (3,), the body's left or ``angle`` ahead of it, in a joint's mean frame."""
        yaw = facing(self.clip) - angle
        level = np.stack([np.cos(yaw), np.zeros_like(yaw), -np.sin(yaw)], axis=-1)
        own = rot.rotate(rot.inverse(self.clip.world_rotations()[:, joint]), level).mean(axis=0)
        return np.asarray(own / np.linalg.norm(own))

    def _chain(self, part: Part) -> tuple[int, int, int]:
        """Return the three joints of the limb that a part belongs to."""
        side, name = part.split()
        limbs = self.anatomy.legs if name in _LEG else self.anatomy.arms
        return next(limb.chain for limb in limbs if limb.side == side)

    def _bend_rotation(self, part: Part, bend: float) -> FloatArray:
        """Return the local rotation (4,) of a knee or elbow bent by an angle from straight."""
        _, mid, lower = self._chain(part)
        offsets = self.clip.skeleton.offsets
        straight = rot.between(offsets[lower], offsets[mid])
        return rot.multiply(rot.from_rotation_vector(bend * self.bending_axis(part)), straight)

    def _hang_rotation(self, part: Part) -> FloatArray:
        """Return the local rotation (4,) of a shoulder whose upper arm hangs and points forward a little."""
        skeleton, anatomy = self.clip.skeleton, self.anatomy
        joint, elbow, _ = self._chain(part)
        down = -np.cos(CARRY_FORWARD) * anatomy.up + np.sin(CARRY_FORWARD) * anatomy.forward
        rest = skeleton.rest_world_rotations()
        arm = rot.rotate(rest[joint], skeleton.offsets[elbow])
        above = rest[skeleton.parents[joint]]
        world = rot.multiply(rot.between(arm, down), rest[joint])
        return rot.multiply(rot.inverse(above), world)

    def _frame(self, time: float) -> int:
        return int(np.clip(round(time / self.clip.frame_time), 0, self.clip.n_frames - 1))

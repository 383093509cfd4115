"""A walking body in words: keys for "the spine", "left knee", without knowing the names of its joints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.ik.limb import find_hinge
from motionloom.motion import Clip
from motionloom.motion.anatomy import Anatomy, body_height, facing, find_anatomy
from motionloom.warping.keys import EASE, Key

Part = Literal[
    "spine", "head",
    "left hip", "left knee", "left ankle", "left shoulder", "left elbow",
    "right hip", "right knee", "right ankle", "right shoulder", "right elbow",
]  # fmt: skip

_LEG, _ARM = ("hip", "knee", "ankle"), ("shoulder", "elbow", "wrist")

CARRIED_AHEAD, CARRIED_BENT = 0.25, 1.45
"""Radians by which upper arms point forward of straight down, and elbows are bent, to carry something."""

CARRYING_CALM = 0.15
"""Share of their swing that arms keep when they carry something heavy."""


@dataclass(frozen=True, eq=False)
class Figure:
    """An annotated clip with its anatomy, and keys in terms of it.

    Angles are positive where the upper body bends forward, knees bend, and toes point down. Lengths are in
    body heights, times in seconds; ease None holds a key over the clip.
    """

    clip: Clip
    anatomy: Anatomy
    height: float

    @classmethod
    def of(cls, clip: Clip) -> Figure:
        """The figure of a clip whose skeleton has legs, arms and a spine."""
        anatomy = find_anatomy(clip.skeleton)
        height = body_height(clip.skeleton)
        if len(anatomy.legs) < 2 or len(anatomy.arms) < 2 or len(anatomy.spine) < 2 or height is None:
            raise ParameterError("warp presets need a body with two legs, two arms and a spine")
        return cls(clip, anatomy, height)

    def joint(self, part: Part) -> int:
        """The index of a joint; the spine is bent above the pelvis, the head at the neck."""
        if part == "spine":
            return self.anatomy.spine[1]
        if part == "head":
            return self.anatomy.head if self.anatomy.head is not None else self.anatomy.spine[-1]
        names = _LEG if part.split()[1] in _LEG else _ARM
        return self._chain(part)[names.index(part.split()[1])]

    def name(self, part: Part) -> str:
        """The name of a joint."""
        return self.clip.skeleton.names[self.joint(part)]

    def bent(self, time: float, part: Part, angle: float, ease: float | None = EASE) -> Key:
        """A key that bends a part about the axis from side to side."""
        return Key(time, self.name(part), rotate=angle * self.bending_axis(part), ease=ease)

    def held(self, part: Part, angle: float) -> Key:
        """A part that is bent further over the whole clip."""
        return self.bent(0.0, part, angle, ease=None)

    def bending_axis(self, part: Part) -> FloatArray:
        """The axis (3,) in the joint's own frame about which a part bends by positive angles."""
        if part.endswith(("knee", "elbow")):
            sideways = -self.anatomy.left if part.endswith("knee") else self.anatomy.left
            places, worlds = self.clip.world_positions(), self.clip.world_rotations()
            return -find_hinge(places, worlds, self._chain(part), sideways)
        return self.body_axis(self.joint(part), 0.0)

    def body_axis(self, joint: int, angle: float) -> FloatArray:
        """A level axis (3,) of the body, its left or ``angle`` ahead of that, as a joint usually has it."""
        yaw = facing(self.clip) - angle
        level = np.stack([np.cos(yaw), np.zeros_like(yaw), -np.sin(yaw)], axis=-1)
        own = rot.rotate(rot.inverse(self.clip.world_rotations()[:, joint]), level).mean(axis=0)
        return np.asarray(own / np.linalg.norm(own))

    def moved(self, time: float, *, up: float = 0.0, left: float = 0.0, ease: float | None = None) -> Key:
        """The body moved up and to its left, in body heights."""
        yaw = float(facing(self.clip)[self._frame(time)])
        way = np.array([left * np.cos(yaw), up, -left * np.sin(yaw)])
        return Key(time, move=self.height * way, ease=ease)

    def turned(self, time: float, angle: float, ease: float | None = EASE) -> Key:
        """The body, and its way, turned to the left about the vertical."""
        return Key(time, rotate=angle * self._upright(time, np.array([0.0, 1.0, 0.0])), ease=ease)

    def leaned(self, time: float, angle: float, ease: float | None = EASE) -> Key:
        """The upper body leaned to its right."""
        joint = self.joint("spine")
        axis = self.body_axis(joint, np.pi / 2.0)
        return Key(time, self.clip.skeleton.names[joint], rotate=angle * axis, ease=ease)

    def exaggerated(self, part: Part, factor: float) -> Key:
        """A part whose swings are larger (above 1) or smaller over the whole clip."""
        return Key(0.0, self.name(part), scale=factor, ease=None)

    def calmed(self, part: Part, factor: float, bend: float | None = None) -> Key:
        """A part whose swings are smaller, about the mean or about a given bend."""
        if bend is None:
            return self.exaggerated(part, factor)
        zero = self._bent_to(part, bend)
        return Key(0.0, self.name(part), scale=factor, zero=zero, ease=None)

    def strided(self, factor: float) -> Key:
        """Strides longer by a factor: the way over the ground, from where it begins."""
        start = self.clip.root_positions[0]
        return Key(0.0, scale=(factor, 1.0, factor), zero=start, ease=None)

    def carrying(self, part: Part) -> Key:
        """An arm joint almost still, as if something heavy lay on both forearms."""
        zero = self._bent_to(part, CARRIED_BENT) if part.endswith("elbow") else self._hanging(part)
        return Key(0.0, self.name(part), scale=CARRYING_CALM, zero=zero, ease=None)

    def _chain(self, part: Part) -> tuple[int, int, int]:
        """The three joints of the limb that a part belongs to."""
        side, name = part.split()
        limbs = self.anatomy.legs if name in _LEG else self.anatomy.arms
        return next(limb.chain for limb in limbs if limb.side == side)

    def _bent_to(self, part: Part, bend: float) -> FloatArray:
        """The local rotation (4,) of a knee or elbow that is bent by an angle from straight."""
        _, middle, lower = self._chain(part)
        offsets = self.clip.skeleton.offsets
        straight = rot.between(offsets[lower], offsets[middle])
        return rot.multiply(rot.from_rotation_vector(bend * self.bending_axis(part)), straight)

    def _hanging(self, part: Part) -> FloatArray:
        """The local rotation (4,) of a shoulder whose upper arm hangs and points forward a little."""
        skeleton, anatomy = self.clip.skeleton, self.anatomy
        joint, elbow, _ = self._chain(part)
        down = -np.cos(CARRIED_AHEAD) * anatomy.up + np.sin(CARRIED_AHEAD) * anatomy.forward
        rest = skeleton.rest_world_rotations()
        arm = rot.rotate(rest[joint], skeleton.offsets[elbow])
        above = rest[skeleton.parents[joint]]
        world = rot.multiply(rot.between(arm, down), rest[joint])
        return rot.multiply(rot.inverse(above), world)

    def _upright(self, time: float, axis: FloatArray) -> FloatArray:
        """A world axis (3,) in the root's own frame at a moment."""
        return rot.rotate(rot.inverse(self.clip.rotations[self._frame(time), 0]), axis)

    def _frame(self, time: float) -> int:
        return int(np.clip(round(time / self.clip.frame_time), 0, self.clip.n_frames - 1))

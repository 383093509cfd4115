"""The joint tree of the SMPL body models, with bone lengths of an average adult.

Files of body-model motion hold rotations only: the bones come from a model that is licensed separately, and
from numbers for the body's shape. The offsets here are those of a neutral adult about 1.7 m tall, rounded to
whole centimetres; they are not taken from a model, and so limbs end up a few centimetres from where a model
puts them.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from motionloom.motion import Skeleton, Tip

Bone = tuple[str, str, tuple[float, float, float]]
"""A joint, its parent, and its offset in metres: x to the body's left, y up, z to the front, arms spread."""

PELVIS_HEIGHT = 0.95
"""Metres of the root above the floor at rest."""

BODY: tuple[Bone, ...] = (
    ("pelvis", "", (0.0, PELVIS_HEIGHT, 0.0)),
    ("left_hip", "pelvis", (0.07, -0.09, -0.01)),
    ("right_hip", "pelvis", (-0.07, -0.09, -0.01)),
    ("spine1", "pelvis", (0.0, 0.11, -0.03)),
    ("left_knee", "left_hip", (0.03, -0.38, 0.0)),
    ("right_knee", "right_hip", (-0.03, -0.38, 0.0)),
    ("spine2", "spine1", (0.0, 0.14, 0.0)),
    ("left_ankle", "left_knee", (-0.01, -0.40, -0.04)),
    ("right_ankle", "right_knee", (0.01, -0.40, -0.04)),
    ("spine3", "spine2", (0.0, 0.06, 0.02)),
    ("left_foot", "left_ankle", (0.04, -0.06, 0.12)),
    ("right_foot", "right_ankle", (-0.04, -0.06, 0.12)),
    ("neck", "spine3", (0.0, 0.21, -0.03)),
    ("left_collar", "spine3", (0.07, 0.11, -0.02)),
    ("right_collar", "spine3", (-0.07, 0.11, -0.02)),
    ("head", "neck", (0.0, 0.09, 0.05)),
    ("left_shoulder", "left_collar", (0.11, 0.04, -0.01)),
    ("right_shoulder", "right_collar", (-0.11, 0.04, -0.01)),
    ("left_elbow", "left_shoulder", (0.26, -0.01, -0.02)),
    ("right_elbow", "right_shoulder", (-0.26, -0.01, -0.02)),
    ("left_wrist", "left_elbow", (0.25, 0.01, 0.0)),
    ("right_wrist", "right_elbow", (-0.25, 0.01, 0.0)),
)
"""The joints that all the models share, in the order of their files."""

HANDS: tuple[Bone, ...] = (
    ("left_hand", "left_wrist", (0.09, -0.01, 0.0)),
    ("right_hand", "right_wrist", (-0.09, -0.01, 0.0)),
)
FACE: tuple[Bone, ...] = (
    ("jaw", "head", (0.0, 0.0, 0.02)),
    ("left_eye", "head", (0.03, 0.06, 0.07)),
    ("right_eye", "head", (-0.03, 0.06, 0.07)),
)
# The three joints of each finger of the left hand, from the wrist outwards.
_FINGERS = {
    "index": ((0.10, 0.0, 0.02), (0.03, 0.0, 0.0), (0.02, 0.0, 0.0)),
    "middle": ((0.11, 0.0, 0.0), (0.03, 0.0, 0.0), (0.02, 0.0, 0.0)),
    "pinky": ((0.08, -0.01, -0.04), (0.02, 0.0, 0.0), (0.02, 0.0, 0.0)),
    "ring": ((0.10, 0.0, -0.02), (0.03, 0.0, 0.0), (0.02, 0.0, 0.0)),
    "thumb": ((0.04, -0.01, 0.03), (0.02, 0.0, 0.02), (0.02, 0.0, 0.01)),
}
_ENDS = {"head": (0.0, 0.18, 0.0), "left_foot": (0.0, -0.02, 0.07), "right_foot": (0.0, -0.02, 0.07)}
"""Where the head and the feet end, in the frames of their joints."""


def _fingers(side: str) -> Iterator[Bone]:
    sign = 1.0 if side == "left" else -1.0
    for finger, offsets in _FINGERS.items():
        for n, (x, y, z) in enumerate(offsets, start=1):
            parent = f"{side}_wrist" if n == 1 else f"{side}_{finger}{n - 1}"
            yield f"{side}_{finger}{n}", parent, (sign * x, y, z)


FINGERS: tuple[Bone, ...] = (*_fingers("left"), *_fingers("right"))

LAYOUTS: dict[int, tuple[Bone, ...]] = {
    22: BODY,
    24: BODY + HANDS,
    52: BODY + FINGERS,
    55: BODY + FACE + FINGERS,
}
"""The joints of a file by their number: body alone, SMPL, SMPL-H and SMPL-X."""


def smpl_skeleton(n_joints: int = 22) -> Skeleton:
    """Return the skeleton of a body model with 22, 24, 52 or 55 joints, standing with its arms spread.

    >>> smpl_skeleton().names[:3], smpl_skeleton(52).n_joints
    (('pelvis', 'left_hip', 'right_hip'), 52)
    """
    bones = LAYOUTS[n_joints]
    names = [name for name, _, _ in bones]
    parents = [names.index(parent) if parent else -1 for _, parent, _ in bones]
    offsets = np.array([offset for _, _, offset in bones])
    tips = tuple(Tip(names.index(name), np.array(offset)) for name, offset in _ENDS.items())
    return Skeleton(tuple(names), np.array(parents), offsets, tips=tips)

"""Laying out the bones of an ASF file over the joints of a skeleton."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.files.acclaim.channels import JointChannels
from motionloom.files.acclaim.skeleton import ROOT, Bone
from motionloom.geometry import rotations
from motionloom.motion import Skeleton

_UP: FloatArray = np.array([0.0, 1.0, 0.0])
"""Where a bone without length is said to point."""


def legal_names(names: Sequence[str]) -> list[str]:
    """One word for each joint: the first is the root, and no two differ only in case.

    >>> legal_names(["Hips", "Left Arm", "left_arm", "12"])
    ['root', 'Left_Arm', 'left_arm_2', 'joint_12']
    """
    taken = {ROOT, "begin", "end"}
    return [ROOT, *(_unused(name, taken) for name in names[1:])]


def lay_out(skeleton: Skeleton, channels: Sequence[JointChannels], names: Sequence[str]) -> list[Bone]:
    """The bones, parents first. The bone of a joint starts there, and all its children start at its end.

    Where the children and tips of a joint lie apart, its bone has no length and bones without freedom lead
    to each of them; the root never has length.
    """
    taken = {name.lower() for name in names} | {"begin", "end"}
    bones: list[Bone] = []
    ends: dict[tuple[int, tuple[float, ...]], int] = {}
    for joint, own in enumerate(channels):
        parent = int(skeleton.parents[joint])
        above = ends[parent, _place(skeleton.offsets[joint])] if joint else -1
        bone = len(bones)
        places = _places_below(skeleton, joint)
        shared = next(iter(places)) if joint and len(places) == 1 else (0.0, 0.0, 0.0)
        bones.append(_bone(names[joint], above, shared, own.axes, own.freedoms))
        ends[joint, shared] = bone
        for place, below in places.items():
            if (joint, place) not in ends:
                ends[joint, place] = len(bones)
                name = _unused(f"{names[joint if below is None else below]}_base", taken)
                bones.append(_bone(name, bone, place, rotations.IDENTITY, ()))
    return bones


def _place(offset: Iterable[float]) -> tuple[float, ...]:
    return tuple(float(value) for value in offset)


def _places_below(skeleton: Skeleton, joint: int) -> dict[tuple[float, ...], int | None]:
    """The different places of a joint's children and tips, each with its first child, None for a tip."""
    places: dict[tuple[float, ...], int | None] = {}
    for child in skeleton.children(joint):
        places.setdefault(_place(skeleton.offsets[child]), child)
    for tip in skeleton.tips:
        if tip.joint == joint:
            places.setdefault(_place(tip.offset), None)
    return places


def _bone(
    name: str, parent: int, vector: tuple[float, ...], axes: FloatArray, freedoms: tuple[str, ...]
) -> Bone:
    length = float(np.linalg.norm(vector))
    return Bone(name, parent, np.array(vector) / length if length else _UP, length, axes, freedoms)


def _unused(name: str, taken: set[str]) -> str:
    """The name as one word that is not taken yet, which it is from now on."""
    word = re.sub(r"[\s#:,()]+", "_", name) or "joint"
    if word.isdecimal():  # a number alone on its line would be a frame number
        word = f"joint_{word}"
    unused, count = word, 1
    while unused.lower() in taken:
        count += 1
        unused = f"{word}_{count}"
    taken.add(unused.lower())
    return unused

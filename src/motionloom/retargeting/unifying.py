"""Clips of different skeletons on one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from motionloom.errors import ParameterError
from motionloom.motion import Clip, Skeleton
from motionloom.retargeting.bones import NEXT_PART
from motionloom.retargeting.mapping import JointMapping, is_same_rig, joint_mapping
from motionloom.retargeting.parts import SIDES, body_parts
from motionloom.retargeting.pipeline import retarget

SAME_REST = 1.0 - 1e-6
"""Cosine of the half angle by which rest rotations may differ and count as one."""

SAME_BONES = float(np.cos(np.radians(30.0)))
"""Cosine of the angle by which bones of limbs may differ in the frames of their joints; people measured with
one rig differ by less than 10°, arms that hang and arms that are stretched out by 45° or more."""


LARGEST_RATIO = 3.0
"""Ratio of the sizes of two bodies that no two people have."""


def on_one_skeleton(clips: Sequence[Clip]) -> tuple[list[Clip], list[str]]:
    """The clips on the skeleton of the first, and notes on those that were carried over.

    Clips of one rig stay as they are, whatever their bone lengths, fingers and props; so do clips of
    skeletons that have no limbs in common with the first.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=0.5).clip
    >>> on_one_skeleton([clip, clip])[1]
    []
    """
    first = clips[0]
    made, notes = [first], []
    for n, clip in enumerate(clips[1:], start=1):
        mapping = joint_mapping(clip.skeleton, first.skeleton)
        if is_same_body(first.skeleton, clip.skeleton) or not _shares_limbs(mapping):
            made.append(clip)
            continue
        made.append(_carried(clip, first, mapping, n))
        notes.append(
            f"clip {n} has another skeleton than clip 0 and was mapped onto it: "
            f"{len(mapping.pairs)} of {first.skeleton.n_joints} joints follow"
        )
    return made, notes


def _carried(clip: Clip, first: Clip, mapping: JointMapping, number: int) -> Clip:
    made = retarget(clip, first, mapping)
    ratio = 1.0 / made.report.scale
    if not 1.0 / LARGEST_RATIO < ratio < LARGEST_RATIO:
        raise ParameterError(
            f"the body of clip {number} is {ratio:.3g} times as large as that of clip 0: "
            "load them in their true units (unit=)"
        )
    return made


def is_same_body(a: Skeleton, b: Skeleton) -> bool:
    """Whether joints of one name mean the same in two skeletons: one rig, and limbs that rest alike.

    >>> from motionloom.synthesis.body import biped
    >>> is_same_body(biped(), biped())
    True
    """
    if not is_same_rig(a, b):
        return False
    shared = [name for name in a.names if name in b.names]
    rests = [skeleton.rest_rotations[[skeleton.index(name) for name in shared]] for skeleton in (a, b)]
    if np.abs(np.einsum("ji,ji->j", *rests)).min(initial=1.0) < SAME_REST:
        return False
    return all(_alike(a, b, a.names[joint]) for joint in _limb_ends(a) if a.names[joint] in shared)


def _limb_ends(skeleton: Skeleton) -> list[int]:
    """The joints at the lower ends of the bones of limbs."""
    found = (body_parts(skeleton).joints.get(f"{side} {end}") for side in SIDES for end in NEXT_PART.values())
    return [joint for joint in found if joint is not None]


def _alike(a: Skeleton, b: Skeleton, name: str) -> bool:
    """Whether the bone that leads to a joint has about the same direction in the frame of the joint above."""
    one, other = (skeleton.offsets[skeleton.index(name)] for skeleton in (a, b))
    return float(one @ other) >= SAME_BONES * float(np.linalg.norm(one) * np.linalg.norm(other))


def _shares_limbs(mapping: JointMapping) -> bool:
    """Whether two limbs of the same kind have partners with all their bones."""
    parts = {pair.part for pair in mapping.pairs}
    legs, arms = ("thigh", "shin", "foot"), ("upper arm", "forearm", "hand")
    return any(all(f"{side} {kind}" in parts for side in SIDES for kind in limb) for limb in (legs, arms))

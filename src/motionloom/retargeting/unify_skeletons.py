"""`unify_skeletons`: clips of different skeletons on one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from motionloom.errors import ParameterError
from motionloom.messages import Argument, Message
from motionloom.motion import Clip, Skeleton
from motionloom.motion.motion import name_clips
from motionloom.retargeting.body_parts import SIDES, find_body_parts
from motionloom.retargeting.fingers import ignore_fingers
from motionloom.retargeting.joint_mapping import JointMapping, is_same_rig, joint_mapping
from motionloom.retargeting.reference_pose import NEXT_PART
from motionloom.retargeting.transfer_motion import transfer_motion

SAME_REST_COSINE = 1.0 - 1e-6
"""Rest rotations are equal when the cosine of half the angle between them is at least this."""

SAME_BONE_COSINE = float(np.cos(np.radians(30.0)))
"""Limb bones have the same rest direction when the cosine of the angle between them is at least this; people
captured with one rig differ by less than 10°, hanging and stretched-out arms by 45° or more."""

MAX_SIZE_RATIO = 3.0
"""No two people differ in size by more than this factor; a larger one means wrong units."""


def unify_skeletons(clips: Sequence[Clip]) -> tuple[list[Clip], list[str]]:
    """Transfer clips to the skeleton of the first one; returns them with notes on those that were
    transferred.

    Clips of the same rig stay as they are, whatever their bone lengths, fingers and props; so do clips of
    skeletons that share no limbs with the first.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=0.5).clip
    >>> unify_skeletons([clip, clip])[1]
    []
    """
    first = clips[0]
    unified, notes, names = [first], list[str](), name_clips(clips)
    for n, clip in enumerate(clips[1:], start=1):
        mapping = joint_mapping(clip.skeleton, first.skeleton)
        if is_same_body(first.skeleton, clip.skeleton) or not _has_common_limbs(mapping):
            unified.append(clip)
            continue
        mapping, ignored = ignore_fingers(clip, mapping)
        moved = transfer_motion(clip, first, mapping)
        ratio = 1.0 / moved.report.scale
        if not 1.0 / MAX_SIZE_RATIO < ratio < MAX_SIZE_RATIO:
            raise ParameterError(
                ("the body of ", names[n], f" is {ratio:.3g} times as large as that of ", names[0]),
                remedy=("load both in their true units with ", Argument("unit")),
            )
        unified.append(moved.clip)
        notes.append(
            Message(
                (
                    *(names[n], " has another skeleton than ", names[0], " and was retargeted to it: "),
                    f"{len(mapping.pairs)} of {first.skeleton.n_joints} joints follow",
                )
            )
        )
        notes += [Message((names[n], f": {note}")) for note in ignored]
    return unified, notes


def is_same_body(a: Skeleton, b: Skeleton) -> bool:
    """Whether joints of the same name mean the same in two skeletons: one rig, and limbs that rest alike.

    >>> from motionloom.synthesis.biped import biped
    >>> is_same_body(biped(), biped())
    True
    """
    if not is_same_rig(a, b):
        return False
    shared = [name for name in a.names if name in b.names]
    rests = [skeleton.rest_rotations[[skeleton.index(name) for name in shared]] for skeleton in (a, b)]
    if np.abs(np.einsum("ji,ji->j", *rests)).min(initial=1.0) < SAME_REST_COSINE:
        return False
    joints = find_body_parts(a).joints
    ends = [joints.get(f"{side} {end}") for side in SIDES for end in NEXT_PART.values()]
    names = [a.names[end] for end in ends if end is not None]
    return all(_bones_point_alike(a, b, name) for name in names if name in shared)


def _bones_point_alike(a: Skeleton, b: Skeleton, name: str) -> bool:
    """Whether the bone that leads to a joint has about the same direction in the frame of the joint above."""
    one, other = (skeleton.offsets[skeleton.index(name)] for skeleton in (a, b))
    return float(one @ other) >= SAME_BONE_COSINE * float(np.linalg.norm(one) * np.linalg.norm(other))


def _has_common_limbs(mapping: JointMapping) -> bool:
    """Whether both legs or both arms are mapped with all their bones."""
    parts = {pair.part for pair in mapping.pairs}
    legs, arms = ("thigh", "shin", "foot"), ("upper arm", "forearm", "hand")
    return any(all(f"{side} {kind}" in parts for side in SIDES for kind in limb) for limb in (legs, arms))

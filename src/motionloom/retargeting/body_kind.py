"""The kind of a body: a person and a fox share names of joints, but their motions do not correspond."""

from __future__ import annotations

from typing import Literal

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.messages import Argument
from motionloom.motion import Clip
from motionloom.motion.anatomy import Anatomy, find_anatomy
from motionloom.motion.anatomy.thresholds import ACROSS, ALONG
from motionloom.retargeting.body_parts import ARM, LEG, SIDES
from motionloom.retargeting.joint_mapping import JointMapping

BodyKind = Literal["two-legged", "four-legged", "without limbs", "unknown"]

N_SAMPLED_FRAMES = 50
"""About how many frames, spread over a clip, are looked at where the rest pose does not tell."""

_LIMBS = {f"{side} {part}" for side in SIDES for part in (*LEG, *ARM)}


def find_body_kind(clip: Clip) -> BodyKind:
    """Return how a body stands: on two legs or on four.

    The rest pose decides; where it does not stand, as in files whose joints all have their own axes, most of
    the frames do. "unknown" where neither tells, as for a seated body without a standing rest pose.

    >>> from motionloom.synthesis import walk
    >>> find_body_kind(walk(duration=0.5).clip)
    'two-legged'
    """
    anatomy = find_anatomy(clip.skeleton)
    if not anatomy.legs and not anatomy.arms:
        return "without limbs"
    at_rest = _kinds(anatomy, clip.skeleton.rest_positions()[None])[0]
    if at_rest != "unknown" or not clip.n_frames:
        return at_rest
    step = max(1, clip.n_frames // N_SAMPLED_FRAMES)
    kinds = _kinds(anatomy, clip.world_positions()[::step])
    two, four = kinds.count("two-legged"), kinds.count("four-legged")
    if 2 * max(two, four) <= len(kinds):
        return "unknown"
    return "two-legged" if two > four else "four-legged"


def check_same_kind(source: Clip, target: Clip, mapping: JointMapping) -> None:
    """Raise where a motion cannot mean the same on the other body: no limb in common, or two legs and four.

    Parameters
    ----------
    source, target
        The bodies; the target may have a single frame in its rest pose.
    mapping
        Which of their joints correspond, as found, not as given by the user.
    """
    correct = ("state which joints correspond with ", Argument("mapping"), " to retarget all the same")
    same_names = any(pair.found_by == "same name" for pair in mapping.pairs)
    kinds = find_body_kind(source), find_body_kind(target)
    if not same_names and not any(pair.part in _LIMBS for pair in mapping.pairs):
        raise ParameterError(
            f"the skeletons do not correspond: the source is {_describe(source, kinds[0])}, the target "
            f"{_describe(target, kinds[1])}, and they have no limb in common",
            remedy=correct,
        )
    if set(kinds) == {"two-legged", "four-legged"}:
        raise ParameterError(
            f"the skeletons do not correspond: the source stands on {_legs(kinds[0])} legs, the target on "
            f"{_legs(kinds[1])}",
            remedy=correct,
        )


def _legs(kind: BodyKind) -> str:
    return "four" if kind == "four-legged" else "two"


def _describe(clip: Clip, kind: BodyKind) -> str:
    n_joints = clip.skeleton.n_joints
    if kind != "without limbs":
        return f"a body of {n_joints} joints"
    return "a single joint" if n_joints == 1 else f"{n_joints} joints without limbs"


def _kinds(anatomy: Anatomy, positions: FloatArray) -> list[BodyKind]:
    """Return how a body stands in each frame of positions (T, J, 3), whatever the vertical axis."""
    unknown: list[BodyKind] = ["unknown"] * len(positions)
    if not anatomy.legs or not (anatomy.arms or anatomy.head is not None):
        return unknown

    def mean_of(joints: list[int]) -> FloatArray:
        return np.asarray(positions[:, joints].mean(axis=1))

    hips = mean_of([leg.hip for leg in anatomy.legs])
    legs = _units(mean_of([leg.ankle for leg in anatomy.legs]) - hips)
    tops = [arm.shoulder for arm in anatomy.arms] or [anatomy.head or 0]
    trunk = _units(mean_of(tops) - hips)
    upright = np.sum(legs * trunk, axis=-1)
    arms = np.zeros_like(legs)
    if anatomy.arms:
        arms = _units(mean_of([arm.wrist for arm in anatomy.arms]) - mean_of(tops))
    four = (np.sum(legs * arms, axis=-1) > ALONG) & (np.abs(upright) < ACROSS)
    return [
        "two-legged" if up < -ALONG else "four-legged" if on_four else "unknown"
        for up, on_four in zip(upright, four, strict=True)
    ]


def _units(vectors: FloatArray) -> FloatArray:
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1.0))

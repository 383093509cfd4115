"""Layers: joints with weights of their own, such as an upper body from one clip and legs from another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, get_args

import numpy as np

from motionloom.arrays import BoolArray, FloatArray, check_array
from motionloom.blending.weights import MIN_WEIGHT_SUM
from motionloom.errors import ParameterError, UnknownJointError
from motionloom.motion import Skeleton
from motionloom.motion.anatomy import find_anatomy

BodyPart = Literal["upper body", "lower body", "left arm", "right arm", "left leg", "right leg", "head"]

JointWeights = Mapping[str, Sequence[float]]
"""Joint name -> K weights."""


def expand_joint_weights(
    given: JointWeights | None,
    names: Sequence[str],
    weights: FloatArray,
    presence: BoolArray | None = None,
) -> FloatArray | None:
    """Return the weights (T, J, K) of every joint or point, or None if all follow the clips' weights (T, K).

    Joints with weights given by name have those. ``presence`` (J, K) says which clips have which joints. A
    joint that some clips lack follows the others: by their normalized weights, or with equal weights where
    these sum to zero.
    """
    if given is None and presence is None:
        return None
    if given is not None and not isinstance(given, Mapping):
        raise ParameterError(f"joint_weights must be a dict of joint name -> K weights, not {given!r}")
    n_clips = weights.shape[1]
    rows = np.repeat(weights[:, None], len(names), axis=1)
    for name, values in (given or {}).items():
        own = check_array(f"weights of joint {name!r}", values, (n_clips,))
        if abs(own.sum()) < MIN_WEIGHT_SUM:
            raise ParameterError(
                f"the weights of joint {name!r} add up to {own.sum():.3g}: "
                "they are divided by their sum, which must not be zero"
            )
        if name not in names:
            raise UnknownJointError(name, names)
        rows[:, names.index(name)] = own / own.sum()
    return rows if presence is None else _normalize_present(rows, presence)


def _normalize_present(rows: FloatArray, presence: BoolArray) -> FloatArray:
    """Normalize weights (T, J, K) over the clips that have the joint."""
    kept = rows * presence
    sums = kept.sum(axis=-1, keepdims=True)
    equal = presence / presence.sum(axis=-1, keepdims=True)
    zero = np.abs(sums) < MIN_WEIGHT_SUM
    normalized = np.where(zero, equal, kept / np.where(zero, 1.0, sums))
    # Joints that all clips have keep their weights to the last bit.
    return np.where(presence.all(axis=-1, keepdims=True), rows, normalized)


def body_part(skeleton: Skeleton, part: BodyPart | str) -> tuple[str, ...]:
    """Return the names of the joints of a body part, including all their descendants.

    Parts are "upper body", "lower body", "left arm", "right arm", "left leg", "right leg" and "head". The
    upper body is everything but the legs, the pelvis and the joints above it.

    >>> from motionloom.synthesis import walk
    >>> body_part(walk().clip.skeleton, "left leg")[:2]
    ('LeftUpLeg', 'LeftLeg')
    """
    if not isinstance(skeleton, Skeleton):
        raise ParameterError(
            f"body_part takes a skeleton, not a {type(skeleton).__name__}: give clip.skeleton of a clip"
        )
    if part not in get_args(BodyPart):
        raise ParameterError(f"there is no body part {part!r}: choose from {', '.join(get_args(BodyPart))}")
    anatomy = find_anatomy(skeleton)
    legs = {f"{leg.side} leg": leg.hip for leg in anatomy.legs}
    tops = legs | {f"{arm.side} arm": arm.shoulder for arm in anatomy.arms}
    if anatomy.head is not None:
        tops["head"] = anatomy.head
    if part in ("upper body", "lower body"):
        lower = _descendants(skeleton, list(legs.values())) | _ancestors(skeleton, anatomy.pelvis)
        wanted = lower if part == "lower body" else set(range(skeleton.n_joints)) - lower
        found = bool(legs)
    else:
        found = part in tops
        wanted = _descendants(skeleton, [tops[part]]) if found else set()
    if not found:
        raise ParameterError(f"no {part} was found in the skeleton: name its joints instead")
    return tuple(name for joint, name in enumerate(skeleton.names) if joint in wanted)


def part_weights(
    skeleton: Skeleton, parts: Mapping[str, Sequence[float]], joints: JointWeights | None = None
) -> dict[str, Sequence[float]] | None:
    """Return weights by joint, from weights of body parts and of single joints; None if there are none.

    Where parts share joints, the later part decides; weights of single joints override those of parts.

    >>> from motionloom.synthesis import walk
    >>> found = part_weights(walk().clip.skeleton, {"head": (1, 0)})
    >>> found
    {'Head': (1, 0)}
    """
    found: dict[str, Sequence[float]] = {}
    for part, own in parts.items():
        found |= dict.fromkeys(body_part(skeleton, part), own)
    found |= joints or {}
    return found or None


def _descendants(skeleton: Skeleton, joints: Sequence[int]) -> set[int]:
    """Return the joints and all their descendants."""
    found = set(joints)
    for joint, parent in enumerate(skeleton.parents.tolist()):
        if parent in found:
            found.add(joint)
    return found


def _ancestors(skeleton: Skeleton, joint: int) -> set[int]:
    """Return the joint and its ancestors up to the root."""
    found = set()
    while joint >= 0:
        found.add(joint)
        joint = int(skeleton.parents[joint])
    return found

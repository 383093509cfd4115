"""Weights of single joints: the upper body from one clip, the legs from another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, get_args

import numpy as np

from motionloom.arrays import BoolArray, FloatArray, check_array
from motionloom.blending.weights import SMALLEST_SUM
from motionloom.errors import ParameterError, UnknownJointError
from motionloom.motion import Skeleton
from motionloom.motion.anatomy import find_anatomy

BodyPart = Literal["upper body", "lower body", "left arm", "right arm", "left leg", "right leg", "head"]

JointWeights = Mapping[str, Sequence[float]]


def joint_weights_of(
    given: JointWeights | None,
    skeleton: Skeleton,
    weights: FloatArray,
    presence: BoolArray | None = None,
) -> FloatArray | None:
    """Weights (T, J, K) of every joint: those given for it by name, else the clips' (T, K); None: no layers.

    ``presence`` (J, K) says which clips have which joints. A joint that some clips lack follows the others,
    by their weights divided by the sum of these, or all alike where that sum is zero.
    """
    return weights_by_name(given, skeleton.names, weights, presence)


def weights_by_name(
    given: JointWeights | None,
    names: Sequence[str],
    weights: FloatArray,
    presence: BoolArray | None = None,
) -> FloatArray | None:
    """The same for names of joints or points."""
    if given is None and presence is None:
        return None
    n_clips = weights.shape[1]
    rows = np.repeat(weights[:, None], len(names), axis=1)
    for name, values in (given or {}).items():
        own = check_array(f"weights of joint {name!r}", values, (n_clips,))
        if abs(own.sum()) < SMALLEST_SUM:
            raise ParameterError(
                f"the weights of joint {name!r} add up to {own.sum():.3g}: "
                "they are divided by their sum, which must not be zero"
            )
        if name not in names:
            raise UnknownJointError(name, names)
        rows[:, names.index(name)] = own / own.sum()
    return rows if presence is None else _of_those_present(rows, presence)


def _of_those_present(rows: FloatArray, presence: BoolArray) -> FloatArray:
    """Weights (T, J, K) divided among the clips that have the joint."""
    kept = rows * presence
    sums = kept.sum(axis=-1, keepdims=True)
    alike = presence / presence.sum(axis=-1, keepdims=True)
    nothing = np.abs(sums) < SMALLEST_SUM
    shared = np.where(nothing, alike, kept / np.where(nothing, 1.0, sums))
    # Joints that all clips have keep their weights to the last bit.
    return np.where(presence.all(axis=-1, keepdims=True), rows, shared)


def body_part(skeleton: Skeleton, part: BodyPart | str) -> tuple[str, ...]:
    """Names of the joints of a part of the body, with all that hangs on them.

    Parts are "upper body", "lower body", "left arm", "right arm", "left leg", "right leg" and "head". The
    upper body is all that the legs and the pelvis are not.

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
        lower = _below(skeleton, list(legs.values())) | _above(skeleton, anatomy.pelvis)
        wanted = lower if part == "lower body" else set(range(skeleton.n_joints)) - lower
        found = bool(legs)
    else:
        found = part in tops
        wanted = _below(skeleton, [tops[part]]) if found else set()
    if not found:
        raise ParameterError(f"the skeleton has no {part} that could be found: name its joints instead")
    return tuple(name for joint, name in enumerate(skeleton.names) if joint in wanted)


def part_weights(
    skeleton: Skeleton, parts: Mapping[str, Sequence[float]], joints: JointWeights | None = None
) -> dict[str, Sequence[float]] | None:
    """Weights by joint, from weights of parts of the body and of joints by themselves; None for none.

    Of parts that share joints the later one decides, and a joint that is named by itself has its own.

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


def _below(skeleton: Skeleton, joints: Sequence[int]) -> set[int]:
    """The joints and all that hang on them."""
    found = set(joints)
    for joint, parent in enumerate(skeleton.parents.tolist()):
        if parent in found:
            found.add(joint)
    return found


def _above(skeleton: Skeleton, joint: int) -> set[int]:
    """The joint and those it hangs on, up to the root."""
    found = set()
    while joint >= 0:
        found.add(joint)
        joint = int(skeleton.parents[joint])
    return found

"""Layers: joints with weights of their own, such as an upper body from one clip and legs from another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, get_args

from motionloom.blending.weights import JointWeights
from motionloom.errors import ParameterError
from motionloom.motion import Skeleton
from motionloom.motion.anatomy import find_anatomy

BodyPart = Literal["upper body", "lower body", "left arm", "right arm", "left leg", "right leg", "head"]


def body_part(skeleton: Skeleton, part: BodyPart | str) -> tuple[str, ...]:
    """Return the names of the joints of a body part, including all their descendants.

    Parts are "upper body", "lower body", "left arm", "right arm", "left leg", "right leg" and "head". The
    upper body is everything but the legs, the pelvis and the joints above it.

    Parameters
    ----------
    skeleton
        The skeleton.
    part
        The part, by the names above.

    Returns
    -------
    tuple of str
        The names, parents before children.

    Raises
    ------
    ParameterError
        There is no such part, or the skeleton does not have it.

    >>> from motionloom.synthesis import walk
    >>> body_part(walk().clip.skeleton, "left leg")[:2]
    ('LeftUpLeg', 'LeftLeg')
    """
    if not isinstance(skeleton, Skeleton):
        raise ParameterError(
            f"body_part takes a skeleton, not a {type(skeleton).__name__}",
            remedy="give clip.skeleton of a clip",
        )
    if part not in get_args(BodyPart):
        raise ParameterError(
            f"there is no body part {part!r}", remedy=f"choose from {', '.join(get_args(BodyPart))}"
        )
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
        raise ParameterError(f"no {part} was found in the skeleton", remedy="name its joints instead")
    return tuple(name for joint, name in enumerate(skeleton.names) if joint in wanted)


def part_weights(
    skeleton: Skeleton, parts: Mapping[str, Sequence[float]], joints: JointWeights | None = None
) -> dict[str, Sequence[float]] | None:
    """Return weights by joint, from weights of body parts and of single joints; None if there are none.

    Where parts share joints, the later part decides; weights of single joints override those of parts.

    Parameters
    ----------
    skeleton
        The skeleton of the blend, ``curve.clips[curve.reference].skeleton``.
    parts
        Body part -> weights of the clips, as :func:`body_part` names parts.
    joints
        Joint -> weights of the clips.

    Returns
    -------
    dict
        Joint -> weights, as ``joint_weights`` of :func:`motionloom.blend`; None if there are none.

    Raises
    ------
    ParameterError
        There is no such part, or the skeleton does not have it.

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

"""Exchanging left and right.

A mirror shows each joint's frame left-handed, so a joint cannot simply take over its partner's reflected
frame: it takes it over up to a fixed *frame change* that makes it right-handed again. In a rest pose that is
symmetric the frame change follows from the rest rotations. Some production rigs export joints whose own axes
differ between left and right without saying so in the rest pose; their frame changes are found from the bones
and from the motion.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations, product
from typing import TYPE_CHECKING

import numpy as np

from motionloom.arrays import FloatArray, IntArray, freeze
from motionloom.geometry import rotations as rot
from motionloom.motion import kinematics
from motionloom.motion.anatomy.find_anatomy import find_anatomy
from motionloom.motion.annotations import Constraint, Event
from motionloom.motion.provenance import derive
from motionloom.motion.skeleton import Skeleton

if TYPE_CHECKING:
    from motionloom.motion.clip import Clip

MIN_LEVEL = 1e-6
"""A left axis whose horizontal part is shorter than this is vertical."""
MIN_AGREEMENT = 0.7
"""Mean cosine between a joint's bones and its partner's reflected ones from which on the rest pose counts as
symmetric: about 45°; captured skeletons stay above 0.95."""
MIN_BONE = 0.005
"""Bones shorter than this share of all bones together are measured too badly to tell a direction."""
BONE_WEIGHT = 3.0
"""Bones count as much as the whole motion when the frame change of an unsymmetric joint is chosen."""


def mirror(clip: Clip) -> Clip:
    """The clip with left and right exchanged; the skeleton stays the same.

    The motion is reflected in the vertical plane through the world's origin at right angles to the body's
    left axis at rest (x becomes −x for a body that faces +Z), and each joint takes over what its partner on
    the other side does. Joints without a partner take over their own reflection. Mirroring twice gives the
    clip again. Where left and right bones differ in length, each side keeps its own.

    >>> from motionloom.motion import Clip
    >>> dot = Skeleton(["root"], [-1], [[0, 0, 0]])
    >>> turning = Clip(dot, 0.1, [[2, 1, 3]], [[rot.from_yaw(0.5)]])
    >>> mirrored = mirror(turning)
    >>> mirrored.root_positions.tolist(), rot.yaw_of(mirrored.rotations[0, 0]).round(9).tolist()
    ([[-2.0, 1.0, 3.0]], -0.5)
    """
    skeleton = clip.skeleton
    anatomy = find_anatomy(skeleton)
    partners = np.array(anatomy.partners(skeleton.n_joints), dtype=np.int64)
    normal = _level(anatomy.left)

    changes = _frame_changes(clip, partners, normal)
    world = rot.multiply(_reflect_rotations(clip.world_rotations()[:, partners], normal), changes)
    return replace(
        clip,
        root_positions=freeze(_reflect(clip.root_positions, normal)),
        rotations=freeze(rot.normalize(kinematics.local_rotations(skeleton.parents, world))),
        translations=_mirror_translations(clip, world, partners, normal),
        constraints=tuple(
            _mirror_constraint(skeleton, c, partners, changes, normal) for c in clip.constraints
        ),
        events=tuple(_mirror_event(skeleton, event, partners) for event in clip.events),
        provenance=derive(clip, "mirrored"),
    )


def _level(left: FloatArray) -> FloatArray:
    """The horizontal unit vector nearest to the left axis; +X where that is vertical."""
    level = left * [1.0, 0.0, 1.0]
    length = np.linalg.norm(level)
    return level / length if length > MIN_LEVEL else np.array([1.0, 0.0, 0.0])


def _reflect(vectors: FloatArray, normal: FloatArray) -> FloatArray:
    """Points or directions (..., 3) reflected in the plane through the origin."""
    return np.asarray(vectors - 2.0 * (vectors @ normal)[..., None] * normal)


def _reflect_rotations(q: FloatArray, normal: FloatArray) -> FloatArray:
    """Rotations (..., 4) as a mirror shows them: the same angle, the axis reflected, the sense reversed."""
    return np.concatenate([q[..., :1], -_reflect(q[..., 1:], normal)], axis=-1)


def _frame_changes(clip: Clip, partners: IntArray, normal: FloatArray) -> FloatArray:
    """Rotations (J, 4) that follow the reflected rotation of the partner to give that of the joint."""
    parents, rest = clip.skeleton.parents, clip.skeleton.rest_world_rotations()
    changes = rot.multiply(_reflect_rotations(rot.inverse(rest[partners]), normal), rest)
    unlike: set[int] = set()
    for joint, partner in enumerate(partners.tolist()):
        above = int(parents[joint])
        # Each pair is done once, and only where the two hang on partners too; the root is in the middle.
        if joint == 0 or partner < joint or partners[parents[partner]] != above:
            continue
        bones = _bone_products(clip.skeleton, joint, partner, partners)
        fit = float(np.trace(_local_reflection(changes[joint], normal).T @ bones))
        if above in unlike or (bones.any() and fit < MIN_AGREEMENT):
            unlike |= {joint, partner}
            mean, mean_partner = (
                rot.to_matrix(clip.rotations[:, j]).sum(axis=0) / max(clip.n_frames, 1)
                for j in (joint, partner)
            )
            motion = mean.T @ _local_reflection(changes[above], normal) @ mean_partner
            best = _best_reflection(BONE_WEIGHT * bones + motion, symmetric=joint == partner)
            changes[joint] = rot.from_matrix(_reflect(np.eye(3), normal) @ best.T)
            changes[partner] = _reflect_rotations(rot.inverse(changes[joint]), normal)
    return changes


def _local_reflection(change: FloatArray, normal: FloatArray) -> FloatArray:
    """The matrix (3, 3) that takes points of the partner's frame to points of the joint's own."""
    return np.asarray(rot.to_matrix(change).T @ _reflect(np.eye(3), normal))


def _bone_products(skeleton: Skeleton, joint: int, partner: int, partners: IntArray) -> FloatArray:
    """The sum (3, 3) of products of the bones below two partners; trace 1 is a perfect fit, zero no bones."""
    children = [child for child in skeleton.children(partner) if skeleton.parents[partners[child]] == joint]
    bones = [(skeleton.offsets[partners[child]], skeleton.offsets[child]) for child in children]
    tips = ([tip.offset for tip in skeleton.tips if tip.joint == j] for j in (joint, partner))
    bones += zip(*tips, strict=False)
    lengths = [float(np.linalg.norm(a) * np.linalg.norm(b)) for a, b in bones]
    min_product = (MIN_BONE * float(np.linalg.norm(skeleton.offsets[1:], axis=1).sum())) ** 2
    if max(lengths, default=0.0) <= min_product:
        return np.zeros((3, 3))
    return np.asarray(np.sum([np.outer(a, b) for a, b in bones], axis=0) / sum(lengths))


def _best_reflection(target: FloatArray, symmetric: bool) -> FloatArray:
    """The left-handed exchange of coordinate axes and signs (3, 3) that comes nearest to the target.

    Rigs let axes run along bones, so frames of partners differ by such exchanges. A joint that is its own
    partner needs a symmetric one: done twice it must change nothing.
    """
    axes = [np.eye(3)[list(order)] for order in permutations(range(3))]
    signed = [m * signs for m in axes for signs in product((1.0, -1.0), repeat=3)]
    left_handed = [m for m in signed if np.linalg.det(m) < 0 and (not symmetric or np.array_equal(m, m.T))]
    return max(left_handed, key=lambda m: float(np.trace(m.T @ target)))


def _mirror_translations(
    clip: Clip, world: FloatArray, partners: IntArray, normal: FloatArray
) -> FloatArray | None:
    """Local joint positions (T, J, 3) after the exchange: each bone becomes its partner's, reflected."""
    if clip.translations is None:
        return None
    parents = clip.skeleton.parents
    moved = np.array(clip.translations)
    bones = rot.rotate(clip.world_rotations()[:, parents[1:]], moved[:, 1:])
    reflected = _reflect(bones, normal)[:, partners[1:] - 1]
    moved[:, 1:] = rot.rotate(rot.inverse(world[:, parents[1:]]), reflected)
    moved[:, 0] = _reflect(moved[:, 0], normal)
    return np.asarray(freeze(moved))


def _mirror_constraint(
    skeleton: Skeleton, constraint: Constraint, partners: IntArray, changes: FloatArray, normal: FloatArray
) -> Constraint:
    partner = int(partners[skeleton.index(constraint.joint)])
    return replace(
        constraint,
        joint=skeleton.names[partner],
        point=_local_reflection(changes[partner], normal) @ constraint.point,
        target=None if constraint.target is None else _reflect(constraint.target, normal),
    )


def _mirror_event(skeleton: Skeleton, event: Event, partners: IntArray) -> Event:
    # An event may speak of something that is no joint, such as a prop; it has no other side.
    if event.joint not in skeleton.names:
        return event
    return replace(event, joint=skeleton.names[partners[skeleton.index(event.joint)]])

"""Reference poses: two bodies standing alike, so that what differs is the orientation of their joints.

The rest pose serves where the body stands upright in it. Some exporters write joints whose axes all run along
their bones, and a rest pose that looks like nothing; for those, standing frames of the clip are used.

Arms may hang, stand off or be stretched out in a reference pose. The direction of every limb bone is
therefore compared with its partner's, and the difference removed by the shortest rotation, which keeps the
twist.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from motionloom.arrays import FloatArray, IntArray, freeze
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Skeleton
from motionloom.motion.anatomy import facing, find_anatomy, tree
from motionloom.retargeting.body_parts import SIDES, BodyParts, find_body_parts
from motionloom.retargeting.joint_mapping import JointMapping

MIN_DOWN = 0.7
"""Legs stand when the cosine of their angle to the downward axis reaches this; captured rest poses spread
them by up to 30°."""

MAX_RAISED = 0.7
"""Arms point up, as in no customary rest pose, when the cosine of their angle to the up axis reaches this."""

SPEED_WEIGHT = 1.0
"""Weight of the ankle's speed in m/s against the cosine of the leg in the choice of a standing frame."""

NEXT_PART = {"thigh": "shin", "shin": "foot", "upper arm": "forearm", "forearm": "hand"}
"""For each limb bone the part at its far end."""

MIN_LEVEL = 0.3
"""A foot has a heading when this fraction of the offset from the ankle to its end is horizontal."""

_HOLDER = re.compile(r"slot|socket|prop(?!er)|weapon|attach|holder", re.IGNORECASE)
"""Matches the names of joints to which things are attached."""


@dataclass(frozen=True, eq=False)
class ReferencePose:
    """A body that stands upright, faces +Z and has its left along +X.

    Attributes
    ----------
    parts
        The body parts of its skeleton.
    rotations, positions
        (J, 4) and (J, 3) world rotations and positions of the joints, the root at the origin.
    pose
        Where it comes from: "rest pose" or "standing frames".
    """

    parts: BodyParts
    rotations: FloatArray
    positions: FloatArray
    pose: str

    @property
    def skeleton(self) -> Skeleton:
        """The skeleton."""
        return self.parts.skeleton

    def points_below(self, joint: int) -> FloatArray:
        """Return the positions (P, 3) of a joint, its descendants and their tips.

        Joints that hold a weapon or another thing are no part of the body, and what they lead to is not.
        """
        below = [joint]
        for each in tree.subtree(self.skeleton, joint)[1:]:
            if self.skeleton.parents[each] in below and not _HOLDER.search(self.skeleton.names[each]):
                below.append(each)
        tips = [
            self.positions[tip.joint] + rot.rotate(self.rotations[tip.joint], tip.offset)
            for tip in self.skeleton.tips
            if tip.joint in set(below)
        ]
        return np.array([*self.positions[below], *tips])

    def offset_to(self, start: int, end: FloatArray | None) -> FloatArray | None:
        """Return the offset (3,) from a joint to a point; None without a point, or where it is the joint."""
        if end is None:
            return None
        offset = np.asarray(end - self.positions[start])
        return offset if np.linalg.norm(offset) > tree.COINCIDENT * tree.size(self.skeleton) else None

    def find_end(self, joint: int) -> FloatArray | None:
        """Return the point (3,) below a joint that is farthest from it; None where nothing lies below."""
        points = self.points_below(joint)
        distances = np.linalg.norm(points - self.positions[joint], axis=1)
        if distances.max() <= tree.COINCIDENT * tree.size(self.skeleton):
            return None
        return np.asarray(points[distances.argmax()])

    def find_ball(self, foot: int) -> FloatArray | None:
        """Return the ball (3,) of a foot: its toe joint, else its end; None without either."""
        below = set(tree.subtree(self.skeleton, foot)[1:])
        toes = [self.parts.joints.get(f"{side} toes") for side in SIDES]
        found = next((toe for toe in toes if toe in below), None)
        return self.find_end(foot) if found is None else np.asarray(self.positions[found])


class LimbBone(NamedTuple):
    """A limb bone: its lower joint in the target, and its vector (3,) in both reference poses."""

    end: int
    vector: FloatArray
    source_vector: FloatArray


@dataclass(frozen=True, eq=False)
class BodyPair:
    """What is known about source and target before the motion is transferred.

    Attributes
    ----------
    mapping
        Which joints correspond.
    source, target
        The reference poses.
    bones
        The limb bones that both have, by their upper joint in the target.
    difference
        (J, 4) world rotations that bring the target's joints from its reference pose to the source's.
    """

    mapping: JointMapping
    source: ReferencePose
    target: ReferencePose
    bones: Mapping[int, LimbBone]
    difference: FloatArray

    @classmethod
    def compare(cls, mapping: JointMapping, source: ReferencePose, target: ReferencePose) -> BodyPair:
        """Compare two bodies: find their common limb bones and the difference of their reference poses."""
        bones = limb_bones(source, target, mapping.partners)
        return cls(mapping, source, target, bones, rest_difference(source, target, mapping.partners, bones))


def reference_poses(
    source: Clip, target: Skeleton, example: Clip | None
) -> tuple[ReferencePose, ReferencePose]:
    """Return the poses in which the body of a source clip and a target stand alike.

    ``example`` is a clip of the target, where there is one. Without one, both rest poses are compared,
    whatever they look like: bodies of the same rig then have no difference to remove.
    """
    if example is None and not stands_at_rest(target):
        return rest_reference(source.skeleton), rest_reference(target)
    return find_reference(source), rest_reference(target) if example is None else find_reference(example)


def find_reference(clip: Clip) -> ReferencePose:
    """Return the rest pose of a clip's body where it stands in it, else a pose from standing frames."""
    if stands_at_rest(clip.skeleton) or not clip.n_frames:
        return rest_reference(clip.skeleton)
    # Each leg from a frame in which it stands, all else from the most upright frame.
    frames = _upright_frames(clip)
    headings = rot.inverse(rot.from_yaw(facing(clip)))
    joints = np.arange(clip.skeleton.n_joints)
    rotations = rot.multiply(headings[frames], clip.world_rotations()[frames, joints])
    return _reference(clip.skeleton, rotations, "standing frames")


def rest_reference(skeleton: Skeleton) -> ReferencePose:
    """Return the rest pose, rotated upright to face +Z.

    >>> from motionloom.synthesis.biped import biped
    >>> rest_reference(biped()).pose
    'rest pose'
    """
    anatomy = find_anatomy(skeleton)
    upright = rot.from_matrix(np.stack([anatomy.left, anatomy.up, anatomy.forward]))
    return _reference(skeleton, rot.multiply(upright, skeleton.rest_world_rotations()), "rest pose")


def stands_at_rest(skeleton: Skeleton) -> bool:
    """Whether the legs point down and the arms do not point up in the rest pose.

    >>> from motionloom.synthesis.biped import biped
    >>> stands_at_rest(biped())
    True
    """
    anatomy, positions = find_anatomy(skeleton), skeleton.rest_positions()

    def rise(chain: tuple[int, int, int]) -> float:
        offset = positions[chain[2]] - positions[chain[0]]
        return float(offset @ anatomy.up) / max(float(np.linalg.norm(offset)), np.finfo(float).tiny)

    legs = all(rise(leg.chain) <= -MIN_DOWN for leg in anatomy.legs)
    return legs and all(rise(arm.chain) < MAX_RAISED for arm in anatomy.arms)


def _reference(skeleton: Skeleton, rotations: FloatArray, pose: str) -> ReferencePose:
    """Make a reference pose from world rotations (J, 4); positions follow from the bones."""
    positions = np.zeros((skeleton.n_joints, 3))
    for joint, parent in enumerate(skeleton.parents.tolist()):
        if parent >= 0:
            positions[joint] = positions[parent] + rot.rotate(rotations[parent], skeleton.offsets[joint])
    return ReferencePose(find_body_parts(skeleton), freeze(rot.normalize(rotations)), freeze(positions), pose)


def _upright_frames(clip: Clip) -> IntArray:
    """Find for each joint (J,) the frame that best shows its rotation in a standing body."""
    parts, positions = find_body_parts(clip.skeleton), clip.world_positions()
    speeds = np.linalg.norm(clip.world_velocities(), axis=-1)
    costs = np.zeros(clip.n_frames)
    frames = np.zeros(clip.skeleton.n_joints, dtype=np.int64)
    legs = [(side, parts.limb(side, ("thigh", "foot"))) for side in SIDES]
    for _, leg in (entry for entry in legs if len(entry[1]) == 2):
        thigh, foot = leg
        offsets = positions[:, foot] - positions[:, thigh]
        # A leg without length does not point down.
        down = -offsets[:, 1] / np.maximum(np.linalg.norm(offsets, axis=-1), np.finfo(float).tiny)
        costs = np.maximum(costs, 1.0 - down)
        standing = int(np.argmin(1.0 - down + SPEED_WEIGHT * speeds[:, foot]))
        frames[tree.subtree(clip.skeleton, thigh)] = standing
    trunk = int(costs.argmin())
    below = {j for _, leg in legs if len(leg) == 2 for j in tree.subtree(clip.skeleton, leg[0])}
    frames[[joint for joint in range(len(frames)) if joint not in below]] = trunk
    return frames


def limb_bones(
    source: ReferencePose, target: ReferencePose, partners: Mapping[int, int]
) -> dict[int, LimbBone]:
    """Return the limb bones that both bodies have, by their upper joint in the target."""
    joints, found = target.parts.joints, {}
    for part, joint in joints.items():
        side, _, kind = part.partition(" ")
        end = joints.get(f"{side} {NEXT_PART.get(kind, '')}")
        if end is None or joint not in partners or end not in partners:
            continue
        own = target.offset_to(joint, target.positions[end])
        other = source.offset_to(partners[joint], source.positions[partners[end]])
        if own is not None and other is not None:
            found[joint] = LimbBone(end, own, other)
    return found


def rest_difference(
    source: ReferencePose,
    target: ReferencePose,
    partners: Mapping[int, int],
    bones: Mapping[int, LimbBone],
) -> FloatArray:
    """Return world rotations (J, 4) that bring the target's reference pose, joint by joint, to the source's.

    Limb bones and hands rotate on top of the bone above them. Feet rotate about the vertical only, since the
    soles of both bodies are level. Trunk, collar bones and head stay: a spine keeps its own curve. Other
    joints follow their parents.
    """
    skeleton = target.skeleton
    kinds = {joint: part.partition(" ")[2] for joint, part in target.parts.names.items()}
    rotations = np.tile(rot.IDENTITY, (skeleton.n_joints, 1))
    for joint in range(1, skeleton.n_joints):
        rotations[joint] = rotations[skeleton.parents[joint]]
        partner, kind = partners.get(joint), kinds.get(joint)
        if partner is None:
            continue
        if joint in bones:
            rotations[joint] = _rotate_onto(rotations[joint], bones[joint].vector, bones[joint].source_vector)
        elif kind == "hand":
            vectors = (
                target.offset_to(joint, target.find_end(joint)),
                source.offset_to(partner, source.find_end(partner)),
            )
            rotations[joint] = _rotate_onto(rotations[joint], *vectors)
        elif kind == "foot":
            vectors = foot_vector(target, joint), foot_vector(source, partner)
            rotations[joint] = _rotate_onto(rot.IDENTITY, *vectors)
    return rotations


def foot_vector(body: ReferencePose, foot: int) -> FloatArray | None:
    """Return the horizontal vector (3,) from the ankle to the ball of a foot, metres.

    None where the foot has no length or points mostly up or down.
    """
    offset = body.offset_to(foot, body.find_ball(foot))
    if offset is None:
        return None
    level = offset * [1.0, 0.0, 1.0]
    return level if np.linalg.norm(level) >= MIN_LEVEL * np.linalg.norm(offset) else None


def _rotate_onto(rotation: FloatArray, vector: FloatArray | None, goal: FloatArray | None) -> FloatArray:
    """Extend a rotation (4,) by the shortest one that brings the rotated vector (3,) onto its goal (3,)."""
    if vector is None or goal is None:
        return rotation
    return rot.multiply(rot.between(rot.rotate(rotation, vector), goal), rotation)

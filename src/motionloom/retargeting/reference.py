"""Poses in which two bodies stand alike: what is left between them is how their joints are turned.

The rest pose serves where the body stands upright in it. Some exporters write joints whose axes all run along
their bones, and a rest pose that looks like nothing; for those the clip's own frames tell how a standing body
is turned.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.arrays import FloatArray, IntArray, freeze
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Skeleton
from motionloom.motion.anatomy import facing, find_anatomy, tree
from motionloom.retargeting.parts import SIDES, BodyParts, body_parts

LEAST_DOWN = 0.7
"""Cosine to the downward axis from which on legs stand; captured rest poses spread them by up to 30°."""
MOST_RAISED = 0.7
"""Cosine to the upward axis from which on arms point up, as they do in no customary rest pose."""
SPEED_WEIGHT = 1.0
"""How much a metre per second of the ankle counts against the cosine of the leg in the choice of a frame."""


@dataclass(frozen=True, eq=False)
class Reference:
    """A body that stands upright, faces +Z and has its left along +X.

    Attributes
    ----------
    parts
        The parts of its skeleton.
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
        """Positions (P, 3) of a joint, of all joints below it and of their tips."""
        below = tree.subtree(self.skeleton, joint)
        tips = [
            self.positions[tip.joint] + rot.rotate(self.rotations[tip.joint], tip.offset)
            for tip in self.skeleton.tips
            if tip.joint in set(below)
        ]
        return np.array([*self.positions[below], *tips])

    def way(self, start: int, end: FloatArray | None) -> FloatArray | None:
        """The way (3,) from a joint to a point; None where the point is none, or at the joint."""
        if end is None:
            return None
        way = np.asarray(end - self.positions[start])
        return way if np.linalg.norm(way) > tree.COINCIDENT * tree.size(self.skeleton) else None

    def end_of(self, joint: int) -> FloatArray | None:
        """The point (3,) below a joint that lies farthest from it; None where nothing lies below."""
        points = self.points_below(joint)
        distances = np.linalg.norm(points - self.positions[joint], axis=1)
        if distances.max() <= tree.COINCIDENT * tree.size(self.skeleton):
            return None
        return np.asarray(points[distances.argmax()])


def references(source: Clip, target: Skeleton, example: Clip | None) -> tuple[Reference, Reference]:
    """The poses in which a source clip's body and a target stand alike.

    ``example`` is a clip of the target, where there is one. Without one, both rest poses are compared,
    whatever they look like: bodies of one rig then need no difference taken out.
    """
    if example is None and not stands_at_rest(target):
        return rest_reference(source.skeleton), rest_reference(target)
    return reference_of(source), rest_reference(target) if example is None else reference_of(example)


def reference_of(clip: Clip) -> Reference:
    """The rest pose of a clip's body where it stands in it, else what standing frames of the clip show."""
    if stands_at_rest(clip.skeleton) or not clip.n_frames:
        return rest_reference(clip.skeleton)
    return _standing_reference(clip)


def rest_reference(skeleton: Skeleton) -> Reference:
    """The rest pose, turned upright to face +Z.

    >>> from motionloom.synthesis.body import biped
    >>> rest_reference(biped()).pose
    'rest pose'
    """
    anatomy = find_anatomy(skeleton)
    upright = rot.from_matrix(np.stack([anatomy.left, anatomy.up, anatomy.forward]))
    return _reference(skeleton, rot.multiply(upright, skeleton.rest_world_rotations()), "rest pose")


def stands_at_rest(skeleton: Skeleton) -> bool:
    """Whether the legs point down and the arms do not point up in the rest pose.

    >>> from motionloom.synthesis.body import biped
    >>> stands_at_rest(biped())
    True
    """
    anatomy, places = find_anatomy(skeleton), skeleton.rest_positions()

    def rise(chain: tuple[int, int, int]) -> float:
        way = places[chain[2]] - places[chain[0]]
        return float(way @ anatomy.up) / max(float(np.linalg.norm(way)), np.finfo(float).tiny)

    legs = all(rise(leg.chain) <= -LEAST_DOWN for leg in anatomy.legs)
    return legs and all(rise(arm.chain) < MOST_RAISED for arm in anatomy.arms)


def _reference(skeleton: Skeleton, turns: FloatArray, pose: str) -> Reference:
    """A reference from world rotations (J, 4): positions follow from the bones."""
    places = np.zeros((skeleton.n_joints, 3))
    for joint, parent in enumerate(skeleton.parents.tolist()):
        if parent >= 0:
            places[joint] = places[parent] + rot.rotate(turns[parent], skeleton.offsets[joint])
    return Reference(body_parts(skeleton), freeze(rot.normalize(turns)), freeze(places), pose)


def _standing_reference(clip: Clip) -> Reference:
    """Each leg as it is when it stands, all else as it is when the body is most upright."""
    frames = _upright_frames(clip)
    headings = rot.inverse(rot.from_yaw(facing(clip)))
    joints = np.arange(clip.skeleton.n_joints)
    turns = rot.multiply(headings[frames], clip.world_rotations()[frames, joints])
    return _reference(clip.skeleton, turns, "standing frames")


def _upright_frames(clip: Clip) -> IntArray:
    """For each joint (J,) the frame that shows best how it is turned in a standing body."""
    parts, places = body_parts(clip.skeleton), clip.world_positions()
    speeds = np.linalg.norm(clip.world_velocities(), axis=-1)
    costs = np.zeros(clip.n_frames)
    frames = np.zeros(clip.skeleton.n_joints, dtype=np.int64)
    legs = [(side, parts.limb(side, ("thigh", "foot"))) for side in SIDES]
    for _, leg in (entry for entry in legs if len(entry[1]) == 2):
        thigh, foot = leg
        ways = places[:, foot] - places[:, thigh]
        down = -ways[:, 1] / np.linalg.norm(ways, axis=-1)
        costs = np.maximum(costs, 1.0 - down)
        standing = int(np.argmin(1.0 - down + SPEED_WEIGHT * speeds[:, foot]))
        frames[tree.subtree(clip.skeleton, thigh)] = standing
    trunk = int(costs.argmin())
    below = {j for _, leg in legs if len(leg) == 2 for j in tree.subtree(clip.skeleton, leg[0])}
    frames[[joint for joint in range(len(frames)) if joint not in below]] = trunk
    return frames


def ball_of(reference: Reference, foot: int) -> FloatArray | None:
    """The ball (3,) of a foot: its toe joint, else its end; None where nothing follows the ankle."""
    below = set(tree.subtree(reference.skeleton, foot)[1:])
    toes = [reference.parts.joints.get(f"{side} toes") for side in SIDES]
    found = next((toe for toe in toes if toe in below), None)
    return reference.end_of(foot) if found is None else np.asarray(reference.positions[found])


def foot_of(parts: BodyParts, joint: int) -> int | None:
    """The ankle of the foot to which a joint belongs; None for joints of no foot."""
    above = tree.ancestors(parts.skeleton, joint)
    return next((foot for side in SIDES for foot in parts.limb(side, ("foot",)) if foot in above), None)

"""Carrying a motion over to another body: rotations through the world, the root by the length of the legs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, kinematics
from motionloom.retargeting.bones import Bone, limb_bones, rest_difference
from motionloom.retargeting.mapping import JointMapping
from motionloom.retargeting.parts import SIDES, BodyParts
from motionloom.retargeting.reference import Reference


@dataclass(frozen=True)
class Placing:
    """How places of the source become places of the target: scaled about a point of the floor.

    Attributes
    ----------
    scale
        Length of the target's legs by that of the source's.
    floor
        Height of the floor, metres.
    x, z
        Where the source's body starts on the ground, metres; the target's starts there too.
    """

    scale: float
    floor: float
    x: float
    z: float

    def apply(self, places: FloatArray) -> FloatArray:
        """World places (..., 3) of the source as places of the target."""
        fixed = np.array([self.x, self.floor, self.z])
        return np.asarray(fixed + self.scale * (places - fixed))


@dataclass(frozen=True, eq=False)
class Bodies:
    """All that is known about a source and a target before the motion is carried over.

    Attributes
    ----------
    mapping
        Which joints correspond.
    source, target
        The bodies standing alike.
    bones
        The bones of limbs that both have, by their upper joint in the target.
    difference
        (J, 4) turns of the target's joints that make its standing body stand as the source's does.
    """

    mapping: JointMapping
    source: Reference
    target: Reference
    bones: Mapping[int, Bone]
    difference: FloatArray

    @classmethod
    def compared(cls, mapping: JointMapping, source: Reference, target: Reference) -> Bodies:
        """Two bodies with the difference of their reference poses."""
        bones = limb_bones(source, target, mapping.partners)
        return cls(mapping, source, target, bones, rest_difference(source, target, mapping.partners, bones))


def carried_rotations(clip: Clip, bodies: Bodies) -> FloatArray:
    """Local rotations (T, J, 4) of the target that do what the source does.

    A joint of the target is turned in the world as its partner is turned away from its reference pose. Bones
    of limbs then point exactly where the source's do, even where joints without a partner bend in between.
    Joints without a partner keep their rest rotation.
    """
    target, partners = bodies.mapping.target, bodies.mapping.partners
    turns, places = clip.world_rotations(), clip.world_positions()
    world = np.empty((clip.n_frames, target.n_joints, 4))
    for joint, parent in enumerate(target.parents.tolist()):
        partner = partners.get(joint)
        if partner is None:
            above = rot.IDENTITY if parent < 0 else world[:, parent]
            world[:, joint] = rot.multiply(above, target.rest_rotations[joint])
            continue
        away = rot.multiply(turns[:, partner], rot.inverse(bodies.source.rotations[partner]))
        standing = rot.multiply(bodies.difference[joint], bodies.target.rotations[joint])
        world[:, joint] = rot.multiply(away, standing)
        if joint in bodies.bones:
            bone = bodies.bones[joint]
            has = rot.rotate(rot.multiply(away, bodies.difference[joint]), bone.way)
            wants = places[:, partners[bone.end]] - places[:, partner]
            world[:, joint] = rot.multiply(rot.between(has, wants), world[:, joint])
    return rot.normalize(kinematics.local_rotations(target.parents, world))


def carried_roots(clip: Clip, rotations: FloatArray, bodies: Bodies, placing: Placing) -> FloatArray:
    """Root positions (T, 3) that put the middle of the target's hips where the source's is, scaled.

    A target whose root lies above its pelvis keeps that joint at its rest distance: it travels along.
    """
    target = bodies.mapping.target
    at_origin, _ = kinematics.world_transforms(target, np.zeros((clip.n_frames, 3)), freeze(rotations))
    partners = bodies.mapping.partners
    hips = _carriers(bodies.target.parts, partners)
    own = clip.world_positions()[:, [partners[joint] for joint in hips]].mean(axis=1)
    return np.asarray(placing.apply(own) - at_origin[:, hips].mean(axis=1))


def _carriers(parts: BodyParts, partners: Mapping[int, int]) -> list[int]:
    """The target joints whose middle is put in place: both hip joints, else what else has a partner first."""
    hips = [joint for side in SIDES for joint in parts.limb(side, ("thigh",)) if joint in partners]
    return hips if len(hips) == len(SIDES) else [min(partners)]


def start_of(clip: Clip, bodies: Bodies) -> tuple[float, float]:
    """Where the body of the source clip starts on the ground: x and z, metres."""
    if not clip.n_frames:
        return 0.0, 0.0
    partners = bodies.mapping.partners
    hips = [partners[joint] for joint in _carriers(bodies.target.parts, partners)]
    place = clip.world_positions()[0, hips].mean(axis=0)
    return float(place[0]), float(place[2])


def size_ratio(bodies: Bodies) -> float:
    """Length of the target's limbs by that of the source's, for bodies without legs; 1 without limbs."""
    own = sum(float(np.linalg.norm(bone.way)) for bone in bodies.bones.values())
    other = sum(float(np.linalg.norm(bone.source_way)) for bone in bodies.bones.values())
    return own / other if bodies.bones else 1.0

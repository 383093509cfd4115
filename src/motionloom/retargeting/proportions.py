"""Proportions of source and target: the floor, the thickness of soles, leg lengths and the scale."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Skeleton, kinematics
from motionloom.motion.anatomy import tree
from motionloom.motion.anatomy.thresholds import USUAL_FLOOR
from motionloom.motion.mesh_soles import MeshSole, clip_soles
from motionloom.retargeting.body_parts import SIDES, BodyParts
from motionloom.retargeting.reference_pose import BodyPair, ReferencePose

LOW_FRACTION = 0.05
"""Fraction of the frames in which feet are on the floor even in a run."""


@dataclass(frozen=True)
class Stature:
    """How a body stands.

    Attributes
    ----------
    floor
        Height of the floor of the clip, metres; zero for a skeleton without a clip.
    clearance
        How far the sole lies below the lowest joint or tip of a foot, metres; None where it is unknown.
        Slightly negative where toes hang down in the reference pose.
    """

    floor: float
    clearance: float | None


@dataclass(frozen=True)
class Proportions:
    """How source positions become target positions: scaled about a point on the floor.

    Attributes
    ----------
    scale
        Length of the target's legs divided by that of the source's.
    floor
        Height of the floor, metres.
    x, z
        Where the source's body starts on the ground, metres; the target's starts there too.
    clearances
        How far the soles of source and target lie below the lowest joint of a foot, metres.
    soles
        The soles of the target's mesh by ankle joint, where they are known.
    """

    scale: float
    floor: float
    x: float
    z: float
    clearances: tuple[float, float] = (0.0, 0.0)
    soles: Mapping[int, MeshSole] = field(default_factory=dict)

    def apply(self, positions: FloatArray) -> FloatArray:
        """Turn world positions (..., 3) of the source into positions of the target, metres."""
        fixed = np.array([self.x, self.floor, self.z])
        return np.asarray(fixed + self.scale * (positions - fixed))


def compare_proportions(
    clip: Clip, example: Clip | None, bodies: BodyPair, soles: Mapping[int, MeshSole] | None = None
) -> Proportions:
    """Find the scale between two bodies, the floor and the thickness of both soles.

    ``clip`` is the motion of the source, ``example`` a clip of the target where there is one, and ``soles``
    are those of the target's mesh.
    """
    stature = find_stature(clip, bodies.source)
    own = stature.clearance or 0.0
    other = _mesh_clearance(bodies.target, soles or {})
    if other is None:
        other = _target_clearance(clip.skeleton, example, bodies)
    # Where the thickness of the target's soles is unknown, it is the source's, scaled.
    clearances = own, own * _leg_ratio(bodies, (0.0, 0.0)) if other is None else other
    x = z = 0.0
    if clip.n_frames:
        partners = bodies.mapping.partners
        hips = [partners[joint] for joint in carrying_joints(bodies.target.parts, partners)]
        start = clip.world_positions()[0, hips].mean(axis=0)
        x, z = float(start[0]), float(start[2])
    return Proportions(_leg_ratio(bodies, clearances), stature.floor, x, z, clearances, soles or {})


def find_stature(clip: Clip, reference: ReferencePose) -> Stature:
    """Find the floor under a clip, and how far the soles lie below the joints of the feet.

    Planted points of feet show both; without any, the lowest points of the feet do. ``reference`` is the
    reference pose of the clip's body.

    >>> from motionloom.retargeting.reference_pose import rest_reference
    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=2.0).clip
    >>> find_stature(clip, rest_reference(clip.skeleton)).floor
    0.0
    """
    planted = _plant_heights(clip, reference)
    if planted:
        return Stature(*(float(np.median(values)) for values in zip(*planted, strict=True)))
    soles = clip_soles(clip)
    clearance = _mesh_clearance(reference, soles)
    if clearance is not None and clip.n_frames:
        lowest = min(float(np.quantile(s.lowest(clip)[:, 1], LOW_FRACTION)) for s in soles.values())
        return Stature(0.0 if USUAL_FLOOR[0] <= lowest <= USUAL_FLOOR[1] else lowest, clearance)
    heights = _lowest_heights(clip, reference.parts)
    if not len(heights):
        return Stature(0.0, None)
    lowest = float(np.quantile(heights, LOW_FRACTION))
    floor = 0.0 if USUAL_FLOOR[0] <= lowest <= USUAL_FLOOR[1] else lowest
    return Stature(floor, max(lowest - floor, 0.0))


def rest_stature(reference: ReferencePose) -> Stature:
    """Return what the rest pose shows: the root's offset is its height if that puts the feet near zero."""
    height = float(reference.skeleton.offsets[0, 1])
    feet = min((sole_height(reference, foot, 0.0) for foot in _feet(reference.parts)), default=None)
    if height == 0.0 or feet is None or not 0.0 <= height + feet <= USUAL_FLOOR[1]:
        return Stature(0.0, None)
    return Stature(0.0, height + feet)


def sole_height(reference: ReferencePose, foot: int, clearance: float) -> float:
    """Return the height of the sole of a foot in a reference pose, metres."""
    return float(reference.points_below(foot)[:, 1].min()) - clearance


def leg_length(reference: ReferencePose, clearance: float) -> float | None:
    """Return the length of a leg from the hip down to the sole, metres; None without legs."""
    lengths = []
    for side in SIDES:
        leg = reference.parts.limb(side, ("thigh", "foot"))
        if len(leg) == 2:
            bones = tree.length_between(reference.skeleton, *leg)
            lengths.append(bones + reference.positions[leg[1], 1] - sole_height(reference, leg[1], clearance))
    return float(np.mean(lengths)) if lengths else None


def carrying_joints(parts: BodyParts, partners: Mapping[int, int]) -> list[int]:
    """Return the target joints whose centre is transferred: both hips, else the first with a partner."""
    hips = [joint for side in SIDES for joint in parts.limb(side, ("thigh",)) if joint in partners]
    return hips if len(hips) == len(SIDES) else [min(partners)]


def find_foot(parts: BodyParts, joint: int) -> int | None:
    """Return the ankle of the foot that a joint belongs to; None for joints of no foot."""
    above = tree.ancestors(parts.skeleton, joint)
    return next((foot for foot in _feet(parts) if foot in above), None)


def _mesh_clearance(reference: ReferencePose, soles: Mapping[int, MeshSole]) -> float | None:
    """Return how far the soles of a mesh lie below the lowest joints of the feet, metres; None without
    any.
    """
    depths = [
        sole_height(reference, foot, 0.0) - lowest_of_sole(reference, soles[foot])
        for foot in _feet(reference.parts)
        if foot in soles
    ]
    return float(np.mean(depths)) if depths else None


def lowest_of_sole(reference: ReferencePose, sole: MeshSole) -> float:
    """Return the height of the lowest vertex of a sole in a reference pose, metres."""
    found = sole.positions(reference.skeleton, reference.positions[None], reference.rotations[None])
    return float(found[..., 1].min())


def _target_clearance(source: Skeleton, example: Clip | None, bodies: BodyPair) -> float | None:
    if example is not None:
        return find_stature(example, bodies.target).clearance
    # A motion shows it better than a rest pose, also for another body of the same rig.
    return None if source.names == bodies.target.skeleton.names else rest_stature(bodies.target).clearance


def _leg_ratio(bodies: BodyPair, clearances: tuple[float, float]) -> float:
    """Return the target's leg length divided by the source's; for bodies without legs that of all limbs.

    Bodies of which one has no length at all are taken as of one size.
    """
    own, other = leg_length(bodies.source, clearances[0]), leg_length(bodies.target, clearances[1])
    if own is not None and other is not None and min(own, other) > 0.0:
        return other / own
    source = sum(float(np.linalg.norm(bone.source_vector)) for bone in bodies.bones.values())
    target = sum(float(np.linalg.norm(bone.vector)) for bone in bodies.bones.values())
    return target / source if min(source, target) > 0.0 else 1.0


def _feet(parts: BodyParts) -> list[int]:
    return [foot for side in SIDES for foot in parts.limb(side, ("foot",))]


def _lowest_heights(clip: Clip, parts: BodyParts) -> FloatArray:
    """Return the height (T,) of the lowest joint or tip of the feet, metres; empty without feet."""
    below = {joint for foot in _feet(parts) for joint in tree.subtree(clip.skeleton, foot)}
    if not below or not clip.n_frames:
        return np.zeros(0)
    tips = [n for n, tip in enumerate(clip.skeleton.tips) if tip.joint in below]
    joints = clip.world_positions()[:, sorted(below), 1]
    return np.asarray(np.concatenate([joints, clip.tip_positions()[:, tips, 1]], axis=1).min(axis=1))


def _plant_heights(clip: Clip, reference: ReferencePose) -> list[tuple[float, float]]:
    """Return for every foot plant the height of its point, and how far that lies below the foot, metres."""
    found = []
    for plant in clip.constraints:
        joint = clip.skeleton.index(plant.joint)
        foot = find_foot(reference.parts, joint)
        frames = list(plant.whole_frames(clip.n_frames))
        if foot is None or not frames:
            continue
        positions, rotations = clip.world_positions()[frames], clip.world_rotations()[frames]
        heights = kinematics.world_points(positions, rotations, [joint], [plant.point])[:, 0, 1]
        below = reference.positions[joint] + rot.rotate(reference.rotations[joint], plant.point)
        found.append((float(np.median(heights)), sole_height(reference, foot, 0.0) - float(below[1])))
    return found

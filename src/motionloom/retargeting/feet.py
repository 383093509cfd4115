"""Feet of the target: flat soles on the floor, as high as the source's, and knees that bend for it.

Bones that point where the source's do leave a foot too high or too low where thighs, shins and feet of the
two bodies have different proportions.

A foot that stands flat in the motion stands flat on the mesh of the target. Captured skeletons rest with
their feet pitched by up to 30°, and so do their toes. Bones alone do not show it. A mesh stands flat at rest;
so what counts as flat of the source is how its feet and toes are tilted while heel and toe are planted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from motionloom.arrays import BoolArray, FloatArray, freeze, norm
from motionloom.geometry import rotations as rot
from motionloom.geometry.splines import smoothstep
from motionloom.ik.two_bone import Chain, find_hinge, solve_limb
from motionloom.motion import Clip, kinematics
from motionloom.motion.anatomy import tree
from motionloom.motion.mesh_soles import MeshSole
from motionloom.retargeting.body_parts import SIDES
from motionloom.retargeting.contacts import SolePoint
from motionloom.retargeting.proportions import Proportions, find_foot, leg_length
from motionloom.retargeting.reference_pose import BodyPair, ReferencePose

SAME_HEIGHT = 1e-9
"""A foot this close to its height is left alone, metres."""

KNEE_AXIS = np.array([-1.0, 0.0, 0.0])
"""Rotating the shin about this axis of a body that faces +Z straightens the knee."""

LOW, HIGH = 0.05, 0.3
"""A foot whose sole is lower than the first above the floor stands or is about to, metres; one that is higher
than the second is left alone, so that kicks and jumps keep the pose of their legs."""

TOES_LOW, TOES_HIGH = 0.04, 0.11
"""The same for toes that the floor bends, as fractions of the leg: soles are this high while the
toes leave the floor, and a foot that swings higher keeps them as they were."""

UP = np.array([0.0, 1.0, 0.0])

MAX_BEND = np.radians(60.0)
"""Toes of people bend upwards by about this much, radians."""

MIN_RUN = 1e-6
"""Metres below which toes have no direction over the ground."""

MIN_AGREEMENT = 0.5
"""Feet whose tilts have a mean direction shorter than this do not stand in one way."""


def match_foot_heights(
    clip: Clip, source: Clip, body: ReferencePose, points: Sequence[SolePoint], proportions: Proportions
) -> Clip:
    """Put the lowest point of each low sole as high above the floor as the source's, scaled.

    The whole body rises by what both legs need on average while they stand; the knees do the rest.

    Parameters
    ----------
    clip, source
        The transferred clip, and the clip it comes from.
    body
        Reference pose of the target.
    points
        Corresponding points of the soles.
    proportions
        The scale and the floor.
    """
    legs: dict[Chain, tuple[FloatArray, FloatArray]] = {}
    low = []
    for side in SIDES:
        leg = body.parts.limb(side, ("thigh", "shin", "foot"))
        own = [point for point in points if point.foot == leg[-1]] if len(leg) == 3 else []
        if own:
            wanted = _target_heights(source, own, proportions)
            above = wanted - proportions.floor
            # 1 up to LOW, easing to 0 at HIGH.
            weights = 1.0 - smoothstep((above - LOW) / (HIGH - LOW))
            mesh = proportions.soles.get(leg[-1])
            if mesh is not None:
                height = above / (leg_length(body, proportions.clearances[1]) or 1.0)
                near = 1.0 - smoothstep((height - TOES_LOW) / (TOES_HIGH - TOES_LOW))
                clip = bend_toes(clip, body, leg[-1], mesh, near)
            current = _current_heights(clip, own, proportions)
            legs[leg[0], leg[1], leg[2]] = wanted - current, weights
            low.append((wanted - current)[above < LOW])
    standing = np.concatenate(low) if low else np.zeros(0)
    rise = float(np.median(standing)) if len(standing) else 0.0
    if abs(rise) > SAME_HEIGHT:
        clip = replace(clip, root_positions=freeze(clip.root_positions + np.array([0.0, rise, 0.0])))
    for chain, (lifts, weights) in legs.items():
        clip = _lift_ankle(clip, chain, body, weights * (lifts - rise))
    return clip


def _target_heights(source: Clip, points: Sequence[SolePoint], proportions: Proportions) -> FloatArray:
    """Return the height (T,) that the lowest point of a sole has to have, metres."""
    theirs = _point_positions(source, [(point.source_joint, point.source_point) for point in points])
    return np.asarray(proportions.apply(theirs)[..., 1].min(axis=1))


def _current_heights(clip: Clip, points: Sequence[SolePoint], proportions: Proportions) -> FloatArray:
    """Return the height (T,) of the lowest point of a sole of the target, metres."""
    mesh = proportions.soles.get(points[0].foot)
    if mesh is not None:
        return mesh.lowest(clip)[:, 1]
    own = _point_positions(clip, [(point.target_joint, point.target_point) for point in points])
    return np.asarray(own[..., 1].min(axis=1))


def _point_positions(clip: Clip, points: Sequence[tuple[int, FloatArray]]) -> FloatArray:
    """Return the world positions (T, P, 3) of points of joints, metres."""
    joints, offsets = [joint for joint, _ in points], [point for _, point in points]
    return kinematics.world_points(clip.world_positions(), clip.world_rotations(), joints, offsets)


def _lift_ankle(clip: Clip, chain: Chain, body: ReferencePose, lifts: FloatArray) -> Clip:
    """Raise the ankle of a leg by ``lifts`` (T,) metres; the foot keeps its orientation."""
    if np.abs(lifts).max(initial=0.0) < SAME_HEIGHT:
        return clip
    positions, rotations = clip.world_positions(), clip.world_rotations()
    fallback = rot.rotate(rot.inverse(body.rotations[chain[0]]), KNEE_AXIS)
    goals = positions[:, chain[2]] + lifts[:, None] * [0.0, 1.0, 0.0]
    hinge = find_hinge(positions, rotations, chain, fallback)
    found = solve_limb(clip.skeleton.parents, positions, rotations, chain, goals, hinge=hinge)
    local = np.array(clip.rotations)
    local[:, list(chain)] = rot.normalize(found.rotations)
    return replace(clip, rotations=freeze(local))


def level_soles(clip: Clip, bodies: BodyPair, soles: Mapping[int, MeshSole]) -> BodyPair:
    """Let feet and toes of a target with a mesh be level where those of the clip are planted flat.

    Parameters
    ----------
    clip
        The motion, with the plants of its feet.
    bodies
        Source and target.
    soles
        The soles of the target's mesh by ankle joint; feet without one stay as they are.
    """
    difference = np.array(bodies.difference)
    partners = bodies.mapping.partners
    for foot in soles:
        own = partners.get(foot)
        if own is None or find_foot(bodies.source.parts, own) != own:
            continue
        frames = _flat_frames(clip, bodies, own)
        if not frames.any():
            continue
        turn = rot.IDENTITY
        for joint in tree.subtree(bodies.target.skeleton, foot):
            partner = partners.get(joint)
            if partner is not None:
                away = rot.multiply(
                    clip.world_rotations()[frames, partner], rot.inverse(bodies.source.rotations[partner])
                )
                vertical = rot.rotate(rot.inverse(away), UP).mean(axis=0)
                turn = rot.between(UP, vertical) if norm(vertical) > MIN_AGREEMENT else rot.IDENTITY
            difference[joint] = rot.multiply(turn, difference[joint])
    return replace(bodies, difference=freeze(difference))


def _flat_frames(clip: Clip, bodies: BodyPair, foot: int) -> BoolArray:
    """Return the frames (T,) in which two points of a foot of the source are planted."""
    held: dict[tuple[str, str], BoolArray] = {}
    for plant in clip.constraints:
        if find_foot(bodies.source.parts, clip.skeleton.index(plant.joint)) == foot:
            frames = held.setdefault((plant.joint, plant.kind), np.zeros(clip.n_frames, dtype=np.bool_))
            frames[plant.whole_frames(clip.n_frames)] = True
    return np.sum([*held.values()], axis=0) >= 2 if held else np.zeros(clip.n_frames, dtype=np.bool_)


def bend_toes(clip: Clip, body: ReferencePose, foot: int, sole: MeshSole, weights: FloatArray) -> Clip:
    """Bend the toes of a foot upwards where they would point into the floor.

    Captured toes tremble, and many captures have none; toes that rest on the floor give way to it. They do
    not bend by more than :data:`MAX_BEND`.

    Parameters
    ----------
    clip
        The motion on the target.
    body
        Reference pose of the target, in which toes are level.
    foot, sole
        The ankle, and the sole of its mesh.
    weights
        (T,) how near the foot is to the floor: 1 on it, 0 well above.
    """
    toes = body.skeleton.index(sole.toe.joint)
    if toes == foot:
        return clip
    ahead = (body.positions[toes] - body.positions[foot]) * [1.0, 0.0, 1.0]
    away = rot.multiply(clip.world_rotations()[:, toes], rot.inverse(body.rotations[toes]))
    pointing = rot.rotate(away, ahead)
    run = np.hypot(pointing[:, 0], pointing[:, 2])
    pitch = np.arctan2(pointing[:, 1], np.maximum(run, MIN_RUN))
    bend = weights * np.clip(-pitch, 0.0, MAX_BEND)
    if not bend.any():
        return clip
    axes = np.cross(pointing, UP)
    axes /= np.maximum(norm(axes), MIN_RUN)[:, None]
    world = rot.multiply(rot.from_rotation_vector(axes * bend[:, None]), clip.world_rotations()[:, toes])
    above = clip.world_rotations()[:, body.skeleton.parents[toes]]
    rotations = np.array(clip.rotations)
    rotations[:, toes] = rot.nearer(rot.multiply(rot.inverse(above), world), rotations[:, toes])
    return replace(clip, rotations=freeze(rotations))

"""Foot height: low feet are as high above the floor as the source's, and knees bend for it.

Bones that point where the source's do leave a foot too high or too low where thighs, shins and feet of the
two bodies have different proportions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.geometry import rotations as rot
from motionloom.geometry.splines import smoothstep
from motionloom.ik.two_bone import Chain, find_hinge, solve_limb
from motionloom.motion import Clip, kinematics
from motionloom.retargeting.body_parts import SIDES
from motionloom.retargeting.contacts import SolePoint
from motionloom.retargeting.level_soles import bend_toes
from motionloom.retargeting.proportions import Proportions, leg_length
from motionloom.retargeting.reference_pose import ReferencePose

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

"""Feet as high above the floor as the source's: ankles are raised and lowered, and knees bend for it.

Bones that point where the source's do leave a foot too high or too low where thighs, shins and feet of the
two bodies have other proportions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.geometry import rotations as rot
from motionloom.geometry.curves import smoothstep
from motionloom.ik import reach, usual_hinge
from motionloom.motion import Clip, kinematics
from motionloom.retargeting.parts import SIDES
from motionloom.retargeting.reference import Reference
from motionloom.retargeting.soles import SolePoint
from motionloom.retargeting.transfer import Placing

SAME = 1e-9
"""A foot this near to its height is left where it is, metres."""

KNEE_AXIS = np.array([-1.0, 0.0, 0.0])
"""Turning the shin about this axis of a body that faces +Z straightens the knee."""


LOW, HIGH = 0.05, 0.3
"""A foot whose sole is lower than the first above the floor stands or is about to, metres; one that is higher
than the second is left alone, so that kicks and jumps keep their legs as they are."""

Chain = tuple[int, int, int]


def grounded(
    clip: Clip, source: Clip, body: Reference, points: Sequence[SolePoint], placing: Placing
) -> Clip:
    """The carried clip with the lowest point of each low sole as high above the floor as the source's,
    scaled.

    What both legs need on average while they stand, the whole body rises; the rest is left to the knees.
    """
    legs: dict[Chain, tuple[FloatArray, FloatArray]] = {}
    low = []
    for chain in _legs(body):
        own = [point for point in points if point.foot == chain[2]]
        if own:
            wanted, have = _lowest_heights(clip, source, own, placing)
            above = wanted - placing.floor
            legs[chain] = wanted - have, _nearness(above)
            low.append((wanted - have)[above < LOW])
    standing = np.concatenate(low) if low else np.zeros(0)
    rise = float(np.median(standing)) if len(standing) else 0.0
    if abs(rise) > SAME:
        clip = replace(clip, root_positions=freeze(clip.root_positions + np.array([0.0, rise, 0.0])))
    for chain, (lifts, nearness) in legs.items():
        clip = _lifted(clip, chain, body, nearness * (lifts - rise))
    return clip


def _nearness(heights: FloatArray) -> FloatArray:
    """Weights (T,) of soles at heights (T,) above the floor: 1 up to :data:`LOW`, easing to 0 at
    :data:`HIGH`.
    """
    return 1.0 - smoothstep((heights - LOW) / (HIGH - LOW))


def _legs(body: Reference) -> list[Chain]:
    """Hip, knee and ankle of the legs that have all three."""
    legs = [body.parts.limb(side, ("thigh", "shin", "foot")) for side in SIDES]
    return [(leg[0], leg[1], leg[2]) for leg in legs if len(leg) == 3]


def _lowest_heights(
    clip: Clip, source: Clip, points: Sequence[SolePoint], placing: Placing
) -> tuple[FloatArray, FloatArray]:
    """Heights (T,) at which the lowest point of a sole shall be, and at which it is, metres."""
    theirs = _places(source, [(point.source_joint, point.source_point) for point in points])
    own = _places(clip, [(point.target_joint, point.target_point) for point in points])
    return placing.apply(theirs)[..., 1].min(axis=1), own[..., 1].min(axis=1)


def _places(clip: Clip, points: Sequence[tuple[int, FloatArray]]) -> FloatArray:
    """World positions (T, P, 3) of points of joints, metres."""
    joints, offsets = [joint for joint, _ in points], [point for _, point in points]
    return kinematics.points_of(clip.world_positions(), clip.world_rotations(), joints, offsets)


def _lifted(clip: Clip, chain: Chain, body: Reference, lifts: FloatArray) -> Clip:
    """The clip with the ankle at the end of a leg raised by so much (T,), the foot turned as before."""
    if np.abs(lifts).max(initial=0.0) < SAME:
        return clip
    places, turns = clip.world_positions(), clip.world_rotations()
    fallback = rot.rotate(rot.inverse(body.rotations[chain[0]]), KNEE_AXIS)
    goals = places[:, chain[2]] + lifts[:, None] * [0.0, 1.0, 0.0]
    hinge = usual_hinge(places, turns, chain, fallback)
    found = reach(clip.skeleton.parents, places, turns, chain, goals, hinge=hinge)
    rotations = np.array(clip.rotations)
    rotations[:, list(chain)] = rot.normalize(found.rotations)
    return replace(clip, rotations=freeze(rotations))

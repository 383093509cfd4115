"""How high a body stands: the floor, how far soles lie below the joints of feet, and how long legs are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, kinematics
from motionloom.motion.anatomy import tree
from motionloom.retargeting.parts import SIDES, BodyParts
from motionloom.retargeting.reference import Reference, foot_of

LOWEST_SHARE = 0.05
"""Share of the frames in which feet are on the floor even in a run."""

USUAL_FLOOR = (-0.05, 0.10)
"""Captures put the floor at height zero. It is believed when the lowest joint of the feet comes within this
range of it, metres: markers sit on the foot, and calibration is off by some centimetres."""


@dataclass(frozen=True)
class Stature:
    """How a body stands.

    Attributes
    ----------
    floor
        Height of the floor of the clip, metres; zero for a skeleton without a clip.
    clearance
        How far the sole lies below the lowest joint or tip of a foot, metres; None where nothing tells. A
        little below zero where toes hang down in the reference pose.
    """

    floor: float
    clearance: float | None


def stature_of(clip: Clip, reference: Reference) -> Stature:
    """The floor under a clip, and how far the soles of its body lie below the joints of the feet.

    Planted points of feet tell both; without any, the lowest points of the feet do. ``reference`` is the body
    of the clip, standing.

    >>> from motionloom.retargeting.reference import rest_reference
    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=2.0).clip
    >>> stature_of(clip, rest_reference(clip.skeleton)).floor
    0.0
    """
    planted = _planted(clip, reference)
    if planted:
        return Stature(*(float(np.median(values)) for values in zip(*planted, strict=True)))
    heights = _lowest_heights(clip, reference.parts)
    if not len(heights):
        return Stature(0.0, None)
    lowest = float(np.quantile(heights, LOWEST_SHARE))
    floor = 0.0 if USUAL_FLOOR[0] <= lowest <= USUAL_FLOOR[1] else lowest
    return Stature(floor, max(lowest - floor, 0.0))


def stature_at_rest(reference: Reference) -> Stature:
    """What the rest pose tells: the root's offset is its height if it puts the feet near to height zero."""
    height = float(reference.skeleton.offsets[0, 1])
    feet = _lowest_of_feet(reference)
    if height == 0.0 or feet is None or not 0.0 <= height + feet <= USUAL_FLOOR[1]:
        return Stature(0.0, None)
    return Stature(0.0, height + feet)


def sole_height(reference: Reference, foot: int, clearance: float) -> float:
    """Height of the sole of a foot in a reference pose, metres."""
    return float(reference.points_below(foot)[:, 1].min()) - clearance


def leg_length(reference: Reference, clearance: float) -> float | None:
    """From the hip joint along the bones to the ankle, and down to the sole, metres; None without legs."""
    lengths = []
    for side in SIDES:
        leg = reference.parts.limb(side, ("thigh", "foot"))
        if len(leg) == 2:
            bones = tree.length_between(reference.skeleton, *leg)
            lengths.append(bones + reference.positions[leg[1], 1] - sole_height(reference, leg[1], clearance))
    return float(np.mean(lengths)) if lengths else None


def _feet(parts: BodyParts) -> list[int]:
    return [foot for side in SIDES for foot in parts.limb(side, ("foot",))]


def _lowest_of_feet(reference: Reference) -> float | None:
    feet = _feet(reference.parts)
    return min((sole_height(reference, foot, 0.0) for foot in feet), default=None)


def _lowest_heights(clip: Clip, parts: BodyParts) -> FloatArray:
    """Height (T,) of the lowest joint or tip of the feet in each frame, metres; empty without feet."""
    below = {joint for foot in _feet(parts) for joint in tree.subtree(clip.skeleton, foot)}
    if not below or not clip.n_frames:
        return np.zeros(0)
    tips = [n for n, tip in enumerate(clip.skeleton.tips) if tip.joint in below]
    joints = clip.world_positions()[:, sorted(below), 1]
    return np.asarray(np.concatenate([joints, clip.tip_positions()[:, tips, 1]], axis=1).min(axis=1))


def _planted(clip: Clip, reference: Reference) -> list[tuple[float, float]]:
    """For every plant of a foot the height of its point, and how far that lies below the foot, metres."""
    found = []
    for plant in clip.constraints:
        joint = clip.skeleton.index(plant.joint)
        foot = foot_of(reference.parts, joint)
        frames = list(plant.whole_frames(clip.n_frames))
        if foot is None or not frames:
            continue
        places, turns = clip.world_positions()[frames], clip.world_rotations()[frames]
        heights = kinematics.points_of(places, turns, [joint], [plant.point])[:, 0, 1]
        below = reference.positions[joint] + rot.rotate(reference.rotations[joint], plant.point)
        found.append((float(np.median(heights)), sole_height(reference, foot, 0.0) - float(below[1])))
    return found

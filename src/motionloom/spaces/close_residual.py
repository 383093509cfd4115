"""`close_residual`: plant the feet of a blend, and bring joints to where they were asked to be."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.blending.result import BlendResult
from motionloom.enforcement import enforce
from motionloom.motion import Clip
from motionloom.spaces.measured_blends import MeasuredBlends
from motionloom.spaces.measures import JointTarget, sample_at
from motionloom.warping.keys import EASE, Key
from motionloom.warping.reach import MAX_EASE
from motionloom.warping.warp import warp

MAX_ROUNDS = 3
"""Times that joints are brought to their targets: moving a joint moves its apex, too."""

CLOSE = 1e-4
"""Metres that are not closed further."""


def close_residual(
    blends: MeasuredBlends,
    result: BlendResult,
    weights: FloatArray,
    goal: FloatArray,
    *,
    ik: bool,
    plant: bool,
) -> Clip:
    """Return the clip of a blend with planted feet, and with joints where its parameters (d,) say."""
    plant = plant and bool(result.clip.constraints)
    clip = enforce(result.clip) if plant else result.clip
    if not ik or clip.cyclic:
        return clip
    for _ in range(MAX_ROUNDS):
        targets = blends.targets(clip, weights, result.u, goal)
        if all(_distance(clip, target) < CLOSE for target in targets):
            break
        clip = warp(clip, [_key(clip, target) for target in targets], keep_plants=plant)
    return replace(clip, report=None)


def _distance(clip: Clip, target: JointTarget) -> float:
    """Return how far from its target a joint is, metres."""
    position = sample_at(clip.point_positions(target.joint, target.point), target.frame)
    return float(np.linalg.norm(position - target.position))


def _key(clip: Clip, target: JointTarget) -> Key:
    """Return the key that brings a joint to its target; it fades over the time that the clip has."""
    moment = target.frame * clip.frame_time
    ease = float(np.clip(min(moment, clip.duration - moment), EASE, MAX_EASE))
    return Key(moment, target.joint, reach=target.position, point=target.point, ease=ease)

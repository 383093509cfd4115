"""`close_residual`: plant the feet of a blend, and bring joints to where they were asked to be."""

from __future__ import annotations

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

MAX_ROUNDS = 8
"""Times that joints are brought to their targets: moving a joint moves its apex, too. One or two are
usual."""

MAX_GAIN = 4.0
"""Factor by which joints are moved farther than they are off, where the rounds before closed too little."""

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
    clip = enforce(result.clip).clip if plant else result.clip
    if not ik or clip.cyclic:
        return clip
    if plant:
        moved = blends.move_plants(clip, goal, CLOSE)
        clip = clip if moved is clip else enforce(moved).clip
    gain, before = 1.0, np.empty((0, 3))
    for _ in range(MAX_ROUNDS):
        targets = blends.targets(clip, weights, result.u, goal)
        missing = np.array([_find_offset(clip, target) for target in targets]).reshape(-1, 3)
        if (np.linalg.norm(missing, axis=1) < CLOSE).all():
            break
        gain, before = _find_gain(missing, before, gain), missing
        keys = [_key(clip, each, own) for each, own in zip(targets, (gain - 1.0) * missing, strict=True)]
        clip = warp(clip, keys, keep_plants=plant).clip
    return clip


def _find_gain(missing: FloatArray, before: FloatArray, gain: float) -> float:
    """Return by which factor to move joints that miss their targets by (N, 3): what the last round shows."""
    if missing.shape != before.shape:
        return 1.0
    closed = float(((before - missing) * before).sum() / (before * before).sum())
    return float(np.clip(gain / max(closed, 1.0 / MAX_GAIN), 1.0, MAX_GAIN))


def _find_offset(clip: Clip, target: JointTarget) -> FloatArray:
    """Return the way (3,) from a joint to its target, metres."""
    position = sample_at(clip.point_positions(target.joint, target.point), target.frame)
    return np.asarray(target.position - position)


def _key(clip: Clip, target: JointTarget, beyond: FloatArray) -> Key:
    """Return the key that brings a joint to its target, or beyond it (3,); it fades over time."""
    moment = target.frame * clip.frame_time
    ease = float(np.clip(min(moment, clip.duration - moment), EASE, MAX_EASE))
    return Key(moment, target.joint, reach=target.position + beyond, point=target.point, ease=ease)

"""Joints whose rotations are too far apart to average along a registration."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from motionloom.arrays import norm
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.motion.anatomy import Anatomy, find_anatomy
from motionloom.registration.alignment import AlignmentCurve
from motionloom.registration.timewarp import TimewarpCurve

MIN_LENGTH = 0.5
"""Length of the mean of two quaternions below which they are too far apart: 240° and more. Blending hands the
joint to one clip there; the same as in blending/hand_over.py."""

N_MOMENTS = 200
"""Moments, spread evenly over a curve, at which rotations are compared."""


def measure_far_apart(
    clips: Sequence[Clip], timewarp: TimewarpCurve, alignment: AlignmentCurve
) -> tuple[float, str]:
    """Return the largest fraction of moments at which a joint's rotations are too far apart, and its name.

    Trunk, legs and arms count, up to ankles and wrists; fingers and toes do not. A joint that turns once
    around more in one clip than in another is far apart for the rest of the curve, since the signs of
    quaternions are chosen once.
    """
    if not all(isinstance(clip, Clip) for clip in clips):
        return 0.0, ""
    reference = alignment.reference
    skeleton = clips[reference].skeleton
    names = [skeleton.names[joint] for joint in _main_joints(find_anatomy(skeleton))]
    names = [name for name in names if all(name in clip.skeleton.names for clip in clips)]
    if not names:
        return 0.0, ""
    u = np.linspace(*timewarp.domain, N_MOMENTS)
    frames, yaws = timewarp(u), rot.from_yaw(alignment(u)[..., 0])
    samples = []
    for k, clip in enumerate(clips):
        rows = np.rint(frames[:, k]).astype(np.int64)
        rows = rows % clip.n_frames if clip.cyclic else np.clip(rows, 0, clip.n_frames - 1)
        joints = [clip.skeleton.index(name) for name in names]
        own = rot.unroll(clip.rotations[:, joints])[rows]
        if joints[0] == 0:
            own[:, 0] = rot.multiply(yaws[:, k], own[:, 0])
        samples.append(own)
    worst = np.zeros(len(names))
    for own in samples:
        sides = rot.hemisphere_signs(samples[reference], own).sum(axis=0, dtype=np.int64)
        means = (samples[reference] + own * np.where(sides < 0, -1.0, 1.0)[:, None]) / 2.0
        worst = np.maximum(worst, (norm(means) < MIN_LENGTH).mean(axis=0))
    joint = int(worst.argmax())
    return float(worst[joint]), names[joint]


def _main_joints(anatomy: Anatomy) -> list[int]:
    """Return the joints of trunk, legs and arms, in order."""
    chains = [leg.chain for leg in anatomy.legs] + [arm.chain for arm in anatomy.arms]
    return sorted({*anatomy.spine, *(joint for chain in chains for joint in chain)})

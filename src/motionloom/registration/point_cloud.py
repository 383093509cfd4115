"""The points that stand for a body when its frames are compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from motionloom.arrays import FloatArray, IntArray, freeze
from motionloom.errors import ParameterError
from motionloom.motion import Clip, PointClip, Skeleton
from motionloom.motion.kinematics import world_points
from motionloom.motion.sampling import sample_vectors
from motionloom.validation import check_count, check_number

MAX_POINTS = 1000
"""Points per frame; a larger request is taken for a mistake."""


@dataclass(frozen=True, eq=False, repr=False)
class PointCloud:
    """The points of every frame of a clip, with weights.

    Attributes
    ----------
    positions
        (T, P, 3) world positions, metres.
    weights
        (P,) positive, with sum 1.
    """

    positions: FloatArray
    weights: FloatArray

    def __repr__(self) -> str:
        n_frames, n_points, _ = self.positions.shape
        return f"PointCloud({n_frames} frames of {n_points} points)"


def point_cloud(
    clip: Clip | PointClip, points: int | None = None, joint_weights: Mapping[str, float] | None = None
) -> PointCloud:
    """Return the points that stand for the body of a clip.

    Parameters
    ----------
    clip
        Joints, or markers without gaps.
    points
        None: joints and tips, each weighted by half the length of the bones that meet there, so that ten
        finger joints do not outweigh a leg. A number: that many markers spread evenly along the bones with
        equal weights, as in the papers (40 per frame).
    joint_weights
        Factors on the weights of joints, by name; 0 ignores a joint.

    >>> from motionloom.synthesis import walk
    >>> cloud = point_cloud(walk(duration=1, fps=30).clip)
    >>> cloud.positions.shape, round(float(cloud.weights.sum()), 12)
    ((31, 27, 3), 1.0)
    """
    if joint_weights is not None and not isinstance(joint_weights, Mapping):
        raise ParameterError(f"joint_weights must map joint names to numbers, not {joint_weights!r}")
    factors = dict(joint_weights or {})
    if isinstance(clip, PointClip):
        return _markers(clip, factors)
    for name, factor in factors.items():
        clip.skeleton.index(name)
        check_number(f"the weight of joint {name!r}", factor, min=0.0)
    joints, offsets, weights = (
        _joints_and_tips(clip.skeleton) if points is None else _spread(clip.skeleton, points)
    )
    weights = weights * np.array([factors.get(clip.skeleton.names[joint], 1.0) for joint in joints])
    kept = weights > 0.0
    if not kept.any():
        raise ParameterError("every joint has weight zero: nothing is left to compare")
    positions = world_points(clip.world_positions(), clip.world_rotations(), joints[kept], offsets[kept])
    return PointCloud(freeze(positions), freeze(weights[kept] / weights[kept].sum()))


def stretch(cloud: PointCloud, n_frames: int) -> PointCloud:
    """Sample the cloud at another number of evenly spaced moments.

    >>> stretch(PointCloud(np.arange(3.0).reshape(3, 1, 1), np.ones(1)), 5).positions.ravel().tolist()
    [0.0, 0.5, 1.0, 1.5, 2.0]
    """
    moments = np.linspace(0.0, len(cloud.positions) - 1.0, n_frames)
    return replace(cloud, positions=freeze(sample_vectors(cloud.positions, moments)))


def _markers(clip: PointClip, factors: Mapping[str, float]) -> PointCloud:
    if np.isnan(clip.positions).any():
        frame, point = (int(n) for n in np.argwhere(np.isnan(clip.positions))[0][:2])
        raise ParameterError(
            f"marker {clip.names[point]!r} has a gap at frame {frame}: "
            "fill the gaps or drop the marker before registering"
        )
    weights = np.array([factors.get(name, 1.0) for name in clip.names])
    if not (np.isfinite(weights).all() and (weights >= 0.0).all() and weights.sum() > 0.0):
        raise ParameterError("marker weights must be numbers of at least 0, at least one of them positive")
    return PointCloud(clip.positions, freeze(weights / weights.sum()))


def _joints_and_tips(skeleton: Skeleton) -> tuple[IntArray, FloatArray, FloatArray]:
    """Return joints and tips as points of joints, weighted by half the bones that meet at each."""
    n_joints = skeleton.n_joints
    weights = np.zeros(n_joints + len(skeleton.tips))
    for end, (joint, length) in enumerate(_bones(skeleton)):
        weights[joint] += 0.5 * length
        weights[1 + end] += 0.5 * length
    joints = np.array([*range(n_joints), *(tip.joint for tip in skeleton.tips)])
    offsets = np.array([*np.zeros((n_joints, 3)), *(tip.offset for tip in skeleton.tips)])
    # A skeleton without bones is one point.
    return joints, offsets, weights if weights.any() else np.ones_like(weights)


def _bones(skeleton: Skeleton) -> list[tuple[int, float]]:
    """Return the parent joint and the distance to it, for every joint but the root and every tip."""
    lengths = np.linalg.norm(skeleton.offsets[1:], axis=1).tolist()
    inner = list(zip(skeleton.parents[1:].tolist(), lengths, strict=True))
    return inner + [(tip.joint, float(np.linalg.norm(tip.offset))) for tip in skeleton.tips]


def _spread(skeleton: Skeleton, count: int) -> tuple[IntArray, FloatArray, FloatArray]:
    """Return markers at equal steps along all bones end to end, each a point of its bone's parent joint."""
    check_count("points", count, max=MAX_POINTS)
    bones = _bones(skeleton)
    ends = np.array([*skeleton.offsets[1:], *(tip.offset for tip in skeleton.tips)]).reshape(-1, 3)
    lengths = np.array([length for _, length in bones])
    if not lengths.any():
        return np.zeros(1, dtype=np.int64), np.zeros((1, 3)), np.ones(1)
    limits = np.concatenate([[0.0], np.cumsum(lengths)])
    marks = (np.arange(count) + 0.5) / count * limits[-1]
    which = np.clip(np.searchsorted(limits, marks, side="right") - 1, 0, len(bones) - 1)
    fraction = (marks - limits[which]) / lengths[which]
    joints = np.array([bones[n][0] for n in which])
    return joints, ends[which] * fraction[:, None], np.ones(count)

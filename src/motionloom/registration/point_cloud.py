"""The points that stand for a body when its frames are compared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

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
    return point_clouds([clip], points, joint_weights)[0]


def point_clouds(
    clips: Sequence[Clip | PointClip],
    points: int | None = None,
    joint_weights: Mapping[str, float] | None = None,
) -> list[PointCloud]:
    """Return the points of clips that are compared with each other: the same points of each body.

    Bodies with the same joints and tips may have different bones, some without length. A point without weight
    in one of them is left out in all, and markers along the bones lie on the same bones at the same fractions
    of their lengths.

    Parameters
    ----------
    clips
        Clips with the same joints and tips, or with markers of the same names.
    points, joint_weights
        As in :func:`point_cloud`.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=1, fps=30).clip
    >>> [cloud.positions.shape for cloud in point_clouds([clip, clip[:10]], points=40)]
    [(31, 40, 3), (10, 40, 3)]
    """
    if joint_weights is not None and not isinstance(joint_weights, Mapping):
        raise ParameterError(
            f"must map joint names to numbers, not {joint_weights!r}",
            parameter="joint_weights",
            value=joint_weights,
        )
    factors = dict(joint_weights or {})
    bodies = [clip for clip in clips if isinstance(clip, Clip)]
    if not bodies:
        return [_markers(clip, factors) for clip in clips if isinstance(clip, PointClip)]
    for name, factor in factors.items():
        bodies[0].skeleton.index(name)
        check_number(f"the weight of joint {name!r}", factor, min=0.0)
    chosen = _choose_points([clip.skeleton for clip in bodies], points)
    scale = np.array([factors.get(bodies[0].skeleton.names[joint], 1.0) for joint in chosen.joints])
    weights = chosen.weights * scale
    kept = (weights > 0.0).all(axis=0)
    if not kept.any():
        why = "no joint has bones with length in all bodies" if scale.all() else "every joint has weight zero"
        raise ParameterError("nothing is left to compare", subject=str(why))
    joints = chosen.joints[kept]
    clouds = []
    for clip, offsets, own in zip(bodies, chosen.offsets[:, kept], weights[:, kept], strict=True):
        positions = world_points(clip.world_positions(), clip.world_rotations(), joints, offsets)
        clouds.append(PointCloud(freeze(positions), freeze(own / own.sum())))
    return clouds


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


class _Points(NamedTuple):
    """P points of K bodies: joints (P,), offsets (K, P, 3) in their frames, metres, and weights (K, P)."""

    joints: IntArray
    offsets: FloatArray
    weights: FloatArray


def _choose_points(skeletons: Sequence[Skeleton], count: int | None) -> _Points:
    """Choose the points of bodies with the same joints and tips."""
    if count is None:
        return _joints_and_tips(skeletons)
    return _spread(skeletons, count)


def _joints_and_tips(skeletons: Sequence[Skeleton]) -> _Points:
    """Choose joints and tips, weighted by half the bones that meet at each."""
    first, lengths = skeletons[0], _bone_lengths(skeletons)
    n_joints = first.n_joints
    weights = np.zeros((len(skeletons), n_joints + len(first.tips)))
    for end, joint in enumerate(_bone_joints(first)):
        weights[:, joint] += 0.5 * lengths[:, end]
        weights[:, 1 + end] += 0.5 * lengths[:, end]
    # A skeleton without bones is one point.
    weights[~weights.any(axis=1)] = 1.0
    joints = np.array([*range(n_joints), *(tip.joint for tip in first.tips)])
    tips = _bone_vectors(skeletons)[:, n_joints - 1 :]
    offsets = np.concatenate([np.zeros((len(skeletons), n_joints, 3)), tips], axis=1)
    return _Points(joints, offsets, weights)


def _spread(skeletons: Sequence[Skeleton], count: int) -> _Points:
    """Choose markers at equal steps along all bones end to end, each a point of its bone's parent joint.

    The steps are those of bones with the mean lengths of all bodies.
    """
    check_count("points", count, max=MAX_POINTS)
    lengths = _bone_lengths(skeletons).mean(axis=0)
    if not lengths.any():
        one = len(skeletons), 1
        return _Points(np.zeros(1, dtype=np.int64), np.zeros((*one, 3)), np.ones(one))
    limits = np.concatenate([[0.0], np.cumsum(lengths)])
    marks = (np.arange(count) + 0.5) / count * limits[-1]
    which = np.clip(np.searchsorted(limits, marks, side="right") - 1, 0, len(lengths) - 1)
    fraction = (marks - limits[which]) / lengths[which]
    offsets = _bone_vectors(skeletons)[:, which] * fraction[:, None]
    return _Points(np.array(_bone_joints(skeletons[0]))[which], offsets, np.ones(offsets.shape[:2]))


def _bone_joints(skeleton: Skeleton) -> list[int]:
    """Return the upper joint of every bone: those to all joints but the root, then those to the tips."""
    return [*skeleton.parents[1:].tolist(), *(tip.joint for tip in skeleton.tips)]


def _bone_vectors(skeletons: Sequence[Skeleton]) -> FloatArray:
    """Return the vectors (K, B, 3) of all bones, in the frames of their upper joints."""
    return np.array([[*own.offsets[1:], *(tip.offset for tip in own.tips)] for own in skeletons]).reshape(
        len(skeletons), -1, 3
    )


def _bone_lengths(skeletons: Sequence[Skeleton]) -> FloatArray:
    """Return the lengths (K, B) of all bones, metres."""
    return np.asarray(np.linalg.norm(_bone_vectors(skeletons), axis=2))

"""Blending clips of points: corresponding frames are put on each other and averaged, point by point."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from motionloom import kernels
from motionloom.arrays import BoolArray, FloatArray, freeze, read_only
from motionloom.blending.course import Course, laid_course, source_frames
from motionloom.blending.layers import JointWeights, weights_by_name
from motionloom.blending.result import BlendReport, BlendResult
from motionloom.blending.sources import BlendSources
from motionloom.blending.timing import Timing
from motionloom.blending.weights import SMALLEST_SUM
from motionloom.geometry import GroundTransform
from motionloom.motion import Clip, PointClip

WHOLE_FRAME = 1e-6
"""How near to a whole frame a moment counts as that frame, so that a gap beside it does not reach it."""


def blend_points(
    sources: BlendSources,
    timing: Timing,
    *,
    place: GroundTransform | None = None,
    point_weights: JointWeights | None = None,
    backward: bool = False,
) -> BlendResult:
    """The blend of clips of points at the times of ``timing``; its clip is a :class:`PointClip`.

    A point that is in a gap of some clips takes the weights of the others, divided by their sum; where no
    clip with a weight sees it, it stays a gap. Points face nowhere: ``place`` puts the mean of the first
    frame's points over ``x, z`` and turns them by ``yaw`` from how the clips stand on average.
    """
    course = laid_course(sources, timing.positions, timing.weights, None)
    u = sources.parameters(timing.positions)
    if backward:
        course, u = course.reversed(), u[::-1]
    model = cast(PointClip, sources.curve.clips[sources.curve.reference])
    own = weights_by_name(point_weights, model.names, course.weights)
    frames, placements = source_frames(sources, course)
    points = averaged_points(sources, course, placements, own)
    if place is not None:
        first = len(points) - 1 if backward else 0
        way = _way_to(place, np.nanmean(points[first], axis=0))
        points, placements = way.apply(points), _moved(way, placements)
    report = BlendReport(method="registration")
    clip = PointClip(model.names, model.frame_time, freeze(points), model.source, report)
    # Curves and results are typed for clips with a skeleton; clips of points offer what they are asked for.
    return BlendResult(
        clip=cast(Clip, clip), u=u, weights=course.weights, frames=frames, placements=placements
    )


def averaged_points(
    sources: BlendSources, course: Course, placements: FloatArray, point_weights: FloatArray | None = None
) -> FloatArray:
    """Mean positions (T, P, 3) of placed clips; ``point_weights`` (T, P, K) stand in for their weights."""
    n_frames, n_clips = course.weights.shape
    assert sources.bone_rows is not None
    samples = np.empty((n_frames, n_clips, sources.bone_rows.shape[1]))
    kernels.averaging.sample_all(
        sources.bone_rows, sources.firsts, read_only(course.frames), samples, 0, n_frames
    )
    placed = _placed(samples.reshape(n_frames, n_clips, -1, 3), placements)
    wanted = course.weights[:, None] if point_weights is None else point_weights
    shares = np.where(_seen(sources, course.frames), np.swapaxes(wanted, 1, 2), 0.0)
    sums = shares.sum(axis=1, keepdims=True)
    gaps = np.abs(sums) < SMALLEST_SUM
    mean = np.einsum("tkp,tkpc->tpc", shares / np.where(gaps, 1.0, sums), placed)
    return np.where(gaps[:, 0, :, None], np.nan, mean)


def _seen(sources: BlendSources, frames: FloatArray) -> BoolArray:
    """Which points (T, K, P) the clips see at frames (T, K): both neighbours, or the frame itself."""
    nearest = np.rint(frames)
    frames = np.where(np.abs(frames - nearest) < WHOLE_FRAME, nearest, frames)
    clips: Any = sources.curve.clips
    return np.stack(
        [~np.isnan(clip.at(own)).any(axis=-1) for clip, own in zip(clips, frames.T, strict=True)], axis=1
    )


def _placed(points: FloatArray, placements: FloatArray) -> FloatArray:
    """Points (T, K, P, 3) moved by yaw, x and z (T, K, 3)."""
    yaw, shift_x, shift_z = (placements[..., n, None] for n in range(3))
    c, s = np.cos(yaw), np.sin(yaw)
    x, y, z = (points[..., n] for n in range(3))
    return np.stack([x * c + z * s + shift_x, y, z * c - x * s + shift_z], axis=-1)


def _way_to(place: GroundTransform, middle: FloatArray) -> GroundTransform:
    """The transform that turns about a point (3,) by the place's yaw and takes it to the place."""
    x, _, z = GroundTransform(place.yaw).apply(middle).tolist()
    return GroundTransform(place.yaw, place.x - x, place.z - z)


def _moved(way: GroundTransform, placements: FloatArray) -> FloatArray:
    """Transforms (T, K, 3) followed by another one."""
    x, z = placements[..., 1], placements[..., 2]
    moved = way.apply(np.stack([x, np.zeros_like(x), z], axis=-1))
    return np.stack([placements[..., 0] + way.yaw, moved[..., 0], moved[..., 2]], axis=-1)

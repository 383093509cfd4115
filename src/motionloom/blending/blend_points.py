"""Blending clips of points: corresponding frames are put on each other and averaged, point by point."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from motionloom.arrays import BoolArray, FloatArray, freeze
from motionloom.blending.advance import Timing
from motionloom.blending.layers import JointWeights, weights_by_name
from motionloom.blending.place import Course, laid_course, source_frames
from motionloom.blending.result import BlendReport, BlendResult
from motionloom.blending.sources import BlendSources
from motionloom.blending.weights import SMALLEST_SUM
from motionloom.geometry import GroundTransform
from motionloom.geometry.ground_transform import apply_rows, compose_rows
from motionloom.motion import Clip, PointClip
from motionloom.motion.sampling import WHOLE_FRAME


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
        points, placements = way.apply(points), compose_rows(way.row(), placements)
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
    samples = sources.sampled(sources.bone_rows, course.frames)
    placed = apply_rows(placements[:, :, None], samples.reshape(n_frames, n_clips, -1, 3))
    wanted = course.weights[:, None] if point_weights is None else point_weights
    shares = np.where(_seen(sources, course.frames), np.swapaxes(wanted, 1, 2), 0.0)
    sums = shares.sum(axis=1, keepdims=True)
    gaps = np.abs(sums) < SMALLEST_SUM
    mean = np.einsum("tkp,tkpc->tpc", shares / np.where(gaps, 1.0, sums), placed)
    return np.where(gaps[:, 0, :, None], np.nan, mean)


def _seen(sources: BlendSources, frames: FloatArray) -> BoolArray:
    """Which points (T, K, P) the clips see at frames (T, K): both neighbours, or the frame itself."""
    # A gap beside a frame does not reach it.
    nearest = np.rint(frames)
    frames = np.where(np.abs(frames - nearest) < WHOLE_FRAME, nearest, frames)
    clips: Any = sources.curve.clips
    return np.stack(
        [~np.isnan(clip.at(own)).any(axis=-1) for clip, own in zip(clips, frames.T, strict=True)], axis=1
    )


def _way_to(place: GroundTransform, middle: FloatArray) -> GroundTransform:
    """The transform that turns about a point (3,) by the place's yaw and takes it to the place."""
    x, _, z = GroundTransform(place.yaw).apply(middle).tolist()
    return GroundTransform(place.yaw, place.x - x, place.z - z)

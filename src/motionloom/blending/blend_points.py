"""Blend point clips: corresponding frames are aligned with each other and averaged, point by point."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import numpy as np

from motionloom.arrays import BoolArray, FloatArray, freeze
from motionloom.blending.advance import Clock
from motionloom.blending.constrain import blend_annotations
from motionloom.blending.place import PlacedFrames, find_source_frames, place_frames
from motionloom.blending.result import BlendReport, BlendResult
from motionloom.blending.sources import BlendSources
from motionloom.blending.weights import MIN_WEIGHT_SUM, JointWeights, expand_joint_weights, warn_of_weights
from motionloom.geometry import GroundTransform
from motionloom.geometry.ground_transform import apply_rows, compose_rows
from motionloom.motion import Clip, Motion, PointClip
from motionloom.motion.sampling import WHOLE_FRAME


def blend_points(
    clock: Clock,
    *,
    place: GroundTransform | None = None,
    start: float | None = None,
    duration: float | None = None,
    point_weights: JointWeights | None = None,
) -> BlendResult:
    """Blend point clips frame by frame as a clock times them; the result's clip is a :class:`PointClip`.

    Where a point is missing in some clips, the weights of the others are normalized; where it is missing in
    all clips that have a weight, the result has a gap. Points have no facing: ``place`` moves the mean of the
    first frame's points to ``x, z`` and rotates them by ``yaw`` from the clips' mean orientation.
    """
    sources, backward = clock.sources, clock.backward
    timing = clock.time_frames(start, duration)
    warn_of_weights(timing.weights, clock.frame_time, stacklevel=3)
    placed = place_frames(sources, timing.positions, timing.weights, None)
    u = sources.parameters(timing.positions)
    if backward:
        placed, u = placed.reversed(), u[::-1]
    model = _point_clips(sources)[sources.curve.reference]
    own = expand_joint_weights(point_weights, model.names, placed.weights)
    frames, placements = find_source_frames(sources, placed)
    points = average_points(sources, placed, placements, own)
    if place is not None:
        first = len(points) - 1 if backward else 0
        centre = np.nanmean(points[first], axis=0)
        # Rotate about the centre by the yaw of the place, and move the centre there.
        x, _, z = GroundTransform(place.yaw).apply(centre).tolist()
        transform = GroundTransform(place.yaw, place.x - x, place.z - z)
        points, placements = transform.apply(points), compose_rows(transform.row(), placements)
    annotations = blend_annotations(sources.curve, u, placed.weights, last=len(u) - 1)
    report = BlendReport(method="registration", notes=annotations.notes)
    clip = PointClip(
        model.names,
        model.frame_time,
        freeze(points),
        model.source,
        constraints=annotations.constraints,
        events=annotations.events,
    )
    # Curves and results are typed for clips with a skeleton; point clips offer what they need of them.
    return BlendResult(
        clip=cast(Clip, clip),
        report=report,
        u=u,
        weights=placed.weights,
        frames=frames,
        placements=placements,
    )


def average_points(
    sources: BlendSources,
    placed: PlacedFrames,
    placements: FloatArray,
    point_weights: FloatArray | None = None,
) -> FloatArray:
    """Average the points (T, P, 3) of placed clips; ``point_weights`` (T, P, K) replace the clips'."""
    n_frames, n_clips = placed.weights.shape
    assert sources.bone_rows is not None
    samples = sources.sample(sources.bone_rows, placed.frames)
    moved = apply_rows(placements[:, :, None], samples.reshape(n_frames, n_clips, -1, 3))
    wanted = placed.weights[:, None] if point_weights is None else point_weights
    weights = np.where(_visible(sources, placed.frames), np.swapaxes(wanted, 1, 2), 0.0)
    sums = weights.sum(axis=1, keepdims=True)
    gaps = np.abs(sums) < MIN_WEIGHT_SUM
    mean = np.einsum("tkp,tkpc->tpc", weights / np.where(gaps, 1.0, sums), moved)
    return np.where(gaps[:, 0, :, None], np.nan, mean)


def _visible(sources: BlendSources, frames: FloatArray) -> BoolArray:
    """Return which points (T, K, P) are visible at frames (T, K): in both neighbours, or in a whole frame."""
    # At a whole frame, a gap in the next one does not matter.
    whole = np.rint(frames)
    frames = np.where(np.abs(frames - whole) < WHOLE_FRAME, whole, frames)
    seen = [
        ~np.isnan(clip.at(own)).any(axis=-1)
        for clip, own in zip(_point_clips(sources), frames.T, strict=True)
    ]
    return np.stack(seen, axis=1)


def _point_clips(sources: BlendSources) -> list[PointClip]:
    clips: Sequence[Motion] = sources.curve.clips
    return [clip for clip in clips if isinstance(clip, PointClip)]

"""Blends whose time follows other weights than their poses, as a trial."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.blending.advance import KEEP_GRAVITY, Clock
from motionloom.blending.average import average_within_speeds, let_fall
from motionloom.blending.place import place_frames
from motionloom.blending.sources import prepare_sources
from motionloom.blending.weights import ConstantWeights
from motionloom.motion import Clip
from motionloom.options.blending import RateLaw
from motionloom.registration import RegistrationCurve
from motionloom.spaces.space import MotionSpace

ChooseTime = Callable[[FloatArray, FloatArray, FloatArray], FloatArray]
"""Weights (K,) of poses, parameters (K, d) of the clips, a request (d,) -> weights (K,) of time."""


def use_equal(weights: FloatArray, points: FloatArray, request: FloatArray) -> FloatArray:
    """All clips count alike: the time of a motion does not depend on the request."""
    return np.full(len(weights), 1.0 / len(weights))


def use_half(weights: FloatArray, points: FloatArray, request: FloatArray) -> FloatArray:
    """Half-way between the weights of poses and equal ones."""
    return np.asarray((weights + 1.0 / len(weights)) / 2.0)


def use_positive(weights: FloatArray, points: FloatArray, request: FloatArray) -> FloatArray:
    """Weights below 0 count as 0: time is not extrapolated."""
    positive = np.maximum(weights, 0.0)
    return np.asarray(positive / positive.sum())


def use_linear_fit(weights: FloatArray, points: FloatArray, request: FloatArray) -> FloatArray:
    """Time is a linear function of the request, fitted to all clips by least squares."""
    columns = np.column_stack([np.ones(len(points)), points])
    return np.asarray(np.append(1.0, request) @ np.linalg.pinv(columns))


TIME_WEIGHTS: dict[str, ChooseTime] = {
    "equal": use_equal,
    "half": use_half,
    "positive": use_positive,
    "linear fit": use_linear_fit,
}


def blend_apart(space: MotionSpace, pose_weights: FloatArray, time_weights: FloatArray) -> tuple[Clip, float]:
    """Make the blend whose poses have some weights (K,) and whose time has others; with its last frame."""
    return blend_curve_apart(space.curve, space.rate_law, pose_weights, time_weights)


def blend_curve_apart(
    curve: RegistrationCurve, law: RateLaw, pose_weights: FloatArray, time_weights: FloatArray
) -> tuple[Clip, float]:
    """Make such a blend of registered clips."""
    sources = prepare_sources(curve, keep_gravity=law in KEEP_GRAVITY)
    clock = Clock(
        sources=sources,
        function=ConstantWeights(time_weights),
        rate_law=law,
        integrator="rk4",
        backward=False,
    )
    timing = clock.time_frames(None, None)
    n_frames = len(timing.positions) - timing.closes
    rows = np.tile(pose_weights / pose_weights.sum(), (n_frames, 1))
    frames = place_frames(sources, timing.positions[:n_frames], rows, None)
    averaged, _ = average_within_speeds(sources, frames, "nlerp", None, timing.closes)
    poses = let_fall(sources, frames, averaged.poses)
    clip = Clip(
        poses.skeleton,
        curve.clips[0].frame_time,
        poses.root_positions,
        poses.rotations,
        poses.translations,
        cyclic=timing.closes,
    )
    last = n_frames - 1.0
    if timing.closes:
        return clip, last
    step = timing.positions[-1] - timing.positions[-2]
    return clip, last + float(np.clip((sources.n_pieces - timing.positions[-1]) / step, 0.0, 1.0))

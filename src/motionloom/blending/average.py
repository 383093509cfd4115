"""Averaging corresponding poses: roots, rotations and moving bones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal

import numpy as np

from motionloom import kernels
from motionloom.arrays import FloatArray, freeze, read_only_view
from motionloom.blending.layers import joint_weights_of
from motionloom.blending.place import Course
from motionloom.blending.sources import BlendSources
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.geometry.ground_transform import apply_rows
from motionloom.kernels.threads import over_slices
from motionloom.motion import Pose, Skeleton

Average = Literal["nlerp", "karcher", "park"]

KARCHER_STEPS, KARCHER_DONE = 20, 1e-12
"""Steps towards the mean on the sphere, and the length of one, in radians, at which it is reached. Each step
leaves a few per cent of the distance, so twenty are never needed for poses of one action."""

SAMPLES_PER_ITEM = 8
"""Rotations sampled in the time that threads count as one item of work: the loop is that short."""

NO_JOINT_WEIGHTS = (1, 0)
"""Leading shape of joint weights when all joints follow the clips' weights."""


def averaged(
    sources: BlendSources, course: Course, average: Average = "nlerp", joint_weights: FloatArray | None = None
) -> Pose:
    """The blended poses (T,) of a course; ``joint_weights`` (T, J, K) stand in for the clips' weights."""
    own = np.empty((*NO_JOINT_WEIGHTS, course.weights.shape[1])) if joint_weights is None else joint_weights
    if average == "nlerp":
        turns = _by_kernel(sources, course, own)
    elif average in MEANS:
        turns = _by_mean(sources, course, own, MEANS[average])
    else:
        raise ParameterError(f"average must be one of nlerp, {', '.join(MEANS)}, not {average!r}")
    return posed(sources, course, turns)


def posed(sources: BlendSources, course: Course, turns: FloatArray) -> Pose:
    """Rotations (T, J, 4) with the mean roots and bones of a course."""
    return Pose(_skeleton(sources, course), freeze(_roots(course)), freeze(turns), _bones(sources, course))


def _roots(course: Course) -> FloatArray:
    """Root positions (T, 3): the mean within the group, put where the group is."""
    return apply_rows(course.placements, np.einsum("tk,tkc->tc", course.weights, course.roots))


def _by_kernel(sources: BlendSources, course: Course, joint_weights: FloatArray) -> FloatArray:
    n_frames = len(course.frames)
    turns = np.empty((n_frames, sources.rotation_rows.shape[1] // 4, 4))
    given = (
        sources.rotation_rows,
        sources.firsts,
        sources.signs,
        read_only_view(sources.sign_rows(course.positions)),
        read_only_view(course.frames),
        read_only_view(course.weights),
        read_only_view(joint_weights),
        read_only_view(course.aligned),
        read_only_view(course.placements),
    )
    solve = kernels.average.average_all

    def run(start: int, stop: int) -> None:
        solve(*given, turns, start, stop)

    over_slices(n_frames, run, weight=-(-turns.shape[1] * course.weights.shape[1] // SAMPLES_PER_ITEM))
    return turns


def _by_mean(
    sources: BlendSources, course: Course, joint_weights: FloatArray, mean: Callable[..., FloatArray]
) -> FloatArray:
    """Rotations (T, J, 4) by one of the means on the sphere, of all samples (T, K, J, 4) at once."""
    n_frames, n_clips = course.weights.shape
    samples = sources.sampled(sources.rotation_rows, course.frames)
    turns = rot.normalize(samples.reshape(n_frames, n_clips, -1, 4))
    if sources.signs.shape[1]:
        turns *= sources.signs[sources.sign_rows(course.positions)][..., None]
    turns[:, :, 0] = rot.multiply(rot.from_yaw(course.aligned[..., 0]), turns[:, :, 0])
    weights = course.weights[:, None] if joint_weights.shape[1] == 0 else joint_weights
    blended = mean(np.swapaxes(turns, 1, 2), weights)
    blended[:, 0] = rot.multiply(rot.from_yaw(course.placements[:, 0]), blended[:, 0])
    return blended


def nlerp(turns: FloatArray, weights: FloatArray) -> FloatArray:
    """The normalised mean (..., 4) of quaternions (..., K, 4) of agreeing signs with weights (..., K).

    >>> np.allclose(nlerp(rot.from_yaw([0.0, 1.0]), np.array([0.5, 0.5])), rot.from_yaw(0.5))
    True
    """
    return rot.normalize(np.einsum("...kc,...k->...c", turns, weights))


def karcher(turns: FloatArray, weights: FloatArray) -> FloatArray:
    """The mean (..., 4) of rotations (..., K, 4) on the sphere: weighted logarithms about it add up to zero.

    >>> np.allclose(karcher(rot.from_yaw([0.0, 1.0]), np.array([0.75, 0.25])), rot.from_yaw(0.25))
    True
    """
    mean = nlerp(turns, weights)
    for _ in range(KARCHER_STEPS):
        step = _mean_log(mean, turns, weights)
        mean = rot.multiply(mean, rot.from_rotation_vector(step))
        if np.abs(step).max(initial=0.0) < KARCHER_DONE:
            break
    return rot.normalize(mean)


def park(turns: FloatArray, weights: FloatArray) -> FloatArray:
    """One step of logarithms about the rotation (..., 4) nearest to all (..., K, 4), whatever the weights.

    >>> np.allclose(park(rot.from_yaw([0.0, 1.0]), np.array([0.75, 0.25])), rot.from_yaw(0.25))
    True
    """
    middle = np.linalg.eigh(np.einsum("...kc,...kd->...cd", turns, turns))[1][..., -1]
    agree = np.einsum("...c,...kc->...k", middle, turns).sum(axis=-1) < 0.0
    middle = np.where(agree[..., None], -middle, middle)
    step = _mean_log(middle, turns, weights)
    return rot.normalize(rot.multiply(middle, rot.from_rotation_vector(step)))


MEANS: dict[str, Callable[..., FloatArray]] = {"karcher": karcher, "park": park}


def _mean_log(middle: FloatArray, turns: FloatArray, weights: FloatArray) -> FloatArray:
    """Weighted mean (..., 3) of the rotation vectors from ``middle`` to the inputs."""
    logs = rot.to_rotation_vector(rot.multiply(rot.inverse(middle)[..., None, :], turns))
    return np.asarray(np.einsum("...kc,...k->...c", logs, weights))


def _bones(sources: BlendSources, course: Course) -> FloatArray | None:
    """Local joint positions (T, J, 3) where bones move, or where bodies differ and the weights do."""
    if sources.bone_rows is None or _one_body(sources, course):
        return None
    n_frames, n_clips = course.weights.shape
    samples = sources.sampled(sources.bone_rows, course.frames)
    present = joint_weights_of(None, sources.skeleton, course.weights, sources.presence)
    if present is None:
        mean = np.einsum("tkn,tk->tn", samples, course.weights).reshape(n_frames, -1, 3)
    else:
        mean = np.einsum("tkjc,tjk->tjc", samples.reshape(n_frames, n_clips, -1, 3), present)
    return np.asarray(freeze(mean))


def _one_body(sources: BlendSources, course: Course) -> bool:
    """Whether a single set of bones serves all frames."""
    rigid = all(clip.translations is None for clip in sources.curve.clips)
    return rigid and bool((course.weights == course.weights[0]).all())


def _skeleton(sources: BlendSources, course: Course) -> Skeleton:
    """One body for the result: that of the clips, or their mean at the beginning where they differ."""
    clips = sources.curve.clips
    if sources.bone_rows is None:
        return clips[0].skeleton
    all_offsets = np.stack([clip.skeleton.offsets for clip in clips])
    own = joint_weights_of(None, sources.skeleton, course.weights[:1], sources.presence)
    if own is None:
        offsets = np.einsum("k,kjc->jc", course.weights[0], all_offsets)
    else:
        offsets = np.einsum("jk,kjc->jc", own[0], all_offsets)
    return replace(clips[sources.curve.reference].skeleton, offsets=offsets)

"""Blending the poses (equations 11 and 12), and joining both halves of the body."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from motionloom import kernels
from motionloom.arrays import BoolArray, FloatArray, freeze, read_only_view
from motionloom.blending.average import MEANS, NO_JOINT_WEIGHTS, AveragedPoses, nlerp
from motionloom.blending.hand_over import (
    MIN_LENGTH,
    RAMP_DURATION,
    HandOver,
    JointPlan,
    plan_cyclic_joint,
    plan_joint,
)
from motionloom.blending.layers import body_part
from motionloom.framespace.basis_clips import BasisFrames
from motionloom.framespace.root import RootPath
from motionloom.geometry import rotations as rot
from motionloom.kernels.threads import run_in_slices
from motionloom.motion import Pose, Skeleton
from motionloom.motion.anatomy import find_anatomy
from motionloom.options.blending import Average
from motionloom.validation import check_choice


@dataclass(frozen=True, eq=False)
class Track:
    """The source frames and weights of one half of the body, or the whole, in each of T frames.

    Attributes
    ----------
    times
        (T,) cycle times, counting cycles on.
    u
        (T,) parameter of the warp there.
    weights
        (T, K), with sum 1.
    frames
        (T, K) source frames, counted on from cycle to cycle.
    """

    times: FloatArray
    u: FloatArray
    weights: FloatArray
    frames: FloatArray


def blend_poses(
    basis: BasisFrames,
    lower: Track,
    upper: Track | None,
    path: RootPath,
    average: Average,
    closes: bool = False,
) -> AveragedPoses:
    """Return the poses (T,) of a blend; ``upper`` is None where the whole body follows one track.

    ``closes`` says that they are a loop, so that rotations continue from the last frame to the first.
    """
    rotations, hand_overs = _average_rotations(basis, lower, path.headings, average, closes)
    if upper is not None:
        fractions = upper_fractions(basis.clips[0].skeleton)[:, None]
        above, more = _average_rotations(basis, upper, path.headings, average, closes)
        names = basis.clips[0].skeleton.names
        hand_overs = [
            *(one for one in hand_overs if fractions[names.index(one.joint), 0] < 1.0),
            *(one for one in more if fractions[names.index(one.joint), 0] > 0.0),
        ]
        # Joints that both halves share differ little: their mean needs equal signs, no more.
        above = np.where(np.sum(above * rotations, axis=-1, keepdims=True) < 0.0, -above, above)
        rotations = rot.normalize((1.0 - fractions) * rotations + fractions * above)
    poses = Pose(
        _blend_skeleton(basis, lower), freeze(path.positions), freeze(rotations), _blend_bones(basis, lower)
    )
    return AveragedPoses(poses, tuple(hand_overs))


def upper_fractions(skeleton: Skeleton) -> FloatArray:
    """Return how far (J,) joints follow the upper body: legs and pelvis 0, arms and head 1, spine between.

    >>> from motionloom.synthesis import biped
    >>> fractions = upper_fractions(biped())
    >>> [round(float(fractions[biped().index(name)]), 2) for name in ("Hips", "Spine", "LeftArm")]
    [0.0, 0.25, 1.0]
    """
    names = body_part(skeleton, "upper body")
    fractions = np.array([float(name in names) for name in skeleton.names])
    anatomy = find_anatomy(skeleton)
    trunk = [joint for joint in anatomy.spine if fractions[joint] > 0.0]
    # Both halves share the spine up to the joint that carries the arms.
    shoulders = [arm.shoulder for arm in anatomy.arms]
    lumbar = [joint for joint in trunk if all(_is_below(skeleton, arm, joint) for arm in shoulders)]
    for n, joint in enumerate(lumbar, start=1):
        fractions[joint] = n / (len(lumbar) + 1)
    return fractions


def _is_below(skeleton: Skeleton, joint: int, ancestor: int) -> bool:
    while joint >= 0 and joint != ancestor:
        joint = int(skeleton.parents[joint])
    return joint == ancestor


def _average_rotations(
    basis: BasisFrames, track: Track, headings: FloatArray, average: Average, closes: bool
) -> tuple[FloatArray, list[HandOver]]:
    """Return rotations (T, J, 4), the mean of those of the clips, with roots turned to the headings.

    Also returns the joints that follow one clip where the rotations are too far apart to average.
    """
    inside, _ = basis.wrap(track.frames)
    check_choice("average", average, ("nlerp", *MEANS))
    rotations, lengths = _average_by_kernel(basis, track, inside, headings)
    far = (lengths < MIN_LENGTH).any(axis=0) | ~_closes_alike(basis)
    plans = {j: _plan_joint(basis, track, inside, j, closes) for j in np.flatnonzero(far).tolist()}
    if average != "nlerp":
        samples = basis.sample(basis.rotation_rows, inside)
        given = rot.normalize(samples.reshape(*inside.shape, -1, 4))
        rotations = MEANS[average](np.swapaxes(given, 1, 2), track.weights[:, None])
        rotations[:, 0] = rot.multiply(rot.from_yaw(headings), rotations[:, 0])
    for j, (samples, plan) in plans.items():
        mean = MEANS.get(average, nlerp)(samples * plan.signs[..., None], plan.weights)
        rotations[:, j] = rot.multiply(rot.from_yaw(headings), mean) if j == 0 else mean
    names, frame_time = basis.clips[0].skeleton.names, basis.clips[0].frame_time
    return rotations, [
        HandOver(names[j], clip, first * frame_time, last * frame_time, length)
        for j, (_, plan) in plans.items()
        for first, last, clip, length in plan.hand_overs
    ]


def _closes_alike(basis: BasisFrames) -> BoolArray:
    """Return the joints (J,) whose quaternions come back with the same sign after a cycle, in all clips."""
    rows = basis.rotation_rows.reshape(len(basis.rotation_rows), -1, 4)
    first = basis.firsts[basis.cyclic]
    inner = np.einsum("kjc,kjc->kj", rows[first], rows[first + basis.lengths[basis.cyclic].astype(np.int64)])
    return np.asarray((inner > 0.0).all(axis=0))


def _plan_joint(
    basis: BasisFrames, track: Track, inside: FloatArray, joint: int, closes: bool
) -> tuple[FloatArray, JointPlan]:
    """Return the rotations (T, K, 4) of a joint with continuous signs, and the weights to average by."""
    rows = read_only_view(np.ascontiguousarray(basis.rotation_rows[:, 4 * joint : 4 * joint + 4]))
    samples = rot.unroll(rot.normalize(basis.sample(rows, inside)))
    ramp = int(np.ceil(RAMP_DURATION / basis.clips[0].frame_time))
    if not closes:
        return samples, plan_joint(samples, track.weights, ramp)
    closing = np.where(np.einsum("kc,kc->k", samples[-1], samples[0]) < 0.0, -1.0, 1.0)
    return samples, plan_cyclic_joint(samples, track.weights, closing, ramp)


def _average_by_kernel(
    basis: BasisFrames, track: Track, inside: FloatArray, headings: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return normalized means (T, J, 4) of rotations and their lengths (T, J) before normalizing."""
    n_frames, n_clips = track.weights.shape
    rotations = np.empty((n_frames, basis.rotation_rows.shape[1] // 4, 4))
    lengths = np.empty(rotations.shape[:2])
    placements = np.zeros((n_frames, 3))
    placements[:, 0] = headings
    given = (
        basis.rotation_rows,
        basis.firsts,
        read_only_view(np.empty((1, 0, rotations.shape[1]), dtype=np.int8)),
        read_only_view(np.zeros(n_frames, dtype=np.int64)),
        read_only_view(inside),
        read_only_view(track.weights),
        read_only_view(np.empty((*NO_JOINT_WEIGHTS, n_clips))),
        read_only_view(np.zeros((n_frames, n_clips, 3))),
        read_only_view(placements),
    )
    solve = kernels.average.average_all

    def run(start: int, stop: int) -> None:
        solve(*given, rotations.reshape(n_frames, -1), lengths, start, stop)

    run_in_slices(n_frames, run, weight=rotations.shape[1] * n_clips)
    return rotations, lengths


def _blend_bones(basis: BasisFrames, track: Track) -> FloatArray | None:
    """Return local joint positions (T, J, 3) where bones move, or where bodies differ and the weights do."""
    if basis.bone_rows is None:
        return None
    rigid = all(clip.translations is None for clip in basis.clips)
    if rigid and bool((track.weights == track.weights[0]).all()):
        return None
    samples = basis.sample(basis.bone_rows, basis.wrap(track.frames)[0])
    mean = np.einsum("tkn,tk->tn", samples, track.weights)
    return np.asarray(freeze(mean.reshape(len(mean), -1, 3)))


def _blend_skeleton(basis: BasisFrames, track: Track) -> Skeleton:
    """Return the skeleton of the result: that of the clips, or their mean at the start where they differ."""
    skeleton = basis.clips[0].skeleton
    if basis.bone_rows is None:
        return skeleton
    offsets = [clip.skeleton.offsets for clip in basis.clips]
    return replace(skeleton, offsets=np.einsum("k,kjc->jc", track.weights[0], offsets))

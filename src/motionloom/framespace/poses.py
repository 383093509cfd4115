"""Blending the poses (equations 11 and 12), and joining both halves of the body."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from motionloom import kernels
from motionloom.arrays import FloatArray, freeze, read_only_view
from motionloom.blending.average import MEANS, NO_JOINT_WEIGHTS, Average
from motionloom.blending.layers import body_part
from motionloom.framespace.basis_clips import BasisFrames
from motionloom.framespace.root import RootPath
from motionloom.geometry import rotations as rot
from motionloom.kernels.threads import run_in_slices
from motionloom.motion import Pose, Skeleton
from motionloom.motion.anatomy import find_anatomy
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
    basis: BasisFrames, lower: Track, upper: Track | None, path: RootPath, average: Average
) -> Pose:
    """Return the poses (T,) of a blend; ``upper`` is None where the whole body follows one track."""
    rotations = _average_rotations(basis, lower, path.headings, average)
    if upper is not None:
        fractions = upper_fractions(basis.clips[0].skeleton)[:, None]
        above = _average_rotations(basis, upper, path.headings, average)
        # Joints that both halves share differ little: their mean needs equal signs, no more.
        above = np.where(np.sum(above * rotations, axis=-1, keepdims=True) < 0.0, -above, above)
        rotations = rot.normalize((1.0 - fractions) * rotations + fractions * above)
    return Pose(
        _blend_skeleton(basis, lower), freeze(path.positions), freeze(rotations), _blend_bones(basis, lower)
    )


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
    basis: BasisFrames, track: Track, headings: FloatArray, average: Average
) -> FloatArray:
    """Return rotations (T, J, 4): the mean of those of the clips, with roots turned to the headings."""
    inside, _ = basis.wrap(track.frames)
    if average == "nlerp":
        return _average_by_kernel(basis, track, inside, headings)
    check_choice("average", average, ("nlerp", *MEANS))
    samples = basis.sample(basis.rotation_rows, inside)
    given = rot.normalize(samples.reshape(*inside.shape, -1, 4))
    rotations = MEANS[average](np.swapaxes(given, 1, 2), track.weights[:, None])
    rotations[:, 0] = rot.multiply(rot.from_yaw(headings), rotations[:, 0])
    return rotations


def _average_by_kernel(
    basis: BasisFrames, track: Track, inside: FloatArray, headings: FloatArray
) -> FloatArray:
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
        solve(*given, rotations, lengths, start, stop)

    run_in_slices(n_frames, run, weight=rotations.shape[1] * n_clips)
    return rotations


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

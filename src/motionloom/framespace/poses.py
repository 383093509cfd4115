"""Blending the poses (equations 11 and 12), and putting both halves of the body together."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from motionloom import kernels
from motionloom.arrays import FloatArray, freeze, read_only_view
from motionloom.blending.average import MEANS, NO_JOINT_WEIGHTS, Average
from motionloom.blending.layers import body_part
from motionloom.errors import ParameterError
from motionloom.framespace.basis_clips import FrameSources
from motionloom.framespace.root import RootPath
from motionloom.geometry import rotations as rot
from motionloom.kernels.threads import over_slices
from motionloom.motion import Pose, Skeleton
from motionloom.motion.anatomy import find_anatomy


@dataclass(frozen=True, eq=False)
class Track:
    """What one half of the body, or the whole, is made of in each of T frames.

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


def posed(sources: FrameSources, lower: Track, upper: Track | None, path: RootPath, average: Average) -> Pose:
    """The poses (T,) of a blend; ``upper`` is None where the whole body follows one track."""
    turns = _averaged(sources, lower, path.headings, average)
    if upper is not None:
        skeleton = sources.clips[0].skeleton
        shares = upper_shares(skeleton)[:, None]
        above = _averaged(sources, upper, path.headings, average)
        # Where both halves have a say they lie near each other: their mean needs agreeing signs, no more.
        above = np.where(np.sum(above * turns, axis=-1, keepdims=True) < 0.0, -above, above)
        turns = rot.normalize((1.0 - shares) * turns + shares * above)
    return Pose(
        _skeleton(sources, lower),
        freeze(path.positions),
        freeze(turns),
        _bones(sources, lower),
    )


def upper_shares(skeleton: Skeleton) -> FloatArray:
    """How much (J,) each joint follows the upper body: legs and pelvis 0, arms and head 1, spine in between.

    >>> from motionloom.synthesis import biped
    >>> shares = upper_shares(biped())
    >>> [round(float(shares[biped().index(name)]), 2) for name in ("Hips", "Spine", "LeftArm")]
    [0.0, 0.25, 1.0]
    """
    names = body_part(skeleton, "upper body")
    shares = np.array([float(name in names) for name in skeleton.names])
    anatomy = find_anatomy(skeleton)
    trunk = [joint for joint in anatomy.spine if shares[joint] > 0.0]
    # The spine is common up to the joint that the arms hang on.
    shoulders = [arm.shoulder for arm in anatomy.arms]
    lumbar = [joint for joint in trunk if all(_hangs_on(skeleton, arm, joint) for arm in shoulders)]
    for n, joint in enumerate(lumbar, start=1):
        shares[joint] = n / (len(lumbar) + 1)
    return shares


def _hangs_on(skeleton: Skeleton, joint: int, other: int) -> bool:
    while joint >= 0 and joint != other:
        joint = int(skeleton.parents[joint])
    return joint == other


def _averaged(sources: FrameSources, track: Track, headings: FloatArray, average: Average) -> FloatArray:
    """Rotations (T, J, 4): the mean of those of the clips, the root's turned by the heading."""
    inside, _ = sources.within(track.frames)
    if average == "nlerp":
        return _by_kernel(sources, track, inside, headings)
    if average not in MEANS:
        raise ParameterError(f"average must be one of nlerp, {', '.join(MEANS)}, not {average!r}")
    samples = sources.sampled(sources.rotation_rows, inside)
    given = rot.normalize(samples.reshape(*inside.shape, -1, 4))
    turns = MEANS[average](np.swapaxes(given, 1, 2), track.weights[:, None])
    turns[:, 0] = rot.multiply(rot.from_yaw(headings), turns[:, 0])
    return turns


def _by_kernel(sources: FrameSources, track: Track, inside: FloatArray, headings: FloatArray) -> FloatArray:
    n_frames, n_clips = track.weights.shape
    turns = np.empty((n_frames, sources.rotation_rows.shape[1] // 4, 4))
    placements = np.zeros((n_frames, 3))
    placements[:, 0] = headings
    given = (
        sources.rotation_rows,
        sources.firsts,
        read_only_view(np.empty((1, 0, turns.shape[1]), dtype=np.int8)),
        read_only_view(np.zeros(n_frames, dtype=np.int64)),
        read_only_view(inside),
        read_only_view(track.weights),
        read_only_view(np.empty((*NO_JOINT_WEIGHTS, n_clips))),
        read_only_view(np.zeros((n_frames, n_clips, 3))),
        read_only_view(placements),
    )
    solve = kernels.average.average_all

    def run(start: int, stop: int) -> None:
        solve(*given, turns, start, stop)

    over_slices(n_frames, run, weight=turns.shape[1] * n_clips)
    return turns


def _bones(sources: FrameSources, track: Track) -> FloatArray | None:
    """Local joint positions (T, J, 3) where bones move, or where bodies differ and the weights do."""
    if sources.bone_rows is None or _one_body(sources, track):
        return None
    samples = sources.sampled(sources.bone_rows, sources.within(track.frames)[0])
    mean = np.einsum("tkn,tk->tn", samples, track.weights)
    return np.asarray(freeze(mean.reshape(len(mean), -1, 3)))


def _one_body(sources: FrameSources, track: Track) -> bool:
    """Whether a single set of bones serves all frames."""
    rigid = all(clip.translations is None for clip in sources.clips)
    return rigid and bool((track.weights == track.weights[0]).all())


def _skeleton(sources: FrameSources, track: Track) -> Skeleton:
    """One body for the result: that of the clips, or their mean at the beginning where they differ."""
    skeleton = sources.clips[0].skeleton
    if sources.bone_rows is None:
        return skeleton
    every = [clip.skeleton.offsets for clip in sources.clips]
    return replace(skeleton, offsets=np.einsum("k,kjc->jc", track.weights[0], every))

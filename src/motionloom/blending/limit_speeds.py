"""Limit speeds: no joint of a blend moves much faster than in the clips.

Three things make joints of a blend faster than those of its clips: a timewarp that runs a clip fast, which
the rate law bounds; weights that change; and rotations far apart, whose mean turns up to 1 / S times as fast
as they do (:mod:`motionloom.blending.hand_over`). Where a joint is too fast, seen from the body, those joints
above it whose means are short are averaged again, handed over as :data:`REMEDIES` say: earlier, with signs
that are chosen anew, and more slowly. What is still too fast is named in the report.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np

from motionloom.arrays import BoolArray, FloatArray, norm
from motionloom.blending.average import Average, AveragedPoses, Handing, average_poses
from motionloom.blending.place import PlacedFrames
from motionloom.blending.sources import BlendSources
from motionloom.motion import Clip, Pose
from motionloom.motion.anatomy import body_positions, tree

MAX_SPEED_RATIO, SPEED_SLACK = 1.4, 0.3
"""A joint is too fast beyond this factor on its largest speed in the clips plus a slack in m/s, for joints
that rest."""

REMEDIES = tuple(
    Handing(*each) for each in ((0.6, 0.25), (0.69, 0.25), (0.69, 0.5), (0.69, 1.0), (0.69, 2.0))
)
"""How joints are handed over where others are too fast: lengths of mean quaternions, and seconds. Two clips
whose quaternions lie on one side have means of 0.707 and more. Of two clips, each is tried: one may run
much faster than the other."""


BLAMED_LENGTH = 0.85
"""Length below which the mean of a joint may be what makes others too fast: rotations 130° apart, or on their
way to one clip."""


def average_within_speeds(
    sources: BlendSources,
    placed: PlacedFrames,
    average: Average,
    joint_weights: FloatArray | None,
    closes: bool,
) -> tuple[AveragedPoses, tuple[str, ...]]:
    """Average the poses (T,) of placed frames, as far as possible without joints that are too fast.

    Also returns a sentence on what is too fast nevertheless.
    """
    blamed: set[int] = set()
    averaged = average_poses(sources, placed, average, joint_weights, closes)
    ratios = compare_speeds(sources, averaged.poses)
    n_clips = sources.curve.n_clips
    for remedy, preferred in product(REMEDIES, (None, *range(n_clips)) if n_clips == 2 else (None,)):
        fast = ratios > MAX_SPEED_RATIO
        if not fast.any():
            return averaged, ()
        blamed |= _find_short_means(sources, averaged, fast)
        if blamed:
            handing = dict.fromkeys(blamed, replace(remedy, preferred=preferred))
            again = average_poses(sources, placed, average, joint_weights, closes, handing)
            slower = compare_speeds(sources, again.poses)
            if slower.max() < ratios.max():
                averaged, ratios = again, slower
    if not (ratios > MAX_SPEED_RATIO).any():
        return averaged, ()
    step, joint = (int(n) for n in np.unravel_index(ratios.argmax(), ratios.shape))
    return averaged, (
        f"{sources.skeleton.names[joint]} moves {ratios.max():.1f} times as fast as in the clips at "
        f"{step * sources.curve.clips[0].frame_time:.2f} s: look at it",
    )


def compare_speeds(sources: BlendSources, poses: Pose) -> FloatArray:
    """Return speeds (T - 1, J) of joints, seen from the body, over their largest in the clips and a slack."""
    model = sources.curve.clips[0]
    clip = Clip(poses.skeleton, model.frame_time, poses.root_positions, poses.rotations, poses.translations)
    if clip.n_frames < 2:
        return np.zeros((1, clip.skeleton.n_joints))
    speeds = norm(np.diff(body_positions(clip), axis=0)) / clip.frame_time
    return np.asarray(speeds / (sources.max_speeds + SPEED_SLACK))


def _find_short_means(sources: BlendSources, averaged: AveragedPoses, fast: BoolArray) -> set[int]:
    """Return the joints above those that are too fast whose means are short at the time."""
    lengths = averaged.lengths
    assert lengths is not None
    blamed: set[int] = set()
    for joint in np.flatnonzero(fast.any(axis=0)).tolist():
        steps = np.flatnonzero(fast[:, joint])
        frames = np.union1d(steps, steps + 1)
        above = tree.ancestors(sources.skeleton, joint)
        blamed |= {each for each in above if lengths[frames, each].min() < BLAMED_LENGTH}
    return blamed

"""The best linear blend: poses averaged at equal shares of the clips' durations, with the best of weights."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.optimize import nnls

from benchmarks.quality.judge import placed
from benchmarks.quality.predictors import registered
from motionloom.blending import blend
from motionloom.cycles.loop_closing import sample_smoothly
from motionloom.motion import Clip

SUM_WEIGHT = 1e3
"""How much the sum of weights counts against distances, so that it is 1."""


def find_best_linear(clips: Sequence[Clip], take: Clip) -> tuple[Clip, float]:
    """Return the linear blend of clips that is nearest to a take, with its last frame.

    The weights, 0 or more, bring joints nearest to those of the take in squares: no method that does not know
    the take can choose better ones.
    """
    n_frames = take.n_frames
    even = [sample_smoothly(clip, np.linspace(0.0, clip.n_frames - 1.0, n_frames)) for clip in clips]
    if len(even) == 1:
        return even[0], n_frames - 1.0
    truth = take.world_positions()
    columns = [placed(clip.world_positions(), truth).ravel() for clip in even]
    matrix = np.vstack([np.array(columns).T, np.full(len(columns), SUM_WEIGHT)])
    weights, _ = nnls(matrix, np.append(truth.ravel(), SUM_WEIGHT))
    # A slope limit of 1 leaves no choice but frame by frame; what remains is to put bodies on each other.
    curve = registered([take_poses(clip) for clip in even], slope_limit=1, events=())
    made = blend(curve, weights, rate_law="frequency").clip
    return made, made.n_frames - 1.0


def take_poses(clip: Clip) -> Clip:
    """Return the poses of a clip alone, without plants and events, and open where it is cyclic."""
    return Clip(clip.skeleton, clip.frame_time, clip.root_positions, clip.rotations, clip.translations)

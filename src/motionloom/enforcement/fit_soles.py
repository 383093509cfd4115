"""Fit soles: close the last millimetres between the sole of a mesh and the ground.

Feet are planned before knees bend and before corrections that are too fast fade out, and a heel may follow
the shin in part. What is left then is small, and knees take it: planted feet touch the ground, free ones do
not sink into it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from motionloom.annotation.ground import Ground
from motionloom.arrays import BoolArray, FloatArray, freeze
from motionloom.enforcement.goals import JITTER_RISE, MAX_SINK
from motionloom.enforcement.spread import spread
from motionloom.enforcement.targets import HeldLimb
from motionloom.geometry import rotations as rot
from motionloom.ik.two_bone import find_hinge, solve_limb
from motionloom.motion import Clip

MAX_CORRECTION = 0.02
"""Metres that a sole is moved at most: a foot that is farther off has a reason, which the report states."""

EASE_DURATION = 0.1
"""Seconds over which a correction eases out beside a plant."""

N_ROUNDS = 2
"""Rounds of measuring and moving: a heel that follows the shin moves when the knee bends."""


def fit_soles(clip: Clip, limbs: Sequence[HeldLimb], ground: Ground) -> Clip:
    """Return a clip whose planted soles touch the ground and whose free soles do not sink into it.

    Parameters
    ----------
    clip, limbs
        The enforced motion, and its held limbs, whose holds all have targets. Limbs without a mesh stay.
    ground
        What feet stand on.
    """
    for limb in limbs:
        for _ in range(N_ROUNDS if limb.sole is not None else 0):
            clip = _move_ankle(clip, limb, _find_corrections(clip, limb, ground))
    return clip


def _find_corrections(clip: Clip, limb: HeldLimb, ground: Ground) -> FloatArray:
    """Return by how much (T,) the sole of a leg has to rise, metres."""
    assert limb.sole is not None
    lowest = limb.sole.lowest(clip)
    levels = limb.target_levels(clip.n_frames)
    held = np.isfinite(levels)
    gaps = np.where(held, lowest[:, 1] - levels, ground.heights_above(lowest))
    planted = np.clip(gaps, -MAX_SINK, JITTER_RISE[1]) - gaps
    eased = np.maximum(_ease_out(planted, held, clip), -MAX_SINK - gaps)
    return np.clip(np.where(held, planted, eased), -MAX_CORRECTION, MAX_CORRECTION)


def _ease_out(values: FloatArray, known: BoolArray, clip: Clip) -> FloatArray:
    """Ease values (T,) out beside known frames, in a cyclic clip over its seam as well."""
    n, width = clip.n_frames, EASE_DURATION / clip.frame_time
    if not clip.cyclic:
        return spread(values[:, None], known, width)[:, 0]
    return spread(np.tile(values, 3)[:, None], np.tile(known, 3), width)[n : 2 * n, 0]


def _move_ankle(clip: Clip, limb: HeldLimb, rises: FloatArray) -> Clip:
    """Raise the ankle of a leg by (T,) metres; the foot keeps its orientation."""
    moves = rises != 0.0
    if not moves.any():
        return clip
    positions, worlds = clip.world_positions(), clip.world_rotations()
    solution = solve_limb(
        clip.skeleton.parents,
        positions,
        worlds,
        limb.chain,
        positions[:, limb.end] + rises[:, None] * [0.0, 1.0, 0.0],
        hinge=find_hinge(positions, worlds, limb.chain, limb.hinge),
    )
    rotations = np.array(clip.rotations)
    for n, joint in enumerate(limb.chain):
        before = clip.rotations[:, joint]
        rotations[:, joint] = np.where(moves[:, None], rot.nearer(solution.rotations[:, n], before), before)
    return replace(clip, rotations=freeze(rotations))

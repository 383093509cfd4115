"""Joints that bring the end of a limb to its goals; what need not move keeps its bits."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionloom.annotation import Floor
from motionloom.annotation.ground import Ground
from motionloom.arrays import FloatArray
from motionloom.enforcement.goals import plan_limb
from motionloom.enforcement.leg import LimbMotion, bending_lengths, move_limb
from motionloom.enforcement.targets import find_limbs
from motionloom.motion import Clip
from motionloom.synthesis import walk


def moved_leg(shifts: FloatArray, stretch: float) -> tuple[Clip, LimbMotion, int]:
    motion = walk(duration=1.0)
    clip = replace(motion.clip, constraints=motion.plants)
    limb = find_limbs(clip)[0][0]
    plan = replace(plan_limb(clip, limb, Ground(Floor(0.0)), 10.0), end_shifts=shifts)
    return clip, move_limb(clip, plan, np.zeros((61, 3)), stretch), limb.end


def test_nothing_to_do_changes_nothing() -> None:
    _, found, _ = moved_leg(np.zeros((61, 3)), 0.026)
    assert (found.rotations, found.scales) == ({}, {})


@pytest.mark.parametrize("stretch", [0.0, 0.026])
def test_the_end_comes_to_its_goal_and_other_frames_stay(stretch: float) -> None:
    shifts = np.zeros((61, 3))
    shifts[20:40] = [0.0, 0.03, 0.01]
    clip, found, end = moved_leg(shifts, stretch)
    turns = np.array(clip.rotations)
    bones = np.array(np.broadcast_to(clip.skeleton.offsets, (61, clip.skeleton.n_joints, 3)))
    for joint, rotations in found.rotations.items():
        assert np.array_equal(rotations[:20], clip.rotations[:20, joint])
        turns[:, joint] = rotations
    for joint, scales in found.scales.items():
        assert np.abs(scales - 1.0).max() <= stretch + 1e-12
        bones[:, joint] *= scales[:, None]
    moved = replace(clip, rotations=turns, translations=bones)
    assert moved.world_positions()[:, end] == pytest.approx(clip.world_positions()[:, end] + shifts, abs=1e-9)


def test_jitter_is_averaged_out_of_the_lengths_that_knees_bend_for() -> None:
    clip = replace(walk(duration=1.0).clip, constraints=walk(duration=1.0).plants)
    limb = find_limbs(clip)[0][0]
    even = bending_lengths(clip, limb, np.zeros((61, 3)), 0.0)
    jitter = 0.002 * (-1.0) ** np.arange(61)[:, None] * [0.0, 1.0, 0.0]
    assert np.abs(bending_lengths(clip, limb, jitter, 0.0) - even)[5:-5].max() < 0.0002

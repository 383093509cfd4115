from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform
from motionloom.synthesis import reach_out, walk
from motionloom.synthesis.synthetic_motion import check_turn, frame_times
from tests.refusals import refused
from tests.synthesis import truth


def test_the_truth_must_have_one_value_per_frame() -> None:
    motion = walk(duration=1.0, fps=30)
    with refused("phase"):
        replace(motion, phase=motion.phase[:-1])
    with refused("path"):
        replace(motion, path=motion.path[:-1])


def test_arrays_cannot_be_written_to() -> None:
    motion = walk(duration=1.0, fps=30)
    for array in (motion.phase, motion.path, motion.clip.rotations, motion.clip.root_positions):
        assert not array.flags.writeable


def test_a_motion_elsewhere_keeps_its_truth() -> None:
    where = GroundTransform(yaw=0.7, x=3.0, z=-2.0)
    for motion in (walk(curvature=0.3), reach_out()):
        moved = motion.placed(where)
        assert truth.slide(moved.clip, moved.plants) < 1e-9
        assert truth.slide(moved.clip, moved.holds) < 1e-9
        np.testing.assert_allclose(moved.path[0], where.apply(motion.path[0]), atol=1e-12)


def test_turns_are_at_most_half_a_turn() -> None:
    with refused("turn"):
        check_turn(90)
    assert check_turn(np.radians(180)) == np.pi


def test_frames_that_are_too_few_or_too_many() -> None:
    with pytest.raises(ParameterError, match="gives 1 frames: ask for 2 to 1000000"):
        frame_times(0.001, 30)
    with pytest.raises(ParameterError, match="gives 60000001 frames"):
        frame_times(1e6, 60)
    with refused("duration"):
        frame_times(float("inf"), 60)


def test_both_ends_are_frames() -> None:
    np.testing.assert_allclose(frame_times(1.0, 4), [0.0, 0.25, 0.5, 0.75, 1.0])
    assert len(frame_times(2.0, 29.97)) == 61

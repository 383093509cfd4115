from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform
from motionloom.synthesis import reach_out, walk
from tests.synthesis import truth


def test_the_truth_must_have_one_value_per_frame() -> None:
    motion = walk(duration=1.0, fps=30)
    with pytest.raises(ParameterError, match=r"phase must have shape \(31,\), not \(30,\)"):
        replace(motion, phase=motion.phase[:-1])
    with pytest.raises(ParameterError, match=r"path must have shape \(31, 3\)"):
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

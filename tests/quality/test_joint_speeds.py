from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionloom.geometry import GroundTransform
from motionloom.quality import angular_speeds, bone_stretches, joint_speeds
from motionloom.synthesis import jog, walk
from tests.quality.bodies import dot_along_x, gliding, swinging_rod


def test_the_end_of_a_rod_moves_with_angular_speed_times_length() -> None:
    rod = swinging_rod(3.0 * np.arange(100.0) / 100.0)
    np.testing.assert_allclose(joint_speeds(rod), [0.0, 0.0, 1.5], rtol=1e-2)
    np.testing.assert_allclose(joint_speeds(rod, cutoff=None), [0.0, 0.0, 1.5], rtol=1e-3)
    np.testing.assert_allclose(angular_speeds(rod), [0.0, 3.0, 0.0], atol=1e-9)


def test_travel_of_the_whole_body_is_no_speed_of_its_joints() -> None:
    assert joint_speeds(gliding(2.0)).max() < 1e-9
    assert joint_speeds(dot_along_x(np.arange(50.0))).tolist() == [0.0]


def test_stretch_is_relative_to_the_bone() -> None:
    clip = walk(duration=1.0, fps=30).clip
    assert not bone_stretches(clip).any()
    knee = clip.skeleton.index("LeftLeg")
    moved = np.tile(clip.skeleton.offsets, (clip.n_frames, 1, 1))
    moved[7, knee] *= 1.02
    moved[:, 0] += 5.0
    found = bone_stretches(replace(clip, translations=moved))
    assert found[knee] == pytest.approx(0.02)
    assert np.count_nonzero(found) == 1


def test_placement_does_not_matter() -> None:
    clip = jog(duration=1.0).clip
    np.testing.assert_allclose(
        joint_speeds(clip.placed(GroundTransform(1.0, 2.0, 3.0))), joint_speeds(clip), atol=1e-9
    )

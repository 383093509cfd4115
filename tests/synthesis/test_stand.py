from __future__ import annotations

import numpy as np
import pytest

from motionloom.errors import ParameterError
from motionloom.synthesis import idle, stand
from tests.synthesis import truth


def test_refuses_absurd_energy() -> None:
    with pytest.raises(ParameterError, match="energy must be from 0 to 2 times the usual, not 5"):
        idle(energy=5.0)


def test_standing_is_still_and_upright() -> None:
    clip = stand(duration=1.0, fps=30).clip
    assert not np.ptp(clip.rotations, axis=0).any()
    world = clip.world_positions()[0]
    assert world[:, 1].max() == pytest.approx(1.56, abs=0.03)
    assert np.abs(world[:, 0].sum()) < 1e-9


def test_an_idle_body_without_energy_stands() -> None:
    np.testing.assert_array_equal(
        idle(energy=0.0, duration=2.0).clip.rotations, stand(duration=2.0).clip.rotations
    )


def test_an_idle_body_breathes_and_shifts_its_weight() -> None:
    clip = idle(duration=20.0).clip
    moved = np.ptp(clip.world_positions(), axis=0)
    names = clip.skeleton.names
    assert 0.05 < moved[names.index("Hips"), 0] < 0.15
    assert np.ptp(truth.joint_positions(clip, "Spine2"), axis=0).max() > 0.02
    assert moved[names.index("LeftFoot")].max() < 1e-9


def test_both_feet_are_planted_for_the_whole_clip() -> None:
    for plant in idle(duration=3.0, fps=30).plants:
        assert (plant.start, plant.end) == (0.0, 90.0)

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from motionloom.errors import ParameterError
from motionloom.synthesis import reach_out
from motionloom.synthesis.biped import SIDES, Side, sign
from tests.refusals import refused
from tests.synthesis import truth


def test_refuses_targets_that_cannot_be_reached() -> None:
    with pytest.raises(
        ParameterError, match=r"target \(0, 1, 3\) is out of reach of the right hand by 2\.\d\d m"
    ):
        reach_out(target=[0.0, 1.0, 3.0])
    with pytest.raises(
        ParameterError, match=r"target \(-0\.18, 1\.4, 0\.05\) is only 0\.0\d m from the right"
    ):
        reach_out(target=[-0.18, 1.4, 0.05])
    with pytest.raises(ParameterError, match=r"target \(-0\.2, 1, -0\.5\) lies behind the figure"):
        reach_out(target=[-0.2, 1.0, -0.5])


def test_refuses_what_is_not_a_place() -> None:
    with refused("target"):
        reach_out(target=[1.0, 2.0])
    with refused("target"):
        reach_out(target=[0.0, np.nan, 0.0])
    wrong: Any = "both"
    with refused("side", "both"):
        reach_out(side=wrong)


def test_a_near_target_needs_no_help_of_the_body() -> None:
    clip = reach_out(target=[-0.2, 1.3, 0.4]).clip
    assert np.ptp(clip.root_positions, axis=0).max() < 1e-12


def test_a_low_target_makes_the_body_bend() -> None:
    clip = reach_out(target=[-0.25, 0.5, 0.45]).clip
    assert np.ptp(clip.root_positions[:, 1]) > 0.15


@pytest.mark.slow
@settings(max_examples=60)
@given(st.sampled_from(SIDES), st.floats(-0.05, 0.4), st.floats(0.7, 1.65), st.floats(0.25, 0.5))
def test_the_hand_is_exactly_at_the_target_while_it_is_held(
    side: Side, out: float, height: float, ahead: float
) -> None:
    motion = reach_out(target=[sign(side) * out, height, ahead], side=side, fps=60)
    hold = motion.holds[0]
    assert hold.joint == side.capitalize() + "Hand"
    assert len(truth.frames_of(hold)) > 10
    assert truth.slide(motion.clip, motion.holds) < 1e-9
    assert truth.slide(motion.clip, motion.plants) < 1e-9
    flexion = truth.elbow_flexion(motion.clip, side.capitalize())
    assert np.radians(3) < flexion.min()
    assert flexion.max() < np.radians(165)


def test_it_begins_and_ends_at_ease() -> None:
    world = reach_out(target=[-0.3, 0.7, 0.5]).clip.world_positions()
    np.testing.assert_allclose(world[-1], world[0], atol=1e-9)


def test_a_left_reach_mirrors_a_right_reach() -> None:
    left, right = (reach_out(target=[sign(side) * 0.3, 0.8, 0.5], side=side).clip for side in SIDES)
    mirrored = truth.joint_positions(right, "RightHand") * [-1.0, 1.0, 1.0]
    np.testing.assert_allclose(mirrored, truth.joint_positions(left, "LeftHand"), atol=1e-9)

from __future__ import annotations

import numpy as np
import pytest

from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.synthesis import turn_in_place
from tests.refusals import refused
from tests.synthesis import truth


def test_refuses_turns_that_are_too_far_or_too_hasty() -> None:
    with refused("turn"):
        turn_in_place(turn=np.radians(181))
    with pytest.raises(ParameterError, match=r"turning by 3\.142 rad takes 8 steps and at least 2\.5 s"):
        turn_in_place(turn=np.pi, duration=2.0)


@pytest.mark.parametrize("degrees", [-180, -90, -20, 0, 45, 120, 180])
def test_it_ends_at_the_angle_and_the_place(degrees: float) -> None:
    turn = np.radians(degrees)
    motion = turn_in_place(turn=turn)
    first, last = motion.clip.rotations[0, 0], motion.clip.rotations[-1, 0]
    turned = rot.to_rotation_vector(rot.multiply(rot.multiply(last, rot.inverse(first)), rot.from_yaw(-turn)))
    np.testing.assert_allclose(turned, 0.0, atol=1e-9)
    np.testing.assert_allclose(motion.clip.root_positions[-1], motion.clip.root_positions[0], atol=1e-9)
    assert np.linalg.norm(motion.clip.root_positions[:, [0, 2]], axis=-1).max() < 0.06


@pytest.mark.parametrize("turn", [-2.5, 1.0])
def test_feet_end_as_they_began_but_turned(turn: float) -> None:
    clip = turn_in_place(turn=turn).clip
    for side in truth.SIDES:
        ankle = truth.joint_positions(clip, side + "Foot")
        np.testing.assert_allclose(ankle[-1], rot.rotate(rot.from_yaw(turn), ankle[0]), atol=1e-9)


@pytest.mark.parametrize(("turn", "first"), [(1.0, "Left"), (-1.0, "Right")])
def test_the_inner_foot_goes_first(turn: float, first: str) -> None:
    motion = turn_in_place(turn=turn)
    lifts = {side: int(np.argmin(truth.grounded(motion, side))) for side in truth.SIDES}
    assert min(lifts, key=lambda side: lifts[side]) == first


def test_one_foot_always_stands() -> None:
    motion = turn_in_place(turn=np.pi)
    assert (truth.grounded(motion, "Left") | truth.grounded(motion, "Right")).all()


def test_it_takes_the_time_it_is_given() -> None:
    assert turn_in_place(turn=1.0, duration=5.0, fps=30).clip.duration == pytest.approx(5.0)

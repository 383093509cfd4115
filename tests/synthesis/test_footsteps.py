from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.geometry import rotations as rot
from motionloom.synthesis.biped import HEEL_POINT, TOE_OFFSET
from motionloom.synthesis.footsteps import FootRoll, Stance, foot_motion, plant_constraints

FIRST = Stance(0.0, 0.1, 0.4, 0.6, np.array([0.1, 0.08, 0.0]), 0.2)
SECOND = Stance(1.0, 1.1, 1.4, 1.6, np.array([0.1, 0.08, 1.3]), 0.5)
ROLL = FootRoll(strike_pitch=0.3, off_pitch=1.0, lift=0.06)


def test_a_foot_that_stays() -> None:
    time = np.linspace(0.1, 0.4, 7)
    foot = foot_motion([FIRST, SECOND], ROLL, time)
    np.testing.assert_allclose(foot.ankle, np.tile(FIRST.ankle, (7, 1)), atol=1e-15)
    np.testing.assert_allclose(foot.rotation, np.tile(rot.from_yaw(0.2), (7, 1)), atol=1e-15)
    np.testing.assert_allclose(foot.toe_rotation, foot.rotation, atol=1e-15)


def test_toes_point_up_at_strike_and_heel_at_toe_off() -> None:
    foot = foot_motion([FIRST, SECOND], ROLL, np.array([0.0, 0.6]))
    ahead = rot.rotate(foot.rotation, [0.0, 0.0, 1.0])
    np.testing.assert_allclose(ahead[:, 1], [np.sin(0.3), -np.sin(1.0)], atol=1e-12)


def test_before_the_first_and_after_the_last_stance_the_foot_is_still_defined() -> None:
    foot = foot_motion([FIRST], ROLL, np.array([0.2, 0.6, 5.0]))
    assert np.isfinite(foot.ankle).all()
    np.testing.assert_allclose(foot.ankle[2], foot.ankle[1], atol=1e-12)


def test_heel_and_toe_have_their_own_intervals() -> None:
    plants = plant_constraints("right", [FIRST, SECOND], fps=100.0, n_frames=131)
    told = [(plant.joint, plant.kind, round(plant.start, 9), round(plant.end, 9)) for plant in plants]
    assert told == [
        ("RightFoot", "heel", 0.0, 40.0),
        ("RightToeBase", "toe", 10.0, 60.0),
        ("RightFoot", "heel", 100.0, 130.0),
        ("RightToeBase", "toe", 110.0, 130.0),
    ]
    assert plants[0].target is not None
    np.testing.assert_allclose(
        plants[0].target, FIRST.ankle + rot.rotate(rot.from_yaw(0.2), HEEL_POINT), atol=1e-15
    )


def test_a_bow_leads_the_swing_aside_and_leaves_the_plants_alone() -> None:
    bowed = Stance(
        FIRST.strike, FIRST.flat, FIRST.heel_off, FIRST.toe_off, FIRST.ankle, FIRST.yaw, np.array([0.2, 0, 0])
    )
    time = np.array([0.0, 0.3, 0.6, 0.8, 1.0])
    apart = foot_motion([bowed, SECOND], ROLL, time).ankle - foot_motion([FIRST, SECOND], ROLL, time).ankle
    np.testing.assert_allclose(apart[:, 0], [0.0, 0.0, 0.0, 0.2, 0.0], atol=1e-12)


@pytest.mark.slow
@given(st.floats(0.0, 0.4), st.floats(0.2, 1.2), st.floats(-1.0, 1.0), st.floats(0.3, 0.6))
def test_planted_points_do_not_move(strike: float, off: float, turn: float, peak: float) -> None:
    second = Stance(1.0, 1.1, 1.4, 1.6, SECOND.ankle, turn)
    roll = FootRoll(strike, off, 0.06, peak)
    time = np.linspace(0.0, 1.6, 321)
    foot = foot_motion([FIRST, second], roll, time)
    heel = foot.ankle + rot.rotate(foot.rotation, HEEL_POINT)
    toe = foot.ankle + rot.rotate(foot.rotation, TOE_OFFSET)
    for stance in (FIRST, second):
        turned = rot.from_yaw(stance.yaw)
        on_heel = (time >= stance.strike) & (time <= stance.heel_off)
        on_toe = (time >= stance.flat) & (time <= stance.toe_off)
        heel_place, toe_place = (
            stance.ankle + rot.rotate(turned, point) for point in (HEEL_POINT, TOE_OFFSET)
        )
        np.testing.assert_allclose(heel[on_heel], np.tile(heel_place, (on_heel.sum(), 1)), atol=1e-12)
        np.testing.assert_allclose(toe[on_toe], np.tile(toe_place, (on_toe.sum(), 1)), atol=1e-12)


@pytest.mark.parametrize("roll", [ROLL, FootRoll(), FootRoll(0.1, 1.2, 0.2, 0.4)])
def test_accelerations_of_the_ankle_are_continuous(roll: FootRoll) -> None:
    def largest_step(n: int) -> float:
        time = np.linspace(0.0, 1.6, n + 1)
        second = np.diff(foot_motion([FIRST, SECOND], roll, time).ankle, 2, axis=0) * (n / 1.6) ** 2
        return float(np.abs(np.diff(second, axis=0)).max())

    assert largest_step(6400) < 0.65 * largest_step(3200)

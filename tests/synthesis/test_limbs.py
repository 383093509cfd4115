from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.geometry import rotations as rot
from motionloom.synthesis.biped import ANKLE_HEIGHT, FOREARM, SHIN, SIDES, THIGH, UPPER_ARM, Side, sign
from motionloom.synthesis.limbs import (
    LEG_REACH,
    arm_rotations,
    knee_axis,
    leg_rotations,
    limit_height,
    max_root_height,
    solve_two_bones,
)

LEFT = np.array([[1.0, 0.0, 0.0]])


def test_a_right_angle() -> None:
    """Sides 3 and 4 span a hypotenuse of 5."""
    first, second, axis = solve_two_bones(np.zeros((1, 3)), np.array([[0.0, -5.0, 0.0]]), 3.0, 4.0, LEFT)
    np.testing.assert_allclose(first, [[0.0, -0.6, 0.8]], atol=1e-12)
    np.testing.assert_allclose(second, [[0.0, -0.8, -0.6]], atol=1e-12)
    np.testing.assert_array_equal(axis, LEFT)


def test_a_leg_at_rest_is_not_turned_about_itself() -> None:
    hip = np.array([[0.09, ANKLE_HEIGHT + LEG_REACH, 0.0]])
    thigh, shin = leg_rotations(hip, np.array([[0.09, ANKLE_HEIGHT, 0.0]]), LEFT)
    np.testing.assert_allclose(rot.rotate(thigh, [1.0, 0.0, 0.0]), LEFT, atol=1e-12)
    np.testing.assert_allclose(rot.rotate(shin, [1.0, 0.0, 0.0]), LEFT, atol=1e-12)


def test_too_far_a_foot_has_no_root_height() -> None:
    assert np.isnan(max_root_height(np.zeros((1, 3)), np.array([[0.0, 0.0, 1.0]]))).all()


def test_the_root_gives_way_below_every_limit() -> None:
    limits = [np.array([0.90, 1.20, 0.95]), np.array([1.20, 0.80, 0.95])]
    height = limit_height(np.full(3, 1.0), limits)
    assert (height < np.minimum(limits[0], limits[1])).all()
    assert (height > np.minimum(limits[0], limits[1]) - 0.01).all()


def test_knees_point_between_body_and_foot() -> None:
    np.testing.assert_allclose(knee_axis(np.zeros(1), np.array([np.pi])), [[0.0, 0.0, -1.0]], atol=1e-12)


@pytest.mark.slow
@given(st.floats(-1.0, 1.0), st.floats(-1.0, 1.0), st.floats(0.3, LEG_REACH))
def test_the_ankle_arrives_and_the_knee_bends_forward(pitch: float, roll: float, length: float) -> None:
    down = rot.rotate(rot.from_euler([pitch, roll], "XZ"), [0.0, -1.0, 0.0])
    hip = np.array([[0.1, 1.0, 0.2]])
    ankle = hip + length * down
    thigh, shin = leg_rotations(hip, ankle, LEFT)
    knee = hip + rot.rotate(thigh, [0.0, -THIGH, 0.0])
    np.testing.assert_allclose(knee + rot.rotate(shin, [0.0, -SHIN, 0.0]), ankle, atol=1e-12)
    assert np.cross(knee - hip, ankle - knee)[0, 0] > 0.0


@pytest.mark.slow
@given(st.sampled_from(SIDES), st.floats(-1.2, 1.2), st.floats(-1.2, 1.2), st.floats(0.15, 0.53))
def test_the_wrist_arrives(side: Side, elevation: float, azimuth: float, length: float) -> None:
    aim = [np.sin(azimuth) * np.cos(elevation), np.sin(elevation), np.cos(azimuth) * np.cos(elevation)]
    shoulder = np.array([[sign(side) * 0.18, 1.4, 0.0]])
    wrist = shoulder + length * np.array(aim)
    upper, fore = arm_rotations(side, shoulder, wrist, rot.IDENTITY[None])
    outward = np.array([sign(side), 0.0, 0.0])
    elbow = shoulder + rot.rotate(upper, UPPER_ARM * outward)
    np.testing.assert_allclose(elbow + rot.rotate(fore, FOREARM * outward), wrist, atol=1e-12)
    # Seen from the line to a hand in front, the elbow lies below or behind.
    off = elbow - shoulder - np.array(aim) * ((elbow - shoulder) @ np.array(aim))
    assert off[0, 1] < 1e-9 or off[0, 2] < 1e-9

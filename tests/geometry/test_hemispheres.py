from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from motionloom.geometry import rotations as rot
from motionloom.geometry.hemispheres import UNDECIDED, short_way_signs
from tests.figures import random_rotations


def test_signs_follow_a_whole_turn() -> None:
    """Half a turn apart is the border: before it the short way is one way round, after it the other."""
    turning = rot.from_yaw(np.radians([0.0, 90.0, 170.0, 190.0, 210.0, 360.0]))
    still = np.tile(rot.IDENTITY, (6, 1))
    assert short_way_signs(still, turning).tolist() == [1, 1, 1, 1, -1, -1]


def test_noise_about_half_a_turn_does_not_flicker() -> None:
    turning = rot.from_yaw(np.radians([120.0, 178.0, 182.0, 177.0, 184.0, 130.0]))
    assert short_way_signs(np.tile(rot.IDENTITY, (6, 1)), turning).tolist() == [1] * 6


def test_before_the_first_clear_moment() -> None:
    """An open course takes the first clear sign, a periodic one the last."""
    turning = rot.from_yaw(np.radians([180.0, 90.0, 300.0]))
    still = np.tile(rot.IDENTITY, (3, 1))
    assert short_way_signs(still, turning).tolist() == [1, 1, -1]
    assert short_way_signs(still, turning, periodic=True).tolist() == [-1, 1, -1]


def test_half_a_turn_apart_for_ever_changes_nothing() -> None:
    assert short_way_signs(np.tile(rot.IDENTITY, (4, 1)), rot.from_yaw(np.full(4, np.pi))).tolist() == [1] * 4


@given(st.integers(0, 1000))
def test_chosen_signs_are_on_one_side_wherever_it_is_clear(seed: int) -> None:
    one, other = random_rotations((30, 3), seed), random_rotations((30, 3), seed + 1)
    inner = np.einsum("njc,njc->nj", one, other)
    signed = inner * short_way_signs(one, other)
    assert (signed[np.abs(inner) > UNDECIDED] > 0.0).all()
    np.testing.assert_array_equal(short_way_signs(one, -other), -short_way_signs(one, other))

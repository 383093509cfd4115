from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from motionloom.transitions.splice import agreeing, sampled
from tests.figures import random_rotations


def test_whole_frames_are_copied() -> None:
    values = np.random.default_rng(0).normal(size=(6, 2, 3))
    np.testing.assert_array_equal(sampled(values, np.array([4.0, 0.0])), values[[4, 0]])


def test_no_frames_give_no_values() -> None:
    assert sampled(np.zeros((4, 3)), np.zeros(0)).shape == (0, 3)


@given(share=st.floats(0.01, 0.99))
def test_straight_lines_stay_straight_up_to_the_ends(share: float) -> None:
    values = 3.0 * np.arange(6.0) + 1.0
    frames = np.arange(5.0) + share
    np.testing.assert_allclose(sampled(values, frames), 3.0 * frames + 1.0)


def test_parabolas_are_met_between_frames() -> None:
    values = np.arange(8.0) ** 2
    np.testing.assert_allclose(sampled(values, np.array([2.25, 4.5])), [2.25**2, 4.5**2])


def test_signs_follow_those_before() -> None:
    turns = random_rotations((1, 5))
    flips = np.array([1.0, -1.0, 1.0, -1.0, -1.0])[:, None]
    np.testing.assert_array_equal(agreeing(turns, turns * flips), flips)
    assert agreeing(turns[:0], turns).tolist() == [[1.0]]

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from motionloom.transitions import transition
from motionloom.transitions.splice import continue_signs, sample_values
from tests.figures import random_rotations
from tests.transitions.motions import jogging, walking


def test_whole_frames_are_copied() -> None:
    values = np.random.default_rng(0).normal(size=(6, 2, 3))
    np.testing.assert_array_equal(sample_values(values, np.array([4.0, 0.0])), values[[4, 0]])


def test_no_frames_give_no_values() -> None:
    assert sample_values(np.zeros((4, 3)), np.zeros(0)).shape == (0, 3)


@given(fraction=st.floats(0.01, 0.99))
def test_straight_lines_stay_straight_up_to_the_ends(fraction: float) -> None:
    values = 3.0 * np.arange(6.0) + 1.0
    frames = np.arange(5.0) + fraction
    np.testing.assert_allclose(sample_values(values, frames), 3.0 * frames + 1.0)


def test_parabolas_are_met_between_frames() -> None:
    values = np.arange(8.0) ** 2
    np.testing.assert_allclose(sample_values(values, np.array([2.25, 4.5])), [2.25**2, 4.5**2])


def test_signs_follow_those_before() -> None:
    rotations = random_rotations((1, 5))
    flips = np.array([1.0, -1.0, 1.0, -1.0, -1.0])[:, None]
    np.testing.assert_array_equal(continue_signs(rotations, rotations * flips), flips)
    assert continue_signs(rotations[:0], rotations).tolist() == [[1.0]]


def test_the_report_fits_on_a_line() -> None:
    report = transition(walking(), jogging(), half_width=0.4).report
    assert repr(report) == "BlendReport('registration', 2 seams, 2 notes)"

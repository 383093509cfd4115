"""Filters over time: constants and lines stay, what is fast goes, and ends are as stated."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.motion.filters import (
    average_window,
    envelope,
    low_pass,
    median_filter,
    smooth,
    smooth_gaussian,
)

LINE = np.arange(20.0)[:, None] * [1.0, -2.0]


def test_averaging_keeps_constants_and_lines_inside() -> None:
    assert average_window(np.ones(9), 0.01, 0.05) == pytest.approx(np.ones(9))
    assert average_window(LINE, 0.01, 0.05)[3:-3] == pytest.approx(LINE[3:-3])


def test_averaging_over_less_than_a_frame_changes_nothing() -> None:
    values = np.array([1.0, 5.0, 2.0])
    assert average_window(values, 1 / 24, 0.04) is values


def test_a_window_far_longer_than_the_clip_is_cut_to_it() -> None:
    assert average_window(np.array([0.0, 1.0]), 0.001, 1000.0) == pytest.approx([0.5, 0.5], abs=1e-6)
    assert average_window(np.array([3.0]), 0.001, 1000.0).tolist() == [3.0]


def test_the_window_is_in_seconds() -> None:
    """The same wave is damped alike at two frame rates."""
    damped = []
    for fps in (60, 240):
        time = np.arange(fps) / fps
        wave = np.sin(2 * np.pi * 8 * time)
        damped.append(average_window(wave, 1 / fps, 0.1)[fps // 4 : -fps // 4].max())
    assert damped[0] == pytest.approx(damped[1], abs=0.1)
    assert damped[0] < 0.7


def test_an_even_value_is_smoothed_to_itself() -> None:
    assert smooth(np.full((7, 2), 3.0), 2.5) == pytest.approx(np.full((7, 2), 3.0))
    assert smooth(LINE, 0.5) is LINE
    assert smooth(np.zeros((0, 2)), 3.0).shape == (0, 2)


def test_lines_go_on_beyond_their_ends_only_where_that_is_asked_for() -> None:
    assert smooth(LINE, 4.0, ends="go on") == pytest.approx(LINE)
    assert smooth_gaussian(LINE, 2.0) == pytest.approx(LINE)
    assert smooth(LINE, 4.0)[0, 0] > 0.5


@given(st.integers(0, 1000), st.floats(0.0, 9.0))
def test_the_envelope_is_nowhere_below(seed: int, reach: float) -> None:
    values = np.maximum(np.random.default_rng(seed).normal(size=40) - 1.0, 0.0)
    assert (envelope(values, reach) >= values - 1e-12).all()


def test_a_gaussian_narrower_than_a_frame_changes_nothing_and_one_cut_off_reaches_no_farther() -> None:
    values = np.zeros((9, 1))
    values[4] = 1.0
    assert smooth_gaussian(values, 0.05) is values
    assert np.flatnonzero(smooth_gaussian(values, 2.0, half=1)).tolist() == [3, 4, 5]


def test_a_low_pass_keeps_slow_waves_in_place_and_takes_fast_ones_out() -> None:
    time = np.arange(240) / 120
    slow, fast = np.sin(2 * np.pi * 2 * time), np.sin(2 * np.pi * 30 * time)
    kept = low_pass(slow + fast, 6.0, 120.0)
    assert np.abs(kept - slow)[30:-30].max() < 0.03


def test_a_median_takes_out_a_single_value_and_keeps_a_step() -> None:
    step = np.repeat([0.0, 1.0], 5)[:, None]
    wrong = step.copy()
    wrong[2] = 9.0
    assert np.array_equal(median_filter(wrong, 3), step)
    assert median_filter(step, 1) is step

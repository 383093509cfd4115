"""Corrections over time: what is known stays, what follows is smooth, and everything is local."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.arrays import BoolArray
from motionloom.enforcement.spread import frames_to_known, min_of_neighbours, run_means, spread


def held(n_frames: int, *runs: tuple[int, int]) -> BoolArray:
    known = np.zeros(n_frames, dtype=np.bool_)
    for first, stop in runs:
        known[first:stop] = True
    return known


def test_nothing_known_spreads_nothing() -> None:
    assert not spread(np.ones((5, 2)), held(5), 3.0).any()
    assert not run_means(np.ones((5, 2)), held(5)).any()
    assert not min_of_neighbours(np.ones(5), held(5)).any()
    assert np.isinf(frames_to_known(held(5))).all()


def test_a_correction_eases_to_zero_over_the_reach() -> None:
    values = spread(np.ones((20, 1)), held(20, (0, 5)), 4.0)[:, 0]
    assert values[:5].tolist() == [1.0] * 5
    assert values[4:9] == pytest.approx([1.0, 0.84375, 0.5, 0.15625, 0.0])
    assert not values[9:].any()


def test_a_short_gap_is_crossed_from_edge_to_edge() -> None:
    values = spread(np.array([[1.0], [0.0], [3.0]]), held(3, (0, 1), (2, 3)), 10.0)
    assert values.ravel().tolist() == [1.0, 2.0, 3.0]


def test_a_correction_goes_on_with_its_slope() -> None:
    """A foot that slid at an even speed while it was held leaves without a jerk."""
    slope = 0.01
    values = spread(slope * (np.arange(60.0)[:, None] - 29.0), held(60, (0, 30)), 20.0)[:, 0]
    assert values[30] - values[29] == pytest.approx(slope, rel=0.15)
    assert np.abs(np.diff(values, 2)).max() < 0.2 * slope


def test_less_than_a_frame_of_reach_changes_no_other_frame() -> None:
    assert not spread(np.ones((9, 1)), held(9, (3, 5)), 0.0)[[0, 1, 2, 5, 6]].any()


def test_means_of_runs_are_carried_across() -> None:
    values = run_means(np.array([[1.0], [3.0], [9.0], [6.0]]), held(4, (0, 2), (3, 4)))
    assert values.ravel().tolist() == [2.0, 2.0, 4.0, 6.0]


@given(st.integers(0, 1000))
def test_known_values_stay_and_none_overshoots_without_slope(seed: int) -> None:
    rng = np.random.default_rng(seed)
    known = rng.random(30) < 0.3
    values = np.repeat(rng.normal(size=(1, 3)), 30, axis=0)
    found = spread(values, known, 6.0)
    assert np.array_equal(found[known], values[known])
    assert (np.abs(found) <= np.abs(values) + 1e-12).all()


def test_the_lower_neighbour_counts() -> None:
    known = held(5, (1, 2), (4, 5))
    assert min_of_neighbours(np.array([9.0, -1.0, 9.0, 9.0, -2.0]), known).tolist() == [-1, -1, -2, -2, -2]

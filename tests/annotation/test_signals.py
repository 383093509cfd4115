"""Runs and turning points."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.annotation import signals


def test_runs_and_joined_intervals() -> None:
    assert signals.runs(np.zeros(3, dtype=bool)) == []
    assert signals.runs(np.array([True, True, False, True])) == [(0, 1), (3, 3)]
    assert signals.join_intervals([(5.0, 6.0), (0.0, 2.0), (1.0, 4.5)], 0.4) == [(0.0, 4.5), (5.0, 6.0)]
    assert signals.join_intervals([(5.0, 6.0), (0.0, 4.5)], 0.6) == [(0.0, 6.0)]


def test_crossings_stay_within_the_step() -> None:
    assert signals.crossing(2.0, 0.0, 0.5) == 0.75
    assert signals.crossing(1.0, 1.0, 0.5) == 0.5
    assert signals.crossing(2.0, 1.0, 0.5) == 1.0


def test_turning_points_of_a_wave_are_at_its_crests() -> None:
    frames = np.arange(200)
    turns = signals.turning_points(np.sin(2 * np.pi * (frames - 10.3) / 60), 0.5)
    assert [turn.is_maximum for turn in turns] == [True, False, True, False, True, False][: len(turns)]
    assert [turn.frame for turn in turns] == pytest.approx([25.3, 55.3, 85.3, 115.3, 145.3, 175.3], abs=0.05)


def test_small_wiggles_and_ends_are_no_turning_points() -> None:
    wiggle = 0.04 * np.sin(np.arange(100))
    assert signals.turning_points(wiggle, 0.1) == []
    assert signals.turning_points(np.linspace(0.0, 1.0, 50), 0.1) == []
    assert signals.turning_points(np.array([]), 0.1) == []


@given(st.lists(st.floats(-10, 10), min_size=1, max_size=60), st.floats(0.01, 5))
def test_turning_points_alternate_and_differ_by_the_prominence(
    values: list[float], prominence: float
) -> None:
    signal = np.array(values)
    turns = signals.turning_points(signal, prominence)
    for before, after in pairwise(turns):
        assert before.is_maximum != after.is_maximum
        assert before.frame <= after.frame
        # The parabola may put the turn half a frame beside its sample.
        between = signal[int(before.frame) : int(np.ceil(after.frame)) + 1]
        assert np.ptp(between) >= prominence
    assert all(0.0 < turn.frame < len(signal) - 1 for turn in turns)

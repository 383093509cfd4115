from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.arrays import FloatArray, IntArray
from motionloom.registration.settling import settled
from motionloom.registration.time_alignment import TimeAlignment, align_times


def valley(n_frames: int, middle: FloatArray, floor: float = 0.1) -> FloatArray:
    """Costs that rise with the square of the distance to the ``middle`` column of each row."""
    away = np.arange(n_frames) - middle[:, None]
    return np.asarray(away**2 + floor)


def diagonal(n_frames: int) -> IntArray:
    return np.stack([np.arange(n_frames)] * 2, axis=1)


def test_sharp_costs_are_followed_between_frames() -> None:
    """The valley lies 0.4 columns beside the diagonal path, but for the ends."""
    frames = settled(diagonal(41), valley(41, np.arange(0.4, 41.0)), [], straightness=0.1)
    assert frames[20, 1] - frames[20, 0] == pytest.approx(0.4, abs=0.02)
    assert frames[[0, -1]].tolist() == [[0.0, 0.0], [40.0, 40.0]]


def test_flat_costs_are_crossed_at_an_even_pace() -> None:
    steps = [(0, 0), *[(1, j) for j in range(1, 4)], *[(i, i + 2) for i in range(2, 15)], (15, 17), (16, 17)]
    path = np.array([*steps, (17, 17)])
    frames = settled(path, np.ones((18, 18)), [], straightness=1.0)
    assert frames[:, 0] == pytest.approx(frames[:, 1])


def test_pins_are_kept() -> None:
    path = np.array([[0, 0], [1, 1], [2, 2], [3, 2], [4, 3], [5, 4], [6, 5], [7, 6], [8, 7], [8, 8]])
    frames = settled(path, np.ones((9, 9)), [(4, 3)], straightness=1.0)
    at_pin = np.interp(7.0, frames.sum(axis=1), frames[:, 0])
    assert at_pin == pytest.approx(4.0, abs=0.1)


def test_equal_clips_stay_frame_by_frame() -> None:
    frames = settled(diagonal(12), valley(12, np.arange(12.0), floor=0.0), [], straightness=5.0)
    assert frames == pytest.approx(diagonal(12))


@given(st.integers(0, 2**32 - 1), st.integers(4, 25), st.integers(4, 25), st.floats(0.01, 100.0))
def test_frames_never_go_back_and_end_where_the_path_does(
    seed: int, rows: int, columns: int, straightness: float
) -> None:
    costs = np.random.default_rng(seed).random((rows, columns)) + 0.01
    if max(rows, columns) > 3 * min(rows, columns) - 3:
        return
    path = align_times(costs, slope_limit=3).path
    frames = settled(path, costs, [], straightness)
    assert (np.diff(frames, axis=0) >= 0.0).all()
    assert np.array_equal(frames[0], path[0])
    assert np.array_equal(frames[-1], path[-1])


def test_distortion_counts_cells_far_off_the_pace() -> None:
    """A third of the cells run three times as fast as the rest together."""
    slow = [(i, i // 3) for i in range(31)]
    fast = [(30 + j // 3, 10 + j) for j in range(1, 31)]
    bent = TimeAlignment(np.array(slow + fast), 0.0, 3, "reversible")
    assert bent.distortion(reach=4) > 0.8
    assert TimeAlignment(diagonal(40), 0.0, 3, "reversible").distortion(reach=4) == 0.0

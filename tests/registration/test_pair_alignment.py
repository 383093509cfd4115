from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.arrays import FloatArray, IntArray
from motionloom.registration.distance import cloud_distance
from motionloom.registration.dtw import SlopeRule
from motionloom.registration.pair_alignment import (
    PairTask,
    align_pair,
    event_pins,
    regularize_path,
    run_tasks,
)
from motionloom.registration.point_cloud import point_cloud
from motionloom.registration.time_alignment import PathEnd, TimeAlignment, align_times
from motionloom.synthesis import walk

RULE = SlopeRule(3, "reversible")


def tasks(end: PathEnd = "corners") -> list[PairTask]:
    clips = [walk(speed=speed, duration=2.0 + speed, fps=30).clip for speed in (1.0, 1.2, 1.4, 1.6, 1.8)]
    clouds = [point_cloud(clip) for clip in clips]
    return [PairTask(a, b, 2, 30.0, RULE, "corners", end, ()) for a, b in combinations(clouds, 2)]


def test_a_pair_takes_the_best_path_through_its_whole_grid() -> None:
    for end in ("corners", "free"):
        for task in tasks(end):
            grid = cloud_distance(task.a, task.b, task.half_width).values
            path = align_times(grid, slope_limit=3, end=task.end).path
            found = align_pair(task)
            assert np.array_equal(found.alignment.path, path)
            assert np.array_equal(found.distances, grid[path[:, 0], path[:, 1]])


def test_pairs_on_several_threads_do_not_disturb_each_other() -> None:
    """Every thread fills one grid after the other in the same memory."""
    given = tasks() * 3
    alone = [align_pair(task) for task in given]
    together = run_tasks(given)
    for one, other in zip(alone, together, strict=True):
        assert np.array_equal(one.alignment.path, other.alignment.path)
        assert np.array_equal(one.distances, other.distances)


def valley(n_frames: int, middle: FloatArray, floor: float = 0.1) -> FloatArray:
    """Costs that rise with the square of the distance to the ``middle`` column of each row."""
    away = np.arange(n_frames) - middle[:, None]
    return np.asarray(away**2 + floor)


def diagonal(n_frames: int) -> IntArray:
    return np.stack([np.arange(n_frames)] * 2, axis=1)


def test_sharp_costs_are_followed_between_frames() -> None:
    """The valley lies 0.4 columns beside the diagonal path, but for the ends."""
    frames = regularize_path(diagonal(41), valley(41, np.arange(0.4, 41.0)), [], stiffness=0.1)
    assert frames[20, 1] - frames[20, 0] == pytest.approx(0.4, abs=0.02)
    assert frames[[0, -1]].tolist() == [[0.0, 0.0], [40.0, 40.0]]


def test_flat_costs_are_crossed_at_an_even_pace() -> None:
    steps = [(0, 0), *[(1, j) for j in range(1, 4)], *[(i, i + 2) for i in range(2, 15)], (15, 17), (16, 17)]
    path = np.array([*steps, (17, 17)])
    frames = regularize_path(path, np.ones((18, 18)), [], stiffness=1.0)
    assert frames[:, 0] == pytest.approx(frames[:, 1])


def test_pins_are_kept() -> None:
    path = np.array([[0, 0], [1, 1], [2, 2], [3, 2], [4, 3], [5, 4], [6, 5], [7, 6], [8, 7], [8, 8]])
    frames = regularize_path(path, np.ones((9, 9)), [(4, 3)], stiffness=1.0)
    at_pin = np.interp(7.0, frames.sum(axis=1), frames[:, 0])
    assert at_pin == pytest.approx(4.0, abs=0.1)


def test_equal_clips_stay_frame_by_frame() -> None:
    frames = regularize_path(diagonal(12), valley(12, np.arange(12.0), floor=0.0), [], stiffness=5.0)
    assert frames == pytest.approx(diagonal(12))


@given(st.integers(0, 2**32 - 1), st.integers(4, 25), st.integers(4, 25), st.floats(0.01, 100.0))
def test_frames_never_go_back_and_end_where_the_path_does(
    seed: int, rows: int, columns: int, stiffness: float
) -> None:
    costs = np.random.default_rng(seed).random((rows, columns)) + 0.01
    if max(rows, columns) > 3 * min(rows, columns) - 3:
        return
    path = align_times(costs, slope_limit=3).path
    frames = regularize_path(path, costs, [], stiffness)
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


def test_cells_that_no_path_can_pass_are_left_out() -> None:
    cells = event_pins([10, 12, 40], [10, 30, 42], (60, 60), (1.0, 1.0), SlopeRule(2, "reversible"))
    assert cells == [(10, 10), (40, 42)]


def test_stretched_clips_scale_their_events() -> None:
    assert event_pins([10], [5], (61, 61), (1.0, 2.0), SlopeRule(2, "reversible")) == [(10, 10)]


def test_an_event_beside_a_corner_is_left_to_the_corner() -> None:
    assert event_pins([0, 59], [3, 58], (60, 60), (1.0, 1.0), RULE) == []

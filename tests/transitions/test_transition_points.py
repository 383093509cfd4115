from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from motionloom.motion import Clip
from motionloom.motion.unroll import extend_cycle
from motionloom.registration import distance
from motionloom.transitions import transition_points
from motionloom.transitions.transition_points import find_transition_points
from tests.figures import smooth_clip
from tests.transitions.motions import jogging, walk_cycle, walking


def best(a: Clip, b: Clip, rows: range, columns: range) -> tuple[int, int]:
    return next(find_transition_points(a, b, rows, columns))


def test_a_clip_meets_itself_where_it_is() -> None:
    clip = smooth_clip(40)
    i, j = best(clip, clip, range(10, 30), range(10, 30))
    assert i == j


def test_of_equal_cells_the_one_that_keeps_most_is_taken() -> None:
    """A cycle and its repetition look the same: late in the first clip, early in the second."""
    period = walk_cycle().n_frames
    clip = extend_cycle(walk_cycle(), 3 * period)
    i, j = best(clip, clip, range(3 * period), range(3 * period))
    assert i - j >= 2 * period - 1


def test_only_the_given_frames_count() -> None:
    rows, columns = range(50, 70), range(30, 45)
    i, j = best(walking(), jogging(), rows, columns)
    assert i in rows
    assert j in columns


def test_without_a_local_minimum_the_least_distance_is_taken() -> None:
    clip = smooth_clip(40)
    assert best(clip, clip, range(30, 32), range(5, 7)) in {(i, j) for i in (30, 31) for j in (5, 6)}


def test_it_is_a_local_minimum_and_the_least_of_them() -> None:
    """Against a loop over all cells."""
    grid = distance(walking(), jogging()).values
    rows, columns = range(20, 100), range(20, 100)
    i, j = best(walking(), jogging(), rows, columns)
    found = [
        grid[m, n] for m in rows for n in columns if grid[m, n] <= grid[m - 1 : m + 2, n - 1 : n + 2].min()
    ]
    assert grid[i, j] == pytest.approx(min(found))


def test_further_places_are_worse_and_apart() -> None:
    """The best is the one that is taken; the next are local minima too, a tenth of a second away."""
    grid = distance(walking(), jogging()).values
    rows, columns = range(20, 100), range(20, 100)
    cells = list(islice(find_transition_points(walking(), jogging(), rows, columns), 6))
    assert cells[0] == best(walking(), jogging(), rows, columns)
    heights = [grid[cell] for cell in cells]
    assert heights == sorted(heights)
    for n, (i, j) in enumerate(cells):
        assert grid[i, j] <= grid[i - 1 : i + 2, j - 1 : j + 2].min()
        assert all(max(abs(i - k), abs(j - m)) > 3 for k, m in cells[:n])


def test_where_minima_run_out_other_cells_follow() -> None:
    clip = smooth_clip(40)
    cells = list(find_transition_points(clip, clip, range(20, 32), range(5, 17)))
    assert len(cells) > 1
    assert all(i in range(20, 32) and j in range(5, 17) for i, j in cells)


def test_long_clips_are_looked_at_in_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = best(walking(), jogging(), range(20, 100), range(20, 100))
    monkeypatch.setattr(transition_points, "MAX_GRID_CELLS", 121 * 121 // 8)
    near = best(walking(), jogging(), range(20, 100), range(20, 100))
    grid = distance(walking(), jogging()).values
    assert np.sqrt(grid[near]) < 1.2 * np.sqrt(grid[whole])

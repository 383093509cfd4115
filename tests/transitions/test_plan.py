from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from motionloom.geometry import GroundTransform
from motionloom.motion import Clip
from motionloom.motion.unroll import extend_cycle, travel
from motionloom.registration import distance
from motionloom.transitions.find_transition_points import find_transition_points
from motionloom.transitions.plan import narrow_half, unroll_clip
from tests.figures import smooth_clip
from tests.transitions.motions import jogging, walk_cycle, walking


def test_clips_that_do_not_repeat_stay_as_they_are() -> None:
    assert unroll_clip(walking(), before=500, after=500, frame=None, loop=True).clip is walking()
    alone = unroll_clip(walk_cycle(), before=500, after=500, frame=None, loop=False)
    assert (alone.clip.n_frames, alone.clip.cyclic) == (walk_cycle().n_frames, False)


@pytest.mark.parametrize(
    ("before", "after", "frame", "cycles"),
    [(10, 10, 15, 1), (20, 10, 15, 2), (10, 20, 15, 2), (50, 50, 0, 4), (5, 5, None, 1), (20, 20, None, 3)],
)
def test_cycles_are_as_many_as_are_needed(before: int, after: int, frame: int | None, cycles: int) -> None:
    period = walk_cycle().n_frames
    assert 30 < period < 35
    found = unroll_clip(walk_cycle(), before=before, after=after, frame=frame, loop=True)
    assert found.clip.n_frames == cycles * period


def test_frames_of_later_cycles_are_found_in_the_first() -> None:
    cycle = walk_cycle()
    period = cycle.n_frames
    unrolled = unroll_clip(cycle, before=40, after=40, frame=0, loop=True).continue_from(
        5, GroundTransform(1.0, 2.0, 3.0)
    )
    assert unrolled.source_frame(period - 5) == 0
    frames = np.array([0.0, float(period), 2.0 * period - 5.0])
    sources, rows = unrolled.to_source(frames, np.zeros((3, 3)))
    assert sources.tolist() == [5.0, 5.0, 0.0]
    for frame, own, row in zip(frames.astype(int), sources.astype(int), rows, strict=True):
        placed = cycle[own : own + 1].placed(GroundTransform(*row.tolist()))
        np.testing.assert_allclose(
            placed.world_positions()[0], unrolled.clip.world_positions()[frame], atol=1e-9
        )


def test_turning_cycles_add_up() -> None:
    cycle = walk_cycle()
    unrolled = unroll_clip(cycle, before=0, after=100, frame=0, loop=True)
    _, rows = unrolled.to_source(np.array([2.0 * cycle.n_frames]), np.zeros((1, 3)))
    transform = travel(cycle) @ travel(cycle)
    np.testing.assert_allclose(rows[0], [transform.yaw, transform.x, transform.z], atol=1e-12)


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
    monkeypatch.setattr("motionloom.transitions.find_transition_points.MAX_GRID_CELLS", 121 * 121 // 8)
    near = best(walking(), jogging(), range(20, 100), range(20, 100))
    grid = distance(walking(), jogging()).values
    assert np.sqrt(grid[near]) < 1.2 * np.sqrt(grid[whole])


@pytest.mark.parametrize("half", range(1, 60))
def test_a_narrower_width_is_at_least_one_frame_narrower(half: int) -> None:
    assert round(narrow_half(half)) < half

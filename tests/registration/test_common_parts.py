from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom import kernels
from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform
from motionloom.motion import Clip
from motionloom.registration.common_parts import common_parts
from motionloom.synthesis import kick, punch, stand, turn_in_place, walk


def best_local_sum(gains: FloatArray) -> float:
    """The largest sum of gains of any path, by the recurrence over all cells written out."""
    best = np.zeros(gains.shape)
    for i, j in np.ndindex(*gains.shape):
        options = [0.0]
        if i > 0 and j > 0:
            options.append(best[i - 1, j - 1])
        if i > 0 and j > 1 and best[i - 1, j - 2] > 0.0:
            options.append(best[i - 1, j - 2] + min(gains[i, j - 1], 0.0))
        if i > 1 and j > 0 and best[i - 2, j - 1] > 0.0:
            options.append(best[i - 2, j - 1] + min(gains[i - 1, j], 0.0))
        best[i, j] = max(options) + gains[i, j]
    return float(best.max())


def local_path(gains: FloatArray) -> tuple[float, list[list[int]]]:
    steps, rows = np.empty(gains.shape, dtype=np.int8), np.empty((3, gains.shape[1]))
    last = np.empty(2, dtype=np.int64)
    best = kernels.dtw.local_sweep(gains, rows, steps, last)
    row, column = last.tolist()
    cells = np.empty((sum(gains.shape), 2), dtype=np.int64)
    count = 0 if row < 0 else kernels.dtw.trace_local(steps, row, column, cells)
    return best, cells[:count][::-1].tolist()


def test_the_path_with_the_largest_gain_is_found() -> None:
    rng = np.random.default_rng(0)
    for _ in range(50):
        gains = rng.normal(size=(12, 15)) - 0.4
        best, cells = local_path(gains)
        assert best == pytest.approx(best_local_sum(gains))
        steps = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(cells)]
        assert set(steps) <= {(1, 1), (1, 0), (0, 1)}


def test_a_diagonal_of_gains_in_a_field_of_losses() -> None:
    gains = np.full((6, 8), -1.0)
    for n in range(3):
        gains[2 + n, 4 + n] = 1.0
    assert local_path(gains) == (3.0, [[2, 4], [3, 5], [4, 6]])


def test_no_gain_means_no_path() -> None:
    assert local_path(np.full((3, 4), -1.0)) == (0.0, [])


@pytest.fixture(scope="module")
def kicking() -> Clip:
    return kick(duration=1.6, fps=30).clip


@pytest.fixture(scope="module")
def takes(kicking: Clip) -> tuple[Clip, Clip]:
    """The same kick after a second's walk, and before three seconds of standing about."""
    walking, standing = walk(duration=2.0, fps=30).clip, stand(duration=3.0, fps=30).clip
    return append(walking, kicking), append(kicking, standing)


def append(first: Clip, second: Clip) -> Clip:
    """One clip after the other, with a hard cut."""
    roots = np.concatenate([first.root_positions, second.root_positions])
    return replace(first, root_positions=roots, rotations=np.concatenate([first.rotations, second.rotations]))


def test_the_action_that_two_takes_share_is_found(takes: tuple[Clip, Clip], kicking: Clip) -> None:
    part = common_parts(takes)[0]
    starts = takes[0].n_frames - kicking.n_frames, 0
    for (first, last), start in zip(part.frames, starts, strict=True):
        assert abs(first - start) <= 4
        assert last - start > 0.7 * kicking.n_frames
    one, other = part.cut(takes)
    assert abs(one.duration - other.duration) < 0.3


def test_equal_takes_correspond_from_end_to_end(kicking: Clip) -> None:
    part = common_parts([kicking, kicking.placed(GroundTransform(2.0, 1.0, -3.0))])[0]
    assert part.frames[0] == part.frames[1]
    assert part.residual < 1e-9
    assert part.duration > 1.4


def test_swapped_takes_have_swapped_parts(takes: tuple[Clip, Clip]) -> None:
    forward, backward = common_parts(takes), common_parts(takes[::-1])
    assert len(forward) == len(backward)
    for one, other in zip(forward, backward, strict=True):
        for (a, b), (c, d) in zip(one.frames, other.frames[::-1], strict=True):
            assert max(abs(a - c), abs(b - d)) <= 4


def test_standing_still_is_no_part() -> None:
    still = [stand(duration=seconds, fps=30).clip for seconds in (4.0, 6.0)]
    assert common_parts(still) == ()


def test_unlike_actions_have_no_part() -> None:
    assert common_parts([punch(fps=30).clip, turn_in_place(fps=30).clip]) == ()


def test_parts_last_as_long_as_asked(kicking: Clip) -> None:
    assert common_parts([kicking, kicking], min_duration=1.5)
    parts = common_parts([walk(duration=6.0, fps=30).clip, walk(duration=9.0, fps=30).clip], min_duration=4.0)
    assert parts
    assert all(part.duration > 3.8 for part in parts)


def test_parts_are_ranked_and_counted() -> None:
    walks = [walk(duration=6.0, fps=30).clip, walk(duration=9.0, fps=30).clip]
    parts = common_parts(walks, max_parts=3)
    assert 1 < len(parts) <= 3
    assert [part.gain for part in parts] == sorted((part.gain for part in parts), reverse=True)


def test_frames_count_in_each_take_at_its_own_rate(kicking: Clip) -> None:
    fast = kicking.resampled(120)
    part = common_parts([kicking, fast])[0]
    (first, last), (fast_first, fast_last) = part.frames
    assert abs(4 * first - fast_first) <= 8
    assert abs(4 * last - fast_last) <= 8
    assert part.frames[1][1] < fast.n_frames


def test_one_part_of_several_takes(takes: tuple[Clip, Clip], kicking: Clip) -> None:
    part = common_parts([*takes, kicking])[0]
    assert len(part.frames) == 3
    starts = [first for first, _ in part.frames]
    assert starts[0] > 30
    assert abs(starts[1] - starts[2]) <= 6


def test_what_is_printed_names_seconds_and_takes(kicking: Clip) -> None:
    part = common_parts([kicking, kicking])[0]
    start, end = part.seconds[0]
    assert str(part) == f"{start:.2f}–{end:.2f} s of take 0, {start:.2f}–{end:.2f} s of take 1"
    assert repr(part) == f"CommonPart({part}, residual 0.00)"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"min_duration": 0.0}, "min_duration must be a positive number of seconds, not 0"),
        ({"max_parts": 0}, "max_parts must be a whole number of at least 1"),
    ],
)
def test_bad_options_are_refused(kicking: Clip, options: dict[str, float], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        common_parts([kicking, kicking], **options)  # type: ignore[arg-type]


def test_one_take_is_refused(kicking: Clip) -> None:
    with pytest.raises(ParameterError, match="registering takes two clips or more, not 1"):
        common_parts([kicking])


def test_a_captured_take_six_times_as_long(mocap: Path) -> None:
    """One punch of a take in the whole of another that has eight."""
    one = ml.load(mocap / "actions/punches/punches_143_23.bvh")
    part = common_parts([one[90:210], one])[0]
    assert part.frames[1][0] == pytest.approx(90 + part.frames[0][0], abs=12)
    assert part.residual < 0.1

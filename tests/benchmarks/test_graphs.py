from __future__ import annotations

import numpy as np
import pytest

from benchmarks.graphs.control import choose_turn
from benchmarks.graphs.held_out import choose_held_out, leave_out
from benchmarks.graphs.measures import find_visited, measure_line
from benchmarks.graphs.sets import TakeSet
from benchmarks.graphs.walks import find_longest_repeat
from motionloom.blending.controls import SpeedAndTurn
from motionloom.graphs.graph import MotionGraph
from motionloom.paths.path import Line
from motionloom.synthesis import walk


@pytest.fixture(scope="module")
def takes() -> TakeSet:
    """Five walks of different speeds, of which the third is short, and the mirror image of the second."""
    clips = [walk(speed=0.9 + 0.1 * n, duration=2.0 if n == 2 else 6.0, fps=30).clip for n in range(5)]
    names = [f"{n}_01" for n in range(5)]
    return TakeSet([*clips, clips[1].mirrored()], [*names, "1_01 mirrored"], [["walk"]] * 6)


def test_short_takes_and_mirror_images_are_not_held_out(takes: TakeSet) -> None:
    assert choose_held_out(takes) == [0, 1, 3, 4]
    assert len(choose_held_out(takes, 2)) == 2
    assert choose_held_out(takes, subject="3") == [3]


def test_held_out_takes_leave_with_their_mirror_images_and_copies(takes: TakeSet) -> None:
    copied = TakeSet([*takes.clips, takes.clips[1]], [*takes.names, "copy"], [*takes.tags, ["walk"]])
    assert leave_out(copied, [1]).names == ["0_01", "2_01", "3_01", "4_01"]
    assert leave_out(takes, [0]).names == ["1_01", "2_01", "3_01", "4_01", "1_01 mirrored"]
    assert leave_out(takes, [1], subject="4").names == ["0_01", "2_01", "3_01"]


def test_motion_beside_a_line_is_as_far_off_as_it_lies_beside_it() -> None:
    clip = walk(speed=1.0, duration=6.0, fps=30).clip
    line = Line([[0.3, 0.0], [0.3, 6.0]])
    row = measure_line(clip, line, radius=0.5, speeds=np.full(len(line.stations), 1.2), seconds=0.6)
    assert row.deviation == pytest.approx(0.3, abs=0.03)
    assert (row.over, row.over_sharp, row.aside) == (1.0, 0.0, 0.0)
    assert row.speed_error == pytest.approx(0.2, abs=0.03)
    assert row.time == pytest.approx(0.1)


def test_frames_off_a_corner_sharper_than_the_takes_are_told_apart() -> None:
    clip = walk(speed=1.0, duration=6.0, fps=30).clip
    corner = Line([[0.0, 0.0], [0.0, 5.3], [2.0, 5.3]])
    row = measure_line(clip, corner, radius=1.0, speeds=np.ones(len(corner.stations)), seconds=0.6)
    assert 0.0 < row.over == row.over_sharp < 0.2


def test_takes_of_a_motion_are_found_by_their_poses(takes: TakeSet) -> None:
    graph = takes.pick([0, 4]).build()
    assert isinstance(graph, MotionGraph)
    result = graph.walk(20.0, seed=1, start=1)
    assert find_visited(graph, result) == [1, 0]


@pytest.mark.parametrize(
    ("curvature", "request_"),
    [(0.0, (1.0, 0.0)), (2.0, (0.6, 1.2)), (9.0, (0.6, 1.2)), (-0.5, (0.8, -0.4)), (0.75, (0.8, 0.6))],
)
def test_steering_slows_down_into_turns(curvature: float, request_: tuple[float, float]) -> None:
    clips = SpeedAndTurn(1.0, 0.0), SpeedAndTurn(0.6, 1.2), SpeedAndTurn(0.8, -0.4)
    assert choose_turn(clips, curvature) == pytest.approx(request_)


@pytest.mark.parametrize(
    ("edges", "found"), [([1, 2, 3, 1, 2, 4], (0, 2)), ([1, 2, 3], (0, 0)), ([5, 5, 5], (0, 2))]
)
def test_longest_repeat(edges: list[int], found: tuple[int, int]) -> None:
    start, length = find_longest_repeat(edges)
    assert (length, edges[start : start + length]) == (found[1], edges[found[0] : found[0] + found[1]])

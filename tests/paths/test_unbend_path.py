"""Paths without their gentle turns, and motion wrapped from them onto the path."""

from __future__ import annotations

import numpy as np
import pytest

from motionloom.arrays import FloatArray
from motionloom.errors import MotionloomError
from motionloom.graphs.graph import MotionGraph
from motionloom.graphs.plan_bent_route import plan_bent_route
from motionloom.graphs.plan_route import plan_route
from motionloom.motion.ground_path import ground_track
from motionloom.paths.path import Action, Arrival, Line, Stretch
from motionloom.paths.path_report import PathReport
from motionloom.paths.unbend_path import measure_curvature, unbend_path, wrap_onto_path
from motionloom.synthesis import walk


def draw_arc(radius: float, angle: float) -> FloatArray:
    """Return points (N, 2) of an arc to the left that sets out along +Z."""
    turn = np.linspace(0.0, angle, 200)
    return radius * np.column_stack([1.0 - np.cos(turn), np.sin(turn)])


@pytest.fixture(scope="module")
def straight() -> MotionGraph:
    """A graph of somebody who only walks straight ahead."""
    return MotionGraph([walk(duration=6.0, fps=30).clip])


def test_an_arc_has_the_curvature_of_its_radius() -> None:
    inner = measure_curvature(Line(draw_arc(2.0, 2.0)))[40:-40]
    assert inner == pytest.approx(0.5, rel=0.01)
    mirrored = Line(draw_arc(2.0, 2.0) * [-1.0, 1.0])
    assert measure_curvature(mirrored)[40:-40] == pytest.approx(-0.5, rel=0.01)


def test_the_sharper_part_of_a_turn_remains() -> None:
    path = Line(draw_arc(1.0, 2.0))
    guide = unbend_path(path, 0.4)
    assert guide.length == pytest.approx(path.length, rel=1e-3)
    assert measure_curvature(guide)[40:60] == pytest.approx(0.6, rel=0.02)


def test_what_a_path_asks_for_moves_along() -> None:
    points = draw_arc(2.0, 2.0)
    path = Line(
        points,
        facing=np.linspace(0.5, 2.5, len(points)),
        speed=1.2,
        actions=[Action("kick", at=(2.0, 2.0))],
        stretches=[Stretch("walk", 1.0, 3.0)],
        arrivals=[Arrival(at=4.0, time=3.0)],
    )
    guide = unbend_path(path, 1.0)
    assert guide.locate(guide.actions[0].at) == pytest.approx(path.locate((2.0, 2.0)), abs=0.02)
    assert guide.stretches[0].start == pytest.approx(1.0, abs=0.01)
    assert guide.arrivals[0].at == pytest.approx(4.0, abs=0.01)
    assert guide.speeds == pytest.approx(1.2)
    assert guide.facings is not None
    # The facing keeps its angle to the line: half a radian, but for the ends, where headings are averaged.
    assert (guide.facings - guide.headings)[10:-10] == pytest.approx(0.5, abs=0.01)


def test_a_wrapped_walk_keeps_its_distance_from_the_line() -> None:
    clip = walk(duration=4.0, fps=30).clip
    path = Line(draw_arc(3.0, 2.0))
    guide = unbend_path(path, 1.0)
    wrapped = ground_track(wrap_onto_path(clip, guide, path))
    across = np.array([-np.cos(guide.headings[0]), np.sin(guide.headings[0])])
    before = ground_track(clip)[:, :2] @ across
    after = np.linalg.norm(wrapped[:, :2] - [3.0, 0.0], axis=1) - 3.0
    # To the right of the line is outside the arc.
    assert after[15:-15] == pytest.approx(before[15:-15], abs=0.02)
    travelled = np.linalg.norm(np.diff(ground_track(clip)[15:-15, :2], axis=0), axis=1).sum()
    turned = np.unwrap(wrapped[:, 2])
    assert turned[-16] - turned[15] == pytest.approx(travelled / 3.0, rel=0.1)


def test_takes_that_never_turn_follow_a_curve(straight: MotionGraph) -> None:
    points = draw_arc(1.2, 4.0)
    assert plan_bent_route(straight, Line(points)) is not None
    report = straight.follow(points).report
    assert isinstance(report, PathReport)
    assert report.deviation < 0.05
    assert report.max_deviation < 0.15
    rigid = plan_route(straight, Line(points))
    assert rigid is None or rigid.cost > 100.0


def test_frames_stay_as_they_are_without_bending(straight: MotionGraph) -> None:
    result = straight.follow([[0.0, 0.0], [0.0, 4.0]], bend=False, plant=False)
    assert np.ptp(ground_track(result.clip)[:, 2]) < 0.3
    with pytest.raises(MotionloomError, match="no route of the graph follows the path"):
        straight.follow(draw_arc(1.2, 4.0), bend=False, plant=False)


def test_a_facing_at_the_end_is_met(straight: MotionGraph) -> None:
    points = draw_arc(1.5, 1.5)
    report = straight.follow(points, end_yaw=1.5).report
    assert isinstance(report, PathReport)
    assert abs(report.end_turn) < np.radians(5.0)
    assert report.end_distance < 0.1


def test_somebody_who_never_turns_gets_to_a_place_behind_without_a_detour(straight: MotionGraph) -> None:
    report = straight.go_to(2.0, -3.0, yaw=np.pi).report
    assert isinstance(report, PathReport)
    assert report.end_distance < 0.1
    assert abs(report.end_turn) < np.radians(5.0)
    assert report.length < 8.0


@pytest.mark.parametrize("tip", [1.01, 3.0])
def test_a_line_there_and_back_is_followed_by_takes_that_never_turn(
    straight: MotionGraph, tip: float
) -> None:
    report = straight.follow([[0.0, 0.0], [0.0, tip], [0.0, 0.0]]).report
    assert isinstance(report, PathReport)
    assert report.max_deviation < 0.2


def test_bending_goes_by_the_speed_at_each_turn(straight: MotionGraph) -> None:
    points = np.concatenate([[[0.0, -8.0]], draw_arc(0.7, 3.0)])
    speeds = np.concatenate([[10.0, 1.0], np.ones(len(points) - 2)])
    report = straight.follow(Line(points, speed=speeds, join=True)).report
    assert isinstance(report, PathReport)
    assert report.max_deviation < 0.2


def test_a_path_shorter_than_a_step_is_a_short_motion(straight: MotionGraph) -> None:
    assert straight.follow([[0.0, 0.0], [0.0, 0.06]]).clip.n_frames >= 1

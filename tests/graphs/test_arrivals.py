"""Arrivals: what takes can keep is met, the rest is said, and the path is followed in any case."""

from __future__ import annotations

import numpy as np
import pytest

from motionloom.graphs.arrivals import STRETCH, arrive_in_time, schedule
from motionloom.graphs.graph import MotionGraph
from motionloom.paths.path import Arrival, Line
from motionloom.paths.path_report import PathReport

CURVE = [[0.0, 0.0], [0.1, 2.0], [0.6, 4.0], [1.6, 6.0]]


def _follow(graph: MotionGraph, *arrivals: Arrival) -> PathReport:
    report = graph.follow(Line(CURVE, smooth=True, arrivals=arrivals)).report
    assert isinstance(report, PathReport)
    return report


@pytest.mark.parametrize("seconds", [2.6, 3.0, 3.2])
def test_an_arrival_at_a_speed_near_that_of_takes_is_met(gaits: MotionGraph, seconds: float) -> None:
    report = _follow(gaits, Arrival(4.0, seconds))
    assert abs(report.lateness[0]) < 0.1
    assert report.max_deviation < 0.1
    assert report.notes == ()


def test_an_arrival_at_the_end_ends_the_motion_in_time(gaits: MotionGraph) -> None:
    path = Line(CURVE, smooth=True)
    result = gaits.follow(Line(CURVE, smooth=True, arrivals=[Arrival(path.length, 4.4)]))
    assert result.clip.duration == pytest.approx(4.4, abs=0.05)
    assert isinstance(result.report, PathReport)
    assert result.report.end_distance < 0.05


@pytest.mark.parametrize(("seconds", "how"), [(0.5, "later"), (20.0, "earlier")])
def test_an_arrival_that_cannot_be_met_is_said_and_the_path_followed(
    gaits: MotionGraph, seconds: float, how: str
) -> None:
    report = _follow(gaits, Arrival(4.0, seconds))
    late = report.lateness[0]
    assert report.max_deviation < 0.1
    assert any(
        f"the arrival 4.0 m along the path at {seconds:g} s was missed by {abs(late):.1f} s" in note
        and how in note
        for note in report.notes
    )


def test_steps_are_stretched_no_further_than_feet_can_follow() -> None:
    path = Line([[0, 0], [0, 10]], arrivals=[Arrival(8.0, 2.0), Arrival(9.0, 9.0)])
    stations = np.linspace(0.0, 10.0, 101)
    moved = arrive_in_time(path, stations, 0.1)
    rates = np.diff(moved) / np.diff(stations)
    assert rates.min() >= 1.0 - STRETCH - 1e-9
    assert rates.max() <= 1.0 + STRETCH + 1e-9
    assert (moved[0], moved[-1]) == pytest.approx((0.0, 10.0))


def test_a_schedule_keeps_to_the_speeds_of_takes() -> None:
    path = Line([[0, 0], [0, 6]], arrivals=[Arrival(2.0, 10.0), Arrival(4.0, 10.5), Arrival(6.0, 12.5)])
    # Two metres take 4 s at most; the second two are then too late to hurry, and the last are as asked for.
    assert schedule(path, 0.5, 2.0) == ([0.0, 2.0, 4.0, 6.0], [0.0, 4.0, 8.0, 12.0])

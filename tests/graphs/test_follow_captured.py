"""A path with a time to keep, over a graph of a captured take."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.graphs.graph import MotionGraph
from motionloom.paths.path import Arrival, Line
from motionloom.paths.path_report import PathReport

POINTS = [[0.0, 0.0], [0.3, 3.0], [2.0, 5.0]]


@pytest.fixture(scope="module")
def graph(mocap: Path) -> MotionGraph:
    """A figure of eight that is walked."""
    return MotionGraph([ml.load(mocap / "library" / "113" / "113_06.bvh")])


def test_a_walk_keeps_its_time_and_its_path(graph: MotionGraph) -> None:
    result = graph.follow(Line(POINTS, smooth=True, arrivals=[Arrival(3.0, 4.0)]))
    report = result.report
    assert isinstance(report, PathReport)
    assert abs(report.lateness[0]) < 0.1
    assert report.deviation < 0.05
    assert report.max_deviation < 0.2
    for constraint in result.clip.constraints:
        frames = slice(int(np.ceil(constraint.start)), int(constraint.end) + 1)
        own = result.clip.point_positions(constraint.joint, constraint.point, frames)[:, [0, 2]]
        assert np.ptp(own, axis=0).max() < 1e-3

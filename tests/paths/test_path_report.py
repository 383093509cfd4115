"""Notes on bodies that go along a line of four metres, by hand-made tracks."""

from __future__ import annotations

import numpy as np
import pytest

from motionloom.arrays import FloatArray
from motionloom.blending.result import BlendReport
from motionloom.paths.path import Line
from motionloom.paths.path_report import report_path

FRAME_TIME = 0.1
LINE = [[0.0, 0.0], [0.0, 4.0]]


def list_notes(metres: FloatArray, yaws: FloatArray, path: Line) -> tuple[str, ...]:
    """Return the notes on a body that is so many metres (T,) along +Z and faces as yaws (T,) say."""
    report = report_path(
        BlendReport(method="graph"),
        np.column_stack([np.zeros(len(metres)), metres, yaws]),
        FRAME_TIME,
        path,
        planned_deviation=0.0,
        speeds=np.ones(len(path.stations)),
        moments={},
        acting={},
        end_yaw=None,
        notes=(),
    )
    return report.notes


@pytest.mark.parametrize(("degrees", "way"), [(180.0, "backwards"), (-90.0, "sideways")])
def test_going_another_way_than_the_body_faces_is_noted(degrees: float, way: str) -> None:
    metres = np.linspace(0.0, 4.0, 41)
    turned = np.where((metres > 0.95) & (metres < 3.05), np.radians(degrees), 0.0)
    (note,) = list_notes(metres, turned, Line(LINE))
    assert note.startswith(f"from 1.0 m to 3.0 m the body goes {way} for 2.1 m: no better route")


def test_a_side_step_and_a_facing_asked_for_are_not_noted() -> None:
    metres = np.linspace(0.0, 4.0, 41)
    assert list_notes(metres, np.zeros(41), Line(LINE)) == ()
    step = np.where((metres > 0.95) & (metres < 1.75), np.pi, 0.0)
    assert list_notes(metres, step, Line(LINE)) == ()
    assert list_notes(metres, np.full(41, np.pi), Line(LINE, facing=np.pi)) == ()


def test_going_beyond_the_end_is_noted() -> None:
    there = np.concatenate([np.linspace(0.0, 4.6, 47), np.full(20, 4.6)])
    back = np.concatenate([there, np.linspace(4.6, 4.0, 7)])
    notes = list_notes(back, np.zeros(len(back)), Line(LINE))
    assert notes[-1] == "the body goes 0.60 m beyond the end of the path and comes back"

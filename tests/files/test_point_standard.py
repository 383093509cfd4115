"""Units, axes and names of points."""

from __future__ import annotations

import numpy as np
import pytest

from motionloom.errors import ParameterError
from motionloom.files.points.standard import (
    points_from_standard,
    points_to_standard,
    standing_axis,
    unique_labels,
)
from motionloom.motion import PointClip, Source
from motionloom.motion.source import UpAxis


def points(unit: str = "cm", size: float = 0.01, up: UpAxis = "z") -> PointClip:
    source = Source(unit=unit, metres_per_unit=size, up=up)
    return PointClip(("a", "b"), 0.1, np.array([[[1.0, 2.0, 3.0], [np.nan] * 3]]), source)


def test_an_unknown_unit() -> None:
    with pytest.raises(ParameterError, match="unknown unit 'ell'"):
        points_to_standard(points(), "ell", None)


@pytest.mark.parametrize(
    ("up", "upright"), [("x", [-0.02, 0.01, 0.03]), ("y", [0.01, 0.02, 0.03]), ("z", [0.01, 0.03, -0.02])]
)
def test_axes_keep_their_handedness(up: UpAxis, upright: list[float]) -> None:
    clip = points_to_standard(points(up=up), None, None)
    np.testing.assert_allclose(clip.positions[0, 0], upright)
    assert np.isnan(clip.positions[0, 1]).all()


def test_arguments_win() -> None:
    clip = points_to_standard(points(), "mm", "y")
    assert (clip.source.unit, clip.source.up) == ("mm", "y")
    np.testing.assert_allclose(clip.positions[0, 0], [0.001, 0.002, 0.003])


@pytest.mark.parametrize("up", ["x", "y", "z"])
def test_there_and_back(up: UpAxis) -> None:
    there = points_to_standard(points(up=up), None, None)
    np.testing.assert_allclose(points_from_standard(there, None, None).positions, points().positions)


def test_a_crouching_crowd_tells_no_axis() -> None:
    cube = np.array([[[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]], dtype=float)
    assert standing_axis(cube) is None
    assert standing_axis(cube * [1.0, 3.0, 1.0]) == "y"
    assert standing_axis(np.full((4, 5, 3), np.nan)) is None


def test_copies_of_names_do_not_take_other_names() -> None:
    notes: list[str] = []
    assert unique_labels(["a", "a", "a_2", " a "], 5, notes) == ("a", "a_3", "a_2", "a_4", "point 5")
    assert notes == ["a second point 'a' was renamed 'a_3'", "a second point 'a' was renamed 'a_4'"]

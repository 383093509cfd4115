"""Lines on the ground: sampled by arc length, with what happens along them; and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from motionloom.errors import ParameterError
from motionloom.paths.path import SPACING, Action, Arrival, Line, Stretch, as_path


def test_samples_are_even_in_arc_length() -> None:
    path = Line([[0, 0], [0, 3], [4, 3]])
    steps = np.diff(path.stations)
    assert path.length == pytest.approx(7.0)
    assert steps.max() <= SPACING + 1e-9
    assert np.allclose(path.at([0.0, 3.0, 7.0]), [[0, 0], [0, 3], [4, 3]])
    assert path.heading(1.0) == pytest.approx(0.0)
    assert path.heading(6.0) == pytest.approx(np.pi / 2)


def test_a_smooth_path_passes_its_points_without_corners() -> None:
    corners = [[0, 0], [0, 3], [4, 3], [4, 6]]
    path = Line(corners, smooth=True)
    for corner in corners:
        assert np.linalg.norm(path.positions - corner, axis=1).min() < SPACING
    assert np.abs(np.diff(path.headings)).max() < np.abs(np.diff(Line(corners).headings)).max()


def test_headings_do_not_jump_by_whole_turns() -> None:
    angles = np.linspace(0.0, 4.0 * np.pi, 200)
    path = Line(2.0 * np.column_stack([np.sin(angles), np.cos(angles)]))
    assert path.headings[-1] - path.headings[0] == pytest.approx(4.0 * np.pi, abs=0.1)


def test_facing_and_speed_are_interpolated_and_take_the_shorter_turn() -> None:
    path = Line([[0, 0], [0, 2], [0, 4]], facing=[3.0, -3.0, -3.0], speed=[1.0, 2.0, 2.0])
    assert path.facings is not None
    assert path.speeds is not None
    assert np.interp(1.0, path.stations, path.facings) == pytest.approx(np.pi, abs=0.01)
    assert np.interp(1.0, path.stations, path.speeds) == pytest.approx(1.5, abs=0.01)


def test_repeated_points_are_one() -> None:
    path = Line([[0, 0], [0, 0], [0, 2], [0, 2]], speed=[1.0, 1.0, 3.0, 3.0])
    assert path.length == pytest.approx(2.0)
    assert path.speeds is not None
    assert path.speeds[-1] == pytest.approx(3.0)


def test_places_are_metres_or_points() -> None:
    path = Line([[0, 0], [0, 4]], actions=[Action("sit", 4.0), Action("kick", (0.5, 2.0))])
    assert [action.tag for action in path.actions] == ["kick", "sit"]
    assert path.place((0.5, 2.0)).tolist() == [0.5, 2.0]
    assert path.place(3.0).tolist() == pytest.approx([0.0, 3.0])


def test_points_are_a_path() -> None:
    path = Line([[0, 0], [0, 4]])
    assert as_path(path) is path
    assert as_path([[0, 0], [0, 4]]).length == 4.0


@pytest.mark.parametrize(
    ("points", "message"),
    [
        ([[0, 0]], "at least two different points"),
        ([[1, 1], [1, 1]], "at least two different points"),
        ([[0, 0], [np.nan, 1], [0, 2]], "point 1 of the path is not finite"),
        ([[0, 0, 0], [1, 1, 1]], r"must have shape \(N, 2\)"),
        (["a", "b"], "must be numbers"),
        ([[0, 0], [0.001, 0]], "is it in another unit"),
        ([[0, 0], [1e6, 0]], "is it in another unit"),
    ],
)
def test_bad_points_are_refused(points: object, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Line(points)  # type: ignore[arg-type]


def test_jumps_are_refused_and_say_where() -> None:
    line = np.column_stack([np.zeros(40), 0.05 * np.arange(40)])
    line[20:] += [3.0, 0.0]
    with pytest.raises(ParameterError, match=r"jumps by 3.00 m between its points 19 and 20"):
        Line(line)
    assert Line(line, join=True).length == pytest.approx(4.90, abs=0.02)


def test_a_polygon_does_not_jump() -> None:
    assert Line([[0, 0], [0, 5], [5, 5], [5, 0], [0, 0]]).length == pytest.approx(20.0, abs=0.05)


def test_bad_requests_are_refused() -> None:
    line = [[0, 0], [0, 4]]
    with pytest.raises(ParameterError, match="no place 9 m along it"):
        Line(line, actions=[Action("kick", 9.0)])
    with pytest.raises(ParameterError, match="must be Action objects"):
        Line(line, actions=["kick"])  # type: ignore[list-item]
    with pytest.raises(ParameterError, match="later the farther"):
        Line(line, arrivals=[Arrival(1.0, 5.0), Arrival(3.0, 2.0)])
    with pytest.raises(ParameterError, match="must not be negative"):
        Line(line, speed=-1.0)
    with pytest.raises(ParameterError, match="facing"):
        Line(line, facing=[0.0, 0.0, 0.0])
    with pytest.raises(ParameterError, match="moment of an action"):
        Action("kick", 1.0, moment="soon")  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="the start of the stretch 'run'"):
        Stretch("run", float("nan"), 2.0)
    with pytest.raises(ParameterError, match="not 3 numbers"):
        Action("kick", (1.0, 2.0, 3.0))  # type: ignore[arg-type]

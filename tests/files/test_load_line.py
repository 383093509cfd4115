"""Lines from SVG drawings and tables."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from motionloom.errors import FileFormatError, ParameterError
from motionloom.files.load_line import load_line
from motionloom.files.svg_path import parse_path_data


def _drawing(folder: Path, inside: str) -> Path:
    file = folder / "line.svg"
    file.write_text(f'<svg xmlns="http://www.w3.org/2000/svg">{inside}</svg>')
    return file


@pytest.mark.parametrize(
    ("data", "end"),
    [
        ("M1 2 L 4,6", (4, 6)),
        ("m1 2 3 4", (4, 6)),
        ("M1 2H5V7", (5, 7)),
        ("M1 2h5v-7", (6, -5)),
        ("M0 0C0 1 1 2 2 2S4 3 4 4", (4, 4)),
        ("M0 0c0 1 1 2 2 2s2 1 2 2", (4, 4)),
        ("M0 0Q1 2 2 0T4 0", (4, 0)),
        ("M0 0q1 2 2 0t2 0", (4, 0)),
        ("M0 0A2 2 0 0 1 4 0", (4, 0)),
        ("M0 0a2 2 0 014 0", (4, 0)),
        ("M1 1L3 1L3 3Z", (1, 1)),
        ("M.5.5L1e1-2", (10, -2)),
    ],
)
def test_commands_of_path_data_end_where_they_say(data: str, end: tuple[float, float]) -> None:
    (stroke,) = parse_path_data(data)
    assert stroke[-1].tolist() == pytest.approx(end)


def test_arcs_lie_on_their_circle() -> None:
    (stroke,) = parse_path_data("M0 0A2 2 0 0 1 4 0")
    assert np.allclose(np.linalg.norm(stroke - [2, 0], axis=1), 2.0)
    (other,) = parse_path_data("M0 0A2 2 0 0 0 4 0")
    assert stroke[:, 1].min() == pytest.approx(-2.0, abs=0.01)
    assert other[:, 1].max() == pytest.approx(2.0, abs=0.01)


def test_smooth_curves_continue_the_last_one() -> None:
    (stroke,) = parse_path_data("M0 0Q1 2 2 0T4 0")
    assert stroke[len(stroke) // 4, 1] == pytest.approx(1.0, abs=0.05)
    assert stroke[3 * len(stroke) // 4, 1] == pytest.approx(-1.0, abs=0.05)


def test_a_drawing_is_seen_from_above(tmp_path: Path) -> None:
    path = load_line(_drawing(tmp_path, '<path d="M5 5 V2 H8"/>'), scale=0.5)
    # Up is +Z; right is -X.
    assert path.positions[-1].tolist() == pytest.approx([-1.5, 1.5])


def test_transforms_of_groups_apply(tmp_path: Path) -> None:
    inside = '<g transform="translate(3 4) rotate(90)"><polyline points="0,0 2,0" transform="scale(2)"/></g>'
    path = load_line(_drawing(tmp_path, inside))
    assert path.positions[-1].tolist() == pytest.approx([0.0, -4.0])


def test_a_length_scales_the_line(tmp_path: Path) -> None:
    assert load_line(_drawing(tmp_path, '<path d="M0 0L7 9"/>'), length=20.0).length == pytest.approx(20.0)


@pytest.mark.parametrize(
    ("inside", "message"),
    [
        ('<path d="M0 0L1 1M5 5L6 6"/>', "2 strokes, and after stroke 1 it jumps by 5.65685"),
        (
            '<path d="M0 0L1 1"/><path id="b" d="M0 0L1 2"/>',
            "holds 2 lines: choose one by name, of 'path', 'b'",
        ),
        ("<text/>", "holds no path"),
        ('<path d="L0 0"/>', "begins with L"),
        ('<path d="M0 0 L1"/>', "L lacks some of its 2 numbers"),
        ('<path d="M0 0 L1 #"/>', "'#'"),
        ('<path d="M0 0L0 0"/>', "holds no path|at least two different points"),
        ('<path d="M0 0L1e99 0"/>', "far too large"),
        ('<path transform="twist(3)" d="M0 0L1 0"/>', "transform 'twist'"),
    ],
)
def test_bad_drawings_are_refused(tmp_path: Path, inside: str, message: str) -> None:
    with pytest.raises(FileFormatError, match=message):
        load_line(_drawing(tmp_path, inside))


def test_strokes_can_be_joined_and_lines_chosen(tmp_path: Path) -> None:
    file = _drawing(tmp_path, '<path id="a" d="M0 0L3 0M3 4L6 4"/><path id="b" d="M0 0L1 0"/>')
    assert load_line(file, name="a", join=True).length == pytest.approx(10.0, abs=0.05)
    assert load_line(file, name="b").length == pytest.approx(1.0)
    with pytest.raises(FileFormatError, match="has no line 'c': its lines are 'a', 'b'"):
        load_line(file, name="c")


def test_entities_and_other_texts_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "line.svg"
    file.write_text('<!DOCTYPE svg [<!ENTITY a "b">]><svg/>')
    with pytest.raises(FileFormatError, match="entities"):
        load_line(file)
    file.write_text("no drawing")
    with pytest.raises(FileFormatError, match="is no SVG drawing"):
        load_line(file)


def test_a_table_says_what_happens_where(tmp_path: Path) -> None:
    file = tmp_path / "line.csv"
    file.write_text(
        "x,z,yaw,speed,time,action,tag\n0,0,0,1.2,,,walk\n0,2,,,,kick,\n0,4,90,,3.5,,run\n0,6,,,,sit,\n"
    )
    path = load_line(file)
    assert path.length == pytest.approx(6.0)
    assert [(action.tag, action.at) for action in path.actions] == [("kick", 2.0), ("sit", 6.0)]
    assert [(part.tag, part.start, part.end) for part in path.stretches] == [("walk", 0, 4), ("run", 4, 6)]
    assert [(key.at, key.time) for key in path.arrivals] == [(4.0, 3.5)]
    assert path.facings is not None
    assert path.facings[-1] == pytest.approx(np.pi / 2)
    assert path.speeds is not None
    assert np.allclose(path.speeds, 1.2)


def test_a_table_of_two_columns_needs_no_header(tmp_path: Path) -> None:
    file = tmp_path / "line.csv"
    file.write_text("0,0\n0,2\n")
    assert load_line(file).length == pytest.approx(2.0)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("x,y\n0,0\n", "must have the columns x and z"),
        ("x,z\n0,0\n0,\n", "line 3: lacks x or z"),
        ("x,z\n0,0\n0,far\n", "line 3: z: "),
        ("x,z\n0,0\n0,nan\n", "line 3: z: "),
        ("x,z\n0,0\n", "at least two different points"),
    ],
)
def test_bad_tables_are_refused(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "line.csv"
    file.write_text(text)
    with pytest.raises(FileFormatError, match=message):
        load_line(file)


def test_bad_calls_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match=r"read from \.svg or \.csv"):
        load_line(tmp_path / "line.txt")
    with pytest.raises(ParameterError, match="not both"):
        load_line(tmp_path / "line.svg", scale=1.0, length=2.0)
    with pytest.raises(FileFormatError, match="there is no such file"):
        load_line(tmp_path / "line.svg")

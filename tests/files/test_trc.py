"""TRC files: names, gaps, units, and rows that are not as announced."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import motionloom as ml
from motionloom.errors import FileFormatError, MotionloomError
from motionloom.files.points.trc import read_trc, write_trc
from motionloom.motion import PointClip, Source
from tests.files.mutation import mutated

PLAIN = """PathFileType\t4\t(X/Y/Z)\ta.trc
DataRate\tCameraRate\tNumFrames\tNumMarkers\tUnits\tOrigDataRate\tOrigDataStartFrame\tOrigNumFrames
50\t50\t2\t3\tmm\t50\t1\t2
Frame#\tTime\thead\t\t\thip\t\t\ttoe\t\t
\t\tX1\tY1\tZ1\tX2\tY2\tZ2\tX3\tY3\tZ3

1\t0.000\t0\t1700\t0\t0\t900\t50\t0\t0\t100
2\t0.020\t10\t1700\t0\t\t\t\t0\t0\t120
"""


UP_NOTE = (
    "the file does not say which axis is vertical: Y assumed, along it the points spread farthest; "
    "override with up="
)


def written(folder: Path, text: str) -> Path:
    path = folder / "a.trc"
    path.write_text(text)
    return path


WRONG = [
    ("HIERARCHY", "is not a TRC file: it does not begin with PathFileType"),
    (PLAIN.split("Frame#")[0] + "Frame#\tTime\n\n", "line 4: names no markers"),
    (PLAIN.replace("1700\t0\t0", "17x\t0\t0", 1), "line 7: '17x' is not a number"),
    (PLAIN.replace("\t100\n", "\t100\t7\n"), "line 7: the row has 12 fields instead of 11"),
    (PLAIN.replace("50\t50\t2", "x\t50\t2").replace("0.020", "0"), "line 3: states no DataRate"),
]


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_files_that_are_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(FileFormatError, match=message):
        read_trc(written(tmp_path, text))


def test_names_that_cannot_be_written(tmp_path: Path) -> None:
    clip = PointClip(("a\tb",), 0.1, np.zeros((1, 1, 3)))
    with pytest.raises(MotionloomError, match=r"the point name 'a\\tb' cannot be written in a TRC file"):
        write_trc(clip, tmp_path / "a.trc")


def test_names_that_are_no_utf8(tmp_path: Path) -> None:
    clip = PointClip(("a",), 0.1, np.zeros((1, 1, 3)))
    path = tmp_path / "odd\udcff.trc"
    ml.save(clip, path)
    assert path.read_text().startswith("PathFileType\t4\t(X/Y/Z)\todd?.trc\n")
    with pytest.raises(MotionloomError, match="cannot be written in a TRC file: rename the point first"):
        ml.save(replace(clip, names=("\udcff",)), tmp_path / "a.trc")


def test_a_small_file(tmp_path: Path) -> None:
    clip = ml.load(written(tmp_path, PLAIN), ml.PointClip)
    assert (clip.names, clip.fps) == (("head", "hip", "toe"), 50.0)
    assert clip.source.notes == (UP_NOTE,)
    assert (clip.source.unit, clip.source.up) == ("mm", "y")
    np.testing.assert_allclose(clip.positions[0], [[0, 1.7, 0], [0, 0.9, 0.05], [0, 0, 0.1]])
    assert np.isnan(clip.positions[1, 1]).all()
    np.testing.assert_allclose(clip.positions[1, 2], [0, 0, 0.12])


def test_the_rate_comes_from_the_times_where_it_is_missing(tmp_path: Path) -> None:
    assert read_trc(written(tmp_path, PLAIN.replace("50\t50\t2", "-\t50\t2"))).fps == pytest.approx(50.0)


def test_what_is_odd_is_noted(tmp_path: Path) -> None:
    odd = PLAIN.replace("\t2\t3\tmm", "\t9\t3\tells").replace("toe", "hip")
    clip = read_trc(written(tmp_path, odd))
    assert clip.names == ("head", "hip", "hip_2")
    assert clip.source.notes == (
        "the file announces 9 frames and holds 2",
        "a second point 'hip' was renamed 'hip_2'",
        UP_NOTE,
        "the file states the unit 'ells': mm assumed; override with unit=",
    )


def test_rows_may_end_early(tmp_path: Path) -> None:
    clip = read_trc(written(tmp_path, PLAIN.replace("\t\t\t\t0\t0\t120", "")))
    assert np.isnan(clip.positions[1, 1:]).all()


def test_z_up_files_stand_along_z(tmp_path: Path) -> None:
    turned = PLAIN.replace("0\t1700\t0\t0\t900\t50\t0\t0\t100", "0\t0\t1700\t0\t50\t900\t0\t100\t0")
    clip = ml.load(written(tmp_path, turned.replace("10\t1700\t0\t\t\t\t0\t0\t120", "")), ml.PointClip)
    assert clip.source.up == "z"
    np.testing.assert_allclose(clip.positions[0, 0], [0, 1.7, 0])


def test_a_stated_axis_is_not_looked_for(tmp_path: Path) -> None:
    clip = ml.load(written(tmp_path, PLAIN), ml.PointClip, up="z")
    assert (clip.source.up, clip.source.notes) == ("z", ())
    np.testing.assert_allclose(clip.positions[0, 0], [0, 0, -1.7])


def test_a_fox_that_is_taken_to_stand_on_its_nose_is_noted(mocap: Path, tmp_path: Path) -> None:
    """It is longer than high, and its markers alone do not show which of both is up."""
    fox = ml.load(mocap / "dialects/fbx_gltf/Fox.glb", animation="Walk")
    ml.save(PointClip(fox.skeleton.names, fox.frame_time, fox.world_positions()), tmp_path / "fox.trc")
    again = ml.load(tmp_path / "fox.trc", ml.PointClip)
    assert again.source.up == "z"
    assert any("which axis is vertical: Z assumed" in note for note in again.source.notes)


VARIANTS = {
    "blanks instead of tabs": PLAIN.replace("\t\t\t\t", "\t0\t900\t50\t").replace("\t", " "),
    "no line of axes": PLAIN.replace(PLAIN.split("\n")[4] + "\n", ""),
    "no blank line": PLAIN.replace("\n\n", "\n"),
    "blank lines above": PLAIN.replace("\nDataRate", "\n\nDataRate").replace("\nFrame#", "\n\n\nFrame#"),
    "decimal commas": PLAIN.replace("0.000", "0,000").replace("0.020", "0,020"),
    "tabs at the ends of lines": PLAIN.replace("\n", "\t\t\n"),
    "names side by side": PLAIN.replace("head\t\t\thip\t\t\ttoe", "head\thip\ttoe"),
    "other line ends": PLAIN.replace("\n", "\r\n"),
    "blanks around numbers": PLAIN.replace("\t1700\t", "\t 1700 \t"),
}


@pytest.mark.parametrize("text", VARIANTS.values(), ids=VARIANTS)
def test_headers_and_rows_as_programs_write_them(tmp_path: Path, text: str) -> None:
    clip = read_trc(written(tmp_path, text))
    assert (clip.names, clip.fps, clip.n_frames) == (("head", "hip", "toe"), 50.0, 2)
    np.testing.assert_array_equal(clip.positions[0], [[0, 1700, 0], [0, 900, 50], [0, 0, 100]])
    np.testing.assert_array_equal(clip.positions[1, [0, 2]], [[10, 1700, 0], [0, 0, 120]])


def test_points_that_are_counted_and_not_named(tmp_path: Path) -> None:
    rows = PLAIN.replace("\t3\tmm", "\t4\tmm").replace("\t0\t0\t100\n", "\t0\t0\t100\t7\t8\t9\t1\t2\t3\n")
    clip = read_trc(written(tmp_path, rows))
    assert clip.names == ("head", "hip", "toe", "point 4")
    np.testing.assert_array_equal(clip.positions[:, 3], [[7, 8, 9], [np.nan] * 3])
    assert clip.source.notes[:2] == (
        "1 of 4 points have no name",
        "rows hold up to 1 points without a name, which were left out",
    )


def test_names_that_are_missing_in_between(tmp_path: Path) -> None:
    clip = read_trc(written(tmp_path, PLAIN.replace("hip", "")))
    assert clip.names == ("head", "point 2", "toe")


@pytest.mark.parametrize("gap", ["9999999.000", "-", "NaN"])
def test_what_stands_for_a_gap(tmp_path: Path, gap: str) -> None:
    clip = read_trc(written(tmp_path, PLAIN.replace("10\t1700\t0", f"{gap}\t{gap}\t{gap}")))
    assert np.isnan(clip.positions[1, 0]).all()


def test_a_laboratory_file_with_uneven_rows(mocap: Path) -> None:
    clip = ml.load(mocap / "unread/btk_Gait.trc", ml.PointClip)
    assert (clip.n_frames, len(clip.names), clip.fps) == (487, 66, 100.0)
    assert clip.names[:2] == ("R.Shoulder", "R.Offset")
    assert clip.source.notes[0] == "33 of 66 points have no name"


@pytest.mark.slow
@given(st.integers(0, 2**32))
def test_what_is_written_comes_back(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    rng = np.random.default_rng(seed)
    positions = rng.normal(scale=2.0, size=(5, 3, 3))
    positions[rng.random((5, 3)) < 0.3] = np.nan
    source = Source(unit="cm", metres_per_unit=0.01, up="y")
    clip = PointClip(("a", "b c", "Knöchel"), 1 / 29.97, positions, source)
    path = tmp_path_factory.mktemp("trc") / "a.trc"
    again = ml.load(ml.save(clip, path), ml.PointClip, up="y")
    assert (again.names, again.frame_time) == (clip.names, clip.frame_time)
    np.testing.assert_allclose(again.positions, positions, atol=1e-8)


def test_units_that_files_have_no_name_for_become_metres(tmp_path: Path) -> None:
    clip = PointClip(("a",), 0.1, np.ones((1, 1, 3)), Source(unit="0.3 m", metres_per_unit=0.3))
    again = ml.load(ml.save(clip, tmp_path / "a.trc"), ml.PointClip)
    assert again.source.unit == "m"
    np.testing.assert_allclose(again.positions, 1.0)


def refusal(path: Path) -> str:
    """The sentence with which a file is refused, or nothing."""
    try:
        ml.load(path, ml.PointClip)
    except MotionloomError as error:
        return str(error)
    return ""


@given(st.integers(0, 2**32))
def test_damaged_files_are_read_or_refused(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    path = tmp_path_factory.mktemp("trc") / "broken.trc"
    path.write_bytes(mutated(PLAIN.encode(), seed))
    said = refusal(path)
    assert not said or "broken.trc" in said


def test_a_captured_file(mocap: Path, tmp_path: Path) -> None:
    clip = ml.load(mocap / "dialects/c3d_trc/ballet_reduced.trc", ml.PointClip)
    assert (clip.n_frames, len(clip.names), clip.fps) == (100, 41, 30.0)
    assert clip.names[:3] == ("RFHD", "LBHD", "RBHD")
    head = clip.positions[:, clip.names.index("RFHD"), 1]
    assert 1.0 < head.min() < head.max() < 1.9
    again = ml.load(ml.save(clip, tmp_path / "again.trc"), ml.PointClip)
    np.testing.assert_allclose(again.positions, clip.positions, atol=1e-9)

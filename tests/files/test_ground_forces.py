"""OpenSim's tables of ground forces: their names, times and axes, and what is no such table."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.errors import FileFormatError
from motionloom.files.points.ground_forces import find_ground_forces, read_ground_forces
from motionloom.motion import ForcePlate, PointClip
from motionloom.motion.provenance import UpAxis

NAMES = {
    "OpenSim": "ground_force_v{0} ground_force_p{0} ground_torque_{0}",
    "its second plate": "1_ground_force_v{0} 1_ground_force_p{0} 1_ground_torque_{0}",
    "numbers inside": "ground_force_2_v{0} ground_force_2_p{0} ground_torque_2_{0}",
    "short": "FP1_v{0} FP1_p{0} FP1_m{0}",
}
"""Columns for an axis as programs call them: force, point, torque."""


def table(columns: str, rows: list[list[float]], separator: str = "\t") -> str:
    labels = ["time", *(part.format(axis) for part in columns.split() for axis in "xyz")]
    head = ["walk", "version=1", f"nRows={len(rows)}", f"nColumns={len(labels)}", "endheader"]
    lines = [separator.join(labels), *(separator.join(f"{value:g}" for value in row) for row in rows)]
    return "\n".join([*head, *lines]) + "\n"


ROWS = [[0.5 + 0.01 * n, 10, 700, -20, 1.2, 0, 0.3, 0, 5, 0] for n in range(4)]


@pytest.mark.parametrize("columns", NAMES.values(), ids=NAMES)
@pytest.mark.parametrize("separator", ["\t", "  "])
def test_a_small_table(tmp_path: Path, columns: str, separator: str) -> None:
    path = tmp_path / "walk.mot"
    path.write_text(table(columns, ROWS, separator))
    (plate,) = read_ground_forces(path, first_time=0.45)
    assert (plate.n_samples, plate.corners) == (4, None)
    assert [plate.rate, plate.start] == pytest.approx([100.0, 0.05])
    np.testing.assert_allclose(plate.force[0], [10, 700, -20])
    np.testing.assert_allclose(plate.centre_of_pressure[0], [1.2, 0, 0.3])
    np.testing.assert_allclose(plate.moment[0], np.cross([1.2, 0, 0.3], [10, 700, -20]) + np.array([0, 5, 0]))


WRONG = [
    ("hello\nworld\n", "is not a table of OpenSim: no line of its columns begins with 'time'"),
    (table(NAMES["OpenSim"], ROWS)[:-3], "line 10: the row has 9 fields instead of 10"),
    (table(NAMES["OpenSim"], ROWS).replace("700", "x7"), "line 7: 'x7' is not a number"),
    (table(NAMES["OpenSim"], ROWS[::-1]), "its times do not increase from row to row"),
    (table(NAMES["OpenSim"], [*ROWS, [9.0, *ROWS[0][1:]]]), "its times are not evenly spaced"),
]


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_tables_that_are_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "walk.mot"
    path.write_text(text)
    with pytest.raises(FileFormatError, match=message):
        read_ground_forces(path)


def test_tables_of_angles_hold_no_forces(tmp_path: Path) -> None:
    path = tmp_path / "walk.mot"
    path.write_text("walk\nendheader\ntime\tpelvis_tx\tknee_angle_r\n0\t0\t1\n0.1\t0\t1\n")
    assert read_ground_forces(path) == ()


def stepping() -> PointClip:
    """Somebody of 700 N who stands on two plates, each with half of the weight."""
    force = np.tile([1.0, 350.0, 2.0], (20, 1))
    corners = np.array([[0.4, 0, 0.6], [0, 0, 0.6], [0, 0, 0], [0.4, 0, 0]])
    plates = [ForcePlate(f"plate {n}", 0.001, force, np.ones((20, 3)), corners + n * 0.5) for n in range(2)]
    return PointClip(("heel",), 0.01, np.ones((2, 1, 3)), force_plates=tuple(plates))


@pytest.mark.parametrize("up", ["x", "y", "z"])
def test_a_table_is_written_and_found_beside_markers(tmp_path: Path, up: UpAxis) -> None:
    clip = stepping()
    path = ml.save(clip, tmp_path / "walk.trc", unit="mm", up=up)
    assert find_ground_forces(path) == [tmp_path / "walk_grf.mot"]
    again = ml.load(path, ml.PointClip, up=up)
    assert "ground forces were read from walk_grf.mot" in again.source.notes
    for plate, other in zip(clip.force_plates, again.force_plates, strict=True):
        np.testing.assert_allclose(other.force, plate.force, atol=1e-6)
        np.testing.assert_allclose(other.times, plate.times, atol=1e-9)
        # The plane of the second plate is not in the table: forces act along the same line.
        about = other.moment + np.cross(other.origin - plate.origin, other.force)
        np.testing.assert_allclose(about, plate.moment, atol=1e-4)


def test_a_damaged_table_beside_markers_is_noted(tmp_path: Path) -> None:
    path = ml.save(stepping(), tmp_path / "walk.trc")
    (tmp_path / "walk_grf.mot").write_text("rubbish")
    clip = ml.load(path, ml.PointClip)
    assert clip.force_plates == ()
    assert any("the ground forces beside it were not read" in note for note in clip.source.notes)
    with pytest.raises(FileFormatError, match="is not a table of OpenSim"):
        ml.load(path, ml.PointClip, forces=tmp_path / "walk_grf.mot")


def test_a_table_that_is_named_must_have_forces(tmp_path: Path) -> None:
    path = ml.save(PointClip(("heel",), 0.01, np.ones((2, 1, 3))), tmp_path / "walk.trc")
    (tmp_path / "angles.mot").write_text("a\nendheader\ntime\tknee\n0\t1\n1\t1\n")
    with pytest.raises(FileFormatError, match=r"angles\.mot: has no ground forces"):
        ml.load(path, ml.PointClip, forces=tmp_path / "angles.mot")

"""Reading ASF skeletons."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from motionloom.errors import FileFormatError
from motionloom.files.acclaim.asf import read_asf
from motionloom.geometry import rotations

LEG = """# a comment
:version 1.10
:units
  mass 1.0
  length 1.0
  angle deg
:documentation
   any :words at all, begin and end
:root
   order TX TY TZ RX RY RZ
   axis XYZ
   position 1 2 3
   orientation 0 0 0
:bonedata
  begin
     id 1
     name thigh
     direction 0 -1 0
     length 4.5e-1
     axis 0 0 20 XYZ
     dof rx ry rz
     limits (-160.0 20.0)
            (-70.0 70.0)
            (-inf inf)
     bodymass 3
     cofmass 0.5
  end
  begin
     id 2
     name shin
     direction 0 -1 0
     length 0.4
     axis 0 0 0 XYZ
  end
:hierarchy
  begin
    root thigh
    thigh shin
  end
:skin
  leg.obj
"""


def asf(folder: Path, text: str) -> Path:
    path = folder / "leg.asf"
    path.write_bytes(text.encode())
    return path


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (":bonedata", ":bones", "leg.asf: is not an ASF skeleton: it has no :bonedata section"),
        (":hierarchy", ":tree", "it has no :hierarchy section"),
        ("angle deg", "angle grad", "line 6: the unit of angles must be 'deg' or 'rad'"),
        ("order TX TY", "order TX UY", "line 10: unknown degree of freedom 'UY': it can be RX, RY"),
        ("TX TY TZ RX RY RZ", "TX TX", "line 10: a degree of freedom is listed twice"),
        ("order TX", "order L TX", "line 10: unknown degree of freedom 'L'"),
        ("axis XYZ\n", "axis XYY\n", "line 11: an axis order must name X, Y and Z once each"),
        ("position 1 2 3", "position 1 2", "line 12: 'position' needs 3 numbers, not 2"),
        ("position 1 2 3", "position 1 2 x", "line 12: 'position' needs numbers: 'x' is not a number"),
        ("length 4.5e-1", "length nan", "line 19: 'length' needs numbers: 'nan' stands for no value"),
        ("length 4.5e-1", "length 1e300", "line 19: 'length' needs numbers: '1e300' is too large"),
        ("     length 4.5e-1\n", "", "line 15: this bone has no 'length'"),
        ("name thigh", "name", "line 17: a bone's name must be one word"),
        ("name shin", "name THIGH", "the bone name 'THIGH' occurs twice"),
        ("name shin", "name Root", "the bone name 'Root' occurs twice"),
        ("axis 0 0 20 XYZ", "axis 0 0 20 XYQ", "line 20: an axis order must name"),
        ("  end\n  begin\n", "  begin\n", "a bone begins before the 'end' of the last one"),
        ("  begin\n     id 1", "  id 1", "line 26: 'end' without a 'begin'"),
        ("     axis 0 0 0 XYZ\n  end", "", "the file ends within this bone: it has no 'end'"),
        ("length 4.5e-1", "length -1", "line 19: the length of a bone cannot be negative"),
        ("direction 0 -1 0", "direction 0 0 0", "line 18: a bone with a length needs a direction other than"),
        ("length 1.0", "length 0", "line 5: the unit of lengths must be a positive number"),
        ("length 1.0", "length -0.45", "line 5: the unit of lengths must be a positive number"),
        ("root thigh", "root thig", "line 37: the hierarchy names an unknown bone 'thig'"),
        ("thigh shin", "thigh shin shin", "bone 'shin' has two parents"),
        ("thigh shin", "thigh root", "bone 'root' has two parents"),
    ],
)
def test_what_makes_no_sense_is_refused_with_its_line(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    assert old in LEG
    with pytest.raises(FileFormatError) as caught:
        read_asf(asf(tmp_path, LEG.replace(old, new, 1)))
    assert message in str(caught.value)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"none\.asf: there is no such file"):
        read_asf(tmp_path / "none.asf")


def test_a_file_too_long_for_a_skeleton_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="is too long for a skeleton, with 8000001 characters"):
        read_asf(asf(tmp_path, " " * 8_000_001))


def test_bones_start_at_their_parents_end(tmp_path: Path) -> None:
    skeleton = read_asf(asf(tmp_path, LEG))
    assert [bone.name for bone in skeleton.bones] == ["root", "thigh", "shin"]
    assert skeleton.parents == (-1, 0, 1)
    assert skeleton.bones[1].freedoms == ("RX", "RY", "RZ")
    assert skeleton.bones[2].freedoms == ()
    joints = skeleton.joints()
    assert joints.offsets.tolist() == [[1.0, 2.0, 3.0], [0.0, 0.0, 0.0], [0.0, -0.45, 0.0]]
    assert [(tip.joint, tip.offset.tolist()) for tip in joints.tips] == [(2, [0.0, -0.4, 0.0])]
    assert skeleton.notes == ()


def test_directions_are_brought_to_length_one(tmp_path: Path) -> None:
    skeleton = read_asf(asf(tmp_path, LEG.replace("direction 0 -1 0", "direction 0 -2 0", 1)))
    assert skeleton.bones[1].vector.tolist() == [0.0, -0.45, 0.0]
    assert skeleton.notes == ("line 18: a direction of length 2 was normalised",)
    none = LEG.replace("direction 0 -1 0", "direction 0 0 0", 1).replace("length 4.5e-1", "length 0")
    assert read_asf(asf(tmp_path, none)).bones[1].vector.tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("encoding", ["utf-16", "latin-1", "utf-8-sig"])
@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_encodings_and_line_ends(tmp_path: Path, encoding: str, line_end: str) -> None:
    path = tmp_path / "leg.asf"
    path.write_bytes(LEG.replace("thigh", "Hüfte").replace("\n", line_end).encode(encoding))
    assert [bone.name for bone in read_asf(path).bones] == ["root", "Hüfte", "shin"]


def test_axes_turn_about_the_first_named_axis_first(tmp_path: Path) -> None:
    path = asf(tmp_path, LEG.replace("axis 0 0 20 XYZ", "axis 90 0 90 XYZ"))
    axes = read_asf(path).bones[1].axes
    assert rotations.rotate(axes, [0, 1, 0]).round(12).tolist() == [0.0, 0.0, 1.0]
    path = asf(tmp_path, LEG.replace("axis 0 0 20 XYZ", "axis 90 0 90 ZYX"))
    axes = read_asf(path).bones[1].axes
    assert rotations.rotate(axes, [0, 1, 0]).round(12).tolist() == [-1.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("\n", "\r\n"),
        ("\n", "\r"),
        ("\n", "  # said in passing\n"),
        ("\n", "\n\n\t\n"),
        (":bonedata\n  begin", ":BoneData\n  BEGIN"),
        ("dof rx ry rz", "DOF RX RY RZ"),
        ("thigh shin", "THIGH Shin"),
        ("root thigh", "Root thigh"),
        (" 0 0 20 ", " (0, 0, 20) "),
        ("angle deg", "angle degrees"),
    ],
)
def test_spelling_does_not_matter(tmp_path: Path, old: str, new: str) -> None:
    plain, other = read_asf(asf(tmp_path, LEG)), read_asf(asf(tmp_path, LEG.replace(old, new)))
    assert other.joints() == plain.joints()
    assert [bone.freedoms for bone in other.bones] == [bone.freedoms for bone in plain.bones]
    np.testing.assert_array_equal([b.axes for b in other.bones], [b.axes for b in plain.bones])


def test_radians_are_understood(tmp_path: Path) -> None:
    text = LEG.replace("angle deg", "angle rad").replace(
        "axis 0 0 20 XYZ", f"axis 0 0 {float(np.radians(20))!r} XYZ"
    )
    in_radians, in_degrees = read_asf(asf(tmp_path, text)), read_asf(asf(tmp_path, LEG))
    np.testing.assert_allclose(in_radians.bones[1].axes, in_degrees.bones[1].axes, atol=1e-15)


def test_assumptions_are_noted(tmp_path: Path) -> None:
    text = LEG.replace("   order TX TY TZ RX RY RZ\n", "").replace("orientation 0 0 0", "orientation 0 90 0")
    skeleton = read_asf(asf(tmp_path, text.replace("    thigh shin\n", "")))
    assert skeleton.bones[0].freedoms == ("TX", "TY", "TZ", "RX", "RY", "RZ")
    assert skeleton.notes == (
        "the skeleton states no order of the root's values: TX TY TZ RX RY RZ assumed",
        "the root's preset orientation was read as the axes of its angles",
        "bones outside the hierarchy were dropped: shin",
    )


@pytest.mark.parametrize(
    ("text", "unit", "metres"),
    [
        (LEG, "", 1.0),
        (LEG.replace("length 1.0", "length 0.45"), "1/0.45 inch", 0.0254 / 0.45),
        (LEG.replace("any :words", "one length unit is 0.01 metres, called cm\n any"), "cm", 0.01),
        (LEG.replace("any :words", "one length unit is -1 metres, called cm\n any"), "", 1.0),
        (LEG.replace("any :words", "one length unit is a metres, called cm\n any"), "", 1.0),
    ],
)
def test_the_unit_is_told_only_where_the_file_tells(
    tmp_path: Path, text: str, unit: str, metres: float
) -> None:
    assert read_asf(asf(tmp_path, text)).unit == (unit, metres)


@pytest.mark.slow
def test_a_deep_chain_is_read(tmp_path: Path) -> None:
    bones = "".join(f"begin\nname b{n}\ndirection 0 1 0\nlength 1\nend\n" for n in range(5000))
    links = "root b0\n" + "".join(f"b{n} b{n + 1}\n" for n in range(4999))
    skeleton = read_asf(asf(tmp_path, f":bonedata\n{bones}:hierarchy\nbegin\n{links}end\n"))
    assert skeleton.parents == tuple(range(-1, 5000))


def test_the_skeletons_of_cmu_are_read(mocap: Path) -> None:
    skeleton = read_asf(mocap / "dialects/asf_amc/16.asf")
    assert len(skeleton.bones) == 31
    assert sum(len(bone.freedoms) for bone in skeleton.bones) == 62
    assert len(skeleton.joints().tips) == 7
    assert skeleton.unit == ("1/0.45 inch", 0.0254 / 0.45)
    assert skeleton.notes == ()

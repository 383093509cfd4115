from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.errors import FileFormatError, ParameterError
from motionloom.geometry import rotations as rot
from tests.conftest import captured
from tests.files.bvh_texts import PLAIN, read
from tests.files.slow_bvh import read_slowly, world_slowly

REFUSED = [
    ("", "is not a BVH file"),
    ("hello", "is not a BVH file"),
    (PLAIN.split("MOTION")[0], "has no MOTION section"),
    (PLAIN.replace("HIERARCHY\n", "", 1), "line 1: the first word must be HIERARCHY"),
    (
        PLAIN.replace("  JOINT Spine\n  {", "  JOINT Spine\n"),
        r"line 8: expected '\{' after a joint's name, found 'OFFSET'",
    ),
    (PLAIN.replace("}\nMOTION", "MOTION"), "the hierarchy ends with 1 brace"),
    (PLAIN.replace("}\nMOTION", "}\n}\nMOTION"), r"line 25: a '\}' without its '\{'"),
    (PLAIN.replace("OFFSET 0 10 0", "OFFSET 0 ten 0"), "line 8: OFFSET needs three numbers, not '0 ten 0'"),
    (PLAIN.replace("OFFSET 0 10 0", "OFFSET 0 10"), "line 8: OFFSET needs three numbers, not '0 10'"),
    (PLAIN.replace("OFFSET 0 10 0", "OFFSET 0 nan 0"), "line 8: OFFSET needs three numbers"),
    (PLAIN.replace("    OFFSET 0 10 0\n", ""), "line 6: joint 'Spine' has no OFFSET"),
    (PLAIN.replace("CHANNELS 6 Xp", "CHANNELS 7 Xp"), "line 5: CHANNELS announces 7 but names 6"),
    (PLAIN.replace("CHANNELS 6 Xposition", "CHANNELS six Xposition"), "line 5: CHANNELS needs a count"),
    (PLAIN.replace("Yposition", "Yturn"), "line 5: unknown channel 'Yturn': channels are Xposition"),
    (PLAIN.replace("Yposition", "Xposition"), "line 5: joint 'Hips' names a channel twice"),
    (PLAIN.replace("OFFSET 0 10 0", "COLOUR red"), "line 8: unknown word 'COLOUR' in the hierarchy"),
    (PLAIN.replace("Frames: 3", "Frames: three"), "line 26: Frames: 'three' is not a number"),
    (PLAIN.replace("Frames: 3", "Frames: -3"), "line 26: Frames: -3 is not a count"),
    (PLAIN.replace("Frame Time: 0.4\n", ""), r"does not say its Frame Time: pass fps= \(--read-fps\)"),
    (PLAIN.replace("Frame Time: 0.4", "Frame Time: 0"), "its Frame Time of 0 s is not positive"),
    (PLAIN.replace("2 21 4 11", "2 21 x4 11"), "line 29: 'x4' is not a number"),
    (PLAIN.replace("2 21 4 11", "2 21 nan 11"), "line 29: holds 'nan': the frame has no valid pose"),
    (PLAIN.replace("2 21 4 11", "2 21 -inf 11"), "line 29: holds '-inf'"),
    (PLAIN.replace("2 21 4 11", "2 21 1e999 11"), "line 29: '1e999' is not a number"),
    (
        PLAIN.replace("2 21 4 11 ", "2 21 4 "),
        "line 30: the row that begins on line 29 does not end with the line",
    ),
    (PLAIN.replace("2 21 4 11", "2 21 4 4 11"), "line 29: this row does not end with the line"),
    (PLAIN.replace("2 21 4 11", "2,5 21 4.5 11"), "line 29: both commas and points occur"),
    (PLAIN.replace("2 21 4 11", "2,5,1 21 4 11"), "line 29: '2,5,1' is not a number"),
]


@pytest.mark.parametrize(("text", "message"), REFUSED, ids=[message[:40] for _, message in REFUSED])
def test_refused_with_file_line_and_cause(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(FileFormatError, match=rf"clip\.bvh[:,] ?.*{message}"):
        read(tmp_path, text)


def test_missing_file_and_folder(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match=r"none\.bvh: there is no such file"):
        ml.load(tmp_path / "none.bvh")
    (tmp_path / "folder.bvh").mkdir()
    with pytest.raises(FileFormatError, match=r"folder\.bvh: cannot be read \(Is a directory\)"):
        ml.load(tmp_path / "folder.bvh")


def test_the_plain_file_by_hand(tmp_path: Path) -> None:
    clip = read(tmp_path, PLAIN)
    assert clip.skeleton.names == ("Hips", "Spine", "Leg")
    assert clip.skeleton.parents.tolist() == [-1, 0, 0]
    assert clip.skeleton.offsets.tolist() == [[0, 0, 0], [0, 10, 0], [1, -2, 0]]
    assert [(tip.joint, tip.offset.tolist()) for tip in clip.skeleton.tips] == [
        (1, [0, 5, 0]),
        (2, [0, -8, 0]),
    ]
    assert (clip.n_frames, clip.frame_time, clip.fps) == (3, 0.4, 2.5)
    assert clip.root_positions.tolist() == [[1, 20, 3], [2, 21, 4], [3, 22, 5]]
    assert clip.rotations[0, 0] == pytest.approx(rot.from_euler(np.radians([10, 20, 30]), "ZXY"))
    assert clip.translations is None
    assert clip.source.notes == ()


SAME: dict[str, str | bytes] = {
    "byte-order mark": "\ufeff" + PLAIN,
    "CRLF": PLAIN.replace("\n", "\r\n"),
    "old Mac line ends": PLAIN.replace("\n", "\r"),
    "mixed line ends": PLAIN.replace("\n", "\r\n").replace("Frames: 3\r\n", "Frames: 3\n"),
    "no blank after Frames": PLAIN.replace("Frames: 3", "Frames:3").replace("Time: 0.4", "Time:.4"),
    "tab after Frames": PLAIN.replace("Frames: 3", "Frames:\t3").replace("Time: 0.4", "Time:\t0.4"),
    "no colon": PLAIN.replace("Frames: 3", "Frames 3"),
    "upper case": PLAIN.upper().replace("HIPS", "Hips").replace("SPINE", "Spine").replace("LEG", "Leg"),
    "lower case": PLAIN.lower().replace("hips", "Hips").replace("spine", "Spine").replace("leg\n", "Leg\n"),
    "settings exchanged": PLAIN.replace("Frames: 3\nFrame Time: 0.4", "Frame Time: 0.4\nFrames: 3"),
    "trailing blank lines": PLAIN + "\n\n  \n\t\n",
    "blank line after MOTION": PLAIN.replace("MOTION\n", "MOTION\n\n"),
    "blank lines between rows": PLAIN.replace("2 21", "\n\n2 21"),
    "extra white space": PLAIN.replace(" ", "   ").replace("\n", " \t\n"),
    "no final line end": PLAIN.rstrip(),
    "braces on the joint's line": PLAIN.replace("\n{", " {").replace("\n  {", " {").replace("\n    {", " {"),
    "exponents": PLAIN.replace("1 20 3", "1e0 2.0E+1 30e-1"),
    "plus signs and bare points": PLAIN.replace("1 20 3", "+1. 20. +3"),
    "UTF-16": PLAIN.encode("utf-16"),
}


@pytest.mark.parametrize("variant", SAME)
def test_other_spellings_read_the_same(tmp_path: Path, variant: str) -> None:
    clip, plain = read(tmp_path, SAME[variant]), read(tmp_path, PLAIN)
    assert clip.skeleton == plain.skeleton
    assert clip.frame_time == plain.frame_time
    assert np.array_equal(clip.rotations, plain.rotations)
    assert np.array_equal(clip.root_positions, plain.root_positions)


REPAIRED = [
    (PLAIN.replace("Frames: 3", "Frames: 5"), 3, "announces 5 frames but holds 3; those were read"),
    (PLAIN.replace("Frames: 3", "Frames: 2"), 2, "announces 2 frames but holds 3; the last 1 were left out"),
    (PLAIN.replace("Frames: 3\n", ""), 3, "does not say how many frames it holds; all rows were read"),
    (PLAIN.replace(" 6 7 8\n", " 6"), 2, "the last row is cut off after 10 of 12 numbers; it was left out"),
    (PLAIN.replace(" 31 2", "\n31 2"), 3, "rows are wrapped over several lines; they were joined"),
    (PLAIN.replace("1 20 3", "1,0 20 3"), 3, "written with decimal commas"),
    (PLAIN.replace("OFFSET 0 10 0", "OFFSET 0 10,0 0"), 3, "written with decimal commas"),
    (PLAIN.replace("JOINT Leg", "JOINT Spine"), 3, "line 15: a second joint 'Spine' was renamed 'Spine_2'"),
    (PLAIN.replace("JOINT Leg", "JOINT"), 3, "line 15: a joint without a name was called 'joint2'"),
    (PLAIN + "end of file\n", 3, "line 31: the text after the last declared frame was ignored"),
]


@pytest.mark.parametrize(("text", "n_frames", "note"), REPAIRED, ids=[note[:40] for *_, note in REPAIRED])
def test_repaired_and_reported(tmp_path: Path, text: str, n_frames: int, note: str) -> None:
    clip, plain = read(tmp_path, text), read(tmp_path, PLAIN)
    assert any(note in said for said in clip.source.notes), clip.source.notes
    assert clip.n_frames == n_frames
    assert clip.world_positions() == pytest.approx(plain.world_positions()[:n_frames])


def test_extra_rows_on_request(tmp_path: Path) -> None:
    clip = read(tmp_path, PLAIN.replace("Frames: 3", "Frames: 2"), all_rows=True)
    assert clip.n_frames == 3
    assert "all were read, as asked" in clip.source.notes[0]


def test_zero_frames_are_a_skeleton(tmp_path: Path) -> None:
    clip = read(tmp_path, PLAIN.split("Frames: 3")[0] + "Frames: 0\nFrame Time: 0.4\n")
    assert clip.n_frames == 0
    assert clip.skeleton.names == ("Hips", "Spine", "Leg")


def test_rotation_channels_first(tmp_path: Path) -> None:
    first = PLAIN.replace(
        "Xposition Yposition Zposition Zrotation Xrotation Yrotation",
        "Zrotation Xrotation Yrotation Xposition Yposition Zposition",
    )
    for row in ("1 20 3 10 20 30", "2 21 4 11 21 31", "3 22 5 12 22 32"):
        words = row.split()
        first = first.replace(row, " ".join(words[3:] + words[:3]))
    assert read(tmp_path, first).world_positions() == pytest.approx(read(tmp_path, PLAIN).world_positions())


def test_mixed_orders_are_kept_per_joint(tmp_path: Path) -> None:
    mixed = PLAIN.replace(
        "CHANNELS 3 Zrotation Xrotation Yrotation", "CHANNELS 3 Yrotation Zrotation Xrotation", 1
    )
    clip = read(tmp_path, mixed)
    assert clip.rotations[0, 1] == pytest.approx(rot.from_euler(np.radians([1, 2, 3]), "YZX"))
    assert clip.rotations[0, 2] == pytest.approx(rot.from_euler(np.radians([4, 5, 6]), "ZXY"))


def test_three_channel_root_stays_at_its_offset(tmp_path: Path) -> None:
    text = PLAIN.replace("OFFSET 0 0 0", "OFFSET 7 8 9").replace(
        "CHANNELS 6 Xposition Yposition Zposition", "CHANNELS 3"
    )
    for row in ("1 20 3 ", "2 21 4 ", "3 22 5 "):
        text = text.replace(row + "1", "1")
    clip = read(tmp_path, text)
    assert clip.root_positions.tolist() == [[7, 8, 9]] * 3
    assert clip.rotations[0, 0] == pytest.approx(rot.from_euler(np.radians([10, 20, 30]), "ZXY"))


def test_joints_with_no_one_and_two_channels(tmp_path: Path) -> None:
    text = PLAIN.replace("    CHANNELS 3 Zrotation Xrotation Yrotation\n", "    CHANNELS 0\n", 1)
    text = text.replace("CHANNELS 3 Zrotation Xrotation Yrotation", "CHANNELS 1 Xrotation")
    text = (
        text.replace("30 1 2 3 4 5 6", "30 40")
        .replace("31 2 3 4 5 6 7", "31 41")
        .replace("32 3 4 5 6 7 8", "32 42")
    )
    clip = read(tmp_path, text)
    assert clip.rotations[:, 1].tolist() == [[1, 0, 0, 0]] * 3
    assert clip.rotations[1, 2] == pytest.approx(rot.from_euler([np.radians(41)], "X"))
    silent = read(tmp_path, text.replace("    CHANNELS 0\n", ""))
    assert silent.source.notes == ("joint 'Spine' (line 6) names no channels; it keeps its rest pose",)
    assert silent.rotations == pytest.approx(clip.rotations)


def test_six_channel_joints_replace_their_offset(tmp_path: Path) -> None:
    text = PLAIN.replace("CHANNELS 3 Zrot", "CHANNELS 6 Xposition Yposition Zposition Zrot", 1)
    for row, last in (("30 1 2 3", "12"), ("31 2 3 4", "12"), ("32 3 4 5", "13")):
        words = row.split()
        text = text.replace(row, f"{words[0]} 0 {last} 0 {' '.join(words[1:])}")
    clip = read(tmp_path, text)
    assert clip.translations is not None
    assert clip.translations[:, 1].tolist() == [[0, 12, 0], [0, 12, 0], [0, 13, 0]]
    assert clip.translations[:, 2].tolist() == [[1, -2, 0]] * 3
    still = read(tmp_path, text.replace(" 0 12 0 ", " 0 10 0 ").replace(" 0 13 0 ", " 0 10 0 "))
    assert still.translations is None
    assert still.world_positions() == pytest.approx(read(tmp_path, PLAIN).world_positions())


def test_names_with_spaces_colons_and_other_scripts(tmp_path: Path) -> None:
    text = PLAIN.replace("Hips", "the  Hips").replace("Spine", "rig:Spine").replace("Leg", "脚")
    assert read(tmp_path, text).skeleton.names == ("the Hips", "rig:Spine", "脚")
    assert read(tmp_path, PLAIN.replace("Leg", "H\u00fcfte").encode("latin-1")).skeleton.names[2] == "Hüfte"


def test_several_roots_read_one_and_say_so(tmp_path: Path) -> None:
    prop = "ROOT Ball\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\n}\nMOTION"
    text = PLAIN.replace("MOTION", prop)
    for row in ("4 5 6\n", "5 6 7\n", "6 7 8\n"):
        text = text.replace(row, f"{row.strip()} 7 8 9\n")
    both = read(tmp_path, text)
    assert both.source.notes == (
        "the file holds 2 roots ('Hips', 'Ball'); 'Hips' was read (root= or --root chooses another)",
    )
    assert both.world_positions() == pytest.approx(read(tmp_path, PLAIN).world_positions())
    ball = read(tmp_path, text, root="Ball")
    assert ball.skeleton.names == ("Ball",)
    assert ball.root_positions.tolist() == [[7, 8, 9]] * 3
    with pytest.raises(ParameterError, match="has no ROOT 'Bat': its roots are 'Hips', 'Ball'"):
        read(tmp_path, text, root="Bat")


def test_no_end_sites_and_end_sites_beside_joints(tmp_path: Path) -> None:
    bare = PLAIN.replace("    End Site\n    {\n      OFFSET 0 5 0\n    }\n", "")
    assert [tip.joint for tip in read(tmp_path, bare).skeleton.tips] == [2]
    both = PLAIN.replace("  JOINT Leg", "  End Site\n  {\n  OFFSET 1 1 1\n  }\n  JOINT Leg")
    assert [tip.joint for tip in read(tmp_path, both).skeleton.tips] == [0, 1, 2]


def test_frame_time_is_exact_and_can_be_stated(tmp_path: Path) -> None:
    assert read(tmp_path, PLAIN.replace("0.4", ".0083333")).frame_time == 0.0083333
    assert read(tmp_path, PLAIN.replace("0.4", "0.0333667")).fps == pytest.approx(29.97, abs=1e-4)
    assert read(tmp_path, PLAIN.replace("Frame Time: 0.4\n", ""), fps=50).fps == 50.0


FILES = captured("**/*.bvh")


@pytest.mark.usefixtures("mocap")
@pytest.mark.parametrize("path", FILES, ids=[path.name for path in FILES])
def test_captured_files_agree_with_a_slow_reader(path: Path) -> None:
    """World positions to a micrometre, whatever the unit, the axes and the root convention."""
    clip = ml.load(path)
    joints, rows, frame_time = read_slowly(path)
    slow = world_slowly(joints, rows, clip.source.root_offset == "relative")
    if clip.source.up == "z":
        slow = np.stack([slow[..., 0], slow[..., 2], -slow[..., 1]], axis=-1)
    slow *= clip.source.metres_per_unit
    left_out = len(slow) - clip.n_frames
    assert 0 <= left_out <= 5
    assert [joint.name for joint in joints] == list(clip.skeleton.names)
    assert clip.frame_time == frame_time
    assert np.abs(clip.world_positions() - slow[left_out:]).max() < 1e-6


def test_the_six_and_three_channel_twins_agree(mocap: Path) -> None:
    six, three = (ml.load(mocap / "dialects/bvh" / f"mova_8walk_{n}ch_cut.bvh") for n in (6, 3))
    gaps = np.linalg.norm(six.world_positions() - three.world_positions(), axis=-1)
    # The files print angles with four to six digits; the longest chain makes tenths of a millimetre of that.
    assert gaps.max() < 5e-4
    assert np.median(gaps) < 5e-5

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.errors import FileFormatError, ParameterError
from motionloom.files.bvh import hierarchy
from motionloom.geometry import rotations as rot
from tests.conftest import captured_sample
from tests.files.bvh_texts import PLAIN, read
from tests.files.slow_bvh import read_slowly, world_slowly

REFUSED = [
    ("", "is not a BVH file"),
    ("hello", "is not a BVH file"),
    (PLAIN.split("MOTION")[0], "has no MOTION section"),
    (PLAIN.replace("HIERARCHY\n", "", 1), "line 1: the first word must be HIERARCHY"),
    (
        PLAIN.replace("  JOINT Spine\n  {", "  JOINT Spine\n"),
        r"line 8: expected '\{' after joint 'Spine', not 'OFFSET'",
    ),
    (PLAIN.replace("}\nMOTION", "MOTION"), "the hierarchy ends with 1 brace"),
    (PLAIN.replace("}\nMOTION", "}\n}\nMOTION"), r"line 25: a '\}' without its '\{'"),
    (PLAIN.replace("OFFSET 0 10 0", "OFFSET 0 ten 0"), "line 8: OFFSET needs three numbers, not '0 ten 0'"),
    (PLAIN.replace("OFFSET 0 10 0", "OFFSET 0 10"), "line 8: OFFSET needs three numbers, not '0 10'"),
    (PLAIN.replace("OFFSET 0 10 0", "OFFSET 0 nan 0"), "line 8: OFFSET needs three numbers"),
    (PLAIN.replace("    OFFSET 0 10 0\n", ""), "line 6: joint 'Spine' has no OFFSET"),
    (PLAIN.replace("CHANNELS 6 Xp", "CHANNELS 7 Xp"), "line 5: CHANNELS announces '7' but names 6"),
    (PLAIN.replace("CHANNELS 6 Xposition", "CHANNELS six Xposition"), "line 5: CHANNELS needs a count"),
    (PLAIN.replace("Yposition", "Yturn"), "line 5: unknown channel 'Yturn': channels are Xposition"),
    (PLAIN.replace("Yposition", "Xposition"), "line 5: joint 'Hips' names a channel twice"),
    (PLAIN.replace("OFFSET 0 10 0", "COLOUR red"), "line 8: unknown word 'COLOUR' in the hierarchy"),
    (PLAIN.replace("Frames: 3", "Frames: three"), "line 26: Frames: 'three' is not a number"),
    (PLAIN.replace("Frames: 3", "Frames: -3"), "line 26: Frames: '-3' is not a count"),
    (PLAIN.replace("Frame Time: 0.4\n", ""), r"states no Frame Time: state it with fps="),
    (
        PLAIN.replace("Frame Time: 0.4", "Frame Time: 0"),
        "its Frame Time of 0 s is not from 1e-06 s to",
    ),
    (PLAIN.replace("2 21 4 11", "2 21 x4 11"), "line 29: 'x4' is not a number"),
    (PLAIN.replace("2 21 4 11", "2 21 nan 11"), "line 29: 'nan' stands for no value: remove or repair"),
    (PLAIN.replace("2 21 4 11", "2 21 -inf 11"), "line 29: '-inf' stands for no value"),
    (PLAIN.replace("2 21 4 11", "2 21 1e999 11"), "line 29: '1e999' is too large: numbers go up to 1e"),
    (
        PLAIN.replace("2 21 4 11 ", "2 21 4 "),
        "line 29: this row has 11 numbers, and the lines after it do not complete it: all CHANNELS together",
    ),
    (PLAIN.replace("2 21 4 11", "2 21 1\x00 11"), r"line 29: '1\\x00' is not a number"),
    (PLAIN.replace("2 21 4 11", "2 21 4\x1c5 11"), r"line 29: '4\\x1c5' is not a number"),
    (PLAIN.replace("2 21 4 11", "2 21 -nan(ind) 11"), r"line 29: '-nan\(ind\)' stands for no value"),
    (PLAIN.replace("2 21 4 11", "2 21 -1.#IND00 11"), "line 29: '-1.#IND00' stands for no value"),
    (PLAIN.replace("2 21 4 11", f"2 21 {'0' * 500}x 11"), "line 29: '0{20}' begins a word too long"),
    (PLAIN.replace("2 21 4 11", "2 21 2e9 11"), "line 29: '2e9' is too large: numbers go up to 1e"),
    (PLAIN.replace("OFFSET 0 10 0", "OFFSET 0 1e12 0"), "line 8: OFFSET needs .* '1e12' is too large"),
    (PLAIN.replace("OFFSET 0 10 0", "OFFSET 0 1_0 0"), "line 8: OFFSET needs .* '1_0' is not a number"),
    (
        PLAIN.replace("CHANNELS 6", "CHANNELS " + "9" * 5000),
        "line 5: CHANNELS announces '9999.*' but names 6",
    ),
    (PLAIN.replace("OFFSET 0 10 0", "OFFSET 0 10 0\nOFFSET 0 1 0"), "joint 'Spine' has two OFFSET lines"),
    (
        PLAIN.replace("OFFSET 0 5 0", "OFFSET 0 5 0\nOFFSET 0 1 0"),
        "line 13: the End Site of joint 'Spine' has two OFFSET lines",
    ),
    (
        PLAIN.replace("    End Site\n    {", "    End Site\n", 1),
        r"line 12: expected '\{' after the End Site of joint 'Spine', not 'OFFSET'",
    ),
    (
        "HIERARCHY\nROOT Hips\nMOTION\nFrames: 0\nFrame Time: 1\n",
        r"line 3: the hierarchy ends after joint 'Hips' without its '\{'",
    ),
    (
        PLAIN.replace("2 21 4 11", "2 21 4 4 11"),
        "line 29: this row has 13 numbers: all CHANNELS together make 12",
    ),
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
    "MOTION after a brace": PLAIN.replace("}\nMOTION", "} MOTION"),
    "form feed before MOTION": PLAIN.replace("MOTION", "\fMOTION"),
    "old Mac line ends and one line feed": PLAIN.replace("\n", "\r").replace("MOTION\r", "MOTION\n"),
    "two carriage returns a line": PLAIN.replace("\n", "\r\r\n"),
    "form feeds and vertical tabs between numbers": PLAIN.replace("1 20 3", "1\f20\v3"),
}


@pytest.mark.parametrize("variant", SAME)
def test_other_spellings_read_the_same(tmp_path: Path, variant: str) -> None:
    clip, plain = read(tmp_path, SAME[variant]), read(tmp_path, PLAIN)
    assert clip.skeleton == plain.skeleton
    assert clip.frame_time == plain.frame_time
    assert np.array_equal(clip.rotations, plain.rotations)
    assert np.array_equal(clip.root_positions, plain.root_positions)


REPAIRED = [
    (PLAIN.replace("Frames: 3", "Frames: 5"), 3, "announces 5 frames but holds 3, which were read"),
    (PLAIN.replace("Frames: 3", "Frames: 2"), 2, "announces 2 frames but holds 3: the last 1 were dropped"),
    (PLAIN.replace("Frames: 3\n", ""), 3, "does not say how many frames it holds: all rows were read"),
    (PLAIN.replace(" 6 7 8\n", " 6"), 2, "the last row, cut off after 10 of 12 numbers, was dropped"),
    (PLAIN.replace(" 31 2", "\n31 2"), 3, "rows that continue on further lines were joined"),
    (PLAIN.replace("1 20 3", "1,0 20 3"), 3, "numbers have decimal commas"),
    (PLAIN.replace("OFFSET 0 10 0", "OFFSET 0 10,0 0"), 3, "numbers have decimal commas"),
    (PLAIN.replace("JOINT Leg", "JOINT Spine"), 3, "line 15: a second joint 'Spine' was renamed 'Spine_2'"),
    (PLAIN.replace("JOINT Leg", "JOINT"), 3, "line 15: a joint without a name was called 'joint2'"),
    (
        PLAIN.replace("1 20 3", "1,0 20 3") + "end, of file.\n",
        3,
        "line 31: the text after the last declared frame was ignored",
    ),
    (PLAIN.replace("JOINT Leg", "ROOT Leg"), 3, "line 15: a ROOT inside a joint was read as a JOINT"),
    (PLAIN.replace("      OFFSET 0 5 0\n", ""), 3, "line 10: an End Site without an OFFSET was dropped"),
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
    assert "all were read, as requested" in clip.source.notes[0]


def test_zero_frames_are_a_skeleton(tmp_path: Path) -> None:
    clip = read(tmp_path, PLAIN.split("Frames: 3")[0] + "Frames: 0\nFrame Time: 0.4\n")
    assert clip.n_frames == 0
    assert clip.skeleton.names == ("Hips", "Spine", "Leg")


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
        "the file holds 2 roots ('Hips', 'Ball'): 'Hips' was read; select another with root=",
    )
    assert both.world_positions() == pytest.approx(read(tmp_path, PLAIN).world_positions())
    ball = read(tmp_path, text, root="Ball")
    assert ball.skeleton.names == ("Ball",)
    assert ball.root_positions.tolist() == [[7, 8, 9]] * 3
    with pytest.raises(ParameterError, match="has no ROOT 'Bat': its roots are 'Hips', 'Ball'"):
        read(tmp_path, text, root="Bat")
    again = read(tmp_path, text, root="Ball")
    assert again.skeleton == ball.skeleton
    assert read(tmp_path, text).source.notes == both.source.notes


def test_takes_with_the_same_header_are_read_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hierarchy, "_known", {})
    monkeypatch.setattr(hierarchy, "MAX_KNOWN", 1)
    other = PLAIN.replace("4 5 6", "4 5 7")
    clips = [read(tmp_path, text) for text in (PLAIN, other, PLAIN.replace("Leg", "Wing"), PLAIN)]
    assert [clip.skeleton.names[2] for clip in clips] == ["Leg", "Leg", "Wing", "Leg"]
    assert clips[0].content_hash() == clips[3].content_hash() != clips[1].content_hash()
    assert len(hierarchy._known) == 1
    monkeypatch.setattr(hierarchy, "MAX_KNOWN_SIZE", 10)
    assert read(tmp_path, PLAIN.replace("Leg", "Fin")).skeleton.names[2] == "Fin"
    assert len(hierarchy._known) == 1


def test_no_end_sites_and_end_sites_beside_joints(tmp_path: Path) -> None:
    bare = PLAIN.replace("    End Site\n    {\n      OFFSET 0 5 0\n    }\n", "")
    assert [tip.joint for tip in read(tmp_path, bare).skeleton.tips] == [2]
    both = PLAIN.replace("  JOINT Leg", "  End Site\n  {\n  OFFSET 1 1 1\n  }\n  JOINT Leg")
    assert [tip.joint for tip in read(tmp_path, both).skeleton.tips] == [0, 1, 2]


def test_frame_time_is_exact_and_can_be_stated(tmp_path: Path) -> None:
    assert read(tmp_path, PLAIN.replace("0.4", ".0083333")).frame_time == 0.0083333
    assert read(tmp_path, PLAIN.replace("0.4", "0.0333667")).fps == pytest.approx(29.97, abs=1e-4)
    assert read(tmp_path, PLAIN.replace("Frame Time: 0.4\n", ""), fps=50).fps == 50.0


FILES = captured_sample(".bvh")


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

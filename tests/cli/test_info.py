from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import numpy as np
import pytest

from motionloom import save
from motionloom.cli.info import describe_clip
from motionloom.files.formats import readable_suffixes
from motionloom.motion import Clip, ForcePlate, PointClip
from motionloom.synthesis import turn_in_place
from tests.cli.conftest import Run
from tests.conftest import captured

NO_BVH = "is not a BVH file: a BVH file holds HIERARCHY, a joint tree, MOTION and rows of numbers"
POINT = """HIERARCHY
ROOT dot
{
  OFFSET 0 0 0
  CHANNELS 3 Xposition Yposition Zposition
  End Site
  {
    OFFSET 0 1 0
  }
}
MOTION
Frames: 1
Frame Time: 0.1
1 2 3
"""


def test_what_is_no_motion_file_is_refused(run: Run, tmp_path: Path, broken_bvh: Path) -> None:
    empty = tmp_path / "empty.bvh"
    empty.touch()
    for path in (broken_bvh, empty):
        ended = run("info", path)
        assert (ended.code, ended.out, ended.err) == (1, "", f"motionloom: {path}: {NO_BVH}\n")


def test_a_folder_is_refused(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "folder.bvh"
    folder.mkdir()
    ended = run("info", folder)
    assert ended.code == 1
    assert ended.complaint.startswith(f"{folder}: cannot be read")


def test_an_unknown_ending_is_a_wrong_call(run: Run) -> None:
    ended = run("info", "a.xyz")
    assert ended.code == 2
    known = ", ".join(readable_suffixes())
    assert ended.complaint == f"a.xyz: files ending in '.xyz' cannot be read: choose from {known}"


@pytest.mark.parametrize(
    ("words", "start"),
    [
        (["--unit", "parsec"], "unknown unit 'parsec'"),
        (["--read-fps", "0"], "--read-fps must be a positive number, not 0"),
        (["--read-fps", "nan"], "--read-fps must be a positive number, not nan"),
        (["--read-fps", "fast"], "invalid value for '--read-fps'"),
        (["--root-offset", "both"], "invalid value for '--root-offset'"),
    ],
)
def test_wrong_reading_options(run: Run, walk_bvh: Path, words: list[str], start: str) -> None:
    ended = run("info", walk_bvh, *words)
    assert ended.code == 2
    assert ended.complaint.startswith(start)


def test_one_broken_file_does_not_hide_the_others(run: Run, walk_bvh: Path, broken_bvh: Path) -> None:
    ended = run("info", broken_bvh, walk_bvh)
    assert ended.code == 1
    assert ended.out.startswith(str(walk_bvh))
    assert ended.err.splitlines() == [
        f"motionloom: {broken_bvh}: {NO_BVH}",
        "motionloom: 1 of 2 files could not be read",
    ]


def test_one_broken_file_among_several_as_json(run: Run, walk_bvh: Path, broken_bvh: Path) -> None:
    ended = run("info", broken_bvh, walk_bvh, "--json")
    good, bad = ended.json()
    assert ended.code == 1
    assert good["file"] == str(walk_bvh)
    assert bad == {"file": str(broken_bvh), "error": f"{broken_bvh}: {NO_BVH}"}


def test_an_option_that_is_wrong_for_every_file_is_a_wrong_call(run: Run, walk_bvh: Path) -> None:
    assert run("info", walk_bvh, walk_bvh, "--unit", "parsec").code == 2


def test_facts_of_the_walk_as_json(run: Run, walk_bvh: Path) -> None:
    ended = run("info", walk_bvh, "--json")
    (facts,) = ended.json()
    assert (ended.code, ended.err) == (0, "")
    assert facts["file"] == str(walk_bvh)
    assert (facts["format"], facts["frames"], facts["unit"], facts["up"]) == ("bvh", 31, "cm", "y")
    assert facts["duration_s"] == pytest.approx(1.0, abs=1e-5)
    assert facts["path_length_m"] == pytest.approx(1.4, abs=0.02)
    assert facts["mean_speed_m_s"] == pytest.approx(facts["path_length_m"] / facts["duration_s"])
    assert len(facts["legs"]) == len(facts["arms"]) == 2
    assert [note for note in facts["notes"] if "lengths read as cm" in note]


def test_facts_of_the_walk_as_text(run: Run, walk_bvh: Path) -> None:
    lines = run("info", walk_bvh, "--not-cyclic").out.splitlines()
    assert lines[0] == str(walk_bvh)
    assert lines[1].split() == ["format", "bvh"]
    assert lines[2].split() == ["frames", "31"]
    assert "  note: lengths read as cm" in lines[-2]
    assert not [line for line in lines if "\x1b" in line or line != line.rstrip()]


def test_reading_options_reach_the_reader(run: Run, walk_bvh: Path) -> None:
    (facts,) = run("info", walk_bvh, "--unit", "m", "--read-fps", "15", "--json").json()
    assert (facts["fps"], facts["unit"]) == (15.0, "m")
    assert facts["height_m"] > 100


def test_a_clip_of_one_frame_has_no_travel(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "point.bvh"
    path.write_text(POINT)
    (facts,) = run("info", path, "--json").json()
    assert (facts["frames"], facts["joints"], facts["legs"]) == (1, 1, [])
    assert "mean_speed_m_s" not in facts


def test_a_name_with_spaces_and_other_letters(run: Run, tmp_path: Path, clip: Clip) -> None:
    path = save(clip, tmp_path / "läufer eins 歩.npz")
    ended = run("info", path, "--json")
    assert ended.out.isascii()
    assert ended.code == 0
    assert run("info", path).out.splitlines()[0] == str(path)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names")
def test_a_name_that_is_no_text(run: Run, tmp_path: Path, walk_bvh: Path) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/bad\xff.bvh"))
    path.write_bytes(walk_bvh.read_bytes())
    assert run("info", path).out.splitlines()[0].endswith(r"bad\udcff.bvh")


def test_turning_is_left_positive() -> None:
    assert describe_clip(turn_in_place(turn=1.0).clip)["turn_left_deg"] == pytest.approx(57.3, abs=3)


@pytest.mark.parametrize("path", captured("locomotion/s16/walk_left*.bvh"), ids=lambda path: path.name)
def test_a_captured_walk(run: Run, path: Path) -> None:
    (facts,) = run("info", path, "--json").json()
    assert facts["fps"] == pytest.approx(120, rel=1e-3)
    assert facts["height_m"] == pytest.approx(1.54, abs=0.05)
    assert 20 < facts["turn_left_deg"] < 130
    assert 0.8 < facts["mean_speed_m_s"] < 1.6


def test_points_with_force_plates(run: Run, tmp_path: Path) -> None:
    corners = np.array([[0.4, 0, 0.6], [0, 0, 0.6], [0, 0, 0], [0.4, 0, 0]])
    load = np.tile([0.0, 700.0, 0.0], (20, 1))
    plate = ForcePlate("plate 1", 0.01, load, np.zeros((20, 3)), corners)
    points = PointClip(("heel", "toe"), 0.1, np.ones((2, 2, 3)), force_plates=(plate,))
    path = save(points, tmp_path / "gait.c3d")
    (facts,) = json.loads(run("info", path, "--json").out)
    assert (facts["points"], facts["force_plates"]) == (["heel", "toe"], ["plate 1"])
    assert facts["max_load_n"] == pytest.approx([700.0])
    assert "force plates" in run("info", path).out
    again = run("info", save(points, tmp_path / "gait.trc"), "--forces", tmp_path / "gait_grf.mot")
    assert "ground_1" in again.out
    ended = run("convert", path, "-o", tmp_path / "gait.csv")
    assert "force plates were not saved: only .npz, .c3d, .trc files keep them" in ended.err

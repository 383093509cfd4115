"""Channels of BVH files: orders, joints with few channels, and position channels of joints."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.geometry import rotations as rot
from tests.files.bvh_texts import PLAIN, read


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
    assert silent.source.notes == ("joint 'Spine' (line 6) names no channels: it keeps its rest pose",)
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


def six_channels(places: str, offset: str = "0 10 0") -> str:
    """The plain file with position channels for the spine that hold the same place in each row."""
    text = PLAIN.replace("CHANNELS 3 Zrot", "CHANNELS 6 Xposition Yposition Zposition Zrot", 1)
    for row in ("30 1 2 3", "31 2 3 4", "32 3 4 5"):
        first, rest = row.split(" ", 1)
        text = text.replace(row, f"{first} {places} {rest}")
    return text.replace("OFFSET 0 10 0", f"OFFSET {offset}")


def test_position_channels_near_zero_add_to_the_offset(tmp_path: Path) -> None:
    clip = read(tmp_path, six_channels("0 0.5 0"))
    assert clip.translations is not None
    assert clip.translations[:, 1].tolist() == [[0, 10.5, 0]] * 3
    note = "the position channels of joints stay near zero: they were added to the OFFSETs"
    assert clip.source.notes == (note,)
    still = read(tmp_path, six_channels("0 0 0"))
    assert still.translations is None
    assert still.source.notes == (note,)


def test_position_channels_make_the_offsets_of_files_that_state_none(tmp_path: Path) -> None:
    text = six_channels("0 10 0", offset="0 0 0").replace("OFFSET 1 -2 0", "OFFSET 0 0 0")
    clip = read(tmp_path, text)
    assert clip.skeleton.offsets.tolist() == [[0, 0, 0], [0, 10, 0], [0, 0, 0]]
    assert clip.translations is None
    assert clip.source.notes == (
        "all joints have an OFFSET of zero: the median of their position channels was used",
    )
    moving = read(tmp_path, text.replace("32 0 10 0", "32 0 12 0"))
    assert moving.skeleton.offsets[1].tolist() == [0, 10, 0]
    assert moving.translations is not None
    assert moving.translations[:, 1].tolist() == [[0, 10, 0], [0, 10, 0], [0, 12, 0]]


def test_the_six_and_three_channel_twins_agree(mocap: Path) -> None:
    """Both print four to six digits, which along the longest chain makes a few micrometres."""
    six, three = (ml.load(mocap / "dialects/bvh" / f"mova_8walk_{n}ch_cut.bvh") for n in (6, 3))
    gaps = np.linalg.norm(six.world_positions() - three.world_positions(), axis=-1)
    assert gaps.max() < 1e-5

"""Vertical axis and root convention: what the frames and the rest pose tell together."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.arrays import FloatArray
from motionloom.files.detection import (
    detect_points_up,
    detect_root_offset,
    detect_up,
    make_root_unambiguous,
)
from motionloom.files.normalize import from_y_up
from motionloom.geometry import rotations as rot
from motionloom.motion.provenance import UpAxis
from motionloom.synthesis import biped, walk

POSITIONS = ("Xposition", "Yposition", "Zposition")
LYING = rot.from_euler([np.pi / 2], "X")
"""Turns a body that stands along Y so that it lies along Z."""


def turned(clip: ml.Clip, turn: FloatArray) -> ml.Clip:
    """The motion turned as a whole about the world's origin; the rest pose stays."""
    turns = np.array(clip.rotations)
    turns[:, 0] = rot.multiply(turn, turns[:, 0])
    return replace(clip, rotations=turns, root_positions=rot.rotate(turn, clip.root_positions))


@pytest.mark.parametrize("up", ["x", "y", "z"])
def test_frames_and_rest_pose_that_agree(up: UpAxis) -> None:
    clip = from_y_up(walk(duration=1, fps=30).clip, up)
    assert detect_up(clip) == up
    assert detect_up(clip[:0]) == up


def test_a_body_that_lies_about_in_a_file_that_is_y_up() -> None:
    assert detect_up(turned(walk(duration=1, fps=30).clip, LYING)) == "y"


def test_a_rest_pose_that_lies_while_the_motion_stands() -> None:
    lying = from_y_up(walk(duration=1, fps=30).clip, "z")
    assert detect_up(turned(lying, rot.inverse(LYING))) == "y"


def test_a_body_that_tumbles_stands_as_its_rest_pose_does() -> None:
    angles = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    for up in ("y", "z"):
        body = from_y_up(ml.Clip(biped(), 0.1, np.zeros((0, 3)), np.zeros((0, 22, 4))), up).skeleton
        turns = np.tile(rot.IDENTITY, (60, 22, 1))
        turns[:, 0] = rot.from_euler(angles[:, None], "X")
        assert detect_up(ml.Clip(body, 0.1, np.zeros((60, 3)), turns)) == up


def test_a_skeleton_alone_is_turned_upright(tmp_path: Path) -> None:
    ml.save(walk(duration=1, fps=30).clip[:0], tmp_path / "x.bvh", up="z")
    skeleton = ml.load(tmp_path / "x.bvh")
    assert skeleton.source.up == "z"
    assert skeleton.skeleton.offsets == pytest.approx(biped().offsets, abs=1e-9)


def without_channel(clip: ml.Clip, channels: tuple[str, ...]) -> ml.Clip:
    listed = (channels, *[("Zrotation", "Xrotation", "Yrotation")] * (clip.skeleton.n_joints - 1))
    return replace(clip, source=replace(clip.source, format="bvh", root_offset="relative", channels=listed))


def test_offsets_are_added_only_where_a_channel_adds(tmp_path: Path) -> None:
    """A root that is driven up and down only, standing beside the origin."""
    clip = walk(duration=1, fps=30).clip
    aside = replace(clip.skeleton, offsets=clip.skeleton.offsets + np.eye(22, 1) * [0.4, 0.0, 0.7])
    roots = np.tile(aside.offsets[0], (clip.n_frames, 1))
    roots[:, 1] = clip.root_positions[:, 1]
    bob = without_channel(
        replace(clip, skeleton=aside, root_positions=roots),
        ("Yposition", "Zrotation", "Xrotation", "Yrotation"),
    )
    ml.save(bob, tmp_path / "x.bvh", unit="cm")
    again = ml.load(tmp_path / "x.bvh")
    assert again.source.root_offset == "relative"
    assert again.source.channels is not None
    assert again.source.channels[0] == ("Yposition", "Zrotation", "Xrotation", "Yrotation")
    assert again.root_positions == pytest.approx(roots, abs=1e-6)


def test_roots_that_reading_would_move_are_written_with_a_zero_offset() -> None:
    clip = walk(duration=1, fps=30).clip
    assert make_root_unambiguous(clip, POSITIONS) is clip
    assert make_root_unambiguous(clip[:0], POSITIONS).skeleton == clip.skeleton
    sunk = replace(clip, root_positions=clip.root_positions - [0.0, 1.0, 0.0])
    assert detect_root_offset(sunk, "y", POSITIONS) == "relative"
    assert detect_root_offset(sunk, "y", POSITIONS[::2]) == "absolute"
    written = make_root_unambiguous(sunk, POSITIONS)
    assert written.skeleton.offsets[0].tolist() == [0, 0, 0]
    assert np.array_equal(written.skeleton.offsets[1:], clip.skeleton.offsets[1:])
    assert written.source.root_offset == "absolute"
    assert np.array_equal(written.root_positions, sunk.root_positions)


SHIFTED = [("blender_makehuman_walk1", 0.3), ("walk01_24hz_exponents", -1.0), ("anim_utils_custom_rig", -0.5)]


@pytest.mark.parametrize(("name", "lift"), SHIFTED)
def test_captured_roots_stay_where_they_are_put(mocap: Path, tmp_path: Path, name: str, lift: float) -> None:
    clip = ml.load(mocap / "dialects/bvh" / f"{name}.bvh")
    moved = replace(clip, root_positions=clip.root_positions + np.array([0.0, lift, 0.0]))
    ml.save(moved, tmp_path / "x.bvh")
    again = ml.load(tmp_path / "x.bvh")
    assert again.root_positions == pytest.approx(moved.root_positions, abs=1e-5)
    ml.save(again, tmp_path / "again.bvh")
    assert (tmp_path / "again.bvh").read_bytes() == (tmp_path / "x.bvh").read_bytes()


def test_a_crouching_crowd_tells_no_axis() -> None:
    cube = np.array([[[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]], dtype=float)
    assert detect_points_up(cube) is None
    assert detect_points_up(cube * [1.0, 3.0, 1.0]) == "y"
    assert detect_points_up(np.full((4, 5, 3), np.nan)) is None

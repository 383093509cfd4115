"""Root convention, and the vertical axis of points."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.files.detection import (
    choose_points_up,
    detect_points_up,
    detect_root_offset,
    make_root_unambiguous,
)
from motionloom.synthesis import walk

POSITIONS = ("Xposition", "Yposition", "Zposition")


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
    notes: list[str] = []
    assert choose_points_up(cube, "z", notes) == "z"
    assert notes == [
        "the file does not say which axis is vertical: Z assumed, the points do not show it; "
        "override with up="
    ]

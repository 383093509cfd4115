"""The up axis of a file: what the frames, the rest pose and the file itself tell together."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.arrays import FloatArray
from motionloom.files.normalize import from_y_up
from motionloom.files.up_axis import UpAxisVotes, find_up_axis
from motionloom.geometry import rotations as rot
from motionloom.motion.provenance import UpAxis
from motionloom.synthesis import biped, stand, walk
from tests.files.bvh_texts import save_unmarked

LYING = rot.from_euler([np.pi / 2], "X")
"""Turns a body that stands along Y so that it lies along Z."""


def turned(clip: ml.Clip, turn: FloatArray) -> ml.Clip:
    """The motion turned as a whole about the world's origin; the rest pose stays."""
    turns = np.array(clip.rotations)
    turns[:, 0] = rot.multiply(turn, turns[:, 0])
    return replace(clip, rotations=turns, root_positions=rot.rotate(turn, clip.root_positions))


@pytest.mark.parametrize("up", ["x", "y", "z"])
def test_all_evidence_agrees(up: UpAxis) -> None:
    clip = from_y_up(walk(duration=1, fps=30).clip, up)
    found = find_up_axis(clip)
    assert found == UpAxisVotes(up, dict.fromkeys(["rest", "upright", "resting", "floor"], up))
    assert found.is_sure
    alone = find_up_axis(clip[:0])
    assert alone == UpAxisVotes(up, {"rest": up}, has_motion=False)
    assert alone.is_sure


def test_a_skeleton_drawn_along_y_that_walks_along_z() -> None:
    found = find_up_axis(turned(walk(duration=1, fps=30).clip, LYING))
    assert found.axis == "z"
    assert found.votes["rest"] == "y"
    assert found.is_sure


def test_a_rest_pose_that_lies_while_the_motion_stands() -> None:
    lying = from_y_up(walk(duration=1, fps=30).clip, "z")
    found = find_up_axis(turned(lying, rot.inverse(LYING)))
    assert (found.axis, found.votes["rest"], found.is_sure) == ("y", "z", True)


def test_a_still_body_that_lies_is_doubtful() -> None:
    """It may as well stand in a file whose skeleton is drawn along another axis."""
    lying = turned(stand(duration=1, fps=30).clip, LYING)
    found = find_up_axis(replace(lying, root_positions=lying.root_positions + np.array([0.0, 0.3, -0.5])))
    assert found.votes == {"rest": "y", "upright": "z"}
    assert not found.is_sure
    assert found.describe() == "the rest pose stands along Y, the body is upright along Z"


def test_a_body_that_tumbles_stands_as_its_rest_pose_does() -> None:
    angles = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    for up in ("y", "z"):
        body = from_y_up(ml.Clip(biped(), 0.1, np.zeros((0, 3)), np.zeros((0, 22, 4))), up).skeleton
        turns = np.tile(rot.IDENTITY, (60, 22, 1))
        turns[:, 0] = rot.from_euler(angles[:, None], "X")
        found = find_up_axis(ml.Clip(body, 0.1, np.zeros((60, 3)), turns))
        assert found.axis == up
        assert not found.is_sure
        assert found.describe() == f"the rest pose stands along {up.upper()}, the motion shows none"


def test_what_a_file_states_is_believed_of_a_body_that_lies() -> None:
    lying = turned(stand(duration=1, fps=30).clip, LYING)
    found = find_up_axis(lying, "y")
    assert (found.axis, found.votes["upright"]) == ("y", "z")
    assert not found.is_sure


def test_an_upright_body_is_never_laid_down_in_silence() -> None:
    """Toes that drag along a wall while someone jumps can outvote it."""
    votes: dict[str, UpAxis] = {"prescribed": "y", "rest": "y", "upright": "z", "resting": "y", "floor": "y"}
    assert not UpAxisVotes("y", votes).is_sure
    assert UpAxisVotes("y", votes | {"upright": "y", "floor": "z"}).is_sure


def test_what_a_file_states_is_not_believed_of_a_walk_on_a_wall(tmp_path: Path) -> None:
    """glTF is Y up; some exporters write Z-up motion into it."""
    clip = from_y_up(walk(duration=1, fps=30).clip, "z")
    found = find_up_axis(clip, prescribed="y")
    assert (found.axis, found.is_sure) == ("z", False)
    ml.save(clip, tmp_path / "wall.glb")
    again = ml.load(tmp_path / "wall.glb")
    assert again.source.up == "z"
    assert any(
        "the up axis is uncertain: the format prescribes Y, the rest pose stands along Z" in note
        for note in again.source.notes
    )
    assert ml.load(tmp_path / "wall.glb", up="y").source.up == "y"


def test_upside_down_is_said(tmp_path: Path) -> None:
    """Camera coordinates have Y down."""
    clip = turned(walk(duration=1, fps=30).clip, rot.from_euler([np.pi], "X"))
    notes = ml.load(save_unmarked(clip, tmp_path / "down.bvh")).source.notes
    assert any("the body is upside down along Y, which was taken to be up" in note for note in notes)


def test_without_a_body_y_is_assumed_and_said(tmp_path: Path) -> None:
    rope = ml.Skeleton(("a", "b"), np.array([-1, 0]), np.array([[0.0, 0, 0], [0, 0, 1]]))
    still = ml.Clip(rope, 0.1, np.zeros((3, 3)), np.tile(rot.IDENTITY, (3, 2, 1)))
    assert find_up_axis(still) == UpAxisVotes("y", {})
    notes = ml.load(save_unmarked(still, tmp_path / "rope.bvh")).source.notes
    assert any("no body was found to tell the up axis from: Y assumed" in note for note in notes)


def test_a_skeleton_alone_is_turned_upright(tmp_path: Path) -> None:
    ml.save(walk(duration=1, fps=30).clip[:0], tmp_path / "x.bvh", up="z")
    skeleton = ml.load(tmp_path / "x.bvh")
    assert skeleton.source.up == "z"
    assert skeleton.skeleton.offsets == pytest.approx(biped().offsets, abs=1e-9)


@pytest.mark.parametrize("animation", ["Survey", "Walk", "Run"])
def test_a_fox_goes_into_bvh_and_back(mocap: Path, tmp_path: Path, animation: str) -> None:
    """On four legs up is not from the feet to the head, and BVH has no rest rotations."""
    fox = ml.load(mocap / "dialects/fbx_gltf/Fox.glb", animation=animation)
    ml.save(fox, tmp_path / "fox.bvh")
    again = ml.load(tmp_path / "fox.bvh")
    assert again.source.up == "y"
    assert again.skeleton.names == fox.skeleton.names
    assert again.world_positions() == pytest.approx(fox.world_positions(), abs=1e-5)

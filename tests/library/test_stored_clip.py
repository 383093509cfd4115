"""How a library stores a clip."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.geometry import rotations as rot
from motionloom.library import stored_clip
from motionloom.library.errors import DamagedLibraryError
from motionloom.library.stored_clip import StoredClip, convert_clip, restore_clip, store_clip
from motionloom.motion import Clip
from motionloom.synthesis import walk

FOLDER = Path("takes.library")
MAX_TURN, MAX_SHIFT = 4e-6, 0.5e-6
"""Radians and metres that the documentation states."""


def store_plain(clip: Clip) -> StoredClip:
    """Return a clip as version 1 stored it."""
    stored = store_clip(clip)
    parts = [clip.root_positions, clip.rotations]
    parts += [] if clip.translations is None else [clip.translations]
    header = json.loads(stored.header)
    del header["packed"]
    return StoredClip(stored.skeleton, json.dumps(header), stored_clip._write_plain(parts))


def errors(a: Clip, b: Clip) -> tuple[float, float]:
    """Return by how many radians rotations and by how many metres root positions differ at most."""
    turned = 2.0 * np.linalg.norm(rot.multiply(rot.inverse(a.rotations), b.rotations)[..., 1:], axis=-1)
    return float(turned.max()), float(np.abs(a.root_positions - b.root_positions).max())


def with_moving_bones(clip: Clip) -> Clip:
    moved = clip.skeleton.offsets + 0.01 * np.sin(np.arange(clip.n_frames))[:, None, None]
    return replace(clip, translations=np.array(moved))


@pytest.mark.parametrize("fps", [30, 120])
def test_what_is_stored_is_as_near_as_is_said(fps: float) -> None:
    clip = with_moving_bones(walk(duration=2.0, fps=fps).clip)
    restored = restore_clip(store_clip(clip), FOLDER)
    turn, shift = errors(clip, restored)
    assert turn <= MAX_TURN
    assert shift <= MAX_SHIFT
    assert restored.translations is not None
    assert clip.translations is not None
    assert np.abs(restored.translations - clip.translations).max() <= MAX_SHIFT
    np.testing.assert_allclose(np.linalg.norm(restored.rotations, axis=-1), 1.0, atol=1e-12)
    assert restored.constraints == clip.constraints


def test_a_few_numbers_by_hand() -> None:
    # In steps: 0, 2, 3; their differences from the ones before: 0, 2, 1; and of those: 0, 2, -1.
    values = np.array([[0.0], [2.0], [3.0]]) * stored_clip.POSITION_STEP
    content = stored_clip._split_bytes(values, stored_clip.POSITION_STEP, 2)
    assert content == bytes([0, 4, 1, 0, 0, 0])
    back = stored_clip._join_bytes(content, (3, 1), stored_clip.POSITION_STEP, 2)
    np.testing.assert_array_equal(back, values)


def test_signs_of_quaternions_may_change_between_frames() -> None:
    clip = walk(duration=1.0, fps=30).clip
    flipped = clip.rotations.copy()
    flipped[5:9] *= -1.0
    restored = restore_clip(store_clip(replace(clip, rotations=flipped)), FOLDER)
    assert errors(clip, restored)[0] <= MAX_TURN


def test_a_single_frame_and_no_motion_at_all() -> None:
    clip = walk(duration=1.0, fps=30).clip[:1]
    assert errors(clip, restore_clip(store_clip(clip), FOLDER))[0] <= MAX_TURN


def test_clips_that_go_very_far_keep_their_places() -> None:
    clip = walk(duration=1.0, fps=30).clip
    far = replace(clip, root_positions=clip.root_positions + 1e13)
    stored = store_clip(far)
    np.testing.assert_array_equal(restore_clip(stored, FOLDER).root_positions, far.root_positions)
    assert convert_clip(stored, FOLDER) is stored


@pytest.mark.parametrize("moves", [False, True])
def test_clips_of_version_1_are_read_and_converted(moves: bool) -> None:
    clip = walk(duration=2.0, fps=60).clip
    clip = with_moving_bones(clip) if moves else clip
    old = store_plain(clip)
    before, new = restore_clip(old, FOLDER), convert_clip(old, FOLDER)
    np.testing.assert_array_equal(before.root_positions, clip.root_positions)
    turn, shift = errors(before, restore_clip(new, FOLDER))
    assert turn <= MAX_TURN
    assert shift <= MAX_SHIFT
    assert len(new.poses) < 0.5 * len(old.poses)
    assert convert_clip(new, FOLDER) is new


@pytest.mark.parametrize("change", ["short", "long", "wrong", "length"])
def test_damage_has_a_sentence(change: str) -> None:
    stored = store_clip(walk(duration=1.0, fps=30).clip)
    header = json.loads(stored.header)
    poses = {
        "short": stored.poses[:-20],
        "long": stored_clip._pack([np.zeros((90, 3)), np.zeros((90, 30, 4))]),
        "wrong": np.zeros(100, np.uint8),
        "length": stored.poses,
    }[change]
    header["n_frames"] += change == "length"
    with pytest.raises(DamagedLibraryError, match="a take cannot be put together"):
        restore_clip(StoredClip(stored.skeleton, json.dumps(header), poses), FOLDER)


@pytest.mark.corpus
def test_captured_motion_is_as_near_as_is_said_and_small(mocap: Path) -> None:
    size, seconds = 0, 0.0
    for path in sorted((mocap / "locomotion" / "s16").glob("*.bvh")):
        clip = ml.load(path)
        stored = store_clip(clip)
        restored = restore_clip(stored, FOLDER)
        turn, shift = errors(clip, restored)
        assert turn <= MAX_TURN
        assert shift <= MAX_SHIFT
        assert np.abs(restored.world_positions() - clip.world_positions()).max() < 1e-5
        size, seconds = size + len(stored.poses), seconds + clip.duration
    assert size / seconds * 3600 < 75e6

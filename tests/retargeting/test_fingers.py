"""Fingers whose data says nothing are left alone, and that is said."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.arrays import FloatArray
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.retargeting import JointMapping, joint_mapping, transfer_motion
from motionloom.retargeting.fingers import MAX_SPEED, MAX_STEP, ignore_fingers
from motionloom.synthesis import make_character

FPS = 60.0
THUMB, INDEX = ("LeftHandThumb1", "LeftHandThumb2", "LeftHandThumb3"), ("RightHandIndex1", "RightHandIndex2")


@pytest.fixture(scope="module")
def hand() -> Clip:
    """A walk with fingers that never move."""
    return make_character(fingers=True, fps=FPS).clips["walk"]


@pytest.fixture(scope="module")
def other() -> Clip:
    """A clip of another rig with fingers, in another pose than those of the first."""
    return make_character(fingers=True, joint_names="mixamo", proportions="child", fps=FPS).clips["idle"]


def with_angles(clip: Clip, joint: str, angles: FloatArray) -> Clip:
    """The clip with a joint bent by angles (T,), radians, beside its first pose."""
    rotations, index = np.array(clip.rotations), clip.skeleton.index(joint)
    bends = rot.from_rotation_vector(angles[:, None] * np.array([0.0, 0.0, 1.0]))
    rotations[:, index] = rot.multiply(rotations[0, index], bends)
    return replace(clip, rotations=rotations)


def curl(clip: Clip) -> FloatArray:
    """Angles (T,) of a finger that curls by 40° and opens again."""
    return np.asarray(np.radians(20.0) * (1.0 - np.cos(2.0 * np.pi * np.arange(clip.n_frames) / FPS)))


def flip(clip: Clip, size: float) -> FloatArray:
    """Angles (T,) of a finger that jumps in one frame and back in the next, radians."""
    return np.where(np.arange(clip.n_frames) == clip.n_frames // 2, size, 0.0)


def driven(mapping: JointMapping) -> set[str]:
    return {pair.source for pair in mapping.pairs}


def test_fingers_that_never_move_stay_at_rest(hand: Clip, other: Clip) -> None:
    moved = transfer_motion(hand, other)
    for joint, name in enumerate(other.skeleton.names):
        if any(finger in name for finger in ("Thumb", "Index", "Middle", "Ring", "Pinky")):
            rests = np.tile(other.skeleton.rest_rotations[joint], (moved.clip.n_frames, 1))
            assert moved.clip.rotations[:, joint] == pytest.approx(rests), name
    assert [each for each in moved.report.notes if "finger" in each] == [
        "fingers (left thumb, index, middle, ring and little, right thumb, index, middle, ring and little) "
        "never move in the motion: the target's stay at rest, unless you map their joints"
    ]
    found = driven(joint_mapping(hand.skeleton, other.skeleton))
    ignored = found - driven(moved.report.mapping)
    assert len(ignored) == 30
    assert all("Hand" in name and name[-1].isdigit() for name in ignored)


def test_a_finger_that_moves_is_kept_whole(hand: Clip, other: Clip) -> None:
    clip = with_angles(hand, INDEX[1], curl(hand))
    found = joint_mapping(clip.skeleton, other.skeleton)
    kept, (note,) = ignore_fingers(clip, found)
    assert set(INDEX) < driven(kept), "its first joint never moves, but belongs to it"
    assert not driven(kept) & set(THUMB)
    assert "right thumb, middle, ring and little)" in note
    moved = transfer_motion(clip, other)
    index = moved.clip.skeleton.index("mixamorig:RightHandIndex2")
    assert np.ptp(moved.clip.rotations[:, index], axis=0).max() > 0.2


@pytest.mark.parametrize(("step", "fps", "ignored"), [(50.0, 120.0, True), (80.0, 24.0, False)])
def test_flips_are_told_from_fast_fingers_by_their_speed(
    hand: Clip, other: Clip, step: float, fps: float, ignored: bool
) -> None:
    """50° within 1/120 s is 6,000° a second; 80° within 1/24 s less than 2,000°."""
    clip = replace(with_angles(hand, THUMB[2], flip(hand, np.radians(step))), frame_time=1.0 / fps)
    kept, notes = ignore_fingers(clip, joint_mapping(clip.skeleton, other.skeleton))
    assert bool(driven(kept) & set(THUMB)) is not ignored
    assert any("(left thumb) flip from frame to frame" in note for note in notes) is ignored


def test_at_low_rates_a_finger_turns_by_a_right_angle_at_most(hand: Clip, other: Clip) -> None:
    clip = replace(with_angles(hand, THUMB[0], flip(hand, MAX_STEP + 0.1)), frame_time=0.1)
    assert MAX_SPEED * clip.frame_time > MAX_STEP
    kept, _ = ignore_fingers(clip, joint_mapping(clip.skeleton, other.skeleton))
    assert not driven(kept) & set(THUMB)


def test_the_sign_of_a_quaternion_is_no_flip(hand: Clip, other: Clip) -> None:
    clip = with_angles(hand, INDEX[1], curl(hand))
    signs = np.where(np.arange(clip.n_frames) % 2, 1.0, -1.0)[:, None, None]
    found = joint_mapping(clip.skeleton, other.skeleton)
    kept, notes = ignore_fingers(clip, found)
    again, same_notes = ignore_fingers(replace(clip, rotations=signs * clip.rotations), found)
    assert driven(again) == driven(kept)
    assert same_notes == notes


@pytest.mark.parametrize(("first", "ignored"), [(2, True), (20, False)])
def test_a_pose_before_the_motion_begins_is_no_motion(
    hand: Clip, other: Clip, first: int, ignored: bool
) -> None:
    clip = with_angles(hand, THUMB[0], np.where(np.arange(hand.n_frames) < first, 0.1, 0.0))
    kept, _ = ignore_fingers(clip, joint_mapping(clip.skeleton, other.skeleton))
    assert bool(driven(kept) & set(THUMB)) is not ignored


def test_pairs_that_somebody_gave_are_kept(hand: Clip, other: Clip) -> None:
    found = joint_mapping(hand.skeleton, other.skeleton)
    given = found.replaced({THUMB[0]: "mixamorig:LeftHandThumb1"})
    kept, _ = ignore_fingers(hand, given)
    assert THUMB[0] in driven(kept)
    assert not driven(kept) & set(THUMB[1:])


def test_mappings_that_were_corrected_elsewhere_ignore_the_same_fingers(hand: Clip, other: Clip) -> None:
    corrected = joint_mapping(hand.skeleton, other.skeleton).replaced({"Head": None})
    notes = transfer_motion(hand, other, corrected).report.notes
    assert notes == transfer_motion(hand, other).report.notes


def test_a_single_pose_keeps_its_fingers(hand: Clip, other: Clip) -> None:
    found = joint_mapping(hand.skeleton, other.skeleton)
    for clip in (hand[:1], hand[:0]):
        assert ignore_fingers(clip, found) == (found, [])


def test_captured_thumbs_that_flip_are_ignored(mocap: Path, other: Clip) -> None:
    clip = ml.load(mocap / "locomotion/s16/walk_straight_16_15.bvh")
    moved = transfer_motion(clip, other)
    assert not driven(moved.report.mapping) & {"LThumb", "LeftHandIndex1", "RightHandIndex1"}
    assert any("left thumb" in note and "flip" in note for note in moved.report.notes)
    assert any("(left index, right index) never move" in note for note in moved.report.notes)

"""Fingers whose data says nothing are left alone, and that is said."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.retargeting.fingers import ignore_fingers
from motionloom.retargeting.joint_mapping import JointMapping, joint_mapping
from motionloom.retargeting.transfer_motion import transfer_motion
from motionloom.synthesis import make_character

INDEX = ("LeftHandIndex1", "LeftHandIndex2", "LeftHandIndex3")


@pytest.fixture(scope="module")
def still() -> Clip:
    """A walk with fingers that never move."""
    return make_character(fingers=True).clips["walk"]


def bent(clip: Clip, angles: np.ndarray, joint: str = INDEX[1]) -> Clip:
    """The clip with one joint turned by so much in each frame, radians."""
    rotations = np.array(clip.rotations)
    number = clip.skeleton.index(joint)
    turns = rot.from_axis_angle([1.0, 0.0, 0.0], np.asarray(angles))
    rotations[:, number] = rot.multiply(rotations[:, number], turns)
    return replace(clip, rotations=rotations)


def own_mapping(clip: Clip) -> JointMapping:
    return joint_mapping(clip.skeleton, clip.skeleton)


def ignored(clip: Clip) -> set[str]:
    """The source joints that no longer drive anything."""
    mapping = own_mapping(clip)
    kept, _ = ignore_fingers(clip, mapping)
    return {pair.source for pair in mapping.pairs} - {pair.source for pair in kept.pairs}


def test_fingers_that_never_move_are_ignored_and_nothing_else_is(still: Clip) -> None:
    names = ignored(still)
    assert len(names) == 30
    assert all("Hand" in name and name[-1].isdigit() for name in names)
    (note,) = ignore_fingers(still, own_mapping(still))[1]
    assert note == (
        "fingers (left thumb, index, middle, ring and little, right thumb, index, middle, ring and little) "
        "never move in the motion: the target's stay at rest, unless you map their joints"
    )


def test_a_finger_of_which_one_joint_moves_is_kept_whole(still: Clip) -> None:
    moving = bent(still, np.linspace(0.0, 0.5, still.n_frames))
    assert not ignored(moving) & set(INDEX)
    assert "RightHandIndex1" in ignored(moving)


@pytest.mark.parametrize(("degrees", "flips"), [(85.0, False), (95.0, True)])
def test_a_finger_that_turns_by_more_than_a_right_angle_a_frame_flips(
    still: Clip, degrees: float, flips: bool
) -> None:
    angles = np.zeros(still.n_frames)
    angles[10:] = np.radians(degrees)
    flipping = bent(still, angles)
    assert bool(ignored(flipping) & set(INDEX)) == flips
    notes = ignore_fingers(flipping, own_mapping(flipping))[1]
    assert ("fingers (left index) flip by more than 90° a frame" in " ".join(notes)) == flips


def test_the_sign_of_a_quaternion_is_no_flip(still: Clip) -> None:
    moving = bent(still, np.linspace(0.0, 0.5, still.n_frames))
    signs = np.where(np.arange(still.n_frames) % 2, 1.0, -1.0)[:, None, None]
    assert ignored(replace(moving, rotations=signs * moving.rotations)) == ignored(moving)


def test_pairs_that_somebody_gave_are_kept(still: Clip) -> None:
    given = own_mapping(still).replaced({INDEX[0]: INDEX[0]})
    kept, _ = ignore_fingers(still, given)
    assert INDEX[0] in {pair.source for pair in kept.pairs}
    assert INDEX[1] not in {pair.source for pair in kept.pairs}


def test_the_fingers_of_a_pose_are_kept(still: Clip) -> None:
    assert ignored(still[:1]) == set()


def test_the_target_s_fingers_stay_at_rest_and_the_report_says_so(still: Clip) -> None:
    target = make_character(fingers=True, joint_names="mixamo").skeleton
    moved = transfer_motion(still, target)
    fingers = [n for n, name in enumerate(target.names) if "HandIndex" in name and name[-1] in "123"]
    assert np.abs(moved.rotations[:, fingers] - target.rest_rotations[fingers]).max() < 1e-12
    assert any(note.startswith("fingers (left thumb") for note in moved.report.notes)
    corrected = joint_mapping(still.skeleton, target).replaced({"Head": None})
    assert transfer_motion(still, target, corrected).report.notes == moved.report.notes

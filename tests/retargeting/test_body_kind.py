"""Bodies that do not correspond: a person, a fox, a camera."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.retargeting import joint_mapping
from motionloom.retargeting.body_kind import find_body_kind
from motionloom.synthesis import biped, walk

STATE_IT = "state which joints correspond with mapping= to retarget all the same"


def camera() -> ml.Clip:
    lens = ml.Skeleton(("Camera",), np.array([-1]), np.array([[0.0, 1.5, 0.0]]))
    return ml.Clip(lens, 1 / 30, np.zeros((4, 3)), np.tile(rot.IDENTITY, (4, 1, 1)))


def on_all_fours() -> ml.Skeleton:
    """The biped with its trunk along +Z and its arms down."""
    body = biped()
    offsets = np.array(body.offsets)
    for joint, name in enumerate(body.names):
        if name.startswith(("Spine", "Neck", "Head")):
            offsets[joint] = np.linalg.norm(offsets[joint]) * np.array([0.0, 0.0, 1.0])
        if name.endswith(("ForeArm", "Hand")):
            offsets[joint] = np.linalg.norm(offsets[joint]) * np.array([0.0, -1.0, 0.0])
    return replace(body, offsets=offsets)


def standing(skeleton: ml.Skeleton) -> ml.Clip:
    return ml.Clip(skeleton, 1 / 30, skeleton.offsets[:1], skeleton.rest_rotations[None])


def test_kinds_of_bodies() -> None:
    assert find_body_kind(walk(duration=0.5).clip) == "two-legged"
    assert find_body_kind(standing(on_all_fours())) == "four-legged"
    assert find_body_kind(camera()) == "without limbs"


def test_who_crawls_has_two_legs_all_the_same() -> None:
    """The rest pose stands, whatever the frames do."""
    clip = walk(duration=0.5).clip
    crawling = np.array(clip.rotations)
    crawling[:, 0] = rot.from_euler([np.pi / 2], "X")
    assert find_body_kind(replace(clip, rotations=crawling)) == "two-legged"


def test_frames_tell_where_the_rest_pose_does_not_stand() -> None:
    clip = walk(duration=0.5).clip
    # Thighs along the trunk's axis at rest: neither kind.
    folded = np.array(clip.skeleton.offsets)
    for joint, name in enumerate(clip.skeleton.names):
        if name in ("LeftLeg", "RightLeg", "LeftFoot", "RightFoot"):
            folded[joint] = np.linalg.norm(folded[joint]) * np.array([0.0, 0.0, 1.0])
    odd = replace(clip.skeleton, offsets=folded)
    assert find_body_kind(standing(odd)) == "unknown"
    turns = np.tile(rot.IDENTITY, (5, odd.n_joints, 1))
    for name in ("LeftUpLeg", "RightUpLeg"):
        turns[:, odd.index(name)] = rot.from_euler([np.pi / 2], "X")
    assert find_body_kind(ml.Clip(odd, 1 / 30, np.zeros((5, 3)), turns)) == "two-legged"


def test_a_person_does_not_become_a_camera() -> None:
    person = walk(duration=0.5).clip
    with pytest.raises(
        ParameterError, match=f"the target a single joint, and they have no limb in common; {STATE_IT}"
    ):
        ml.retarget(person, camera())
    with pytest.raises(ParameterError, match="the source is a single joint, the target a body of 22 joints"):
        ml.retarget(camera(), person.skeleton)


def test_two_legs_are_not_four_unless_the_user_says_so() -> None:
    person, animal = walk(duration=0.5).clip, on_all_fours()
    renamed = replace(animal, names=tuple(f"b_{name}" for name in animal.names))
    with pytest.raises(
        ParameterError, match=f"the source stands on two legs, the target on four; {STATE_IT}"
    ):
        ml.retarget(person, renamed)
    mapping = joint_mapping(person.skeleton, renamed)
    assert ml.retarget(person, renamed, mapping=mapping).clip.n_frames == person.n_frames


def test_a_captured_person_and_a_fox(mocap: Path) -> None:
    person = ml.load(mocap / "locomotion/s16/walk_straight_16_15.bvh")
    fox = ml.load(mocap / "dialects/fbx_gltf/Fox.glb", animation="Walk")
    with pytest.raises(ParameterError, match="the source stands on two legs, the target on four"):
        ml.retarget(person, fox)
    with pytest.raises(ParameterError, match="the source stands on four legs, the target on two"):
        ml.retarget(fox, person)

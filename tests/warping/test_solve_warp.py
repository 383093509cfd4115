"""Reaches: joints come to their places, alone and together, with the chain that suits them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.ik.chain_ik import Goal, find_chain, solve_chains
from motionloom.motion import Clip
from motionloom.synthesis import punch, stand, walk
from motionloom.warping import Key, pose_keys, warp
from tests.figures import smooth_clip
from tests.warping.measuring import angle_between


def place(clip: Clip, joint: str, frame: int, by: tuple[float, float, float] = (0, 0, 0)) -> FloatArray:
    """Where a joint is in a frame, moved by some metres."""
    return np.asarray(clip.world_positions()[frame, clip.skeleton.index(joint)] + np.array(by))


def names(clip: Clip, joint: str) -> list[str]:
    return [clip.skeleton.names[j] for j in find_chain(clip, clip.skeleton.index(joint)).joints]


def test_times_outside_the_clip_are_refused() -> None:
    with pytest.raises(
        ParameterError, match="the key of the root at 5 s lies outside the clip, which runs from 0 to 0"
    ):
        warp(smooth_clip(20), [Key(5.0, move=(0, 0, 0))])


def test_the_root_is_known_by_its_name_too() -> None:
    clip = smooth_clip(20)
    for named in (Key(0.1, "root", reach=(1, 2, 3)), Key(0.1, reach=(1, 2, 3))):
        np.testing.assert_allclose(warp(clip, [named]).clip.root_positions[6], [1, 2, 3], atol=1e-9)
    with pytest.raises(ParameterError, match="two keys say rotate and rotate of the root"):
        warp(clip, [Key(0.1, "root", rotate=(0, 0, 1)), Key(0.1, rotate=(0, 1, 0))])


def test_a_joint_that_only_the_root_carries_cannot_reach() -> None:
    with pytest.raises(ParameterError, match="is a reach, but only the root is above it"):
        warp(smooth_clip(20), [Key(0.1, "left", reach=(0, 0, 0))])


def test_arms_take_the_spine_along_and_legs_do_not() -> None:
    clip = stand(duration=0.5).clip
    assert names(clip, "LeftFoot") == ["LeftUpLeg", "LeftLeg"]
    assert names(clip, "LeftHand") == ["Spine", "Spine1", "Spine2", "LeftShoulder", "LeftArm", "LeftForeArm"]
    chain = find_chain(clip, clip.skeleton.index("LeftHand"))
    assert chain.mobility[0] < chain.mobility[3] < chain.mobility[4]
    assert find_chain(clip, clip.skeleton.index("LeftFoot")).keeps_world


def test_a_hand_reaches_to_a_micrometre_and_elbows_turn_about_their_hinge() -> None:
    clip = punch(duration=1.2).clip
    target = place(clip, "RightHand", 40, (0.1, -0.05, -0.1))
    result = warp(clip, [Key(40 / 60, "RightHand", reach=target)])
    np.testing.assert_allclose(place(result.clip, "RightHand", 40), target, atol=1e-6)
    elbow = next(key for key in result.report.warp.keys if key.joint == "RightForeArm")
    hinge = find_chain(clip, clip.skeleton.index("RightHand")).hinges[clip.skeleton.index("RightForeArm")]
    assert abs(np.asarray(elbow.rotate) @ hinge.axis) > 0.97 * np.linalg.norm(np.asarray(elbow.rotate))


@pytest.mark.parametrize("frame", [0, 72])
def test_reaches_at_the_ends_of_the_clip(frame: int) -> None:
    clip = punch(duration=1.2).clip
    target = place(clip, "RightHand", frame, (0.1, 0.1, 0.1))
    result = warp(clip, [Key(frame / 60, "RightHand", reach=target, ease=0.2)])
    np.testing.assert_allclose(place(result.clip, "RightHand", frame), target, atol=1e-6)
    np.testing.assert_array_equal(result.clip.rotations[36], clip.rotations[36])


def test_the_spine_does_what_the_arm_cannot() -> None:
    clip = stand(duration=0.5).clip
    hand, shoulder = place(clip, "LeftHand", 15), place(clip, "LeftArm", 15)
    sizes = []
    for distance in (0.4, 0.75):
        target = shoulder + distance * np.array([0.0, 0.0, 1.0])
        result = warp(clip, [Key(0.25, "LeftHand", reach=target)])
        assert result.report.unreached == ()
        sizes.append(max(np.linalg.norm(k.vector) for k in result.report.warp.keys if "Spine" in k.joint))
    assert sizes[1] > 1.5 * sizes[0]
    assert np.linalg.norm(hand - shoulder) < 0.75


@pytest.mark.slow
def test_what_is_out_of_reach_is_said_and_approached() -> None:
    clip = stand(duration=0.5).clip
    far = place(clip, "LeftHand", 15, (0.0, 0.0, 5.0))
    result = warp(clip, [Key(0.25, "LeftHand", reach=far)])
    (outcome,) = result.report.unreached
    assert outcome.distance > 3.0
    assert "out of reach" in str(result.report)
    near = np.linalg.norm(place(result.clip, "LeftHand", 15) - far)
    assert near < np.linalg.norm(place(clip, "LeftHand", 15) - far) - 0.5


def test_a_straight_arm_draws_in() -> None:
    clip = stand(duration=0.5).clip
    arm = clip.skeleton.index("LeftArm")
    straight = np.array(clip.rotations)
    straight[:, clip.skeleton.index("LeftForeArm")] = rot.IDENTITY
    straight[:, clip.skeleton.index("LeftHand")] = rot.IDENTITY
    clip = Clip(clip.skeleton, clip.frame_time, clip.root_positions, straight)
    hand, shoulder = place(clip, "LeftHand", 15), np.asarray(clip.world_positions()[15, arm])
    result = warp(clip, [Key(0.25, "LeftHand", reach=shoulder + 0.6 * (hand - shoulder))])
    assert result.report.unreached == ()


def test_orientation_and_point_of_the_end() -> None:
    clip = punch(duration=1.2).clip
    target, turned = place(clip, "RightHand", 40, (0.0, 0.1, -0.1)), rot.from_yaw(1.0)
    tip = np.array([0.0, -0.1, 0.05])
    result = warp(clip, [Key(40 / 60, "RightHand", reach=target, orient=turned, point=tip)])
    hand = clip.skeleton.index("RightHand")
    assert angle_between(result.clip.world_rotations()[40, hand], turned) < 1e-6
    np.testing.assert_allclose(
        place(result.clip, "RightHand", 40) + rot.rotate(turned, tip), target, atol=1e-6
    )
    assert result.report.outcomes[0].distance < 1e-6
    free = warp(clip, [Key(40 / 60, "RightHand", reach=target, point=tip)])
    end = free.clip.world_rotations()[40, hand]
    np.testing.assert_allclose(place(free.clip, "RightHand", 40) + rot.rotate(end, tip), target, atol=1e-6)


def test_a_foot_keeps_its_rotation_in_the_world() -> None:
    clip = walk(duration=1.0).clip
    target = place(clip, "LeftFoot", 30, (0.0, 0.1, 0.05))
    result = warp(clip, [Key(0.5, "LeftFoot", reach=target)])
    foot = clip.skeleton.index("LeftFoot")
    assert angle_between(result.clip.world_rotations()[30, foot], clip.world_rotations()[30, foot]) < 1e-6
    np.testing.assert_allclose(place(result.clip, "LeftFoot", 30), target, atol=1e-6)


def test_both_hands_at_one_moment_and_one_of_them_again() -> None:
    clip = stand(duration=1.0).clip
    keys = [
        Key(0.4, "LeftHand", reach=place(clip, "LeftHand", 24, (0.1, 0.4, 0.35))),
        Key(0.4, "RightHand", reach=place(clip, "RightHand", 24, (0.0, 0.3, 0.4))),
        Key(0.6, "LeftHand", reach=place(clip, "LeftHand", 36, (0.0, 0.1, 0.3))),
        Key(0.5, "Spine", rotate=(0.2, 0, 0)),
    ]
    report = warp(clip, keys).report
    assert len(report.outcomes) == 3
    assert max(outcome.distance for outcome in report.outcomes) < 1e-6


def test_keys_of_the_user_stay_as_they_are() -> None:
    clip = punch(duration=1.2).clip
    held = Key(40 / 60, "RightArm", rotate=(0.0, 0.2, 0.1))
    target = place(clip, "RightHand", 40, (0.0, 0.05, -0.05))
    result = warp(clip, [held, Key(40 / 60, "RightHand", reach=target)])
    assert held in result.report.warp.keys
    assert result.report.unreached == ()


@pytest.mark.slow
@given(st.integers(0, 60))
def test_reachable_places_are_reached_wherever_they_are(seed: int) -> None:
    clip = stand(duration=0.5).clip
    rng = np.random.default_rng(seed)
    hand = clip.skeleton.index("RightHand")
    shoulder = place(clip, "RightArm", 15)
    way = rng.normal(size=3) * [1.0, 1.0, 0.3] + [0.0, 0.0, 0.8]
    target = shoulder + rng.uniform(0.2, 0.5) * way / np.linalg.norm(way)
    _, left = solve_chains(clip[15], [Goal(find_chain(clip, hand), np.zeros(3), target)])
    assert left[0] < 1e-6


def test_orientations_are_met_beside_scales() -> None:
    clip = smooth_clip(40)
    wanted = rot.from_rotation_vector([0.5, -0.2, 0.1])
    keys = [
        Key(0.25, "left", orient=wanted),
        Key(0.2, "left", scale=1.6),
        Key(0.4, "left", rotate=(0.1, 0, 0)),
    ]
    result = warp(clip, keys)
    assert angle_between(result.clip.rotations[15, 1], wanted) < 1e-9
    assert result.report.outcomes[0].angle < 1e-6


def test_a_whole_pose_is_taken() -> None:
    clip = smooth_clip(40)
    pose = clip[35]
    result = warp(clip, pose_keys(10 / 60, pose))
    assert angle_between(result.clip.rotations[10], pose.rotations) < 1e-9
    np.testing.assert_allclose(result.clip.root_positions[10], pose.root_positions, atol=1e-9)
    assert angle_between(result.clip.world_rotations()[10], pose.world_rotations()) < 1e-9


def test_the_root_reaches_with_a_turn_and_a_move_in_the_same_layer() -> None:
    clip = smooth_clip(40)
    keys = [
        Key(0.2, rotate=(0, 0.8, 0)),
        Key(0.4, move=(0, 0.3, 0)),
        Key(0.5, reach=(3, 1, 2), orient=(0, 0.5, 0)),
    ]
    result = warp(clip, keys)
    np.testing.assert_allclose(result.clip.root_positions[30], [3, 1, 2], atol=1e-9)
    assert angle_between(result.clip.rotations[30, 0], rot.from_yaw(0.5)) < 1e-9

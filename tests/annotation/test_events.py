"""Flexion extremes and apexes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.annotation import AnnotationSettings, annotate
from motionloom.annotation.events import (
    apex_events,
    bend_angles,
    flexion_events,
    foot_contacts,
    gait_events,
    swing_angles,
)
from motionloom.annotation.labels import APEX, EXTENSION, FLEXION, LIFT, MID_SWING, STRIKE
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Constraint, Skeleton
from motionloom.motion.anatomy import find_anatomy
from motionloom.synthesis import (
    SyntheticMotion,
    idle,
    jog,
    kick,
    punch,
    reach_out,
    stand,
    turn_in_place,
    walk,
)

SETTINGS = AnnotationSettings()


def test_angles_of_a_known_pose() -> None:
    chain = Skeleton(
        ("hip", "knee", "ankle"), np.array([-1, 0, 1]), np.array([[0, 0, 0], [0, -1.0, 0], [0, -1.0, 0]])
    )
    forward, back = (rot.from_axis_angle([1.0, 0.0, 0.0], angle) for angle in (-0.4, 0.9))
    clip = Clip(chain, 0.1, np.zeros((1, 3)), np.array([[forward, back, rot.IDENTITY]]))
    assert swing_angles(clip, 0, 1) == pytest.approx([0.4])
    assert bend_angles(clip, 0, 1, 2) == pytest.approx([0.9])


def test_still_figures_have_no_events() -> None:
    for clip in (stand().clip, idle().clip):
        anatomy = find_anatomy(clip.skeleton)
        assert flexion_events(clip, anatomy, SETTINGS.flexion, SETTINGS.smoothing) == []
        assert apex_events(clip, anatomy, SETTINGS.excursion, SETTINGS.smoothing) == []


def test_hips_and_shoulders_of_a_walk_swing_once_per_cycle_and_against_each_other() -> None:
    motion = walk(duration=5.0)
    clip = motion.clip
    events = flexion_events(clip, find_anatomy(clip.skeleton), SETTINGS.flexion, SETTINGS.smoothing)
    frames = np.arange(clip.n_frames)

    def phases(joint: str, label: str) -> list[float]:
        at = [event.frame for event in events if (event.joint, event.label) == (joint, label)]
        return list(np.interp(at, frames, motion.phase))

    for joint in ("LeftArm", "RightArm", "LeftUpLeg", "RightUpLeg"):
        for label in (FLEXION, EXTENSION):
            assert np.diff(phases(joint, label)) == pytest.approx(1.0, abs=0.05)
    # The arm swings forward with the leg of the other side.
    apart = (phases("LeftArm", FLEXION)[0] - phases("RightArm", FLEXION)[0]) % 1.0
    assert apart == pytest.approx(0.5, abs=0.05)


def test_noise_makes_no_events() -> None:
    clip = stand(duration=2.0).clip
    shake = np.random.default_rng(1).normal(scale=0.01, size=(*clip.rotations.shape[:2], 3))
    shaken = replace(clip, rotations=rot.multiply(clip.rotations, rot.from_rotation_vector(shake)))
    assert flexion_events(shaken, find_anatomy(clip.skeleton), SETTINGS.flexion, SETTINGS.smoothing) == []


@pytest.mark.parametrize(
    ("clip", "joint"),
    [
        (kick(style="front", side="right").clip, "RightFoot"),
        (kick(style="high", side="left").clip, "LeftFoot"),
    ],
)
def test_a_kick_has_one_apex_of_a_foot_at_the_hit(clip: Clip, joint: str) -> None:
    apexes = [e for e in annotate(clip).events if e.label == APEX and e.joint.endswith("Foot")]
    assert [event.joint for event in apexes] == [joint]
    assert apexes[0].frame == pytest.approx((clip.n_frames - 1) / 2, abs=2.0)


@pytest.mark.parametrize("clip", [punch().clip, reach_out().clip])
def test_a_punch_and_a_reach_have_an_apex_of_the_hand(clip: Clip) -> None:
    assert any(event.label == APEX and event.joint.endswith("Hand") for event in annotate(clip).events)


@pytest.mark.parametrize(
    ("name", "hand", "frame"),
    [
        ("punches/punch_high1_02_05_r0091-0265.bvh", "RightHand", 77),
        ("punches/punch_high2_02_05_r0265-0440.bvh", "RightHand", 78),
        ("punches/punch_low1_02_05_r1137-1313.bvh", "RightHand", 71),
        ("punches/punch_low2_02_05_r1495-1681.bvh", "RightHand", 77),
        ("reaches/reach_high_left_144_22_r0157-0339.bvh", "LeftHand", 100),
        ("reaches/reach_high_centre_144_22_r0701-0883.bvh", "LeftHand", 94),
        ("reaches/reach_low_centre_144_22_r2351-2593.bvh", "LeftHand", 116),
        ("reaches/reach_low_left_144_22_r2841-3096.bvh", "LeftHand", 106),
    ],
)
def test_captured_punches_and_reaches_have_one_apex_where_the_hand_is_out(
    mocap: Path, name: str, hand: str, frame: int
) -> None:
    """The frames were measured when the clips were cut; a hand stays out for about a tenth of a second."""
    clip = annotate(ml.load(mocap / "actions" / name))
    apexes = [event.frame for event in clip.events if (event.label, event.joint) == (APEX, hand)]
    assert apexes == pytest.approx([frame], abs=0.1 * clip.fps)


def test_eight_captured_punches_in_turn(mocap: Path) -> None:
    clip = annotate(ml.load(mocap / "actions" / "punches" / "punches_143_23.bvh"))
    apexes = [event.joint for event in clip.events if event.label == APEX and event.joint.endswith("Hand")]
    assert apexes == ["LeftHand", "RightHand"] * 4


def test_a_contact_lasts_from_the_first_plant_to_the_last() -> None:
    clip = stand(duration=2.0).clip
    left = find_anatomy(clip.skeleton).legs[0]
    plants = (
        Constraint("LeftFoot", "heel", 10, 30),
        Constraint("LeftToeBase", "toe", 34, 50),
        Constraint("LeftToeBase", "toe", 70, 90),
        Constraint("LeftFoot", "lace", 0, 120),
        Constraint("RightFoot", "heel", 0, 120),
    )
    assert foot_contacts(replace(clip, constraints=plants), left) == [(10.0, 50.0), (70.0, 90.0)]


def test_contacts_cut_by_the_clip_give_no_events() -> None:
    clip = stand(duration=2.0).clip
    plants = (Constraint("LeftFoot", "heel", 2, 40), Constraint("LeftFoot", "heel", 70, 119))
    events = gait_events(replace(clip, constraints=plants))
    assert [(event.label, event.frame) for event in events if event.label != MID_SWING] == [
        (STRIKE, 70.0),
        (LIFT, 40.0),
    ]


@pytest.mark.parametrize("make", [walk, jog])
def test_events_of_a_gait_are_at_its_phases(make: Callable[..., SyntheticMotion]) -> None:
    motion = make(duration=4.0, fps=60)
    events = gait_events(replace(motion.clip, constraints=motion.plants))
    frames = np.arange(motion.clip.n_frames)
    for label, side, phase in ((STRIKE, "Left", 0.0), (STRIKE, "Right", 0.5)):
        at = [e.frame for e in events if e.label == label and e.joint == side + "Foot"]
        assert len(at) >= 2
        apart = np.interp(at, frames, motion.phase) - phase
        assert apart == pytest.approx(np.rint(apart), abs=1e-3)


def test_in_mid_swing_the_feet_are_side_by_side() -> None:
    motion = walk(duration=4.0)
    clip = replace(motion.clip, constraints=motion.plants)
    z = clip.world_positions()[:, :, 2]
    ahead = z[:, clip.skeleton.index("LeftFoot")] - z[:, clip.skeleton.index("RightFoot")]
    mids = [event.frame for event in gait_events(clip) if event.label == MID_SWING]
    assert len(mids) >= 5
    assert np.interp(mids, np.arange(len(ahead)), ahead) == pytest.approx(np.zeros(len(mids)), abs=0.005)


def test_on_the_spot_a_foot_is_highest_in_mid_swing() -> None:
    motion = turn_in_place(turn=0.1)
    clip = replace(motion.clip, constraints=motion.plants)
    mids = [event for event in gait_events(clip) if event.label == MID_SWING]
    assert len(mids) == 2
    for event in mids:
        heights = clip.world_positions()[:, clip.skeleton.index(event.joint), 1]
        assert heights[round(event.frame)] == pytest.approx(heights.max(), abs=1e-3)

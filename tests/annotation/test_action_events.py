"""Flexion extremes and apexes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.annotation import AnnotationSettings, annotate
from motionloom.annotation.action_events import apex_events, bend_angles, flexion_events, swing_angles
from motionloom.annotation.labels import APEX, EXTENSION, FLEXION
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Skeleton
from motionloom.motion.anatomy import find_anatomy
from motionloom.synthesis import idle, kick, punch, reach_out, stand, walk


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
        anatomy, settings = find_anatomy(clip.skeleton), AnnotationSettings()
        assert flexion_events(clip, anatomy, settings) == []
        assert apex_events(clip, anatomy, settings) == []


def test_hips_and_shoulders_of_a_walk_swing_once_per_cycle_and_against_each_other() -> None:
    motion = walk(duration=5.0)
    clip = motion.clip
    events = flexion_events(clip, find_anatomy(clip.skeleton), AnnotationSettings())
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
    assert flexion_events(shaken, find_anatomy(clip.skeleton), AnnotationSettings()) == []


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

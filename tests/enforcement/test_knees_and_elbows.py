"""Knees, elbows, the seat and hands that stay where they rest."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from motionloom.annotation import annotate
from motionloom.arrays import FloatArray
from motionloom.blending import blend
from motionloom.enforcement import enforce
from motionloom.errors import RegistrationWarning
from motionloom.files import load_clip
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Constraint
from motionloom.registration import register
from motionloom.synthesis import stand
from tests.enforcement.measuring import way_of

FPS = 30.0


def swaying(*constraints: Constraint) -> Clip:
    """Somebody who stands and sways sideways by 2 cm, with these constraints."""
    clip = stand(duration=2.0, fps=FPS).clip
    sway = 0.02 * np.sin(2.0 * np.pi * np.arange(clip.n_frames) / FPS)[:, None] * [1.0, 0.0, 0.3]
    return replace(clip, root_positions=clip.root_positions + sway, constraints=constraints)


def spread_of(plant: Constraint, clip: Clip) -> float:
    """The farthest that a held point is from its mean, metres."""
    way = way_of(plant, clip)
    return float(np.linalg.norm(way - way.mean(axis=0), axis=1).max())


@pytest.mark.parametrize(
    ("joint", "kind"),
    [("LeftLeg", "knee"), ("RightForeArm", "elbow"), ("Hips", "seat"), ("LeftHand", "hand")],
)
def test_a_held_joint_stays_where_it_is(joint: str, kind: str) -> None:
    plant = Constraint(joint, kind, 15, 45)
    clip = swaying(plant)
    held = enforce(clip)
    assert spread_of(plant, clip) > 0.01
    assert spread_of(plant, held.clip) < 1e-5
    assert held.report.all_kept
    # Corrections ease out within a quarter of a second.
    np.testing.assert_allclose(held.clip.world_positions()[:5], clip.world_positions()[:5], atol=1e-9)
    assert largest_speed(held.clip) < largest_speed(clip) + 0.5
    again = enforce(held)
    np.testing.assert_allclose(again.clip.world_positions(), held.clip.world_positions(), atol=1e-4)


def largest_speed(clip: Clip) -> float:
    return float(np.linalg.norm(np.diff(clip.world_positions(), axis=0), axis=-1).max() * clip.fps)


def test_a_knee_and_its_foot_are_held_together() -> None:
    """The body and the thigh move; the shin turns about the ankle, which stays."""
    foot, knee = Constraint("LeftFoot", "heel", 0, 60), Constraint("LeftLeg", "knee", 15, 45)
    held = enforce(swaying(foot, knee))
    assert spread_of(knee, held.clip) < 0.001
    assert spread_of(foot, held.clip) < 0.002


def test_rigid_bones_stay_rigid() -> None:
    plant = Constraint("LeftLeg", "knee", 0, 60)
    clip = swaying(plant)
    held = enforce(clip, stretch=0.0)
    lengths = [bone_length(each) for each in (clip, held.clip)]
    np.testing.assert_allclose(lengths[0], lengths[1], atol=1e-9)
    assert spread_of(plant, held.clip) < 1e-4


def bone_length(clip: Clip) -> FloatArray:
    thigh = clip.world_positions()[:, clip.skeleton.index("LeftLeg")]
    return np.asarray(
        np.linalg.norm(thigh - clip.world_positions()[:, clip.skeleton.index("LeftUpLeg")], axis=1)
    )


def test_captured_hands_do_not_slide(mocap: Path) -> None:
    """In a cartwheel hands roll by 4 cm over the floor, and on a ladder they slip by 9 cm."""
    for name in ("90/90_02", "13/13_33"):
        held = enforce(annotate(load_clip(mocap / "library" / f"{name}.bvh"), parts="all"))
        hands = [c for c in held.clip.constraints if c.kind == "hand"]
        assert len(hands) >= 2
        assert max(spread_of(hand, held.clip) for hand in hands) < 0.001


@pytest.mark.parametrize("name", ["111/111_06", "111/111_07"])
def test_captured_elbows_do_not_slide_below_somebody_who_sits(name: str, mocap: Path) -> None:
    """The seat holds the body and the chest moves: collar bones and hands turn to reach the elbows."""
    clip = annotate(load_clip(mocap / "library" / f"{name}.bvh"), parts="all")
    held = enforce(clip)
    plants = [c for c in held.clip.constraints if c.kind in ("elbow", "hand", "knee", "seat")]
    assert max(spread_of(c, clip) for c in plants if c.kind == "elbow") > 0.03
    assert max(spread_of(c, held.clip) for c in plants) < 0.001


@pytest.mark.parametrize("point", [np.zeros(3), np.array([0.06, 0.0, 0.0])])
def test_an_elbow_and_its_hand_are_held_together_while_the_seat_is(point: FloatArray) -> None:
    clip = swaying(
        Constraint("Hips", "seat", 10, 50),
        Constraint("LeftForeArm", "elbow", 15, 45),
        Constraint("LeftHand", "hand", 20, 55, point),
    )
    # The chest rocks on hips that stay.
    spine = clip.skeleton.index("Spine")
    rock = rot.from_axis_angle([1.0, 0.0, 0.0], 0.05 * np.sin(np.arange(clip.n_frames) / 5.0))
    rotations = np.array(clip.rotations)
    rotations[:, spine] = rot.multiply(rotations[:, spine], rock)
    clip = replace(clip, rotations=rotations)
    held = enforce(clip)
    for plant in held.clip.constraints:
        assert spread_of(plant, clip) > 0.005
        assert spread_of(plant, held.clip) < 0.001, plant.kind
    again = enforce(held)
    np.testing.assert_allclose(again.clip.world_positions(), held.clip.world_positions(), atol=1e-3)


def test_a_seat_that_is_held_keeps_the_feet_planted(mocap: Path) -> None:
    held = enforce(annotate(load_clip(mocap / "library/75/75_20.bvh"), parts=("feet", "seat")))
    seat = [c for c in held.clip.constraints if c.kind == "seat"]
    assert seat
    assert max(spread_of(c, held.clip) for c in seat) < 1e-6
    assert held.report.unreached == ()


@pytest.mark.slow
def test_hands_are_matched_blended_and_held_like_feet(mocap: Path) -> None:
    """Two cartwheels of one person: both hands of the blend stay where they are."""
    clips = [
        annotate(load_clip(mocap / "library/90" / name), parts="all")[60:150]
        for name in ("90_02.bvh", "90_04.bvh")
    ]
    with pytest.warns(RegistrationWarning, match="doubtful"):
        curve = register(clips)
    assert {match.joint for match in curve.matches if match.kind == "hand"} == {"LeftHand", "RightHand"}
    held = enforce(blend(curve, [0.5, 0.5]).clip)
    hands = [c for c in held.clip.constraints if c.kind == "hand"]
    assert {hand.joint for hand in hands} == {"LeftHand", "RightHand"}
    assert max(spread_of(hand, held.clip) for hand in hands) < 0.001

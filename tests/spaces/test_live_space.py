"""Spaces that are asked for something else while they play."""

from __future__ import annotations

import numpy as np
import pytest

from motionloom.arrays import FloatArray
from motionloom.cycles import cyclify
from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Pose
from motionloom.spaces import parameters
from motionloom.spaces.space import MotionSpace
from motionloom.synthesis import turn_in_place, walk
from tests.refusals import refused


def hand_of(pose: Pose) -> FloatArray:
    return np.array(pose.world_positions()[pose.skeleton.index("RightHand")])


def test_a_space_without_hands_cannot_be_held() -> None:
    turns = MotionSpace(
        [turn_in_place(turn=angle, fps=30).clip for angle in (0.5, 1.5)], {"turn": parameters.turn()}
    )
    live = turns.live({"turn": 1.0})
    with pytest.raises(ParameterError, match="hold needs a parameter that is the position of a hand or foot"):
        live.step(1 / 30, {"turn": 1.0}, hold=True)
    for _ in range(200):
        live.step(1 / 30, {"turn": 1.0})
    assert live.finished


def test_a_held_hand_follows_a_target_without_a_jump(reach_space: MotionSpace, reaches: list[Clip]) -> None:
    live = reach_space.live({"hand": (-0.2, 1.0)})
    for _ in range(60):
        pose = live.step(1 / 60, {"hand": (-0.2, 1.0)})
    for _ in range(120):
        pose = live.step(1 / 60, {"hand": (-0.2, 1.0)}, hold=True)
    assert live.holds
    np.testing.assert_allclose(hand_of(pose)[:2], [-0.2, 1.0], atol=2e-3)
    previous, farthest, errors = hand_of(pose), 0.0, []
    for n in range(240):  # a target that moves at 0.2 m/s
        angle = 2.0 * n / 60.0
        goal = (-0.15 + 0.05 * np.cos(angle), 1.1 + 0.1 * np.sin(angle))
        pose = live.step(1 / 60, {"hand": goal}, hold=True)
        errors.append(float(np.linalg.norm(hand_of(pose)[:2] - goal)))
        farthest = max(farthest, float(np.linalg.norm(hand_of(pose) - previous)))
        previous = hand_of(pose)
    assert max(errors[60:]) < 0.01
    fastest = max(
        float(np.linalg.norm(clip.world_velocities()[:, clip.skeleton.index("RightHand")], axis=-1).max())
        for clip in reaches
    )
    assert farthest * 60.0 < 1.5 * fastest


def test_the_point_and_the_frame_of_a_position_are_held(reaches: list[Clip]) -> None:
    placed = [clip.placed(GroundTransform(0.9, 2.0, 1.0)) for clip in reaches[:2]]
    for frame in ("start", "world"):
        hand = parameters.position("RightHand", axes="y", frame=frame, point=(0.1, 0.05, 0.0))
        space = MotionSpace(placed, {"hand": hand}, accuracy=0.05, extrapolation=0.0)
        live = space.live([1.1])
        for _ in range(60):
            pose = live.step(1 / 30, [1.1], hold=True)
        joint = pose.skeleton.index("RightHand")
        offset = rot.rotate(pose.world_rotations()[joint], np.array([0.1, 0.05, 0.0]))
        assert hand_of(pose)[1] + offset[1] == pytest.approx(1.1, abs=1e-6)
    sideways = parameters.position("RightHand", axes="xy", frame="world")
    space = MotionSpace(
        [clip.placed(GroundTransform(0.9, 2.0, 1.0)) for clip in reaches], {"hand": sideways}, accuracy=0.05
    )
    goal = space.examples.mean(axis=0)
    live = space.live(goal)
    for _ in range(60):
        pose = live.step(1 / 30, goal, hold=True)
    np.testing.assert_allclose(hand_of(pose)[:2], goal, atol=1e-6)
    assert live.distance(pose, goal) < 1e-6


@pytest.mark.parametrize("hold", [False, True])
def test_time_that_makes_no_sense(reach_space: MotionSpace, hold: bool) -> None:
    live = reach_space.live((-0.2, 1.0))
    for _ in range(40):
        live.step(1 / 30, (-0.2, 1.0), hold=True)
    for dt in (np.nan, np.inf):
        with refused("dt"):
            live.step(dt, (-0.2, 1.0), hold=hold)


def test_letting_go_leads_to_the_end(reach_space: MotionSpace) -> None:
    live = reach_space.live({"hand": (-0.2, 1.0)})
    for _ in range(100):
        live.step(1 / 60, {"hand": (-0.2, 1.0)}, hold=True)
    assert live.holds
    assert not live.finished
    for _ in range(200):
        pose = live.step(1 / 60, {"hand": (-0.2, 1.0)})
    assert live.finished
    assert not live.holds
    np.testing.assert_array_equal(pose.rotations, live.blend.pose.rotations)


@pytest.mark.parametrize("played", [40, 75, 89])
def test_a_motion_that_is_held_late_goes_back_to_its_moment(
    reach_space: MotionSpace, reaches: list[Clip], played: int
) -> None:
    goal = (-0.2, 1.0)
    early, late = reach_space.live(goal), reach_space.live(goal)
    for _ in range(150):
        early.step(1 / 60, goal, hold=True)
    for _ in range(played):
        pose = late.step(1 / 60, goal)
    previous, fastest = pose.world_positions(), 0.0
    for _ in range(150):
        pose = late.step(1 / 60, goal, hold=True)
        fastest = max(fastest, float(np.linalg.norm(pose.world_positions() - previous, axis=-1).max()) * 60.0)
        previous = pose.world_positions()
    assert late.holds
    assert late.blend.u == pytest.approx(early.blend.u, abs=1e-6)
    np.testing.assert_allclose(hand_of(pose)[:2], goal, atol=1e-6)
    usual = max(float(np.linalg.norm(clip.world_velocities(), axis=-1).max()) for clip in reaches)
    assert fastest < 1.2 * usual


def test_a_motion_comes_to_rest_and_gets_going_evenly(reach_space: MotionSpace) -> None:
    goal = (-0.2, 1.0)
    live = reach_space.live(goal)
    places = []
    for n in range(230):
        live.step(1 / 60, goal, hold=n < 200)
        places.append(live.blend.u)
    steps = np.diff(places)
    assert steps[150:199].max() == 0.0
    assert steps[-1] > 0.2
    # The pace changes by a fifteenth per step, not at once.
    assert np.abs(np.diff(steps)).max() < 0.12 * steps.max()


def test_a_walk_that_is_held_late_goes_on_to_the_next_moment() -> None:
    loops = [cyclify(walk(speed=speed, duration=4.0, fps=30).clip, cycles=1) for speed in (0.9, 1.3, 1.6)]
    space = MotionSpace(loops, {"foot": parameters.position("LeftFoot", "fastest", axes="z")}, accuracy=0.05)
    goal = space.examples.mean(axis=0)
    live = space.live(goal)
    period = float(np.ptp(space.curve.domain))
    moment = float(space.blends.moments["foot"].mean()) % period
    while not 0.3 * period < (live.blend.u - moment) % period < 0.6 * period:
        live.step(1 / 30, goal)
    before = live.blend.cycles + live.blend.u / period
    for _ in range(90):
        live.step(1 / 30, goal, hold=True)
    assert live.holds
    assert live.blend.cycles + live.blend.u / period > before

"""Parameters of motion against what motions were made with."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from motionloom.errors import MotionloomError, ParameterError
from motionloom.geometry import GroundTransform
from motionloom.motion import Clip
from motionloom.spaces import parameters
from motionloom.spaces.measures import Parameter, sample_at
from motionloom.synthesis import kick, reach_out, turn_in_place, walk
from tests.motion.rigs import hold_still


def value(parameter: Parameter, clip: Clip) -> float:
    return float(parameter.measure(clip)[0])


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: parameters.position(3), "joint must be"),  # type: ignore[arg-type]
        (lambda: parameters.position("RightHand", axes="xq"), "axes must be some of 'xyz', each once"),
        (lambda: parameters.position("RightHand", axes="xx"), "each once, not 'xx'"),
        (lambda: parameters.position("RightHand", frame="hips"), "frame must be"),  # type: ignore[arg-type]
        (lambda: parameters.position("RightHand", " "), "at must be a moment"),
        (lambda: parameters.position("RightHand", -1.0), "at must be"),
        (lambda: parameters.step_length(0), "step must be"),
        (lambda: parameters.custom(3), "must be a function of a clip, not 3"),  # type: ignore[arg-type]
        (lambda: parameters.custom(len, names=()), "there are none"),
        (lambda: parameters.clearance("LeftFoot", float("nan")), "ahead must be"),
    ],
)
def test_what_makes_no_parameter(make: Callable[[], Parameter], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        make()


def test_what_a_clip_does_not_have() -> None:
    clip = walk(duration=1.0, fps=30).clip
    with pytest.raises(MotionloomError, match="no joint 'Tail'"):
        parameters.position("Tail").measure(clip)
    with pytest.raises(ParameterError, match="so it has no step 9"):
        parameters.step_length(9).measure(clip)
    with pytest.raises(ParameterError, match="never passes the place 50 m ahead"):
        parameters.clearance("LeftFoot", 50.0).measure(clip)
    with pytest.raises(ParameterError, match="a clip of 1 frames has no speed"):
        parameters.speed().measure(clip[:1])
    with pytest.raises(ParameterError, match="what the function returned"):
        parameters.custom(lambda clip: [1.0, 2.0]).measure(clip)


def test_positions_are_relative_to_the_start_and_found_anywhere() -> None:
    clip = reach_out(target=(-0.2, 1.2, 0.45), fps=60).clip
    moved = clip.placed(GroundTransform(1.1, 5.0, -3.0))
    for hand in (parameters.position("RightHand"), parameters.position("right wrist")):
        np.testing.assert_allclose(hand.measure(clip), [-0.2, 1.2, 0.45], atol=2e-3)
        np.testing.assert_allclose(hand.measure(moved), hand.measure(clip), atol=1e-9)
    world = parameters.position("RightHand", frame="world")
    assert np.linalg.norm(world.measure(moved) - world.measure(clip)) > 3.0
    ahead = parameters.position("RightHand", axes="z")
    assert ahead.components == ("",)
    assert value(ahead, clip) == pytest.approx(0.45, abs=2e-3)
    joint, point = (
        parameters.position("RightHand", at=1.0, point=own).measure(clip) for own in ((0, 0, 0), (0, 0, 0.1))
    )
    assert np.linalg.norm(point - joint) == pytest.approx(0.1)
    with pytest.raises(ParameterError, match="point must lie within 100 m of its joint"):
        parameters.position("RightHand", point=(1e30, 0, 0))


def test_a_target_changes_only_the_axes_asked_for() -> None:
    clip = reach_out(target=(-0.2, 1.2, 0.45), fps=60).clip.placed(GroundTransform(0.7, 2.0, 1.0))
    parameter = parameters.position("RightHand", axes="y")
    target = parameter.target(clip, np.array([1.0]))
    assert target is not None
    now = clip.point_positions("RightHand", target.point)
    np.testing.assert_allclose(target.position - sample_at(now, target.frame), [0.0, -0.2, 0.0], atol=2e-3)
    assert target.position[1] == pytest.approx(1.0)


def test_direction_height_and_speed_of_a_joint() -> None:
    clip = reach_out(target=(-0.3, 1.1, 0.3), fps=60).clip
    assert value(parameters.direction("RightHand"), clip) == pytest.approx(-np.pi / 4, abs=0.02)
    foot = parameters.height("RightFoot")
    positions = kick(fps=60).clip.world_positions()
    joint = kick(fps=60).clip.skeleton.index("RightFoot")
    assert value(foot, kick(fps=60).clip) == pytest.approx(positions[:, joint, 1].max(), abs=5e-3)
    velocities = np.linalg.norm(kick(fps=60).clip.world_velocities()[:, joint], axis=-1)
    assert value(parameters.speed("RightFoot"), kick(fps=60).clip) == pytest.approx(velocities.max(), rel=0.1)


def test_travel_of_the_body() -> None:
    clip = walk(speed=1.3, curvature=0.4, duration=4.0, fps=60).clip
    assert value(parameters.speed(), clip) == pytest.approx(1.3, rel=0.02)
    assert value(parameters.turn_rate(), clip) == pytest.approx(0.52, rel=0.05)
    assert value(parameters.turn(), clip) == pytest.approx(2.08, rel=0.05)
    assert value(parameters.duration(), clip) == pytest.approx(4.0)
    assert value(parameters.turn(), turn_in_place(turn=-2.0, fps=60).clip) == pytest.approx(-2.0, abs=0.05)
    straight = walk(speed=1.0, duration=3.0, fps=60).clip
    np.testing.assert_allclose(parameters.end_place().measure(straight), [0.0, 3.0], atol=0.05)


def test_the_hips_of_a_body_that_is_not_the_root_of_its_rig() -> None:
    clip = walk(speed=1.3, duration=1.0, fps=30).clip
    for parameter in (parameters.height("hips", "lowest"), parameters.speed("hips")):
        np.testing.assert_allclose(parameter.measure(hold_still(clip)), parameter.measure(clip), atol=1e-9)


def test_an_end_between_frames() -> None:
    clip = walk(speed=1.3, duration=2.0, fps=30).clip
    assert parameters.duration().measure(clip, end=59.5)[0] == pytest.approx(59.5 / 30)
    early, late = (parameters.end_place().measure(clip, end=end)[1] for end in (59.0, 60.0))
    between = parameters.end_place().measure(clip, end=59.5)[1]
    assert early < between < late
    beyond = parameters.end_place().measure(clip, end=60.4)[1]
    assert late < beyond < late + (late - early)


def test_steps_and_clearance() -> None:
    motion = walk(speed=1.2, duration=3.0, fps=60)
    clip = replace(motion.clip, constraints=motion.plants)
    footholds = sorted(plant.start for plant in motion.plants if plant.kind == "heel" and plant.start > 0)
    assert len(footholds) >= 2
    first, second = (parameters.step_place(n).measure(clip) for n in (1, 2))
    assert second[1] > first[1]
    length = value(parameters.step_length(2), clip)
    assert length == pytest.approx(np.linalg.norm(second - first), abs=1e-9)
    over = parameters.clearance("LeftFoot", ahead=1.0, over=0.05)
    assert value(over, clip) == pytest.approx(value(parameters.clearance("LeftFoot", 1.0), clip) - 0.05)

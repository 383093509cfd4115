"""Heel and toe points."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionloom.annotation.soles import find_soles
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Constraint, Skeleton, Tip
from motionloom.motion.anatomy import find_anatomy
from motionloom.synthesis import jog, kick, stand, walk
from motionloom.synthesis.biped import HEEL_POINT, TOE_POINT


@pytest.mark.parametrize("clip", [walk().clip, jog().clip, stand().clip, kick().clip])
def test_heel_and_toe_are_where_the_built_in_body_has_them(clip: Clip) -> None:
    floor, soles = find_soles(clip, find_anatomy(clip.skeleton).legs)
    assert floor.height == 0.0
    assert not floor.is_tilted
    for sole in soles:
        assert sole.heel.point == pytest.approx(HEEL_POINT, abs=1e-6)
        assert sole.toe.point == pytest.approx(TOE_POINT, abs=1e-6)
        assert sole.measured


def test_a_floor_far_from_zero_is_found_and_a_given_one_is_believed() -> None:
    clip = walk().clip
    raised = replace(clip, root_positions=clip.root_positions + np.array([0.0, 0.7, 0.0]))
    legs = find_anatomy(clip.skeleton).legs
    assert find_soles(raised, legs)[0].height == pytest.approx(0.7)
    floor, soles = find_soles(raised, legs, 0.65)
    assert floor.height == 0.65
    assert soles[0].heel.depth == pytest.approx(0.13)


def test_toes_that_point_down_do_not_lower_the_floor() -> None:
    """Tips go down to 7 cm below zero while the joints of the feet stand where they are."""
    clip = stand(duration=1.0, fps=30).clip
    turns = np.array(clip.rotations)
    toes = [clip.skeleton.index(name) for name in ("LeftToeBase", "RightToeBase")]
    turns[:, toes] = rot.multiply(turns[:, toes], rot.from_axis_angle([1.0, 0.0, 0.0], np.pi / 2.0))
    long = tuple(Tip(tip.joint, 2.0 * tip.offset) for tip in clip.skeleton.tips)
    pointing = replace(clip, skeleton=replace(clip.skeleton, tips=long), rotations=turns)
    legs = find_anatomy(pointing.skeleton).legs
    assert legs[0].tip is not None
    assert pointing.point_positions(legs[0].tip.joint, legs[0].tip.offset)[0, 1] < -0.07
    assert find_soles(pointing, legs)[0].height == 0.0


def test_plants_say_where_the_floor_is() -> None:
    clip = stand(duration=1.0, fps=30).clip
    legs = find_anatomy(clip.skeleton).legs
    plant = Constraint("LeftFoot", "heel", 0, 30, HEEL_POINT + np.array([0.0, 0.2, 0.0]))
    assert find_soles(replace(clip, constraints=(plant,)), legs)[0].height == pytest.approx(0.2, abs=1e-6)
    given = replace(plant, target=np.array([0.0, 0.03, 0.0]))
    assert find_soles(replace(clip, constraints=(given,)), legs)[0].height == 0.03


def test_a_tilted_floor_is_found() -> None:
    clip = walk(duration=6.0).clip
    rise = 0.02 * clip.root_positions[:, 2:]
    tilted = replace(clip, root_positions=clip.root_positions + rise * [0.0, 1.0, 0.0])
    floor, _ = find_soles(tilted, find_anatomy(clip.skeleton).legs)
    assert floor.slope == pytest.approx((0.0, 0.02), abs=0.003)


def test_a_foot_that_never_stands_has_the_sole_of_the_other() -> None:
    clip = stand(duration=1.0).clip
    turns = np.array(clip.rotations)
    knee = clip.skeleton.index("RightLeg")
    turns[:, knee] = rot.multiply(turns[:, knee], rot.from_axis_angle([1.0, 0.0, 0.0], 1.2))
    _, (left, right) = find_soles(replace(clip, rotations=turns), find_anatomy(clip.skeleton).legs)
    assert left.measured
    assert not right.measured
    assert right.heel.point == pytest.approx(HEEL_POINT, abs=1e-6)
    assert right.toe.point == pytest.approx(TOE_POINT, abs=1e-6)


def test_without_a_toe_joint_the_tip_of_the_foot_is_the_toe() -> None:
    legs = ["LeftUpLeg", "LeftLeg", "LeftFoot", "RightUpLeg", "RightLeg", "RightFoot"]
    down = [0, -0.4, 0]
    body = Skeleton(
        ("Hips", *legs),
        np.array([-1, 0, 1, 2, 0, 4, 5]),
        np.array([[0, 0, 0], [0.1, 0, 0], down, down, [-0.1, 0, 0], down, down], dtype=float),
        tips=(Tip(3, np.array([0, -0.06, 0.13])), Tip(6, np.array([0, -0.06, 0.13]))),
    )
    still = Clip(body, 0.1, np.tile([0.0, 0.86, 0.0], (4, 1)), np.tile(rot.IDENTITY, (4, 7, 1)))
    _, soles = find_soles(still, find_anatomy(body).legs)
    assert [body.names[sole.toe.joint] for sole in soles] == ["LeftFoot", "RightFoot"]
    assert soles[0].toe.point == pytest.approx([0.0, -0.06, 0.13])
    assert soles[0].heel.point == pytest.approx([0.0, -0.06, -0.05])

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionloom.motion import Skeleton
from motionloom.retargeting import joint_mapping
from motionloom.retargeting.contacts import sole_point, sole_points
from motionloom.retargeting.proportions import Proportions
from motionloom.retargeting.reference_pose import BodyPair, rest_reference
from motionloom.synthesis import stand
from motionloom.synthesis.biped import HEEL_POINT, TOE_POINT, biped

FOOT, TOE = biped().index("LeftFoot"), biped().index("LeftToeBase")


def bodies(target: Skeleton) -> BodyPair:
    mapping = joint_mapping(biped(), target)
    return BodyPair.compare(mapping, rest_reference(biped()), rest_reference(target))


def sized(scale: float, clearances: tuple[float, float]) -> Proportions:
    return Proportions(scale, 0.0, 0.0, 0.0, clearances)


def without_toes() -> Skeleton:
    """The built-in body with feet that end in a tip below the ball, and no toe joint."""
    kept = [joint for joint, name in enumerate(biped().names) if "Toe" not in name]
    new = {joint: n for n, joint in enumerate(kept)}
    tips = [
        tip._replace(joint=new[int(biped().parents[tip.joint])], offset=biped().offsets[tip.joint])
        for tip in biped().tips
        if "Toe" in biped().names[tip.joint]
    ]
    return Skeleton(
        tuple(biped().names[joint] for joint in kept),
        np.array([new.get(int(biped().parents[joint]), -1) for joint in kept]),
        biped().offsets[kept],
        tips=tuple(tips),
    )


def test_points_of_other_joints_are_on_no_sole() -> None:
    assert sole_point(bodies(biped()), biped().index("LeftLeg"), np.zeros(3), sized(1.0, (0.0, 0.0))) is None


def test_heel_and_toe_of_feet_twice_as_long_and_thick() -> None:
    offsets = np.array(biped().offsets)
    offsets[TOE, 2] *= 2.0
    pair = bodies(replace(biped(), offsets=offsets))
    heel = sole_point(pair, FOOT, HEEL_POINT, sized(1.0, (0.0, 0.03)))
    toe = sole_point(pair, TOE, TOE_POINT, sized(1.0, (0.0, 0.03)))
    assert heel is not None
    assert toe is not None
    assert (heel.target_joint, toe.target_joint, heel.foot) == (FOOT, TOE, FOOT)
    assert heel.target_point == pytest.approx(HEEL_POINT * [1, 1, 2] - [0, 0.03, 0])
    assert toe.target_point == pytest.approx(TOE_POINT - [0, 0.03, 0])


def test_toes_of_feet_without_toe_joints_belong_to_the_ankle() -> None:
    target = without_toes()
    # The tip is at the ball, 2 cm above the sole of the built-in body.
    toe = sole_point(bodies(target), TOE, TOE_POINT, sized(1.0, (0.0, 0.02)))
    assert toe is not None
    assert target.names[toe.target_joint] == "LeftFoot"
    assert toe.target_point == pytest.approx(biped().offsets[TOE] + TOE_POINT)


def test_feet_drawn_as_points_are_as_long_as_the_source_s() -> None:
    target = replace(without_toes(), tips=())
    toe = sole_point(bodies(target), TOE, TOE_POINT, sized(0.5, (0.0, 0.08)))
    assert toe is not None
    assert toe.target_point == pytest.approx([0.0, -0.08, 0.5 * biped().offsets[TOE, 2]])


def test_feet_without_plants_have_a_heel_and_a_ball() -> None:
    clip = stand(duration=0.1, fps=30).clip
    found = sole_points(clip, bodies(biped()), sized(1.0, (0.0, 0.0)))
    left = {point.source_joint: point.source_point for point in found if point.foot == FOOT}
    assert left[FOOT] == pytest.approx(HEEL_POINT)
    assert left[TOE] == pytest.approx(TOE_POINT)
    assert len(found) == 4

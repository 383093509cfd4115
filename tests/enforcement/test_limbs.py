"""Which constraints hold which limb, and what is said about the others."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionloom.enforcement.limbs import limbs_of
from motionloom.motion import Clip, Constraint
from motionloom.synthesis import stand
from tests.enforcement.measuring import way_of


@pytest.fixture(scope="module")
def clip() -> Clip:
    return stand(duration=0.5, fps=30).clip


def test_joints_of_other_chains_are_named(clip: Clip) -> None:
    odd = (Constraint("Head", "look", 0, 5), Constraint("LeftLeg", "knee", 0, 5))
    limbs, notes = limbs_of(replace(clip, constraints=odd))
    assert limbs == ()
    assert notes == (
        "constraint 'look' of joint 'Head' is not held: only feet and hands can be",
        "constraint 'knee' of joint 'LeftLeg' is not held: only feet and hands can be",
    )


def test_a_plant_between_two_frames_is_named(clip: Clip) -> None:
    _, notes = limbs_of(replace(clip, constraints=(Constraint("LeftFoot", "heel", 3.2, 3.8),)))
    assert notes == ("constraint 'heel' of joint 'LeftFoot' from frame 3.2 holds in no whole frame",)


def test_a_third_point_of_a_foot_is_named(clip: Clip) -> None:
    three = tuple(Constraint("LeftFoot", kind, 0, 5) for kind in ("heel", "inner", "outer"))
    limbs, notes = limbs_of(replace(clip, constraints=three))
    assert [point.kind for point in limbs[0].points] == ["heel", "inner"]
    assert notes == (
        "constraint 'outer' of joint 'LeftFoot' is not held: the left leg already has 2 points that are",
    )


def test_points_are_ordered_from_the_body_outwards(clip: Clip) -> None:
    held = (
        Constraint("RightToeBase", "toe", 0, 5),
        Constraint("RightFoot", "heel", 2.5, 9.5),
        Constraint("LeftHand", "grip", -3.0, 99.0),
    )
    leg, arm = limbs_of(replace(clip, constraints=held))[0]
    assert (leg.name, [point.kind for point in leg.points]) == ("right leg", ["heel", "toe"])
    assert leg.points[0].plants[0].frames == range(3, 10)
    assert (arm.name, arm.is_leg, arm.points[0].plants[0].frames) == ("left arm", False, range(16))


def test_plants_of_one_point_may_hold_different_places_of_it(clip: Clip) -> None:
    low, high = np.array([0.0, -0.08, 0.0]), np.array([0.0, 0.1, 0.05])
    both = (Constraint("LeftFoot", "heel", 0, 5, low), Constraint("LeftFoot", "heel", 8, 12, high))
    (leg,) = limbs_of(replace(clip, constraints=both))[0]
    places = leg.points[0].positions(clip)
    for plant in both:
        assert places[int(plant.start) : int(plant.end) + 1] == pytest.approx(way_of(plant, clip))

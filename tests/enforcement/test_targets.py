"""Which points are held, and where: at their mean, on the ground, heel and toe a foot's length apart."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionloom.annotation import Floor, annotate
from motionloom.annotation.ground import Ground
from motionloom.arrays import FloatArray
from motionloom.enforcement.targets import choose_targets, find_limbs
from motionloom.motion import Clip, Constraint
from motionloom.synthesis import stand, walk
from tests.enforcement.measuring import skating, way_of

FLOOR = Ground(Floor(0.0))
SOLE = np.array([0.0, -0.08, 0.0])


def drifting(metres: float, n_frames: int = 31) -> Clip:
    """Somebody who stands, and slides along x over the clip."""
    still = stand(duration=(n_frames - 1) / 30, fps=30).clip
    ways = np.linspace(0.0, metres, n_frames)[:, None] * [1.0, 0.0, 0.0]
    return replace(still, root_positions=still.root_positions + ways)


def target(clip: Clip, number: int = 0) -> FloatArray:
    found = clip.constraints[number].target
    assert found is not None
    return found


def test_a_given_target_is_respected() -> None:
    given = Constraint("LeftFoot", "heel", 0, 9, SOLE, target=np.array([1.0, 2.0, 3.0]))
    assert target(choose_targets(replace(drifting(0.0), constraints=(given,)), FLOOR)).tolist() == [1, 2, 3]


def test_a_plant_is_put_amid_where_it_is() -> None:
    clip = replace(drifting(0.3), constraints=(Constraint("LeftFoot", "heel", 0, 30, SOLE),))
    assert target(choose_targets(clip, FLOOR)) == pytest.approx(
        way_of(clip.constraints[0], clip).mean(axis=0) * [1.0, 0.0, 1.0], abs=1e-9
    )


def test_a_joint_keeps_its_usual_height_and_a_point_of_the_sole_comes_to_the_floor() -> None:
    clip = drifting(0.0)
    joint = replace(clip, constraints=(Constraint("LeftFoot", "heel", 0, 9),))
    assert target(choose_targets(joint, FLOOR))[1] == pytest.approx(0.08, abs=0.01)
    sole = replace(clip, constraints=(Constraint("LeftFoot", "heel", 0, 9, SOLE),))
    assert target(choose_targets(sole, FLOOR))[1] == 0.0


def test_plants_with_a_gap_too_short_for_a_step_share_their_place() -> None:
    near = (Constraint("LeftFoot", "heel", 0, 10, SOLE), Constraint("LeftFoot", "heel", 12, 20, SOLE))
    far = (Constraint("LeftFoot", "heel", 0, 10, SOLE), Constraint("LeftFoot", "heel", 16, 20, SOLE))
    one = choose_targets(replace(drifting(0.3), constraints=near), FLOOR)
    two = choose_targets(replace(drifting(0.3), constraints=far), FLOOR)
    assert target(one, 0).tolist() == target(one, 1).tolist()
    assert target(two, 0).tolist() != target(two, 1).tolist()


def test_heel_and_toe_are_a_foot_apart() -> None:
    clip = skating(annotate(walk(duration=4.0).clip), 1.15)
    held = choose_targets(clip, FLOOR)
    n_pairs = 0
    for heel in held.constraints:
        for toe in held.constraints:
            names = heel.joint.replace("Foot", "ToeBase"), heel.kind, toe.kind
            first, last = max(heel.start, toe.start), min(heel.end, toe.end)
            if names != (toe.joint, "heel", "toe") or last - first < 2:
                continue
            assert heel.target is not None
            assert toe.target is not None
            common = slice(int(np.ceil(first)), int(last) + 1)
            places = [
                way_of(replace(plant, start=0, end=clip.n_frames - 1), clip)[common] for plant in (heel, toe)
            ]
            length = np.linalg.norm(places[1] - places[0], axis=-1).mean()
            assert np.linalg.norm(toe.target - heel.target) == pytest.approx(length, abs=1e-9)
            n_pairs += 1
    assert n_pairs > 6


def test_over_an_edge_the_whole_foot_stands_on_the_upper_side() -> None:
    clip = annotate(stand(duration=1.0, fps=30).clip)
    heel, toe = (c for c in clip.constraints if c.joint in ("LeftFoot", "LeftToeBase"))
    edge = float((way_of(heel, clip)[0, 2] + way_of(toe, clip)[0, 2]) / 2.0)
    step = Ground(Floor(0.0), lambda x, z: 0.2 if z > edge else 0.0)
    held = choose_targets(replace(clip, constraints=(heel, toe)), step)
    assert [target(held, n)[1] for n in (0, 1)] == [0.2, 0.2]
    ramp = Ground(Floor(0.0), lambda x, z: 0.3 * z)
    tilted = choose_targets(replace(clip, constraints=(heel, toe)), ramp)
    assert target(tilted, 0)[1] != target(tilted, 1)[1]


@pytest.fixture(scope="module")
def clip() -> Clip:
    return stand(duration=0.5, fps=30).clip


def test_joints_of_other_chains_are_named(clip: Clip) -> None:
    odd = (Constraint("Head", "look", 0, 5), Constraint("LeftUpLeg", "hip", 0, 5))
    limbs, notes = find_limbs(replace(clip, constraints=odd))
    assert limbs == ()
    assert notes == (
        "constraint 'look' of joint 'Head' is ignored: "
        "only feet, hands, knees, elbows and the seat can be held",
        "constraint 'hip' of joint 'LeftUpLeg' is ignored: "
        "only feet, hands, knees, elbows and the seat can be held",
    )


def test_knees_elbows_and_the_seat_are_held_by_fewer_bones(clip: Clip) -> None:
    names = ("LeftLeg", "RightForeArm", "Hips", "LeftHand")
    limbs, notes = find_limbs(replace(clip, constraints=tuple(Constraint(n, "rest", 0, 5) for n in names)))
    found = {limb.name: (clip.skeleton.names[limb.end], limb.n_bones) for limb in limbs}
    assert notes == ()
    assert found == {
        "left arm": ("LeftHand", 2),
        "left knee": ("LeftLeg", 1),
        "right elbow": ("RightForeArm", 1),
        "seat": ("Hips", 0),
    }


def test_a_resting_hand_goes_along_with_the_floor(clip: Clip) -> None:
    """Everything goes along with a level floor; a surface moves what lies on the captured floor."""
    high = clip.point_positions("LeftHand", np.zeros(3))[0]
    low = high * [1.0, 0.0, 1.0] + [0.0, 0.05, 0.0]
    for position, ground, rise in (
        (high, Ground(Floor(0.3), captured=Floor(0.0)), 0.3),
        (high, Ground(Floor(0.0), lambda x, z: 0.3), 0.0),
        (low, Ground(Floor(0.0), lambda x, z: 0.3), 0.3),
        (low, Ground(Floor(0.0)), 0.0),
    ):
        moved = replace(clip, root_positions=clip.root_positions + (position - high))
        hand = Constraint("LeftHand", "hand", 0, 5)
        held = choose_targets(replace(moved, constraints=(hand,)), ground)
        np.testing.assert_allclose(
            target(held, 0)[1], moved.point_positions("LeftHand", np.zeros(3))[:6, 1].mean() + rise
        )


def test_a_plant_between_two_frames_is_named(clip: Clip) -> None:
    _, notes = find_limbs(replace(clip, constraints=(Constraint("LeftFoot", "heel", 3.2, 3.8),)))
    assert notes == ("constraint 'heel' of joint 'LeftFoot' from frame 3.2 covers no whole frame",)


def test_a_third_point_of_a_foot_is_named(clip: Clip) -> None:
    three = tuple(Constraint("LeftFoot", kind, 0, 5) for kind in ("heel", "inner", "outer"))
    limbs, notes = find_limbs(replace(clip, constraints=three))
    assert [point.kind for point in limbs[0].points] == ["heel", "inner"]
    assert notes == (
        "constraint 'outer' of joint 'LeftFoot' is ignored: 2 points of the left leg are already held",
    )


def test_points_are_ordered_from_the_body_outwards(clip: Clip) -> None:
    held = (
        Constraint("RightToeBase", "toe", 0, 5),
        Constraint("RightFoot", "heel", 2.5, 9.5),
        Constraint("LeftHand", "grip", -3.0, 99.0),
    )
    leg, arm = find_limbs(replace(clip, constraints=held))[0]
    assert (leg.name, [point.kind for point in leg.points]) == ("right leg", ["heel", "toe"])
    assert leg.points[0].holds[0].frames == range(3, 10)
    assert (arm.name, arm.is_leg, arm.points[0].holds[0].frames) == ("left arm", False, range(16))


def test_plants_of_one_point_may_hold_different_places_of_it(clip: Clip) -> None:
    low, high = np.array([0.0, -0.08, 0.0]), np.array([0.0, 0.1, 0.05])
    both = (Constraint("LeftFoot", "heel", 0, 5, low), Constraint("LeftFoot", "heel", 8, 12, high))
    (leg,) = find_limbs(replace(clip, constraints=both))[0]
    places = leg.points[0].positions(clip)
    for plant in both:
        assert places[int(plant.start) : int(plant.end) + 1] == pytest.approx(way_of(plant, clip))

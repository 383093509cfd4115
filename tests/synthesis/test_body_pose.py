from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.synthesis.biped import SIDES, Side, joint, sign
from motionloom.synthesis.body_pose import GUARD, ArmAngles, guard_arm, hang_arm, pose_body, reach_arm
from motionloom.synthesis.limbs import LEG_REACH
from motionloom.synthesis.stand import (
    Footprint,
    StandingBody,
    keep_standing,
    place_feet,
    rest_arm,
    stand_on,
    wrist_positions,
)

TIME = np.linspace(0.0, 1.0, 5)


def _body(shift: tuple[float, float, float] = (0.0, 0.0, 0.0), width: float = 0.2) -> StandingBody:
    feet = place_feet(width, 0.1)
    stances = {side: keep_standing(feet[side], TIME) for side in SIDES}
    turn = np.stack([0.3 * TIME, 0.2 * TIME, 0.1 * TIME], axis=-1)
    return stand_on(
        TIME, 4.0, stances, shift=np.tile(shift, (5, 1)), pelvis=turn, chest=-turn, head=2.0 * turn
    )


def test_feet_too_far_apart_are_refused() -> None:
    with pytest.raises(ParameterError, match="the legs are too short for these steps"):
        stand_on(
            TIME, 4.0, {side: keep_standing(Footprint(sign(side) * 2.0, 0.0, 0.0), TIME) for side in SIDES}
        )


def test_feet_too_near_the_hips_are_refused() -> None:
    body = _body(shift=(0.0, -0.75, 0.0))
    with pytest.raises(
        ParameterError, match=r"the left foot comes within 0\.\d\d m of its hip; a folded leg is"
    ):
        body.leg("left")


def test_the_parts_of_a_pose_come_out_where_they_were_put() -> None:
    body = _body()
    arms = {side: rest_arm(body.trunk, side) for side in SIDES}
    clip = pose_body(body.trunk, {side: body.leg(side) for side in SIDES}, arms, 4.0)
    world, turns = clip.world_positions(), clip.world_rotations()
    for side in SIDES:
        np.testing.assert_allclose(world[:, joint(side, "Foot")], body.feet[side].ankle, atol=1e-12)
        np.testing.assert_allclose(world[:, joint(side, "UpLeg")], body.trunk.hip(side), atol=1e-12)
        np.testing.assert_allclose(world[:, joint(side, "Arm")], body.trunk.shoulder(side), atol=1e-12)
    for name, turn in body.trunk.rotations.items():
        same = np.abs(np.einsum("ti,ti->t", turns[:, clip.skeleton.index(name)], turn))
        np.testing.assert_allclose(same, 1.0, atol=1e-12)


def test_spine_and_neck_share_their_turns_evenly() -> None:
    turns = _body().trunk.rotations
    spine = [turns[name] for name in ("Hips", "Spine", "Spine1", "Spine2")]
    steps = [rot.to_rotation_vector(rot.multiply(rot.inverse(a), b)) for a, b in pairwise(spine)]
    np.testing.assert_allclose(steps[0], steps[1], atol=1e-12)
    np.testing.assert_allclose(steps[1], steps[2], atol=1e-12)


def test_the_trunk_sinks_until_the_legs_reach() -> None:
    body = _body(width=0.9)
    for side in SIDES:
        assert np.linalg.norm(body.trunk.hip(side) - body.feet[side].ankle, axis=-1).max() < LEG_REACH


ONE_FRAME = np.zeros(1)
TRUNK = stand_on(
    ONE_FRAME, 1.0, {side: keep_standing(foot, ONE_FRAME) for side, foot in place_feet(0.2, 0.0).items()}
).trunk


def _wrist(side: Side, **angles: float) -> list[float]:
    """Wrist from the shoulder as outward, up, ahead."""
    named = {name: np.array([angles.get(name, 0.0)]) for name in ("flexion", "abduction", "inward", "elbow")}
    offset = wrist_positions(TRUNK, side, hang_arm(TRUNK, side, ArmAngles(**named))) - TRUNK.shoulder(side)
    return [float(x) for x in (offset[0] * [sign(side), 1.0, 1.0]).round(9)]


@pytest.mark.parametrize("side", SIDES)
def test_what_each_angle_does(side: Side) -> None:
    quarter = np.pi / 2
    assert _wrist(side) == pytest.approx([0.0, -0.54, 0.0])
    assert _wrist(side, flexion=quarter) == pytest.approx([0.0, 0.0, 0.54])
    assert _wrist(side, abduction=quarter) == pytest.approx([0.54, 0.0, 0.0])
    assert _wrist(side, elbow=quarter) == pytest.approx([0.0, -0.28, 0.26])
    assert _wrist(side, elbow=quarter, inward=quarter) == pytest.approx([-0.26, -0.28, 0.0])


@pytest.mark.parametrize("side", SIDES)
def test_a_reaching_arm_arrives(side: Side) -> None:
    wrist = TRUNK.shoulder(side) + np.array([0.1, 0.2, 0.3])
    np.testing.assert_allclose(wrist_positions(TRUNK, side, reach_arm(TRUNK, side, wrist)), wrist, atol=1e-12)


@pytest.mark.parametrize("side", SIDES)
def test_the_guard_is_held_before_the_chin(side: Side) -> None:
    fist = wrist_positions(TRUNK, side, guard_arm(TRUNK, side)) - TRUNK.shoulder(side)
    np.testing.assert_allclose(fist[0] * [sign(side), 1.0, 1.0], GUARD, atol=1e-12)

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
from motionloom.synthesis.body import SIDES, joint, sign
from motionloom.synthesis.figure import posed
from motionloom.synthesis.limbs import LEG_REACH
from motionloom.synthesis.standing import Footing, Standing, easy_arm, side_by_side, standing, staying

TIME = np.linspace(0.0, 1.0, 5)


def _body(shift: tuple[float, float, float] = (0.0, 0.0, 0.0), width: float = 0.2) -> Standing:
    feet = side_by_side(width, 0.1)
    stances = {side: staying(feet[side], TIME) for side in SIDES}
    turn = np.stack([0.3 * TIME, 0.2 * TIME, 0.1 * TIME], axis=-1)
    return standing(
        TIME, 4.0, stances, shift=np.tile(shift, (5, 1)), pelvis=turn, chest=-turn, head=2.0 * turn
    )


def test_feet_too_far_apart_are_refused() -> None:
    with pytest.raises(ParameterError, match="the legs are too short for these steps"):
        standing(TIME, 4.0, {side: staying(Footing(sign(side) * 2.0, 0.0, 0.0), TIME) for side in SIDES})


def test_feet_too_near_the_hips_are_refused() -> None:
    body = _body(shift=(0.0, -0.75, 0.0))
    with pytest.raises(
        ParameterError, match=r"the left foot comes within 0\.\d\d m of its hip; a folded leg is"
    ):
        body.leg("left")


def test_the_parts_of_a_pose_come_out_where_they_were_put() -> None:
    body = _body()
    arms = {side: easy_arm(body.trunk, side) for side in SIDES}
    clip = posed(body.trunk, {side: body.leg(side) for side in SIDES}, arms, 4.0)
    world, turns = clip.world_positions(), clip.world_rotations()
    for side in SIDES:
        np.testing.assert_allclose(world[:, joint(side, "Foot")], body.feet[side].ankle, atol=1e-12)
        np.testing.assert_allclose(world[:, joint(side, "UpLeg")], body.trunk.hip(side), atol=1e-12)
        np.testing.assert_allclose(world[:, joint(side, "Arm")], body.trunk.shoulder(side), atol=1e-12)
    for name, turn in body.trunk.turns.items():
        same = np.abs(np.einsum("ti,ti->t", turns[:, clip.skeleton.index(name)], turn))
        np.testing.assert_allclose(same, 1.0, atol=1e-12)


def test_spine_and_neck_share_their_turns_evenly() -> None:
    turns = _body().trunk.turns
    spine = [turns[name] for name in ("Hips", "Spine", "Spine1", "Spine2")]
    steps = [rot.to_rotation_vector(rot.multiply(rot.inverse(a), b)) for a, b in pairwise(spine)]
    np.testing.assert_allclose(steps[0], steps[1], atol=1e-12)
    np.testing.assert_allclose(steps[1], steps[2], atol=1e-12)


def test_the_trunk_sinks_until_the_legs_reach() -> None:
    body = _body(width=0.9)
    for side in SIDES:
        assert np.linalg.norm(body.trunk.hip(side) - body.feet[side].ankle, axis=-1).max() < LEG_REACH

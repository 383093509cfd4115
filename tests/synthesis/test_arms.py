from __future__ import annotations

import numpy as np
import pytest

from motionloom.synthesis.arms import ArmAngles, hanging_arm, reaching_arm
from motionloom.synthesis.body import SIDES, Side, sign
from motionloom.synthesis.guard import GUARD, guarding_arm
from motionloom.synthesis.standing import side_by_side, standing, staying, wrist_of

TIME = np.zeros(1)
TRUNK = standing(
    TIME, 1.0, {side: staying(foot, TIME) for side, foot in side_by_side(0.2, 0.0).items()}
).trunk


def _wrist(side: Side, **angles: float) -> list[float]:
    """Wrist from the shoulder as outward, up, ahead."""
    named = {name: np.array([angles.get(name, 0.0)]) for name in ("flexion", "abduction", "inward", "elbow")}
    offset = wrist_of(TRUNK, side, hanging_arm(TRUNK, side, ArmAngles(**named))) - TRUNK.shoulder(side)
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
    np.testing.assert_allclose(wrist_of(TRUNK, side, reaching_arm(TRUNK, side, wrist)), wrist, atol=1e-12)


@pytest.mark.parametrize("side", SIDES)
def test_the_guard_is_held_before_the_chin(side: Side) -> None:
    fist = wrist_of(TRUNK, side, guarding_arm(TRUNK, side)) - TRUNK.shoulder(side)
    np.testing.assert_allclose(fist[0] * [sign(side), 1.0, 1.0], GUARD, atol=1e-12)

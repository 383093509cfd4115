from __future__ import annotations

import numpy as np
import pytest

from motionloom.synthesis.body import SIDES, STANDING_HEIGHT
from motionloom.synthesis.standing import EASY_DROP, easy_arm, keyed, side_by_side, standing, staying
from tests.synthesis import truth

TIME = np.linspace(0.0, 2.0, 41)
STANCES = {side: staying(foot, TIME) for side, foot in side_by_side(0.2, 0.1).items()}


def test_standing_at_ease_is_a_little_below_straight_legs() -> None:
    body = standing(TIME, 20.0, STANCES)
    easy = STANDING_HEIGHT - EASY_DROP
    assert easy - 0.01 < body.trunk.root[0, 1] < easy
    np.testing.assert_allclose(body.trunk.root[:, [0, 2]], 0.0, atol=1e-15)


def test_a_shift_counts_in_the_frame_of_the_heading() -> None:
    shift = np.tile([0.02, -0.1, 0.05], (41, 1))
    body = standing(TIME, 20.0, STANCES, heading=np.full(41, np.pi / 2), shift=shift)
    # Facing +X, left is -Z.
    np.testing.assert_allclose(body.trunk.root[0, [0, 2]], [0.05, -0.02], atol=1e-12)


def test_feet_stay_planted_whatever_the_trunk_does() -> None:
    sway = keyed(TIME, [(0.0, (0.0, 0.0, 0.0)), (1.0, (0.08, -0.2, 0.05)), (2.0, (0.0, 0.0, 0.0))])
    body = standing(TIME, 20.0, STANCES, shift=sway, pelvis=3.0 * sway)
    motion = body.performed({side: easy_arm(body.trunk, side) for side in SIDES})
    assert truth.slide(motion.clip, motion.plants) < 1e-12
    assert motion.phase[0] == 0.0
    assert motion.phase[-1] == pytest.approx(1.0)
    assert np.ptp(motion.clip.root_positions[:, 1]) == pytest.approx(0.2, abs=0.02)

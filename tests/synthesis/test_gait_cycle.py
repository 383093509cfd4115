from __future__ import annotations

import numpy as np
import pytest

from motionloom.motion.anatomy.thresholds import GRAVITY
from motionloom.synthesis import GaitStyle, gait_cycle
from motionloom.synthesis.biped import SIDES, sign
from motionloom.synthesis.gait import JOG, SNEAK, WALK, Gait
from motionloom.synthesis.gait_cycle import PathGait
from motionloom.synthesis.locomotion import ArcPath, CornerPath


def _journey(gait: Gait, curvature: float = 0.0) -> PathGait:
    return PathGait(gait, ArcPath(gait.default_speed, curvature), gait.default_speed, GaitStyle(), 0.0)


def test_feet_stand_beside_the_path_where_the_body_passes() -> None:
    path_gait = _journey(WALK)
    for side in SIDES:
        for stance in gait_cycle.place_stances(path_gait, side, np.array([0.0, 2.0])):
            middle = (stance.strike + stance.toe_off) / 2.0
            expected = [sign(side) * 0.065, 0.08, 1.4 * middle - 1.4 * WALK.trail]
            np.testing.assert_allclose(stance.ankle, expected, atol=1e-12)
            np.testing.assert_allclose(stance.swing_offset, 0.0, atol=1e-12)


def test_the_outer_foot_bows_out_in_a_curve() -> None:
    path_gait = _journey(WALK, curvature=0.5)
    bows = {side: gait_cycle.place_stances(path_gait, side, np.zeros(1))[2].swing_offset for side in SIDES}
    assert np.linalg.norm(bows["right"]) > 0.05 > np.linalg.norm(bows["left"])


def test_the_pelvis_falls_with_gravity_between_steps() -> None:
    path_gait = _journey(JOG)
    flight = (JOG.duty(JOG.default_speed) + 0.5) / 2.0 * path_gait.cycle
    time = flight + np.linspace(-0.02, 0.02, 9)
    height = gait_cycle.move_trunk(path_gait, time).shift[:, 1]
    np.testing.assert_allclose(np.diff(height, 2) / 0.005**2, -GRAVITY, rtol=1e-6)


@pytest.mark.parametrize("gait", [WALK, JOG, SNEAK], ids=lambda gait: gait.name)
def test_the_trunk_repeats_every_cycle(gait: Gait) -> None:
    path_gait = _journey(gait)
    time = np.linspace(0.0, 1.0, 50)
    first, later = (gait_cycle.move_trunk(path_gait, time + n * path_gait.cycle) for n in (0, 3))
    for name in ("shift", "pelvis", "chest", "head"):
        np.testing.assert_allclose(getattr(first, name), getattr(later, name), atol=1e-9)


def test_the_head_turns_into_a_corner_before_the_body() -> None:
    path = CornerPath(1.4, 1.0, start=1.0, span=1.0, slowing=0.3)
    moves = gait_cycle.move_trunk(PathGait(WALK, path, 1.4, GaitStyle(), 0.0), np.array([0.5, 1.3, 3.0]))
    assert moves.head[1, 0] > 0.1
    np.testing.assert_allclose(moves.head[[0, 2], 0], 0.0, atol=1e-12)


def test_the_body_leans_into_a_curve() -> None:
    moves = gait_cycle.move_trunk(_journey(JOG, curvature=0.3), np.linspace(0.0, 3.0, 100))
    # To the left, which is +X; a roll about +Z would lift the left side.
    assert moves.shift[:, 0].min() > 0.03
    assert moves.chest[:, 2].max() < -0.03

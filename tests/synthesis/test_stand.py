from __future__ import annotations

import numpy as np
import pytest

from motionloom.synthesis import idle, stand
from motionloom.synthesis.biped import SIDES, STANDING_HEIGHT
from motionloom.synthesis.stand import (
    STANDING_DROP,
    interpolate_keys,
    keep_standing,
    place_feet,
    rest_arm,
    stand_on,
)
from tests.refusals import refused
from tests.synthesis import truth


def test_refuses_absurd_energy() -> None:
    with refused("energy", 5):
        idle(energy=5.0)


def test_standing_is_still_and_upright() -> None:
    clip = stand(duration=1.0, fps=30).clip
    assert not np.ptp(clip.rotations, axis=0).any()
    world = clip.world_positions()[0]
    assert world[:, 1].max() == pytest.approx(1.56, abs=0.03)
    assert np.abs(world[:, 0].sum()) < 1e-9


def test_an_idle_body_without_energy_stands() -> None:
    np.testing.assert_array_equal(
        idle(energy=0.0, duration=2.0).clip.rotations, stand(duration=2.0).clip.rotations
    )


def test_an_idle_body_breathes_and_shifts_its_weight() -> None:
    clip = idle(duration=20.0).clip
    moved = np.ptp(clip.world_positions(), axis=0)
    names = clip.skeleton.names
    assert 0.05 < moved[names.index("Hips"), 0] < 0.15
    assert np.ptp(truth.joint_positions(clip, "Spine2"), axis=0).max() > 0.02
    assert moved[names.index("LeftFoot")].max() < 1e-9


def test_both_feet_are_planted_for_the_whole_clip() -> None:
    for plant in idle(duration=3.0, fps=30).plants:
        assert (plant.start, plant.end) == (0.0, 90.0)


TIME = np.linspace(0.0, 2.0, 41)
STANCES = {side: keep_standing(foot, TIME) for side, foot in place_feet(0.2, 0.1).items()}


def test_standing_at_ease_is_a_little_below_straight_legs() -> None:
    body = stand_on(TIME, 20.0, STANCES)
    easy = STANDING_HEIGHT - STANDING_DROP
    assert easy - 0.01 < body.trunk.root[0, 1] < easy
    np.testing.assert_allclose(body.trunk.root[:, [0, 2]], 0.0, atol=1e-15)


def test_a_shift_counts_in_the_frame_of_the_heading() -> None:
    shift = np.tile([0.02, -0.1, 0.05], (41, 1))
    body = stand_on(TIME, 20.0, STANCES, heading=np.full(41, np.pi / 2), shift=shift)
    # Facing +X, left is -Z.
    np.testing.assert_allclose(body.trunk.root[0, [0, 2]], [0.05, -0.02], atol=1e-12)


def test_feet_stay_planted_whatever_the_trunk_does() -> None:
    sway = interpolate_keys(TIME, [(0.0, (0.0, 0.0, 0.0)), (1.0, (0.08, -0.2, 0.05)), (2.0, (0.0, 0.0, 0.0))])
    body = stand_on(TIME, 20.0, STANCES, shift=sway, pelvis=3.0 * sway)
    motion = body.to_motion({side: rest_arm(body.trunk, side) for side in SIDES})
    assert truth.slide(motion.clip, motion.plants) < 1e-12
    assert motion.phase[0] == 0.0
    assert motion.phase[-1] == pytest.approx(1.0)
    assert np.ptp(motion.clip.root_positions[:, 1]) == pytest.approx(0.2, abs=0.02)

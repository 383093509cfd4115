"""The floor and its slope."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from motionloom.annotation.floor import (
    Floor,
    find_plant_height,
    find_target_floor,
    fit_tilt,
    trust_in_feet,
)
from motionloom.annotation.soles import find_soles
from motionloom.arrays import FloatArray
from motionloom.motion import Clip, Constraint
from motionloom.motion.anatomy import find_anatomy
from motionloom.synthesis import stand
from motionloom.synthesis.biped import HEEL_POINT


def stands(slope: float, way: float, n: int = 7, lift: float = 0.0) -> FloatArray:
    along = np.linspace(0.0, way, n)
    return np.stack([along, lift + slope * along, np.zeros(n)], axis=-1)


def test_a_slope_is_found_whatever_the_height_of_each_foot() -> None:
    floor = fit_tilt([stands(0.02, 3.0), stands(0.02, 3.0, lift=0.04)])
    assert floor.slope == pytest.approx((0.02, 0.0), abs=1e-12)
    assert np.ptp(floor.heights_above(stands(0.02, 3.0))) == pytest.approx(0.0, abs=1e-12)


def test_short_ways_small_rises_and_stairs_leave_the_floor_level() -> None:
    assert not fit_tilt([stands(0.03, 1.0)]).is_tilted
    assert not fit_tilt([stands(0.004, 3.0)]).is_tilted
    assert not fit_tilt([stands(0.3, 3.0)]).is_tilted
    assert not fit_tilt([]).is_tilted
    assert not fit_tilt([np.empty((0, 3))]).is_tilted


def test_outliers_do_not_tilt_the_floor() -> None:
    places = stands(0.02, 4.0, n=30)
    places[::10, 1] += 0.1
    assert fit_tilt([places]).slope[0] == pytest.approx(0.02, abs=1e-3)


def test_the_floor_is_at_zero_unless_feet_say_otherwise() -> None:
    assert trust_in_feet(0.05) == trust_in_feet(-0.03) == 0.0
    assert trust_in_feet(0.3) == trust_in_feet(-0.2) == 1.0


def test_the_floor_does_not_jump_with_the_height_of_the_feet() -> None:
    feet = np.linspace(-0.3, 0.3, 6001)
    floors = np.array([height * trust_in_feet(height) for height in feet.tolist()])
    assert np.abs(np.diff(floors)).max() < 10.0 * (feet[1] - feet[0])
    assert (np.diff(floors) >= 0.0).all()


def standing(*plants: Constraint, lift: float = 0.0) -> Clip:
    """One second at 30 Hz of somebody who stands, with these plants and so far above the ground."""
    clip = stand(duration=1.0, fps=30).clip
    return replace(clip, root_positions=clip.root_positions + np.array([0.0, lift, 0.0]), constraints=plants)


def heel(start: float, end: float, target: list[float] | None = None) -> Constraint:
    place = None if target is None else np.array(target)
    return Constraint("LeftFoot", "heel", start, end, HEEL_POINT, target=place)


def test_plants_that_say_nothing_about_the_floor_are_passed_over() -> None:
    joint = Constraint("LeftFoot", "heel", 0, 30, target=np.array([0.0, 0.08, 0.0]))
    hand = Constraint("LeftHand", "hold", 0, 30, HEEL_POINT, target=np.array([0.0, 1.2, 0.0]))
    short = heel(4.2, 4.8, [0.0, 0.5, 0.0])
    for clip in (standing(), standing(joint), standing(hand), standing(short)):
        assert find_target_floor(clip) is None
    for clip in (standing(), standing(joint), standing(hand)):
        assert find_plant_height(clip, Floor(0.0)) is None


def test_targets_tell_the_floor_when_most_planted_frames_have_one() -> None:
    given = heel(0, 20, [0.0, 0.8, 0.0])
    assert find_target_floor(standing(given, heel(22, 30))) == Floor(0.8)
    assert find_target_floor(standing(heel(0, 4, [0.0, 0.8, 0.0]), heel(6, 30))) is None


def test_targets_on_something_do_not_raise_the_floor() -> None:
    plants = heel(0, 10, [0.0, 0.1, 0.0]), heel(12, 30, [0.0, 0.5, 0.0])
    assert find_target_floor(standing(*plants)) == Floor(0.1)


@pytest.mark.parametrize("slope", [(0.02, 0.0), (0.012, -0.015)])
def test_a_slope_is_read_off_the_targets_exactly(slope: tuple[float, float]) -> None:
    rng = np.random.default_rng(3)
    places = rng.uniform(-2.0, 2.0, (15, 2))
    plants = [
        heel(2 * n, 2 * n + 1, [x, slope[0] * x + slope[1] * z + 0.002, z]) for n, (x, z) in enumerate(places)
    ]
    found = find_target_floor(standing(*plants))
    assert found is not None
    assert found.slope == pytest.approx(slope, abs=1e-9)
    targets = np.array([plant.target for plant in plants])
    assert np.abs(found.heights_above(targets)).max() < 1e-9
    assert found.height == 0.0


def test_targets_on_low_blocks_give_a_finite_floor() -> None:
    """Two blocks, the second one 4 cm higher and 2 m on, and a floor that is level on each of them."""
    plants = [heel(2 * n, 2 * n + 1, [0.0, 0.04 * (n > 6), 2.0 * (n > 6)]) for n in range(14)]
    found = find_target_floor(standing(*plants))
    assert found is not None
    heights = found.heights_above(np.array([plant.target for plant in plants]))
    assert np.abs(heights).max() < 0.05


def test_planted_soles_near_zero_stand_at_zero_and_others_where_they_are() -> None:
    for lift, height in ((0.0, 0.0), (-0.045, 0.0), (0.3, 0.3), (-0.2, -0.2)):
        found = find_plant_height(standing(heel(0, 30), lift=lift), Floor(0.0))
        assert found == pytest.approx(height, abs=1e-9)


def test_soles_a_hair_below_the_floor_do_not_make_it_negative() -> None:
    assert str(find_plant_height(standing(heel(0, 30), lift=-0.02), Floor(0.0))) == "0.0"
    hollow = stand(duration=0.5, fps=30).clip
    hollow = replace(hollow, root_positions=hollow.root_positions - [0.0, 0.05, 0.0])
    assert str(find_soles(hollow, find_anatomy(hollow.skeleton).legs)[0].height) == "0.0"


def test_most_of_a_clip_may_be_spent_on_a_block() -> None:
    clip = standing(heel(0, 5), heel(8, 30))
    ways = np.where(np.arange(31) < 7, 0.0, 0.4)[:, None] * [0.0, 1.0, 0.0]
    found = find_plant_height(replace(clip, root_positions=clip.root_positions + ways), Floor(0.0))
    assert found == pytest.approx(0.0, abs=1e-9)


def test_a_floor_says_how_it_lies() -> None:
    assert str(Floor(0.02)) == "floor at 0.020 m"
    assert str(Floor(-0.0001)) == "floor at 0.000 m"
    assert str(Floor(0.0, (0.03, 0.04))) == "floor at 0.000 m, rising by 5.0 cm per metre"


def test_heights_above_a_tilted_floor() -> None:
    floor = Floor(1.0, (0.1, -0.2), (1.0, 1.0))
    assert float(floor.heights_above(np.array([2.0, 1.5, 3.0]))) == pytest.approx(0.8)

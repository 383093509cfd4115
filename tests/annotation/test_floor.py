"""The floor and its slope."""

from __future__ import annotations

import numpy as np
import pytest

from motionloom.annotation.floor import Floor, tilted_through, usual_height
from motionloom.arrays import FloatArray


def stands(slope: float, way: float, n: int = 7, lift: float = 0.0) -> FloatArray:
    along = np.linspace(0.0, way, n)
    return np.stack([along, lift + slope * along, np.zeros(n)], axis=-1)


def test_a_slope_is_found_whatever_the_height_of_each_foot() -> None:
    floor = tilted_through([stands(0.02, 3.0), stands(0.02, 3.0, lift=0.04)])
    assert floor.slope == pytest.approx((0.02, 0.0), abs=1e-12)
    assert np.ptp(floor.heights_above(stands(0.02, 3.0))) == pytest.approx(0.0, abs=1e-12)


def test_short_ways_small_rises_and_stairs_leave_the_floor_level() -> None:
    assert not tilted_through([stands(0.03, 1.0)]).is_tilted
    assert not tilted_through([stands(0.004, 3.0)]).is_tilted
    assert not tilted_through([stands(0.3, 3.0)]).is_tilted
    assert not tilted_through([]).is_tilted
    assert not tilted_through([np.empty((0, 3))]).is_tilted


def test_outliers_do_not_tilt_the_floor() -> None:
    places = stands(0.02, 4.0, n=30)
    places[::10, 1] += 0.1
    assert tilted_through([places]).slope[0] == pytest.approx(0.02, abs=1e-3)


def test_the_floor_is_at_zero_unless_feet_say_otherwise() -> None:
    assert usual_height(0.05) == usual_height(-0.03) == 0.0
    assert usual_height(0.3) == 0.3
    assert usual_height(-0.2) == -0.2


def test_a_floor_says_how_it_lies() -> None:
    assert str(Floor(0.02)) == "floor at 0.020 m"
    assert str(Floor(0.0, (0.03, 0.04))) == "floor at 0.000 m, rising by 5.0 cm per metre"


def test_heights_above_a_tilted_floor() -> None:
    floor = Floor(1.0, (0.1, -0.2), (1.0, 1.0))
    assert float(floor.heights_above(np.array([2.0, 1.5, 3.0]))) == pytest.approx(0.8)

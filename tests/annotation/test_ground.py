"""What feet stand on: the floor found, a level one, or any surface."""

from __future__ import annotations

from dataclasses import replace
from math import nan
from typing import Any

import numpy as np
import pytest

from motionloom.annotation import Floor, annotate
from motionloom.annotation.ground import Ground, Surface, find_ground, surface_heights
from motionloom.arrays import FloatArray
from motionloom.enforcement import enforce
from motionloom.errors import ParameterError
from motionloom.motion import Clip, Constraint
from motionloom.synthesis import stand, walk


@pytest.fixture(scope="module")
def clip() -> Clip:
    return stand(duration=0.5, fps=30).clip


@pytest.mark.parametrize(
    ("surface", "told"),
    [
        (lambda x, z: 0.0 * x + np.nan, r"a finite height everywhere: at \(1, 2\) it is nan"),
        (lambda x, z: np.zeros(3), r"one height in metres for each position: at \(1, 2\) it is array"),
        (lambda x, z: "low", r"one height in metres for each position: at \(1, 2\) it is 'low'"),
        (lambda x, z: None, r"at \(1, 2\) it is nan"),
    ],
)
def test_surfaces_that_give_no_heights_are_refused(surface: Surface, told: str) -> None:
    with pytest.raises(ParameterError, match=told):
        surface_heights(surface, np.array([[1.0, 0.0, 2.0], [1.0, 0.0, 3.0]]))


@pytest.mark.parametrize("wrong", ["low", nan])
def test_a_height_that_is_no_number_is_refused(clip: Clip, wrong: Any) -> None:
    with pytest.raises(
        ParameterError, match="ground, as the height of a level floor, must be a finite number"
    ):
        find_ground(clip, wrong)


def test_a_surface_with_holes_is_refused(clip: Clip) -> None:
    ground = find_ground(clip, lambda x, z: nan if z > 1.0 else 0.0)
    with pytest.raises(ParameterError, match=r"at \(0, 2\) it is nan"):
        ground.heights(np.array([[0.0, 0.0, 2.0]]))


def test_surfaces_may_take_numbers_or_arrays(clip: Clip) -> None:
    places = np.random.default_rng(0).normal(size=(3, 4, 3))
    by_number = find_ground(clip, lambda x, z: 1.0 if x > 0 else 0.0).heights(places)
    by_array = find_ground(clip, lambda x, z: np.where(x > 0, 1.0, 0.0)).heights(places)
    assert np.array_equal(by_number, by_array)
    assert find_ground(clip, lambda x, z: 0.3).heights(places).tolist() == [[0.3] * 4] * 3


def test_plants_well_above_the_floor_keep_their_height() -> None:
    floor = Ground(Floor(0.0))
    assert floor.target_height(np.array([0.0, 0.05, 0.0]), 0.0) == 0.0
    assert floor.target_height(np.array([0.0, -0.05, 0.0]), 0.0) == 0.0
    assert floor.target_height(np.array([0.0, 0.30, 0.0]), 0.0) == 0.30
    assert floor.target_height(np.array([0.0, 0.05, 0.0]), 0.04) == 0.04


def test_on_a_given_surface_all_plants_come_to_it() -> None:
    assert Ground(Floor(0.0), lambda x, z: 0.1).target_height(np.array([0.0, 0.3, 0.0]), 0.0) == 0.1


def test_plants_on_something_stay_as_far_above_a_given_floor_as_above_their_own() -> None:
    shifted = Ground(Floor(-0.5), captured=Floor(0.1))
    assert shifted.target_height(np.array([0.0, 0.13, 0.0]), 0.0) == -0.5
    assert shifted.target_height(np.array([0.0, 0.40, 0.0]), 0.0) == pytest.approx(-0.2)
    assert shifted.target_height(np.array([0.0, 0.18, 0.0]), 0.08) == pytest.approx(-0.42)


def test_a_known_floor_is_taken_as_it_is(clip: Clip) -> None:
    known = Floor(0.01, (0.02, 0.0))
    assert find_ground(clip, known).floor is known
    assert find_ground(clip, 0.3).captured == Floor(0.0)


def raised(plant: Constraint) -> FloatArray:
    assert plant.target is not None
    return np.asarray(plant.target * [1.0, 0.0, 1.0] + np.array([0.0, 0.02 * plant.target[2], 0.0]))


def test_the_floor_goes_through_the_targets() -> None:
    held = enforce(annotate(walk(duration=2.0, fps=30).clip))
    lying = tuple(replace(plant, target=raised(plant)) for plant in held.clip.constraints)
    floor = find_ground(replace(held.clip, constraints=lying), None).floor
    assert floor.slope == pytest.approx((0.0, 0.02), abs=1e-9)
    targets = np.array([plant.target for plant in lying])
    assert np.abs(floor.heights_above(targets)).max() < 1e-9

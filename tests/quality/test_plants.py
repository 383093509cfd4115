from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.quality import plant_measures
from motionloom.quality.plants import extent
from motionloom.synthesis import walk
from tests.quality.bodies import gliding, sole_constraints


def test_a_plant_that_slides_travels_its_speed_times_its_time() -> None:
    clip = replace(gliding(0.1, seconds=2.0), constraints=sole_constraints(50, 150))
    found = plant_measures(clip)
    assert len(found.constraints) == 4
    np.testing.assert_allclose(found.travel, 0.1, rtol=4e-4)
    np.testing.assert_allclose(found.speed, 0.1)
    np.testing.assert_allclose(found.lowest, 0.0, atol=1e-12)


def test_heights_are_above_the_ground() -> None:
    found = plant_measures(gliding(0.0, lift=0.03), ground=0.01)
    np.testing.assert_allclose([found.lowest, found.highest], 0.02, atol=1e-12)


def test_targets_are_missed_by_the_distance_to_them() -> None:
    heel = sole_constraints(0, 100)[0]
    at = np.array([0.09, 0.0, -0.05])
    clip = replace(gliding(0.1), constraints=(replace(heel, target=at),))
    assert plant_measures(clip).miss[0] == pytest.approx(0.1)
    assert np.isnan(plant_measures(replace(clip, constraints=(heel,))).miss[0])


def test_whole_frames_within_the_clip_count() -> None:
    shortest = replace(gliding(0.1), constraints=sole_constraints(3.2, 4.8))
    assert plant_measures(shortest).constraints == ()
    assert plant_measures(shortest).travel.shape == (0,)


@given(st.lists(st.tuples(st.floats(-1, 1), st.floats(-1, 1)), min_size=1, max_size=12))
def test_the_extent_is_the_farthest_pair(points: list[tuple[float, float]]) -> None:
    track = np.array(points)
    farthest = max(float(np.linalg.norm(a - b)) for a in track for b in track)
    assert extent(track) == pytest.approx(farthest, rel=4e-4, abs=1e-12)
    assert extent(track) <= farthest + 1e-12


def test_true_plants_of_a_built_in_walk_hold() -> None:
    motion = walk(duration=3.0, curvature=0.3)
    found = plant_measures(replace(motion.clip, constraints=motion.plants))
    assert found.travel.max() < 1e-3
    assert found.miss.max() < 1e-3
    assert abs(found.lowest).max() < 1e-3

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.annotation import annotate
from motionloom.annotation.floor import Floor
from motionloom.annotation.ground import choose_ground
from motionloom.arrays import FloatArray
from motionloom.enforcement import enforce
from motionloom.errors import ParameterError
from motionloom.files import load_clip
from motionloom.motion import Clip
from motionloom.motion.kinematics import max_distance
from motionloom.quality.feet import (
    Feet,
    find_feet,
    penetrations,
    plant_measures,
    skate_ratio,
    skate_speeds,
)
from motionloom.synthesis import walk
from tests.figures import smooth_clip
from tests.quality.bodies import gliding, sole_constraints


def toe(places: FloatArray, frame_time: float = 0.01) -> Feet:
    """One toe at these places (T, 3) over level ground."""
    return Feet(("foot",), ("toe",), places[:, None], places[:, None, 1], frame_time)


def test_bodies_without_legs_and_bad_grounds_are_refused() -> None:
    with pytest.raises(ParameterError, match="no legs were found"):
        find_feet(Clip(smooth_clip().skeleton, 0.1, np.zeros((0, 3)), np.zeros((0, 6, 4))))
    with pytest.raises(ParameterError, match="ground, as the height of a level floor, must be"):
        find_feet(gliding(0.1), ground=float("nan"))


def test_feet_that_slide_flat_skate_at_their_speed() -> None:
    for clip in (gliding(0.1), gliding(0.1, planted=False), gliding(0.1, fps=30.0)):
        np.testing.assert_allclose(skate_speeds(find_feet(clip)), 0.1, rtol=1e-9)


@pytest.mark.parametrize(
    ("height", "weight"), [(0.0, 1.0), (0.0125, 2.0 - np.sqrt(2.0)), (0.025, 0.0), (0.3, 0.0), (-0.4, 1.0)]
)
def test_sliding_counts_less_with_height(height: float, weight: float) -> None:
    ways = np.arange(11) * 0.002
    places = np.stack([ways, np.full(11, height), ways], axis=1)
    np.testing.assert_allclose(skate_speeds(toe(places)), 0.2 * np.sqrt(2.0) * weight, atol=1e-12)


def test_constraints_say_where_the_sole_is() -> None:
    sunk = find_feet(gliding(0.0, lift=-0.02), ground=0.0)
    np.testing.assert_allclose(penetrations(sunk), 0.02, atol=1e-12)
    np.testing.assert_allclose(penetrations(find_feet(gliding(0.0, lift=0.02), ground=0.0)), 0.0)
    # Without them the sole is where the feet stand, which hides a constant error.
    np.testing.assert_allclose(
        penetrations(find_feet(gliding(0.0, lift=-0.02, planted=False))), 0.0, atol=1e-9
    )


def test_heights_are_above_levels_functions_and_estimated_floors() -> None:
    places = np.array([[[1.0, 0.5, 2.0]], [[3.0, 0.5, 0.0]]])
    assert choose_ground(Floor(0.0), 0.2).heights_above(places).tolist() == [[0.3], [0.3]]
    assert choose_ground(Floor(0.0), lambda x, z: 0.1 * x + 0.05 * z).heights_above(places).round(
        9
    ).tolist() == [[0.3], [0.2]]
    stairs = find_feet(gliding(1.0), ground=lambda x, z: np.where(x > 0.5, -0.2, 0.0))
    assert stairs.heights[0].max() == pytest.approx(0.0, abs=1e-12)
    assert stairs.heights[-1].min() == pytest.approx(0.2)
    assert stairs.floor == "the given function"
    assert find_feet(gliding(0.0)).floor == "floor at 0.000 m"


def test_the_skate_ratio_counts_frames_that_are_low_and_fast() -> None:
    ways = np.concatenate([np.zeros(100), np.arange(1, 101) * 0.01, np.full(100, 1.0)])
    places = np.stack([ways, np.full(300, 0.02), np.zeros(300)], axis=1)
    # One of three seconds at 1 m/s: 20 of 59 steps; at its ends the mean over five is still above 0.5 m/s.
    assert skate_ratio(toe(places)) == pytest.approx(20 / 59, abs=1 / 59)
    high = places + np.array([0.0, 0.04, 0.0])
    assert skate_ratio(toe(high)) == 0.0
    assert skate_ratio(toe(places * [0.4, 1.0, 1.0])) == 0.0
    assert skate_ratio(toe(places[:1])) == 0.0
    # A single fast step, 4 cm within 0.05 s, is slow on average over five.
    twitch = np.stack([np.where(np.arange(300) < 152, 0.0, 0.04), np.zeros(300), np.zeros(300)], axis=1)
    assert skate_ratio(toe(twitch)) == 0.0


def test_a_clip_without_slide_has_no_skate_ratio_and_planting_takes_it_away(mocap: Path) -> None:
    """Feet that swing low past one that stands counted: up to 50 % where no plant slides."""
    for name in ("library/90/90_32.bvh", "library/127/127_09.bvh"):
        annotated = annotate(load_clip(mocap / name))
        planted = enforce(annotated)
        before, after = (skate_ratio(find_feet(clip)) for clip in (annotated, planted.clip))
        assert plant_measures(planted.clip).travel.max() < 0.001
        assert (before > 0.1, after) == (True, 0.0)


def test_a_planted_point_that_slides_counts_in_the_skate_ratio() -> None:
    assert skate_ratio(find_feet(gliding(0.2))) == 1.0
    assert skate_ratio(find_feet(gliding(0.05))) == 0.0
    assert skate_ratio(find_feet(gliding(0.2, planted=False))) == 0.0
    # Half of the time is planted; a step counts where the point is planted in all of its frames.
    half = replace(gliding(0.2, seconds=2.0), constraints=sole_constraints(0, 100))
    assert skate_ratio(find_feet(half)) == pytest.approx(0.5, abs=0.03)
    # Nobody stands, so the feet that are low and fast slide.
    assert skate_ratio(find_feet(gliding(1.0, planted=False))) == 1.0


def test_a_clean_walk_skates_far_less_than_one_that_is_dragged() -> None:
    clip = walk(duration=3.0).clip
    drag = 0.3 * np.arange(clip.n_frames)[:, None] * clip.frame_time * [1.0, 0.0, 0.0]
    dragged = replace(clip, root_positions=clip.root_positions + drag)
    clean, slid = (float(skate_speeds(find_feet(c)).mean()) for c in (clip, dragged))
    assert slid > clean + 0.05


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
    assert max_distance(track) == pytest.approx(farthest, rel=4e-4, abs=1e-12)
    assert max_distance(track) <= farthest + 1e-12


def test_true_plants_of_a_built_in_walk_hold() -> None:
    motion = walk(duration=3.0, curvature=0.3)
    found = plant_measures(replace(motion.clip, constraints=motion.plants))
    assert found.travel.max() < 1e-3
    assert found.miss.max() < 1e-3
    assert abs(found.lowest).max() < 1e-3

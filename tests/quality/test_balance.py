from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from motionloom import annotate, load
from motionloom.annotation.flights import find_flights
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.motion.anatomy.thresholds import GRAVITY
from motionloom.quality import centre_of_mass, find_feet
from motionloom.quality.balance import flight_errors, hull_distances, support_distances
from tests.figures import smooth_clip
from tests.quality.bodies import FPS, gliding, sole_constraints


def jumping(gravity: float) -> Clip:
    """The biped at rest for 0.2 s, half a second in the air, and at rest again."""
    clip = gliding(0.0, seconds=0.9, planted=False)
    times = np.clip(np.arange(clip.n_frames) / FPS - 0.2, 0.0, 0.5)
    rise = 0.5 * gravity * times * (0.5 - times)
    places = clip.root_positions + rise[:, None] * [0.0, 1.0, 0.0]
    plants = sole_constraints(0, 20), sole_constraints(70, 90)
    return replace(clip, root_positions=places, constraints=(*plants[0], *plants[1]))


def test_a_body_without_arms_and_legs_has_no_centre() -> None:
    with pytest.raises(ParameterError, match="needs two arms and two legs"):
        centre_of_mass(smooth_clip())


def test_the_centre_of_a_body_in_rest_is_in_its_middle_plane_and_moves_with_it() -> None:
    centre = centre_of_mass(gliding(0.5))
    np.testing.assert_allclose(centre[:, 0], 0.5 * np.arange(101) / FPS, atol=1e-12)
    assert 0.9 < centre[0, 1] < 1.15


@pytest.mark.parametrize(("gravity", "error"), [(GRAVITY, 0.0), (5.0, GRAVITY - 5.0)])
def test_a_jump_is_off_free_fall_by_what_its_gravity_lacks(gravity: float, error: float) -> None:
    clip = jumping(gravity)
    spans = find_flights(clip, find_feet(clip, ground=0.0).heights)
    assert len(spans) == 1
    assert 20 <= spans[0].start < 30
    assert 60 < spans[0].end <= 70
    np.testing.assert_allclose(flight_errors(centre_of_mass(clip), clip.frame_time, spans), error, atol=1e-6)


def test_short_flights_and_held_feet_do_not_count() -> None:
    clip = jumping(GRAVITY)
    held = replace(clip, constraints=sole_constraints(0, clip.n_frames - 1))
    assert find_flights(held, find_feet(held, ground=0.0).heights) == []
    assert find_flights(gliding(0.0, lift=0.02), find_feet(gliding(0.0, lift=0.02), ground=0.0).heights) == []


def test_distances_from_hulls_of_points_lines_and_areas() -> None:
    corners = [np.array([[x, y]] * 4) for x, y in ((0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0))]
    points = np.array([[1.0, 1.5], [3.0, 1.0], [3.0, 3.0], [1.0, -0.5]])
    np.testing.assert_allclose(hull_distances(points, corners), [0.0, 1.0, np.sqrt(2.0), 0.5])
    np.testing.assert_allclose(hull_distances(points, corners[:2]), [1.5, np.sqrt(2.0), np.sqrt(10.0), 0.5])
    np.testing.assert_allclose(hull_distances(points, corners[:1])[1], np.sqrt(10.0))
    in_line = [np.array([[x, 0.0]]) for x in (0.0, 1.0, 2.0)]
    assert hull_distances(np.array([[5.0, 0.0]]), in_line).tolist() == [3.0]
    missing = [corners[0], np.full((4, 2), np.nan)]
    np.testing.assert_allclose(hull_distances(points, missing)[3], np.hypot(1.0, 0.5))
    assert np.isnan(hull_distances(points, [np.full((4, 2), np.nan)])).all()


def test_a_standing_body_is_held_and_one_without_plants_has_no_support() -> None:
    standing = gliding(0.0)
    assert support_distances(standing, centre_of_mass(standing)).max() < 0.01
    aside = centre_of_mass(standing) + np.array([1.0, 0.0, 0.0])
    # The left foot stands 9 cm to the side of the middle.
    np.testing.assert_allclose(support_distances(standing, aside), 1.0 - 0.09, atol=1e-9)
    assert np.isnan(support_distances(gliding(0.0, planted=False), aside)).all()


def test_a_captured_hop_falls_freely(mocap: Path) -> None:
    clip = annotate(load(mocap / "actions/jumps/hop_short_83_48.bvh"))
    spans = find_flights(clip)
    assert len(spans) == 1
    assert flight_errors(centre_of_mass(clip), clip.frame_time, spans)[0] < 1.0

from __future__ import annotations

from math import nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.errors import ParameterError
from motionloom.quality import path_measures, path_seams
from motionloom.synthesis import walk
from tests.quality.bodies import dot, dot_along_x, on_an_arc


def test_one_frame_has_no_path() -> None:
    with pytest.raises(ParameterError, match="a path needs two frames or more: the clip has 1"):
        path_measures(dot(np.zeros((1, 3))))


def test_an_arc_has_its_length_turn_and_curvature() -> None:
    path = path_measures(on_an_arc(radius=2.0, turn=3.0 * np.pi / 2.0, seconds=3.0))
    assert path.length == pytest.approx(3.0 * np.pi, rel=1e-4)
    assert path.distance == pytest.approx(2.0 * np.sqrt(2.0))
    assert path.heading_change == pytest.approx(1.5 * np.pi)
    assert path.curvature == pytest.approx(0.5, rel=1e-4)
    assert path.mean_speed == pytest.approx(np.pi, rel=1e-4)
    assert path.max_heading_step == pytest.approx(path.median_heading_step)
    assert path.max_heading_rate == pytest.approx(0.0, abs=1e-9)


def test_standing_still_has_no_curvature() -> None:
    path = path_measures(dot(np.zeros((5, 3))))
    assert (path.length, path.mean_speed) == (0.0, 0.0)
    assert np.isnan(path.curvature)


def test_a_flip_of_the_heading_is_the_largest_step() -> None:
    arc = on_an_arc(radius=2.0, turn=1.0)
    turns = np.array(arc.rotations)
    turns[100:, 0] = np.array([0.0, 0.0, 1.0, 0.0])  # half a turn about the vertical
    path = path_measures(type(arc)(arc.skeleton, arc.frame_time, arc.root_positions, turns))
    assert path.max_heading_step > 2.0
    assert path.median_heading_step < 0.01


def test_speeding_up_at_a_seam_shows_in_the_ratio() -> None:
    times = np.arange(101) / 100.0
    way = np.where(times < 0.5, times, 0.5 + 3.0 * (times - 0.5))
    found = path_seams(dot_along_x(way), [50, 20])
    np.testing.assert_allclose(found.speed_ratio, [3.0, 1.0])
    np.testing.assert_allclose(found.curvature_change, 0.0)
    stopped = np.minimum(times, 0.5)
    np.testing.assert_array_equal(
        path_seams(dot_along_x(stopped), [50, 80, 100]).speed_ratio, [0.0, nan, nan]
    )


def test_beginning_to_turn_at_a_seam_shows_in_curvature_and_heading() -> None:
    arc = on_an_arc(radius=4.0, turn=1.0, seconds=1.0)
    straight = arc.root_positions[0] - np.arange(100, 0, -1)[:, None] * [0.0, 0.0, 0.04]
    places = np.concatenate([straight, arc.root_positions])
    turns = np.concatenate([np.tile(arc.rotations[:1], (100, 1, 1)), arc.rotations])
    clip = type(arc)(arc.skeleton, arc.frame_time, places, turns)
    found = path_seams(clip, [100])
    assert found.curvature_change[0] == pytest.approx(0.25, rel=1e-3)
    assert found.speed_ratio[0] == pytest.approx(1.0, rel=1e-3)
    # Half the frames about the seam turn at 1 rad/s, so the median rate is 0.5.
    assert found.heading_rate[0] == pytest.approx(0.5)


@pytest.mark.slow
@given(st.floats(0.5, 1.8), st.floats(-0.5, 0.5))
def test_walking_on_arcs_turns_by_speed_times_curvature(speed: float, curvature: float) -> None:
    path = path_measures(walk(speed=speed, curvature=curvature, duration=3.0, fps=30).clip)
    assert path.heading_change == pytest.approx(speed * curvature * 3.0, abs=0.15)

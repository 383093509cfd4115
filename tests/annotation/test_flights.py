"""Flights: where the centre of mass falls, and what only looks like it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from motionloom import annotate, load
from motionloom.annotation.flights import find_flights, fit_acceleration
from motionloom.motion import Clip
from motionloom.motion.anatomy.thresholds import GRAVITY
from motionloom.synthesis import walk
from tests.figures import smooth_clip
from tests.quality.bodies import FPS, gliding, sole_constraints


def jumping(duration: float = 0.5, gravity: float = GRAVITY, planted: bool = True) -> Clip:
    """The biped at rest for 0.2 s, in the air, and at rest again for 0.2 s."""
    clip = gliding(0.0, seconds=0.4 + duration, planted=False)
    times = np.clip(np.arange(clip.n_frames) / FPS - 0.2, 0.0, duration)
    rise = 0.5 * gravity * times * (duration - times)
    roots = clip.root_positions + rise[:, None] * [0.0, 1.0, 0.0]
    landing = 20 + duration * FPS
    plants = (*sole_constraints(0, 20), *sole_constraints(landing, clip.n_frames - 1)) if planted else ()
    return replace(clip, root_positions=roots, constraints=plants)


@pytest.mark.parametrize("planted", [True, False])
@pytest.mark.parametrize("gravity", [GRAVITY, 5.0, 39.2])
def test_a_jump_is_one_flight_that_falls_as_it_should(gravity: float, planted: bool) -> None:
    (flight,) = find_flights(jumping(gravity=gravity, planted=planted))
    assert 20.0 <= flight.start < 31.0
    assert 59.0 < flight.end <= 70.0
    assert flight.gravity == pytest.approx(gravity, rel=1e-6)
    assert flight.duration(1.0 / FPS) == (flight.end - flight.start) / FPS


def test_feet_in_the_air_are_no_flight_unless_the_body_falls() -> None:
    assert find_flights(gliding(0.5, lift=0.5, planted=False), np.full((101, 4), 0.5)) == []
    assert find_flights(jumping(gravity=2.0)) == []


def test_short_flights_count_where_asked() -> None:
    clip = jumping(duration=0.15)
    (flight,) = find_flights(clip)
    assert find_flights(clip, min_duration=flight.duration(clip.frame_time) + 0.01) == []


def test_plants_end_flights() -> None:
    clip = jumping()
    held = replace(clip, constraints=(*clip.constraints, *sole_constraints(40, 45)))
    before, after = find_flights(held)
    assert before.end < 40.0
    assert after.start > 45.0


def test_bodies_without_legs_and_clips_without_frames_have_no_flights() -> None:
    assert find_flights(smooth_clip()) == []
    assert find_flights(jumping()[:4]) == []


def test_acceleration_by_hand() -> None:
    t = np.arange(5.0)
    values = np.stack([3.0 * t**2, 1.0 + t], axis=1)
    np.testing.assert_allclose(fit_acceleration(values, 1.0, 0.5, 4.0), [6.0, 0.0], atol=1e-9)


def test_a_walk_has_none_and_captured_hops_fall_with_gravity(mocap: Path) -> None:
    assert find_flights(annotate(walk(duration=2.0).clip)) == []
    for name, seconds in (
        ("hop_short_83_48", 0.28),
        ("jump_long_83_50", 0.42),
        ("hopturn_left90_83_52", 0.49),
    ):
        clip = annotate(load(mocap / f"actions/jumps/{name}.bvh"))
        (flight,) = find_flights(clip)
        assert flight.duration(clip.frame_time) == pytest.approx(seconds, abs=0.02)
        assert flight.gravity == pytest.approx(GRAVITY, rel=0.05)


def test_every_step_of_a_captured_run_has_a_flight(mocap: Path) -> None:
    clip = annotate(load(mocap / "locomotion/s16/run_straight_16_45.bvh"))
    assert len(find_flights(clip)) >= 3

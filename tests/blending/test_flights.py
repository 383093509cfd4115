"""Flights of registered clips: which correspond, the timewarp through them, and gravity in blends."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from motionloom import PointClip, annotate, load, prepare, register
from motionloom.annotation.flights import find_flights, fit_acceleration
from motionloom.arrays import FloatArray
from motionloom.blending import Controls, KeyedWeights, LiveBlend, blend
from motionloom.blending.controls import measure_path
from motionloom.blending.flights import match_flights, retime_flights
from motionloom.blending.live_blend import CATCH_UP_RATE
from motionloom.blending.sources import prepare_sources
from motionloom.cycles import cyclify
from motionloom.errors import ParameterError, RegistrationWarning
from motionloom.options.blending import RateLaw
from motionloom.quality import centre_of_mass, seam_smoothness
from motionloom.registration import RegistrationCurve
from motionloom.synthesis import jog, walk

MAX_GRAVITY_ERROR = 0.02
"""How far gravity in a blended flight may be from what its weights give."""


@cache
def two_jogs() -> RegistrationCurve:
    """Two jogs with a flight after every step."""
    return register([annotate(jog(speed=speed, duration=2.0, fps=120).clip) for speed in (2.2, 4.0)])


@cache
def two_jogging_loops() -> RegistrationCurve:
    return register(
        [cyclify(annotate(jog(speed=s, duration=3.0, fps=120).clip), cycles=1) for s in (2.2, 4.0)]
    )


@cache
def two_hops(folder: Path) -> RegistrationCurve:
    """A short and a long captured hop, in the air for 0.28 and 0.42 s."""
    names = ("hop_short_83_48", "jump_long_83_50")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RegistrationWarning)
        return register([annotate(load(folder / f"actions/jumps/{name}.bvh")) for name in names])


def test_a_law_that_there_is_not_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"rate_law must be one of 'auto', 'frequency', .*, not 'fast'"):
        blend(two_jogs(), [0.5, 0.5], rate_law="fast")  # type: ignore[arg-type]


def test_flights_of_all_clips_correspond() -> None:
    found = match_flights(two_jogs())
    assert len(found.matched) == 4
    assert all(flight.end > flight.start for flight in found.matched)


def test_flights_of_one_clip_only_are_reported() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RegistrationWarning)
        curve = register([annotate(make(duration=2.0).clip) for make in (walk, jog)])
    found = match_flights(curve)
    assert found.matched == ()
    assert {k for k, _ in found.unmatched} == {1}
    (note,) = (note for note in blend(curve, [0.5, 0.5]).report.notes if "flies" in note)
    assert "clip 1 flies from" in note
    assert "times more where not all clips do" in note
    plain = blend(curve, [0.5, 0.5], rate_law="frequency")
    assert not any("flies" in note for note in plain.report.notes)
    np.testing.assert_array_equal(blend(curve, [0.5, 0.5]).clip.rotations, plain.clip.rotations)


def test_points_have_no_flights() -> None:
    clips = [PointClip(("a", "b"), 0.1, np.random.default_rng(n).normal(size=(20, 2, 3))) for n in range(2)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RegistrationWarning)
        curve = register([PointClip(c.names, 0.1, np.cumsum(c.positions, axis=0)) for c in clips])
    assert match_flights(curve).matched == ()


@pytest.mark.parametrize("make", [two_jogs, two_jogging_loops])
def test_clips_pass_a_flight_at_equal_phase_and_nothing_changes_far_from_it(
    make: Callable[[], RegistrationCurve],
) -> None:
    curve = make()
    found = match_flights(curve).matched
    retimed, flights = retime_flights(curve, found)
    assert len(flights) == len(found) > 0
    for flight in flights:
        inside = np.linspace(flight.start, flight.end, 30)[1:-1]
        phase = (inside - flight.start) / (flight.end - flight.start)
        expected = flight.frames[0] + phase[:, None] * (flight.frames[1] - flight.frames[0])
        np.testing.assert_allclose(retimed.timewarp(inside), expected, atol=0.05)
    u = np.linspace(*curve.domain, 500)
    far = np.ones(len(u), dtype=bool)
    period = np.ptp(curve.domain)
    for flight in flights:
        for cycle in (-period, 0.0, period):
            margin = 1.0 + max(flight.ramps)
            far &= (u + cycle < flight.start - margin) | (u + cycle > flight.end + margin)
    np.testing.assert_allclose(retimed.timewarp(u[far]), curve.timewarp(u[far]), atol=1e-6)
    if not curve.clips[0].cyclic:
        np.testing.assert_allclose(retimed.spans, curve.spans, atol=1e-6)


def test_plants_stay_at_their_frames_on_the_retimed_curve() -> None:
    curve = two_jogs()
    retimed, _ = retime_flights(curve, match_flights(curve).matched)
    for before, after in zip(curve.matches, retimed.matches, strict=True):
        for k in range(2):
            frames = curve.timewarp(before.spans[k])[:, k]
            np.testing.assert_allclose(retimed.timewarp(after.spans[k])[:, k], frames, atol=1e-6)


@pytest.mark.parametrize("law", ["auto", "ballistic"])
@pytest.mark.parametrize("weights", [[0.5, 0.5], [0.8, 0.2]])
def test_a_blended_hop_falls_as_its_clips_do(mocap: Path, law: RateLaw, weights: list[float]) -> None:
    curve = two_hops(mocap)
    result = blend(curve, weights, rate_law=law)
    (expected,) = result.report.flights
    (flight,) = find_flights(result.clip)
    assert flight.gravity == pytest.approx(expected.gravity, rel=MAX_GRAVITY_ERROR)
    (matched,) = match_flights(curve).matched
    squares = np.diff(matched.frames, axis=0)[0] ** 2
    assert expected.end - expected.start == pytest.approx(np.sqrt(squares @ weights), abs=0.2)
    seams = seam_smoothness(result.clip, [expected.start, expected.end], curve.clips)
    assert max(seams.acceleration, seams.jerk) <= 1.0


def test_other_laws_fall_too_fast(mocap: Path) -> None:
    least: dict[RateLaw, float] = {"frequency": 1.08, "duration": 1.03}
    for law, factor in least.items():
        (flight,) = find_flights(blend(two_hops(mocap), [0.5, 0.5], rate_law=law).clip)
        assert flight.gravity > factor * 9.66


def test_the_centre_of_mass_is_the_mean_of_the_clips_in_flight(mocap: Path) -> None:
    curve, weights = two_hops(mocap), np.array([0.4, 0.6])
    result = blend(curve, weights)
    (flight,) = result.report.flights
    at = np.arange(int(np.ceil(flight.start)), int(flight.end) + 1)
    centre = centre_of_mass(result.clip)[at, 1]
    means = np.zeros(len(at))
    for k, clip in enumerate(curve.clips):
        own = centre_of_mass(clip)[:, 1]
        means += weights[k] * np.interp(result.frames[at, k], np.arange(clip.n_frames), own)
    np.testing.assert_allclose(centre, means, atol=5e-4)
    assert np.abs(fit_acceleration(centre_of_mass(result.clip), 1 / 120, at[0], at[-1])[[0, 2]]).max() < 0.5


@pytest.mark.parametrize("k", [0, 1])
def test_one_clip_alone_comes_back_untouched(mocap: Path, k: int) -> None:
    curve = two_hops(mocap)
    result = blend(curve, np.eye(2)[k])
    first, last = np.rint(curve.spans[:, k]).astype(int)
    source = curve.clips[k][first : last + 1]
    np.testing.assert_allclose(result.clip.root_positions, source.root_positions, atol=1e-9)
    np.testing.assert_allclose(result.clip.world_positions(), source.world_positions(), atol=1e-9)


def test_runs_that_begin_in_the_air_keep_their_ends(mocap: Path) -> None:
    names = ("run_straight_16_45", "run_right_16_49")
    curve = prepare([load(mocap / f"locomotion/s16/{name}.bvh") for name in names]).register()
    retimed, flights = retime_flights(curve, match_flights(curve).matched)
    assert len(flights) > 0
    np.testing.assert_allclose(retimed.spans, curve.spans, atol=1e-9)
    for flight in blend(curve, [0.5, 0.5]).report.flights:
        assert flight.gravity == pytest.approx(9.81, rel=0.15)


def test_weights_are_held_in_flight_and_change_smoothly_on_the_ground(mocap: Path) -> None:
    curve = two_hops(mocap)
    result = blend(curve, KeyedWeights({2.0: (1, 0), 3.2: (0, 1)}))
    (flight,) = result.report.flights
    at = np.arange(int(np.ceil(flight.start)), int(flight.end) + 1)
    assert np.ptp(result.weights[at, 0]) == 0.0
    assert 0.1 < result.weights[at[0], 0] < 0.9
    assert np.abs(np.diff(result.weights[:, 0])).max() * 120 < 6.0
    (found,) = find_flights(result.clip)
    assert found.gravity == pytest.approx(flight.gravity, rel=MAX_GRAVITY_ERROR)


def test_weights_without_a_duration_fall_back_and_say_so(mocap: Path) -> None:
    """1.9 of the short and −0.9 of the long hop: Σ w T² is below zero."""
    with pytest.warns(UserWarning, match="leave the range"):
        result = blend(two_hops(mocap), [1.9, -0.9])
    assert result.report.flights == ()
    (note,) = (note for note in result.report.notes if "no duration" in note)
    assert "it follows the mean rate of the clips" in note
    assert np.isfinite(result.clip.root_positions).all()


def test_backward_is_forward(mocap: Path) -> None:
    curve = two_hops(mocap)
    forward, backward = blend(curve, [0.5, 0.5]), blend(curve, [0.5, 0.5], backward=True)
    assert backward.report.flights[0].gravity == pytest.approx(forward.report.flights[0].gravity)
    assert backward.clip.n_frames == pytest.approx(forward.clip.n_frames, abs=1)


def test_a_loop_of_two_jogs_closes_and_falls() -> None:
    result = blend(two_jogging_loops(), [0.5, 0.5])
    assert result.clip.cyclic
    assert len(result.report.flights) == 2
    for expected, flight in zip(result.report.flights, find_flights(result.clip), strict=True):
        assert flight.gravity == pytest.approx(expected.gravity, rel=0.05)


@pytest.mark.parametrize("make", [two_jogs, two_jogging_loops])
@pytest.mark.parametrize("law", ["auto", "ballistic"])
def test_a_live_blend_falls_like_a_blend(make: Callable[[], RegistrationCurve], law: RateLaw) -> None:
    curve = make()
    result = blend(curve, [0.4, 0.6], rate_law=law, duration=1.5)
    live = LiveBlend(curve, weights=[0.4, 0.6], rate_law=law)
    for frame in range(result.clip.n_frames):
        if frame:
            live.step(curve.clips[0].frame_time, [0.4, 0.6])
        np.testing.assert_allclose(live.pose.root_positions, result.clip.root_positions[frame], atol=1e-9)


def test_a_live_blend_holds_weights_in_flight_and_follows_on_the_ground() -> None:
    curve = two_jogging_loops()
    flights = prepare_sources(curve, keep_gravity=True).flights
    frame_time = curve.clips[0].frame_time
    live = LiveBlend(curve, weights=[1, 0], start=curve.domain[0] + _centre_of_flight(curve, flights[0]))
    with pytest.raises(ParameterError, match="add up to 0"):
        live.step(0.01, [1, -1])
    changes = [live.weights[1]]
    while live.weights[1] < 1.0:
        live.step(frame_time, [0, 1])
        changes.append(live.weights[1])
    steps = np.diff(changes)
    n_held = int(np.flatnonzero(steps > 0.0)[0])
    assert n_held >= 3
    assert steps.max() <= CATCH_UP_RATE * frame_time + 1e-12
    # Held again in the next flight, and at once where nothing has to be made up for.
    live.step(frame_time, [1, 0])
    assert live.weights[0] == 1.0 or live._is_flying()


def _centre_of_flight(curve: RegistrationCurve, flight: FloatArray) -> float:
    """Return u, from the start of the domain, in the middle of a flight in positions (4,)."""
    sources = prepare_sources(curve, keep_gravity=True)
    return float(sources.parameters(flight[:2]).mean()) - curve.domain[0]


def test_controls_know_what_the_law_gives() -> None:
    for law in ("auto", "ballistic"):
        controls = Controls(two_jogging_loops(), rate_law=law)
        made = measure_path(blend(two_jogging_loops(), [0.5, 0.5], rate_law=law).clip)
        assert controls.speed_and_turn([0.5, 0.5]).speed == pytest.approx(
            made.length / made.duration, rel=0.02
        )

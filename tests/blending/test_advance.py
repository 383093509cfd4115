from __future__ import annotations

import numpy as np
import pytest

from motionloom import kernels
from motionloom.blending.advance import (
    CATCH_UP,
    RATE_LAWS,
    Clock,
    Timing,
    advance,
    find_flight_frames,
    hold_in_flight,
)
from motionloom.blending.sources import prepare_sources
from motionloom.blending.weights import ConstantWeights, KeyedWeights, SampledWeights, WeightFunction
from motionloom.errors import ParameterError
from motionloom.options.blending import Integrator, RateLaw
from motionloom.registration import RegistrationCurve, register
from motionloom.synthesis import kick
from tests.blending.curves import two_loops, two_walks
from tests.refusals import refused


def _time_frames(
    curve: RegistrationCurve,
    function: WeightFunction,
    start: float | None = None,
    duration: float | None = None,
    rate_law: RateLaw = "frequency",
    integrator: Integrator = "rk4",
    backward: bool = False,
) -> Timing:
    clock = Clock(
        sources=prepare_sources(curve),
        function=function,
        rate_law=rate_law,
        integrator=integrator,
        backward=backward,
    )
    return clock.time_frames(start, duration)


HALF = ConstantWeights(np.array([0.5, 0.5]))


def test_wrong_requests_are_refused() -> None:
    curve = two_walks()
    with pytest.raises(ParameterError, match="start must be a parameter u of the curve, between 0 and"):
        _time_frames(curve, HALF, start=1e4)
    with refused("duration", -1):
        _time_frames(curve, HALF, duration=-1.0)
    with pytest.raises(
        ParameterError,
        match=r"rate_law must be one of 'frequency', .*, not 'speed'",
    ):
        _time_frames(curve, HALF, rate_law="speed")  # type: ignore[arg-type]
    with refused("integrator"):
        _time_frames(curve, HALF, integrator="heun")  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match="cyclic clips repeat forever: give the length"):
        _time_frames(two_loops(), HALF, backward=True)
    with pytest.raises(ParameterError, match="cyclic clips repeat forever: give the length"):
        _time_frames(two_loops(), KeyedWeights({-1: (1, 0)}))
    with pytest.raises(ParameterError, match="frames: a blend may have 1000000 at most"):
        _time_frames(two_loops(), HALF, duration=1e9)


def test_the_length_follows_duration_rows_or_the_curve() -> None:
    curve = two_walks()
    dt = curve.clips[0].frame_time
    assert len(_time_frames(curve, HALF, duration=0.5).positions) == 16
    assert len(_time_frames(curve, SampledWeights(np.ones((7, 2)), dt)).positions) == 7
    whole = _time_frames(curve, HALF)
    n_pieces = prepare_sources(curve).n_pieces
    assert n_pieces - 1 < whole.positions[-1] <= n_pieces
    assert len(_time_frames(two_loops(), KeyedWeights({0: (1, 0), 2: (0, 1)})).positions) == 121


def test_clips_of_one_length_make_a_blend_of_that_length() -> None:
    kicks = [kick(style=style, fps=60).clip for style in ("front", "side", "high")]
    curve = register(kicks)
    timing = _time_frames(curve, ConstantWeights(np.full(3, 1 / 3)))
    assert {len(clip) for clip in kicks} == {97}
    # The curve need not be even, so a frame more or less may pass: but none is lost to rounding.
    for k in range(3):
        copy = _time_frames(curve, ConstantWeights(np.eye(3)[k]))
        assert len(copy.positions) == 97
    assert timing.positions[-1] > prepare_sources(curve).n_pieces - 0.5


def test_going_back_is_the_way_forth() -> None:
    curve = two_walks()
    start = float(np.mean(curve.domain))
    forth = _time_frames(curve, HALF, start=start, duration=0.4)
    end = float(prepare_sources(curve).parameters(forth.positions)[-1])
    back = _time_frames(curve, HALF, start=end, duration=0.4, backward=True)
    np.testing.assert_allclose(back.positions[::-1], forth.positions, atol=1e-6)


def test_sampled_rows_end_at_the_start_going_backward() -> None:
    rows = np.array([[1.0, 0.0], [0.75, 0.25], [0.0, 1.0]])
    curve = two_walks()
    back = _time_frames(curve, SampledWeights(rows, curve.clips[0].frame_time), backward=True)
    np.testing.assert_allclose(back.weights, rows[::-1], atol=1e-12)


def test_a_cycle_closes_on_a_whole_number_of_frames() -> None:
    curve = two_loops()
    timing = _time_frames(curve, HALF)
    assert timing.closes
    np.testing.assert_allclose(timing.positions[-1], prepare_sources(curve).n_pieces, rtol=1e-10)
    low, high = sorted(clip.n_frames for clip in curve.clips)
    assert low < len(timing.positions) - 1 < high


def test_durations_and_frequencies_are_averaged_as_asked() -> None:
    """Cycles of P and Q frames: the mean duration is (P + Q) / 2; by frequencies 2 P Q / (P + Q) at most.

    The harmonic mean is concave, so where the clips' rates differ along the way the cycle is shorter still.
    """
    curve = two_loops()
    first, second = (clip.n_frames for clip in curve.clips)
    by_duration = _time_frames(curve, HALF, rate_law="duration")
    assert abs(len(by_duration.positions) - 1 - (first + second) / 2) <= 0.5
    by_frequency = _time_frames(curve, HALF)
    assert min(first, second) < len(by_frequency.positions) - 1 < 2 * first * second / (first + second) + 0.5


def test_a_copy_advances_by_exactly_one_frame() -> None:
    for curve in (two_walks(), two_loops()):
        for k in range(2):
            timing = _time_frames(curve, ConstantWeights(np.eye(2)[k]), duration=0.8, start=curve.domain[0])
            frames = curve.timewarp(prepare_sources(curve).parameters(timing.positions))[:, k]
            np.testing.assert_allclose(np.diff(frames), 1.0, atol=1e-9)


def test_extrapolating_weights_never_stop_time() -> None:
    curve = two_walks()
    for row in ([3.0, -2.0], [-2.0, 3.0]):
        for rate in ("frequency", "duration"):
            timing = _time_frames(curve, ConstantWeights(np.array(row)), rate_law=rate)
            assert np.diff(timing.positions).min() > 0.0


def test_steps_agree_with_the_integral_of_the_rates() -> None:
    """The time to each position is the integral of 1 / sum(w_k / S_k'); Euler's steps drift, these do not."""
    curve = two_walks()
    sources = prepare_sources(curve)
    u = np.linspace(*curve.domain, 200_001)
    slope = curve.timewarp.derivative(u)
    seconds_per_u = 1.0 / (0.5 / slope[:, 0] + 0.5 / slope[:, 1])
    time = np.concatenate([[0.0], np.cumsum((seconds_per_u[1:] + seconds_per_u[:-1]) / 2 * np.diff(u))])
    rows = np.full((60, 2), 0.5)
    found = sources.parameters(advance(sources, rows, 0.0))
    true = np.interp(np.arange(len(found)), time, u)
    assert np.abs(found - true).max() < 0.01
    euler = sources.parameters(advance(sources, rows, 0.0, integrator="euler"))
    n = min(len(found), len(euler))
    assert np.abs(found[:n] - true[:n]).max() < 0.2 * np.abs(euler[:n] - true[:n]).max()


def test_the_law_that_chooses_bounds_what_averaged_rates_add() -> None:
    """One clip passes five frames while the other passes one: averaged rates play 1.8 times as fast."""
    points, half = np.arange(4.0)[:, None] * [1.0, 5.0], np.array([0.5, 0.5])
    laws = {
        law: kernels.advance.rate(points, False, np.empty((0, 4)), half, half, 0.0, 0.5, number)
        for law, number in RATE_LAWS.items()
    }
    assert laws["frequency"] == pytest.approx((1.0 + 1.0 / 5.0) / 2.0)
    assert laws["duration"] == pytest.approx(1.0 / 3.0)
    assert laws["auto"] == pytest.approx(1.25 / 3.0)
    near = np.arange(4.0)[:, None] * [1.0, 2.0]
    assert (
        kernels.advance.rate(near, False, np.empty((0, 4)), half, half, 0.0, 0.5, RATE_LAWS["auto"]) == 0.75
    )


FLIGHTS = np.array([[2.5, 4.0, 1.0, 1.0], [6.0, 7.0, 1.0, 1.0]])
NONE = np.empty((0, 2))


def test_frames_of_flights_by_hand() -> None:
    assert find_flight_frames(np.arange(10.0), FLIGHTS, None).tolist() == [[2.5, 4.0], [6.0, 7.0]]
    assert find_flight_frames(np.arange(10.0) / 2, FLIGHTS, None).tolist() == [[5.0, 8.0]]
    backward = find_flight_frames(9.0 - np.arange(10.0), FLIGHTS, None)
    assert backward.tolist() == [[2.0, 3.0], [5.0, 6.5]]
    assert find_flight_frames(np.zeros(1), FLIGHTS, None).shape == (0, 2)


def test_a_blend_that_stops_in_the_air_would_land() -> None:
    assert find_flight_frames(np.array([0.0, 1.0, 2.0, 3.0]), FLIGHTS, None).tolist() == [[2.5, 4.0]]


def test_flights_return_every_cycle() -> None:
    found = find_flight_frames(np.arange(25.0), np.array([[9.0, 11.0, 0.0, 0.0]]), 10.0)
    assert found.tolist() == [[0.0, 1.0], [9.0, 11.0], [19.0, 21.0]]


@pytest.mark.parametrize(
    "flights",
    [[[40.0, 80.0]], [[0.0, 40.0]], [[10.0, 40.0], [55.0, 80.0]], [[5.0, 30.0], [150.0, 260.0]]],
)
def test_frames_never_go_back_stand_still_in_flight_and_catch_up(flights: list[list[float]]) -> None:
    held = hold_in_flight(200, np.array(flights), 1.0 / 120.0)
    steps = np.diff(held)
    assert held[0] == 0.0
    assert (steps >= -1e-9).all()
    for start, end in flights:
        inside = held[int(np.ceil(start)) : int(np.floor(end)) + 1]
        assert np.ptp(inside) == 0.0
    later = int(flights[-1][1] + CATCH_UP * 120.0) + 1
    np.testing.assert_allclose(held[later:], np.arange(200)[later:], atol=1e-9)


def test_without_flights_nothing_changes() -> None:
    assert hold_in_flight(4, NONE, 0.1).tolist() == [0.0, 1.0, 2.0, 3.0]

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.options.registration import FitMode, min_rate_for
from motionloom.registration.timewarp import MIN_ADVANCE, FitOutcome, TimewarpCurve
from motionloom.registration.timewarp_fit import (
    DEFAULT_MIN_RATE,
    End,
    fit_periodic_timewarp,
    fit_timewarp,
)
from tests.registration.timewarp_oracle import staircase

MODES: list[FitMode] = ["exact", "nudge", "appendix"]
LOOSE_ENDS: list[tuple[End, End]] = [("free", "free"), ("free", "pinned"), ("pinned", "free")]
DIAGONAL = np.repeat(np.arange(12.0)[:, None], 2, axis=1)


def steps_of(curve: TimewarpCurve) -> FloatArray:
    """Control-point differences of all pieces; over the knots they are the rates, in frames per piece."""
    u = curve.domain[0] + np.arange(curve.n_pieces + 1) * curve.knot_spacing
    return curve.derivative(u) * curve.knot_spacing


def rates_hold(curve: TimewarpCurve, min_rate: float) -> bool:
    """Whether some clip as base bounds the rates of all others."""
    steps = steps_of(curve)
    slack = 1e-9 * steps.max()
    return any(
        bool((steps >= min_rate * base - slack).all() and (base >= min_rate * steps - slack).all())
        for base in steps.T[:, :, None]
    )


@pytest.mark.parametrize(
    ("samples", "settings", "message"),
    [
        ([[0, 0]], {}, "samples must have at least two rows and one clip"),
        ([0, 1, 2], {}, r"samples must have shape \(N, K\)"),
        ([[0, 0], [1, np.inf]], {}, r"samples must be finite: entry \(1, 1\)"),
        ([[0, 3], [1, 4], [2, 3]], {}, "never go back in time: clip 1 goes from frame 4 to 3 after sample 1"),
        ([[0, 3], [1, 3], [2, 3]], {}, "clip 1 does not advance over the samples"),
        (DIAGONAL, {"knot_spacing": 1}, "knot_spacing must be at least 2 samples, not 1"),
        (DIAGONAL, {"knot_spacing": np.nan}, "knot_spacing must be at least 2 samples, not nan"),
        (DIAGONAL, {"min_rate": 1.5}, "min_rate must be between 0 and 1, not 1.5"),
        (DIAGONAL, {"min_rate": np.nan}, "min_rate must be between 0 and 1, not nan"),
        (DIAGONAL, {"mode": "best"}, "mode must be one of exact, nudge, appendix, not 'best'"),
        (DIAGONAL, {"mode": "nudge", "min_rate": 0.1}, "nudging cannot bound the rates"),
        (DIAGONAL, {"mode": "appendix", "min_rate": 0.0}, "give a min_rate above 0, or use 'exact'"),
        (DIAGONAL, {"start": "loose"}, "start must be one of pinned, free, not 'loose'"),
        (DIAGONAL, {"end": "loose"}, "end must be one of pinned, free, not 'loose'"),
        (DIAGONAL, {"smoothing": -1.0}, "smoothing must be zero or a positive number, not -1.0"),
    ],
)
def test_refuses_what_cannot_be_fitted(samples: Any, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        fit_timewarp(samples, **settings)


def test_explains_ends_that_force_the_rates_apart() -> None:
    samples = np.linspace([0, 0, 0], [134, 32, 64], 140)
    message = (
        "clip 1 advances 32 frames while clip 0 advances 134, so their rates cannot stay within a min_rate "
        r"of 0\.5: give a min_rate of at most 0\.4776"
    )
    with pytest.raises(ParameterError, match=message):
        fit_timewarp(samples, min_rate=0.5)
    assert rates_hold(fit_timewarp(samples, min_rate=0.4776), 0.4776)
    assert rates_hold(fit_timewarp(samples, min_rate=0.5, end="free"), 0.5)


@pytest.mark.parametrize(
    ("samples", "periods", "message"),
    [
        ([[0], [1], [2]], [1.5], r"clip 0 advance 2 frames, which does not fit into its period of 1\.5"),
        ([[0, 0], [1, 0]], [2.0, 0.0], "clip 1 advance 0 frames, which does not fit into its period of 0"),
        ([[0], [1], [2]], [2.0], "leave the closing row out"),
        ([[0], [1], [2]], [3.0, 3.0], r"periods must have shape \(1,\)"),
    ],
)
def test_refuses_what_is_no_cycle(samples: Any, periods: Any, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        fit_periodic_timewarp(samples, periods)


def test_rate_bound_follows_the_slope_limit() -> None:
    assert min_rate_for(3) == pytest.approx(1 / 6)
    assert min_rate_for(3) == DEFAULT_MIN_RATE
    with pytest.raises(ParameterError, match=r"slope_limit must be at least 1, not 0\.5"):
        min_rate_for(0.5)


def test_two_samples_give_the_line_between_them() -> None:
    curve = fit_timewarp([[2, 5], [4, 6]])
    assert curve.domain == (0.0, 1.0)
    assert curve([0.0, 0.5, 1.0]) == pytest.approx(np.array([[2, 5], [3, 5.5], [4, 6]]), abs=1e-12)


def test_three_samples_determine_one_parabola() -> None:
    curve = fit_timewarp([[0.0], [1.5], [4.0]], start="free", end="free")
    assert curve([0.0, 1.0, 2.0]).ravel() == pytest.approx([0.0, 1.5, 4.0], abs=1e-8)


def test_a_flat_end_is_held_at_the_least_advance() -> None:
    samples = np.minimum(np.arange(41.0), 20.0)[:, None]
    curve = fit_timewarp(samples, end="free")
    floor = MIN_ADVANCE * 20 / 40
    assert curve.derivative(40.0)[0] == pytest.approx(floor, abs=1e-9)
    assert curve.report is not None
    assert curve.report.outcome is FitOutcome.EXACT


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("n_clips", [1, 2, 3, 9])
@pytest.mark.parametrize("n_samples", [2, 3, 4, 5, 60])
def test_identity_gives_the_identity(mode: FitMode, n_clips: int, n_samples: int) -> None:
    samples = np.repeat(np.arange(float(n_samples))[:, None], n_clips, axis=1)
    curve = fit_timewarp(samples, mode=mode)
    u = np.linspace(0, n_samples - 1, 47)
    assert curve(u) == pytest.approx(np.repeat(u[:, None], n_clips, axis=1), abs=1e-12)
    assert curve.derivative(u) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("n_clips", [1, 2, 3, 9])
@pytest.mark.parametrize("knot_spacing", [2, 4, 100])
def test_short_paths_are_strictly_increasing(mode: FitMode, n_clips: int, knot_spacing: float) -> None:
    for n_samples in (2, 3, 4, 5):
        for seed in range(4):
            samples = staircase(np.random.default_rng(seed), n_samples, 2, n_clips)
            if (samples[-1] == samples[0]).any():
                continue
            curve = fit_timewarp(samples, mode=mode, knot_spacing=knot_spacing)
            assert curve(0.0) == pytest.approx(samples[0], abs=1e-9)
            assert curve(n_samples - 1.0) == pytest.approx(samples[-1], abs=1e-9)
            assert (steps_of(curve) > 0).all()


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("slope_limit", [2, 3, 4])
def test_random_staircases_keep_every_bound(mode: FitMode, slope_limit: int) -> None:
    for seed in range(350):
        rng = np.random.default_rng([seed, slope_limit])
        samples = staircase(rng, int(rng.integers(3, 70)), slope_limit, int(rng.choice([1, 2, 2, 2, 3])))
        min_rate = 0.0 if mode == "nudge" else min_rate_for(slope_limit)
        curve = fit_timewarp(samples, mode=mode, min_rate=min_rate)
        assert curve(curve.domain) == pytest.approx(samples[[0, -1]], abs=1e-9)
        least = MIN_ADVANCE * (samples[-1] - samples[0]) / (len(samples) - 1)
        everywhere = curve.derivative(np.linspace(*curve.domain, 5 * len(samples)))
        assert (everywhere >= least * (1 - 1e-9)).all()
        assert (steps_of(curve) >= least * curve.knot_spacing * (1 - 1e-9)).all()
        assert rates_hold(curve, min_rate)


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
def test_free_and_mixed_ends_keep_every_bound(mode: FitMode) -> None:
    min_rate = 0.0 if mode == "nudge" else 0.4
    for seed in range(40):
        samples = staircase(np.random.default_rng(seed), 5 + seed, 4, 3)
        for start, end in LOOSE_ENDS:
            curve = fit_timewarp(samples, mode=mode, min_rate=min_rate, start=start, end=end)
            assert rates_hold(curve, min_rate)
            if start == "pinned":
                assert curve(curve.domain[0]) == pytest.approx(samples[0], abs=1e-9)
            if end == "pinned":
                assert curve(curve.domain[1]) == pytest.approx(samples[-1], abs=1e-9)


@pytest.mark.parametrize("mode", MODES)
def test_long_stretches_at_the_slope_limit_are_followed(mode: FitMode) -> None:
    waits = np.tile([1.0, 0.0, 0.0], 20)
    straight = np.ones(60)
    first = np.concatenate([[0.0], np.cumsum(np.concatenate([waits, straight, straight]))])
    second = np.concatenate([[0.0], np.cumsum(np.concatenate([straight, straight, waits]))])
    curve = fit_timewarp(np.stack([first, second], axis=1), mode=mode)
    assert curve.derivative(30.0) == pytest.approx([1 / 3, 1.0], abs=0.1)
    assert curve.derivative(150.0) == pytest.approx([1.0, 1 / 3], abs=0.1)
    u = np.arange(len(first))
    assert np.abs(curve(u) - np.stack([first, second], axis=1)).max() < 1.0


def test_stairs_between_even_ends_stay_within_a_frame() -> None:
    for seed in range(30):
        samples = staircase(np.random.default_rng(seed), 60, 2)
        curve = fit_timewarp(samples)
        assert np.abs(curve(np.arange(60)) - samples).max() < 1.5


@pytest.mark.slow
@given(st.integers(0, 10_000), st.integers(1, 4), st.permutations(range(4)))
def test_order_of_clips_changes_nothing(seed: int, n_clips: int, order: list[int]) -> None:
    samples = staircase(np.random.default_rng(seed), 25, 3, n_clips)
    chosen = [k for k in order if k < n_clips]
    curve, turned = fit_timewarp(samples), fit_timewarp(samples[:, chosen])
    assert turned.control_points == pytest.approx(curve.control_points[:, chosen], abs=1e-9)


def test_clips_that_advance_alike_stay_together() -> None:
    samples = staircase(np.random.default_rng(7), 40, 4, 3)
    doubled = samples[:, [0, 1, 0, 2, 1]] + [0, 0, 50, 0, 0]
    curve = fit_timewarp(doubled, min_rate=0.45, end="free")
    assert curve.control_points[:, 2] == pytest.approx(curve.control_points[:, 0] + 50, abs=1e-9)
    assert curve.control_points[:, 4] == pytest.approx(curve.control_points[:, 1], abs=1e-9)


def test_a_tie_between_bases_does_not_depend_on_the_order() -> None:
    forth = staircase(np.random.default_rng(3), 30, 4, 1)[:, 0]
    back = forth[-1] - forth[::-1]
    samples = np.stack([forth, back, np.linspace(0, forth[-1], 30)], axis=1)
    curve, turned = fit_timewarp(samples, min_rate=0.7), fit_timewarp(samples[:, [1, 2, 0]], min_rate=0.7)
    assert turned.control_points == pytest.approx(curve.control_points[:, [1, 2, 0]], abs=1e-9)


@pytest.mark.slow
@given(st.integers(0, 10_000), st.integers(3, 60), st.sampled_from(MODES))
def test_inverse_undoes_over_the_whole_domain(seed: int, n_samples: int, mode: FitMode) -> None:
    samples = staircase(np.random.default_rng(seed), n_samples, 4)
    assume((samples[-1] > samples[0]).all())  # on three or four samples a clip may wait all the time
    curve = fit_timewarp(samples, mode=mode)
    for k in range(2):
        frames = np.linspace(samples[0, k], samples[-1, k], 200)
        assert curve(curve.inverse(k, frames))[:, k] == pytest.approx(frames, abs=1e-9)


@pytest.mark.slow
@given(st.integers(0, 10_000), st.floats(0.1, 40.0), st.floats(-500.0, 500.0))
def test_frames_may_be_scaled_and_shifted(seed: int, scale: float, shift: float) -> None:
    samples = staircase(np.random.default_rng(seed), 30, 3)
    curve, moved = fit_timewarp(samples), fit_timewarp(samples * scale + shift)
    assert moved.control_points == pytest.approx(
        curve.control_points * scale + shift, abs=1e-8 * scale + 1e-9
    )


def test_smoothing_calms_the_rates() -> None:
    samples = staircase(np.random.default_rng(5), 80, 3)
    wobble = [
        float(np.abs(np.diff(steps_of(fit_timewarp(samples, smoothing=s)), axis=0)).sum())
        for s in (0, 1, 100)
    ]
    assert wobble[0] > wobble[1] > wobble[2]


def test_correspondences_of_a_curve_give_the_curve_back() -> None:
    curve = fit_timewarp(staircase(np.random.default_rng(2), 41, 3))
    again = fit_timewarp(curve(np.arange(41)))
    assert again.control_points == pytest.approx(curve.control_points, abs=1e-8)


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
def test_cycles_keep_every_bound_and_close(mode: FitMode) -> None:
    for seed in range(60):
        rng = np.random.default_rng(seed)
        samples = staircase(rng, int(rng.integers(3, 60)), 3, int(rng.choice([2, 3])))
        periods = samples[-1] - samples[0]
        cycle = fit_periodic_timewarp(samples[:-1], periods, mode=mode)
        first, last = cycle.domain
        assert last == pytest.approx(len(samples) - 1)
        assert cycle(last + 0.3) == pytest.approx(cycle(first + 0.3) + periods, abs=1e-9)
        assert cycle.derivative(last - 1e-9) == pytest.approx(cycle.derivative(last + 1e-9), abs=1e-6)
        assert (steps_of(cycle) >= MIN_ADVANCE * periods / cycle.n_pieces * (1 - 1e-9)).all()
        assert rates_hold(cycle, 0.0 if mode == "nudge" else DEFAULT_MIN_RATE)


def test_a_steady_cycle_is_exact() -> None:
    u = np.arange(24.0)
    cycle = fit_periodic_timewarp(np.stack([u, 2 * u + 5], axis=1), [24, 48])
    at = np.linspace(-30, 60, 91)
    assert cycle(at) == pytest.approx(np.stack([at, 2 * at + 5], axis=1), abs=1e-12)


def test_the_seam_of_a_cycle_is_no_special_place() -> None:
    samples = staircase(np.random.default_rng(11), 33, 3)
    periods = samples[-1] - samples[0]
    cycle = fit_periodic_timewarp(samples[:-1], periods)
    turned = fit_periodic_timewarp(np.concatenate([samples[8:-1], samples[:8] + periods]), periods)
    at = np.linspace(0, 32, 65)
    assert turned(at) == pytest.approx(cycle(at + 8), abs=1e-9)

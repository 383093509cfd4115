"""The exact fit against a slow independent solution, and against the papers' own methods."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import LinearConstraint, minimize

from motionloom.arrays import FloatArray
from motionloom.options.registration import FitMode
from motionloom.registration import timewarp_solver
from motionloom.registration.timewarp import FitOutcome, RateLimits
from motionloom.registration.timewarp_fit import End, fit_periodic_timewarp, fit_timewarp
from motionloom.registration.timewarp_solver import nudge_steps, project_steps
from motionloom.registration.timewarp_spline import SplineProblem, open_problem
from tests.registration.timewarp_oracle import exact_control_points, objective, staircase

ENDS: list[tuple[End, End]] = [("pinned", "pinned"), ("free", "free"), ("pinned", "free"), ("free", "pinned")]
RIVALS: list[tuple[FitMode, float]] = [("nudge", 0.0), ("appendix", 0.3)]


def possible_bases(samples: FloatArray, min_rate: float, both_pinned: bool) -> list[int]:
    totals = samples[-1] - samples[0]
    ratios = np.minimum(totals[:, None] / totals, totals / totals[:, None])
    fits = (ratios >= min_rate - 1e-12).all(axis=1) if both_pinned else np.ones(len(totals), bool)
    return np.flatnonzero(fits).tolist()


@pytest.mark.slow
@pytest.mark.parametrize("n_clips", [1, 2, 3])
@pytest.mark.parametrize(("start", "end"), ENDS)
@pytest.mark.parametrize("min_rate", [0.0, 0.2, 0.4])
def test_equals_a_dense_solution(n_clips: int, start: End, end: End, min_rate: float) -> None:
    pinned = (start == "pinned", end == "pinned")
    for seed in range(6):
        rng = np.random.default_rng(seed)
        samples = staircase(rng, int(rng.integers(5, 34)), 3, n_clips)
        if n_clips == 1:
            samples = np.append(np.zeros((1, 1)), np.cumsum(rng.random((20, 1)) ** 6, axis=0), axis=0)
        bases = possible_bases(samples, min_rate, all(pinned))
        curve = fit_timewarp(samples, min_rate=min_rate, start=start, end=end)
        answers = [exact_control_points(samples, curve.n_pieces, min_rate, pinned, base) for base in bases]
        least = min(objective(samples, answer) for answer in answers)
        assert objective(samples, curve.control_points) == pytest.approx(least, abs=1e-8)
        nearest = min(float(np.abs(answer - curve.control_points).max()) for answer in answers)
        assert nearest < 1e-8


def test_equals_sequential_quadratic_programming() -> None:
    samples = staircase(np.random.default_rng(4), 17, 3)
    curve = fit_timewarp(samples, min_rate=0.7, start="free", end="free")
    floors = 0.05 * (samples[-1] - samples[0]) / curve.n_pieces
    steps = np.diff(np.eye(curve.n_pieces + 2), axis=0)
    rows = np.concatenate([np.kron(steps, row) for row in ([1, 0], [0, 1], [1, -0.7], [-0.7, 1])])
    limits = np.repeat([*floors, 0.0, 0.0], len(steps))
    line: FloatArray = np.linspace(samples[0], samples[-1], curve.n_pieces + 2).ravel()

    def cost(flat: FloatArray) -> float:
        return objective(samples, flat.reshape(-1, 2))

    slow = minimize(
        cost,
        line,
        method="SLSQP",
        constraints=[LinearConstraint(rows, limits, np.full(len(limits), np.inf))],
        tol=1e-14,
        options={"maxiter": 1000},
    )
    assert curve.report is not None
    assert curve.report.base is not None
    assert objective(samples, curve.control_points) == pytest.approx(float(slow.fun), abs=1e-8)


@pytest.mark.slow
@pytest.mark.parametrize(("start", "end"), ENDS)
def test_never_worse_than_the_papers_methods(start: End, end: End) -> None:
    adjusted = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        samples = staircase(rng, int(rng.integers(4, 60)), 4, int(rng.integers(2, 4)))
        for mode, min_rate in RIVALS:
            other = fit_timewarp(samples, mode=mode, min_rate=min_rate, start=start, end=end)
            exact = fit_timewarp(samples, min_rate=min_rate, start=start, end=end)
            assert other.report is not None
            assert exact.report is not None
            adjusted += other.report.outcome is FitOutcome.ADJUSTED
            assert exact.report.squared_error <= other.report.squared_error + 1e-8
    assert adjusted > 10


@pytest.mark.slow
def test_a_cycle_is_never_worse_than_the_papers_methods() -> None:
    adjusted = 0
    for seed in range(60):
        rng = np.random.default_rng(seed)
        samples = staircase(rng, int(rng.integers(4, 60)), 4)
        periods = samples[-1] - samples[0]
        for mode, min_rate in RIVALS:
            other = fit_periodic_timewarp(samples[:-1], periods, mode=mode, min_rate=min_rate)
            exact = fit_periodic_timewarp(samples[:-1], periods, min_rate=min_rate)
            assert other.report is not None
            assert exact.report is not None
            adjusted += other.report.outcome is FitOutcome.ADJUSTED
            assert exact.report.squared_error <= other.report.squared_error + 1e-8
    assert adjusted > 10


def test_says_so_when_the_exact_fit_does_not_converge(monkeypatch: pytest.MonkeyPatch) -> None:
    samples = staircase(np.random.default_rng(4), 60, 4)
    monkeypatch.setattr(timewarp_solver, "MAX_ITERATIONS", 1)
    monkeypatch.setattr(timewarp_solver, "POLISHING_ROUNDS", 0)
    curve = fit_timewarp(samples, min_rate=0.6)
    assert curve.report is not None
    assert curve.report.outcome is FitOutcome.FELL_BACK
    assert "did not converge" in curve.report.outcome.value
    steps = np.diff(curve.control_points, axis=0)
    assert (steps.min(axis=1) >= (0.6 - 1e-9) * steps.max(axis=1)).all()


def test_a_wrong_guess_of_the_active_bounds_is_corrected(monkeypatch: pytest.MonkeyPatch) -> None:
    cases = [staircase(np.random.default_rng(seed), 60, 4) for seed in range(10)]
    exact = [fit_timewarp(samples, min_rate=0.6).control_points for samples in cases]
    monkeypatch.setattr(timewarp_solver, "GAP_TOLERANCE", 1e-2)
    monkeypatch.setattr(timewarp_solver, "RESIDUAL_TOLERANCE", 1.0)
    for samples, control_points in zip(cases, exact, strict=True):
        hasty = fit_timewarp(samples, min_rate=0.6)
        assert hasty.control_points == pytest.approx(control_points, abs=1e-9)


@pytest.mark.parametrize("n_clips", [2, 3])
def test_ends_at_exactly_the_limiting_rate_leave_one_ratio(n_clips: int) -> None:
    samples = np.zeros((41, n_clips))
    samples[:, 0] = np.minimum(np.arange(41), 20 + np.arange(41) // 3)
    samples[:, 1:] = np.linspace(0.0, samples[-1, 0] / 3, 41)[:, None] ** 2 / (samples[-1, 0] / 3)
    curve = fit_timewarp(samples, min_rate=1 / 3)
    rates = curve.derivative(np.linspace(0, 40, 99))
    assert curve.report is not None
    assert curve.report.outcome is FitOutcome.EXACT
    assert rates[:, 1:] == pytest.approx(np.repeat(rates[:, :1] / 3, n_clips - 1, axis=1), abs=1e-9)


def problem_with(steps: FloatArray) -> tuple[SplineProblem, FloatArray]:
    """A problem with free ends, and the deviations that give its curve the steps (R, K)."""
    line = np.repeat(np.arange(5.0 * len(steps) - 4.0)[:, None], steps.shape[1], axis=1)
    problem = open_problem(line, len(steps) - 1, pin_start=False, pin_end=False, smoothing=0.0)
    points = np.concatenate([np.zeros((1, steps.shape[1])), np.cumsum(steps, axis=0)])
    return problem, points - problem.line


def project(problem: SplineProblem, x: FloatArray, limits: RateLimits) -> FloatArray:
    return project_steps(problem, x, limits.bounds(0), limits.floors, limits.min_rate, base=0)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ([3.0, -1.0, 5.0], [2.25, 0.5, 4.25]),  # split in halves
        ([1.0, -1.0, 5.0], [0.5, 0.5, 4.0]),  # the step before can bear a third of it
        ([0.5, -1.0, 5.0], [0.5, 0.5, 3.5]),  # the step before can bear nothing
        ([-1.0, 4.0, 4.0], [0.5, 3.25, 4.0]),  # the first step has none before it
        ([4.0, 4.0, -1.0], [4.0, 3.25, 0.5]),  # the last step has none after it
        ([4.0, 0.0, 0.5], [3.75, 0.5, 0.5]),  # the last step loses a quarter and gets it back at the end
    ],
)
def test_nudging_by_hand(before: list[float], after: list[float]) -> None:
    problem, x = problem_with(np.array(before)[:, None])
    repaired = problem.steps_of(nudge_steps(problem, x, np.array([0.5])))
    assert repaired.ravel() == pytest.approx(after)


def test_projection_by_hand() -> None:
    problem, x = problem_with(np.array([[1.0, 4.0], [2.0, 2.0]]))
    limits = RateLimits(np.array([0.1, 0.1]), 0.5)
    repaired = problem.steps_of(project(problem, x, limits))
    # (1, 4) goes to the nearest point (1.8, 3.6) of the line on which clip 1 is twice as fast; the change
    # of (0.8, -0.4) is split in halves.
    assert repaired == pytest.approx(np.array([[1.8, 3.6], [1.6, 2.2]]))


def test_projection_of_a_step_that_runs_backwards_ends_at_the_floor() -> None:
    problem, x = problem_with(np.array([[-3.0, -2.0], [6.0, 6.0]]))
    limits = RateLimits(np.array([0.1, 0.2]), 0.5)
    repaired = problem.steps_of(project(problem, x, limits))
    assert repaired[0] == pytest.approx([0.1, 0.2])
    assert limits.bounds(0).hold(repaired)

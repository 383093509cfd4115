"""The papers' ways of moving control points, worked by hand."""

from __future__ import annotations

import numpy as np
import pytest

from motionloom.arrays import FloatArray
from motionloom.registration.timewarp import RateLimits
from motionloom.registration.timewarp_adjust import nudge_steps, project_steps
from motionloom.registration.timewarp_spline import SplineProblem, open_problem


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

"""Least squares over frames, against the same problem written as one dense matrix."""

from __future__ import annotations

import numpy as np
import pytest

from motionloom.arrays import BoolArray, FloatArray
from motionloom.geometry.banded import BandedProblem


def random_problem(n_frames: int, size: int, seed: int) -> tuple[BandedProblem, FloatArray, FloatArray]:
    """A problem with terms of every kind, and the same as rows of weighted equations."""
    rng = np.random.default_rng(seed)
    problem = BandedProblem.empty(n_frames, size)
    rows: list[FloatArray] = []
    wanted: list[float] = []

    def row(weight: float, frames: range, stencils: FloatArray, value: float) -> None:
        line = np.zeros((n_frames, size))
        line[list(frames)] = stencils
        rows.append(np.sqrt(weight) * line.ravel())
        wanted.append(float(np.sqrt(weight) * value))

    weights, values = rng.uniform(0.5, 2.0, n_frames), rng.normal(size=n_frames)
    for _ in range(size):
        stencils = rng.normal(size=(n_frames, size))
        problem.add_values(weights, stencils, values)
        for t in range(n_frames):
            row(weights[t], range(t, t + 1), stencils[t : t + 1], values[t])
    stencil, steps = rng.normal(size=size), rng.normal(size=n_frames - 1)
    problem.add_changes(weights[1:], stencil, steps)
    for t in range(n_frames - 1):
        row(weights[t + 1], range(t, t + 2), np.stack([-stencil, stencil]), steps[t])
    problem.add_bends(0.7, size - 1)
    for t in range(n_frames - 2):
        unit = np.eye(size)[size - 1]
        row(0.7, range(t, t + 3), np.stack([unit, -2.0 * unit, unit]), 0.0)
    return problem, np.array(rows), np.array(wanted)


@pytest.mark.parametrize(("n_frames", "size"), [(3, 1), (7, 3), (12, 9)])
@pytest.mark.parametrize("seed", range(4))
def test_solutions_are_those_of_dense_least_squares(n_frames: int, size: int, seed: int) -> None:
    problem, rows, wanted = random_problem(n_frames, size, seed)
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(n_frames, size))
    known: BoolArray = rng.random((n_frames, size)) < 0.3
    found = problem.solve(values, known)
    free = ~known.ravel()
    right = wanted - rows[:, ~free] @ values.ravel()[~free]
    expected = np.array(values).ravel()
    expected[free] = np.linalg.lstsq(rows[:, free], right)[0]
    assert found.ravel() == pytest.approx(expected, abs=1e-8)
    assert np.array_equal(found[known], values[known])


def test_a_copy_takes_values_of_its_own() -> None:
    problem, _, _ = random_problem(5, 2, 0)
    nothing: BoolArray = np.zeros((5, 2), dtype=np.bool_)
    before = problem.solve(np.zeros((5, 2)), nothing)
    other = problem.copy()
    other.add_values(np.full(5, 10.0), np.ones((5, 2)), np.full(5, 3.0))
    assert np.array_equal(problem.solve(np.zeros((5, 2)), nothing), before)
    assert not np.allclose(other.solve(np.zeros((5, 2)), nothing), before)


@pytest.mark.parametrize("n_frames", [1, 2])
def test_clips_of_one_and_two_frames_have_no_bends(n_frames: int) -> None:
    problem = BandedProblem.empty(n_frames, 2)
    for unknown in range(2):
        problem.add_bends(5.0, unknown)
    problem.add_changes(np.ones(n_frames - 1), np.ones(2), np.zeros(n_frames - 1))
    for unit in np.eye(2):
        problem.add_values(np.ones(n_frames), np.tile(unit, (n_frames, 1)), np.full(n_frames, 2.0))
    found = problem.solve(np.zeros((n_frames, 2)), np.zeros((n_frames, 2), dtype=np.bool_))
    assert found == pytest.approx(np.full((n_frames, 2), 2.0))

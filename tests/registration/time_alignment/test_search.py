from __future__ import annotations

import numpy as np
import pytest

from motionloom.registration.time_alignment.reachability import Cell, live_band
from motionloom.registration.time_alignment.search import Arrival, PathRules, first_axis_wins, sweep
from tests.registration.time_alignment.path_oracle import LegalPaths


@pytest.mark.parametrize("pinned", [True, False])
@pytest.mark.parametrize("slope_limit", [2, 3, 4])
@pytest.mark.parametrize("target", [(9, 9), (7, 14), (13, 8)])
def test_values_on_the_edge_are_those_of_the_best_paths_within_the_band(
    target: Cell, slope_limit: int, pinned: bool
) -> None:
    shape = (7, 7)
    rules = PathRules(slope_limit, "reversible", True, True)
    table = LegalPaths.of(shape, (0, 0), slope_limit, True)
    band = live_band(shape, [target], slope_limit, leave_freely=True)
    alive = np.array([all(band[0, i] <= j <= band[1, i] for i, j in path) for path in table.paths])
    weights = table.once if pinned else table.twice_on_diagonals
    rng = np.random.default_rng([*target, slope_limit])
    for _ in range(20):
        costs = rng.random(shape)
        swept = sweep(costs, (0, 0), shape, [target], rules, pinned=pinned)
        expected = np.full(shape, np.inf)
        np.minimum.at(expected, tuple(table.ends[alive].T), weights[alive] @ costs.ravel())
        np.testing.assert_allclose(swept.last_row, expected[-1])
        np.testing.assert_allclose(swept.last_column, expected[:, -1])


def test_ties_between_the_clips_are_decided_by_the_grid() -> None:
    assert first_axis_wins(np.ones((2, 3)), [])
    assert not first_axis_wins(np.ones((3, 2)), [])
    costs = np.zeros((4, 4))
    assert first_axis_wins(costs, [])
    assert not first_axis_wins(costs, [(0, 0), (2, 1)])
    costs[2, 3] = 1.0
    assert not first_axis_wins(costs, [(1, 2)])
    assert first_axis_wins(costs.T, [(2, 1)])


def test_of_equally_cheap_ends_the_one_nearest_the_diagonal_wins_then_the_longer() -> None:
    rules = PathRules(2, "reversible", True, True)
    ends = [(5, 3), (5, 4), (6, 5), (4, 6)]
    assert min(Arrival.at(1.0, (0, 0), end, rules) for end in ends).end == (6, 5)
    assert Arrival.at(0.5, (0, 0), (5, 3), rules) < Arrival.at(1.0, (0, 0), (6, 5), rules)

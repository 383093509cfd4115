from __future__ import annotations

import numpy as np
import pytest

from motionloom.registration.dtw import (
    Cell,
    FreeEnd,
    PathRules,
    SlopeRule,
    min_slope_limit,
    prefer_first_axis,
    reachable_band,
    sweep,
)
from tests.registration.path_oracle import LegalPaths


@pytest.mark.slow
@pytest.mark.parametrize("pinned", [True, False])
@pytest.mark.parametrize("slope_limit", [2, 3, 4])
@pytest.mark.parametrize("target", [(9, 9), (7, 14), (13, 8)])
def test_values_on_the_edge_are_those_of_the_best_paths_within_the_band(
    target: Cell, slope_limit: int, pinned: bool
) -> None:
    shape = (7, 7)
    rules = PathRules(slope_limit, "reversible", True, True)
    table = LegalPaths.of(shape, (0, 0), slope_limit, True)
    band = reachable_band(shape, [target], slope_limit, free_first_step=True)
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
    assert prefer_first_axis(np.ones((2, 3)), [])
    assert not prefer_first_axis(np.ones((3, 2)), [])
    costs = np.zeros((4, 4))
    assert prefer_first_axis(costs, [])
    assert not prefer_first_axis(costs, [(0, 0), (2, 1)])
    costs[2, 3] = 1.0
    assert not prefer_first_axis(costs, [(1, 2)])
    assert prefer_first_axis(costs.T, [(2, 1)])


def test_of_equally_cheap_ends_the_one_nearest_the_diagonal_wins_then_the_longer() -> None:
    rules = PathRules(2, "reversible", True, True)
    ends = [(5, 3), (5, 4), (6, 5), (4, 6)]
    assert min(FreeEnd.at(1.0, (0, 0), end, rules) for end in ends).end == (6, 5)
    assert FreeEnd.at(0.5, (0, 0), (5, 3), rules) < FreeEnd.at(1.0, (0, 0), (6, 5), rules)


@pytest.mark.slow
@pytest.mark.parametrize("free_first_step", [True, False])
def test_the_least_slope_limit_is_the_first_that_allows_a_path(free_first_step: bool) -> None:
    ends = [
        {path[-1] for path in LegalPaths.of((7, 7), (0, 0), limit, free_first_step).paths}
        for limit in range(1, 8)
    ]
    for end in [(i, j) for i in range(1, 7) for j in range(1, 7)]:
        first = next(limit for limit, reached in enumerate(ends, 1) if end in reached)
        assert min_slope_limit((0, 0), end, free_first_step=free_first_step) == first


@pytest.mark.parametrize(("slope_limit", "share"), [(1, 1 / 600), (2, 1 / 3), (3, 1 / 2)])
def test_only_the_live_share_of_a_square_grid_is_visited(slope_limit: int, share: float) -> None:
    band = reachable_band((600, 600), [(599, 599)], slope_limit, free_first_step=True)
    assert (band[1] - band[0] + 1).sum() / 600**2 == pytest.approx(share, rel=0.02)


@pytest.mark.slow
@pytest.mark.parametrize("free_first_step", [True, False])
@pytest.mark.parametrize("slope_limit", [1, 2, 3, 4])
@pytest.mark.parametrize("pins", [[], [(2, 3)], [(1, 1), (3, 4)]])
def test_the_band_holds_every_cell_of_every_path_and_its_edges_never_turn_back(
    pins: list[Cell], slope_limit: int, free_first_step: bool
) -> None:
    table = LegalPaths.of((6, 6), (0, 0), slope_limit, free_first_step)
    for end in ([(5, 5)], []):
        band = reachable_band((6, 6), [*pins, *end], slope_limit, free_first_step=free_first_step)
        for path, through in zip(table.paths, table.through([*pins, *end]), strict=True):
            if through:
                assert all(band[0, i] <= j <= band[1, i] for i, j in path)
        assert (np.diff(band[:2], axis=1) >= 0).all()


def test_a_slope_rule_allows_steps_up_to_its_limit() -> None:
    rule = SlopeRule(2, "reversible")
    assert rule.allows(np.array([[2.0, 4.0], [2.0, 4.1], [3.0, 1.5]])).tolist() == [True, False, True]
    assert [rule.joins((5, 5), cell) for cell in ((7, 9), (6, 8), (5, 7), (4, 4))] == [
        True,
        False,
        False,
        False,
    ]
    np.testing.assert_array_equal(
        rule.reachable((6, 6), [(5, 5)]), reachable_band((6, 6), [(5, 5)], 2, free_first_step=True)
    )

"""The nearest place within reach of two legs, against a slow search, and smooth ways there."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.enforcement.root import CLOSE, Ball, least_shifts, nearest_within, shifted_within


def ball(centre: tuple[float, float, float], radius: float) -> Ball:
    return Ball(np.array([centre]), np.array([radius]))


@pytest.mark.parametrize(
    ("point", "nearest"),
    [
        ((0.2, 0.0, 0.0), (0.2, 0.0, 0.0)),  # inside both
        ((3.0, 0.0, 0.0), (1.0, 0.0, 0.0)),  # on the first alone
        ((-3.0, 0.0, 0.0), (0.0, 0.0, 0.0)),  # on the second alone
        ((0.5, 3.0, 0.0), (0.5, 0.75**0.5, 0.0)),  # on the circle of both
    ],
)
def test_nearest_place_within_two_balls(
    point: tuple[float, float, float], nearest: tuple[float, float, float]
) -> None:
    found = nearest_within(np.array([point]), [ball((0, 0, 0), 1.0), ball((1, 0, 0), 1.0)])
    assert found[0] == pytest.approx(nearest, abs=1e-9)


def test_balls_that_do_not_meet_are_met_halfway() -> None:
    found = nearest_within(np.array([[0.0, 9.0, 0.0]]), [ball((0, 0, 0), 1.0), ball((4, 0, 0), 2.0)])
    assert found[0] == pytest.approx([1.5, 0.0, 0.0])


def test_without_balls_nothing_moves() -> None:
    assert nearest_within(np.ones((1, 3)), []).tolist() == [[1.0, 1.0, 1.0]]
    assert shifted_within(np.ones((4, 3)), [], 2.0).tolist() == [[1.0, 1.0, 1.0]] * 4


@given(st.integers(0, 300))
def test_no_nearer_place_is_within_both(seed: int) -> None:
    rng = np.random.default_rng(seed)
    balls = [ball((0, 0, 0), 1.0), Ball(rng.normal(size=(1, 3)) * 0.5, rng.uniform(0.8, 1.5, 1))]
    point = rng.normal(size=(1, 3)) * 2.0
    found = nearest_within(point, balls)
    others = rng.normal(size=(4000, 3))
    inside = np.all([np.linalg.norm(others - each.centres, axis=-1) <= each.radii for each in balls], axis=0)
    for each in balls:
        assert np.linalg.norm(found - each.centres) <= each.radii[0] + 1e-9
    away = np.linalg.norm(others[inside] - point, axis=-1).min(initial=np.inf)
    assert np.linalg.norm(found - point) <= away + 1e-9


def test_the_way_is_smooth_and_within_reach() -> None:
    centres = np.zeros((120, 3))
    centres[60, 1] = -0.1
    balls = [Ball(centres, np.full(120, 0.05)), Ball(np.zeros((120, 3)), np.full(120, 2.0))]
    shifts = shifted_within(np.zeros((120, 3)), balls, 20.0)
    assert np.linalg.norm(shifts[60] - centres[60]) <= 0.05 + CLOSE
    assert np.abs(np.diff(shifts, 2, axis=0)).max() < 0.002
    assert not shifts[:10].any()


def test_two_legs_are_both_followed() -> None:
    ways = [np.array([[0.0, -1.0, 0.0]]), np.array([[0.6, -0.8, 0.0]])]
    (shift,) = least_shifts(ways, [np.array([0.01]), np.array([-0.02])])
    assert shift @ ways[0][0] == pytest.approx(0.01, abs=2e-3)
    assert shift @ ways[1][0] == pytest.approx(-0.02, abs=2e-3)


def test_parallel_legs_that_disagree_do_not_throw_the_body_about() -> None:
    down = np.array([[0.0, -1.0, 0.0]])
    aside = np.array([[0.001, -1.0, 0.0]])
    assert np.linalg.norm(least_shifts([down, aside], [np.array([0.01]), np.array([-0.01])])) < 0.01

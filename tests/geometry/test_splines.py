from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.interpolate import BSpline

from motionloom.arrays import FloatArray
from motionloom.geometry import splines

steps = st.lists(st.floats(1e-3, 1e3), min_size=2, max_size=12)
shares = st.lists(st.floats(0, 1), min_size=1, max_size=5)


def rising(increments: list[float]) -> FloatArray:
    return np.concatenate([[0.0], np.cumsum(increments)])


def test_one_piece_by_hand() -> None:
    control_points = np.array([[0.0], [2.0], [6.0]])
    assert splines.evaluate(control_points, [0.0, 0.5, 1.0]).ravel().tolist() == [1.0, 2.25, 4.0]
    assert splines.derivative(control_points, [0.0, 0.5, 1.0]).ravel().tolist() == [2.0, 3.0, 4.0]
    assert splines.inverse(control_points[:, 0], [1.0, 2.25, 4.0]).tolist() == [0.0, 0.5, 1.0]


def test_weights_at_a_knot_and_in_the_middle() -> None:
    first, weights = splines.basis([0.0, 1.5, 2.0], 2)
    assert first.tolist() == [0, 1, 1]
    assert weights.tolist() == [[0.5, 0.5, 0.0], [0.125, 0.75, 0.125], [0.0, 0.5, 0.5]]


def test_last_knot_belongs_to_the_last_piece() -> None:
    pieces, local = splines.locate([2.0, 3.0], 3)
    assert pieces.tolist() == [2, 2]
    assert local.tolist() == [0.0, 1.0]


def test_single_positions_and_grids_of_them_keep_their_shape() -> None:
    control_points = np.arange(10.0).reshape(5, 2) ** 2
    assert splines.evaluate(control_points, 1.5).shape == (2,)
    assert splines.evaluate(control_points, np.ones((3, 4))).shape == (3, 4, 2)
    assert splines.derivative(control_points, np.ones((3, 4))).shape == (3, 4, 2)
    assert splines.inverse(control_points[:, 0], np.full((3, 4), 5.0)).shape == (3, 4)


def test_inverse_of_a_straight_spline_does_not_cancel() -> None:
    control_points = np.arange(6.0) * 1e-7 + 1e4
    control_points[3:] += 1e-13
    values = np.linspace(control_points[:2].mean(), control_points[-2:].mean(), 50)
    back = splines.evaluate(control_points[:, None], splines.inverse(control_points, values))[:, 0]
    assert back == pytest.approx(values, abs=1e-11)


@given(steps, shares)
def test_values_are_those_of_a_general_spline(increments: list[float], at: list[float]) -> None:
    control_points = rising(increments)
    n_pieces = len(control_points) - 2
    general = BSpline(np.arange(-2.0, n_pieces + 3.0), control_points, 2)
    positions = np.array(at) * n_pieces
    assert splines.evaluate(control_points[:, None], positions)[:, 0] == pytest.approx(general(positions))


@given(steps, shares)
def test_values_are_weighted_control_points(increments: list[float], at: list[float]) -> None:
    control_points = rising(increments)
    positions = np.array(at) * (len(control_points) - 2)
    first, weights = splines.basis(positions, len(control_points) - 2)
    assert weights.sum(axis=1) == pytest.approx(1.0)
    weighted = (control_points[first[:, None] + np.arange(3)] * weights).sum(axis=1)
    assert splines.evaluate(control_points[:, None], positions)[:, 0] == pytest.approx(weighted, abs=1e-9)


@given(steps, shares)
def test_inverse_undoes(increments: list[float], at: list[float]) -> None:
    control_points = rising(increments)
    first, last = control_points[:2].mean(), control_points[-2:].mean()
    values = first + np.array(at) * (last - first)
    positions = splines.inverse(control_points, values)
    assert ((positions >= 0) & (positions <= len(control_points) - 2)).all()
    assert splines.evaluate(control_points[:, None], positions)[:, 0] == pytest.approx(values, abs=1e-9)


@given(steps, st.floats(0.01, 0.99))
def test_derivative_is_the_limit_of_differences(increments: list[float], share: float) -> None:
    control_points = rising(increments)[:, None]
    position = share * (len(control_points) - 2)
    step = 1e-5
    around = splines.evaluate(control_points, [position - step, position + step])[:, 0]
    slope = splines.derivative(control_points, position)[0]
    bend = np.abs(np.diff(control_points[:, 0], 2)).max()
    assert np.diff(around)[0] / (2 * step) == pytest.approx(slope, rel=1e-4, abs=1e-6 + step * bend)

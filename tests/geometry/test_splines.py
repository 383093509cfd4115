from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.interpolate import BSpline, CubicHermiteSpline, PchipInterpolator

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.geometry import AbstractCurve, splines
from motionloom.geometry.splines import HermiteCurve, cardinal_slopes, monotone_slopes, smoothstep
from tests.refusals import refused

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


def curve_through(knots: FloatArray, values: FloatArray, tension: float = 0.0) -> HermiteCurve:
    return HermiteCurve(knots, values, cardinal_slopes(knots, values, tension))


def random_keys(seed: int, count: int) -> tuple[FloatArray, FloatArray]:
    rng = np.random.default_rng(seed)
    return np.cumsum(rng.uniform(0.1, 1.0, count)), rng.normal(size=(count, 2))


@pytest.mark.parametrize("knots", [[], [0.0, 0.0], [1.0, 0.5]])
def test_knots_that_do_not_increase_are_refused(knots: list[float]) -> None:
    values = np.zeros((len(knots), 1))
    with pytest.raises(
        ParameterError, match="knots must be one or more numbers in strictly increasing order"
    ):
        HermiteCurve(np.array(knots), values, values)


def test_values_and_slopes_must_fit_the_knots() -> None:
    with refused("slopes"):
        HermiteCurve(np.array([0.0, 1.0]), np.zeros((2, 1)), np.zeros((1, 1)))


def test_a_single_knot_is_a_level_line() -> None:
    level = HermiteCurve(np.array([1.0]), np.array([[2.0, 3.0]]), np.zeros((1, 2)))
    np.testing.assert_array_equal(level([0.0, 5.0]), [[2.0, 3.0]] * 2)
    np.testing.assert_array_equal(level.derivative([0.0, 5.0]), np.zeros((2, 2)))


def test_catmull_rom_by_hand() -> None:
    # Slope at 1 is (4 - 0) / 2 = 2; half way from 1 to 2: (1 + 4) / 2 + (2 - 0) / 8.
    knots, values = np.array([0.0, 1.0, 2.0]), np.array([[0.0], [1.0], [4.0]])
    assert cardinal_slopes(knots, values).ravel().tolist() == [0.0, 2.0, 0.0]
    assert curve_through(knots, values)(1.5).tolist() == [2.75]
    assert cardinal_slopes(knots, values, tension=0.5)[1, 0] == 1.0


def test_the_curve_is_level_outside_its_knots() -> None:
    knots, values = random_keys(0, 4)
    curve = HermiteCurve(knots, values, np.ones_like(values))
    np.testing.assert_array_equal(curve(knots[0] - 3.0), values[0])
    np.testing.assert_array_equal(curve.derivative(knots[-1] + 1.0), [0.0, 0.0])


@pytest.mark.slow
@given(st.integers(0, 1000), st.integers(2, 8))
def test_curves_pass_through_their_keys_like_a_known_hermite_spline(seed: int, count: int) -> None:
    knots, values = random_keys(seed, count)
    curve = curve_through(knots, values, tension=0.3)
    np.testing.assert_allclose(curve(knots), values, atol=1e-12)
    at = np.linspace(*curve.domain, 50)
    known = CubicHermiteSpline(knots, values, curve.slopes)
    np.testing.assert_allclose(curve(at), known(at), atol=1e-9)
    np.testing.assert_allclose(curve.derivative(at), known(at, 1), atol=1e-9)


@given(st.integers(0, 1000), st.integers(3, 8))
def test_monotone_slopes_are_those_of_pchip(seed: int, count: int) -> None:
    knots, values = random_keys(seed, count)
    inner = PchipInterpolator(knots, values)(knots[1:-1], 1)
    np.testing.assert_allclose(monotone_slopes(knots, values)[1:-1], inner, atol=1e-9)


@given(st.integers(0, 1000), st.integers(2, 8))
def test_monotone_curves_rise_where_keys_rise(seed: int, count: int) -> None:
    knots, values = random_keys(seed, count)
    rising = np.sort(values, axis=0)
    curve = HermiteCurve(knots, rising, monotone_slopes(knots, rising))
    assert (np.diff(curve(np.linspace(*curve.domain, 300)), axis=0) >= -1e-12).all()


def test_the_interface_itself_cannot_be_made() -> None:
    with pytest.raises(TypeError, match="abstract"):
        AbstractCurve()  # type: ignore[abstract]


def test_smoothstep_starts_and_ends_at_rest() -> None:
    step = 1e-4
    assert smoothstep([0.0, 0.25, 1.0]).tolist() == [0.0, 0.15625, 1.0]
    assert smoothstep(step) / step < 1e-3
    assert (1.0 - smoothstep(1 - step)) / step < 1e-3

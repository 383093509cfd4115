"""Cubic curves through keys: they pass through them, and the monotone kind never overshoots."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.interpolate import CubicHermiteSpline, PchipInterpolator

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.geometry.cardinal import HermiteCurve, cardinal_slopes, monotone_slopes


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
    with pytest.raises(ParameterError, match=r"slopes must have shape \(2, 1\), not \(1, 1\)"):
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

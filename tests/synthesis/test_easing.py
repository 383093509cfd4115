from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.synthesis.easing import KeyedCurve, bump, cruise, ease, glide, hermite

Shape = Callable[[FloatArray], FloatArray]


def _ramp(x: FloatArray) -> FloatArray:
    return cruise(x, 0.3)


def test_keys_must_come_in_order() -> None:
    with pytest.raises(ParameterError, match="at least two keys at increasing times"):
        KeyedCurve([0.0, 0.0], [[1.0], [2.0]])
    with pytest.raises(ParameterError, match="at least two keys at increasing times"):
        KeyedCurve([0.0], [[1.0]])


@pytest.mark.parametrize("shape", [ease, glide, _ramp])
def test_ways_from_zero_to_one(shape: Shape) -> None:
    x = np.array([-3.0, 0.0, 0.5, 1.0, 4.0])
    np.testing.assert_allclose(shape(x), [0.0, 0.0, 0.5, 1.0, 1.0], atol=1e-15)
    assert (np.diff(shape(np.linspace(0.0, 1.0, 101))) > 0.0).all()


def test_the_bump_rises_and_falls() -> None:
    np.testing.assert_allclose(bump([-1.0, 0.0, 0.5, 1.0, 2.0]), [0.0, 0.0, 1.0, 0.0, 0.0])


def test_the_middle_of_a_ramp_is_straight() -> None:
    x = np.linspace(0.3, 0.7, 9)
    np.testing.assert_allclose(np.diff(cruise(x, 0.3)), 0.05 / 0.7, rtol=1e-12)


@pytest.mark.parametrize("shape", [ease, glide, _ramp, bump])
def test_second_derivatives_are_continuous(shape: Shape) -> None:
    """The largest step of the second derivative shrinks with the sampling."""

    def largest_step(n: int) -> float:
        x = np.linspace(-0.5, 1.5, n + 1)
        second = np.diff(shape(x), 2) * (n / 2.0) ** 2
        return float(np.abs(np.diff(second)).max())

    assert largest_step(4000) < 0.6 * largest_step(2000)


@given(*[st.floats(-5.0, 5.0)] * 4, st.floats(0.1, 10.0))
def test_the_quintic_meets_its_ends(
    start: float, leave: float, end: float, arrive: float, span: float
) -> None:
    h = 1e-4
    x = np.array([0.0, h, 2 * h, 1.0 - 2 * h, 1.0 - h, 1.0])
    y = hermite(x, span, start, leave, end, arrive)
    assert y[0] == pytest.approx(start, abs=1e-9)
    assert y[-1] == pytest.approx(end, abs=1e-9)
    assert (y[1] - y[0]) / (h * span) == pytest.approx(leave, abs=1e-3)
    assert (y[-1] - y[-2]) / (h * span) == pytest.approx(arrive, abs=1e-3)


def test_a_keyed_curve_passes_its_keys_and_holds_at_the_ends() -> None:
    curve = KeyedCurve([0.0, 1.0, 3.0], [[0.0, 5.0], [2.0, 5.0], [-1.0, 5.0]])
    assert curve.domain == (0.0, 3.0)
    np.testing.assert_allclose(curve([-1.0, 0.0, 1.0, 3.0, 9.0])[:, 0], [0.0, 0.0, 2.0, -1.0, -1.0])
    np.testing.assert_array_equal(curve(np.linspace(-1.0, 4.0, 20))[:, 1], 5.0)


@given(st.lists(st.floats(-10.0, 10.0), min_size=2, max_size=6))
def test_a_keyed_curve_never_overshoots(values: list[float]) -> None:
    curve = KeyedCurve(np.arange(len(values)), np.array(values)[:, None])
    for n, (a, b) in enumerate(pairwise(values)):
        between = curve(np.linspace(n, n + 1, 30))[:, 0]
        assert between.min() >= min(a, b) - 1e-9
        assert between.max() <= max(a, b) + 1e-9


def test_the_derivative_of_a_keyed_curve() -> None:
    curve = KeyedCurve([0.0, 1.0, 3.0, 3.5], [[0.0], [2.0], [3.0], [-1.0]])
    time = np.linspace(-0.5, 4.0, 200)
    step = 1e-5
    slope = (curve(time + step) - curve(time - step)) / (2 * step)
    np.testing.assert_allclose(curve.derivative(time), slope, atol=1e-6)

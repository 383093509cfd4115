from __future__ import annotations

from dataclasses import FrozenInstanceError
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.registration.timewarp import TimewarpCurve
from tests.refusals import refused

increments = st.lists(st.tuples(st.floats(0.01, 50), st.floats(0.01, 50)), min_size=2, max_size=10)
shares = st.lists(st.floats(0, 1), min_size=1, max_size=6)


def curve_of(steps: list[tuple[float, float]]) -> TimewarpCurve:
    points = np.concatenate([np.zeros((1, 2)), np.cumsum(steps, axis=0)])
    return TimewarpCurve(control_points=points, knot_spacing=4.0)


def cycle_of(steps: list[tuple[float, float]]) -> TimewarpCurve:
    points = np.cumsum(steps, axis=0)
    return TimewarpCurve(control_points=points[:-1], knot_spacing=3.0, start=-2.0, periods=points[-1])


def parabola() -> TimewarpCurve:
    """One piece, twice as long as a unit of u: clip 0 runs steadily, clip 1 from rate 1 to rate 2."""
    return TimewarpCurve(control_points=np.array([[-1.0, 0], [1, 2], [3, 6]]), knot_spacing=2.0)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"control_points": [[0.0], [1.0]]}, "needs at least 3 control points and one clip"),
        ({"control_points": np.zeros((4, 0))}, "needs at least 3 control points and one clip"),
        ({"control_points": [0.0, 1.0, 2.0]}, r"control_points must have shape \(D, K\)"),
        ({"control_points": [[0, 0], [1, 1], [2, 1]]}, "those of clip 1 go from 1 to 1 after number 1"),
        ({"control_points": [[0.0], [1.0], [3.0]], "periods": [2.0]}, "clip 0 go from 3 to 2 after number 2"),
        ({"control_points": [[0.0], [1.0]], "periods": [2.0, 3.0]}, r"periods must have shape \(1,\)"),
        ({"control_points": np.zeros((0, 1)), "periods": [2.0]}, "periodic timewarp curve needs at least 1"),
        ({"control_points": [[0.0], [1.0], [3.0]], "knot_spacing": 0.0}, "knot_spacing must be a positive"),
    ],
)
def test_refuses_what_is_no_timewarp(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        TimewarpCurve(**{"knot_spacing": 1.0, **given})


def test_refuses_what_lies_outside() -> None:
    curve = parabola()
    with pytest.raises(ParameterError, match=r"u 2\.01 is outside the curve, which runs from 0 to 2"):
        curve([0.0, 2.01])
    with pytest.raises(ParameterError, match=r"u -1 is outside the curve"):
        curve.derivative(-1)
    with pytest.raises(
        ParameterError, match=r"frame of clip 1 5 is outside the curve, which runs from 1 to 4"
    ):
        curve.inverse(1, 5.0)
    with pytest.raises(ParameterError, match="the curve has clips 0 to 1: there is no clip 2"):
        curve.inverse(2, 0.0)
    with pytest.raises(ParameterError, match="u nan is outside the curve"):
        curve(np.nan)


def test_cycles_refuse_only_what_is_not_finite() -> None:
    cycle = TimewarpCurve(control_points=np.array([[0.0], [1.0]]), knot_spacing=1.0, periods=np.array([4.0]))
    with refused("u"):
        cycle([1e6, np.inf])
    with pytest.raises(ParameterError, match="frame of clip 0 must be finite, not nan"):
        cycle.inverse(0, np.nan)


def test_a_parabola_by_hand() -> None:
    curve = parabola()
    assert curve.domain == (0.0, 2.0)
    assert curve.n_clips == 2
    assert curve([0.0, 1.0, 2.0]).tolist() == [[0.0, 1.0], [1.0, 2.25], [2.0, 4.0]]
    assert curve.derivative([0.0, 1.0, 2.0]).tolist() == [[1.0, 1.0], [1.0, 1.5], [1.0, 2.0]]
    assert curve.inverse(1, [1.0, 2.25, 4.0]).tolist() == [0.0, 1.0, 2.0]


def test_rounding_beyond_the_ends_is_the_end() -> None:
    curve = parabola()
    assert curve(2.0 + 1e-12).tolist() == curve(2.0).tolist()
    assert curve.inverse(1, 1.0 - 1e-12) == 0.0


def test_nothing_can_be_changed() -> None:
    points = np.array([[0.0], [1.0], [2.0]])
    curve = TimewarpCurve(control_points=points, knot_spacing=1.0)
    points[1] = 9.0
    assert curve.control_points.ravel().tolist() == [0.0, 1.0, 2.0]
    with pytest.raises(ValueError, match="read-only"):
        curve.control_points[0] = 1.0
    with pytest.raises(FrozenInstanceError):
        curve.knot_spacing = 2.0  # type: ignore[misc]


def test_a_cycle_by_hand() -> None:
    cycle = TimewarpCurve(control_points=np.array([[0.0], [1.0]]), knot_spacing=1.0, periods=np.array([4.0]))
    assert cycle.domain == (0.0, 2.0)
    assert cycle([0.0, 1.0, 2.0, -2.0]).ravel().tolist() == [0.5, 2.5, 4.5, -3.5]
    assert cycle.derivative([0.0, 1.0, 2.0]).ravel().tolist() == [1.0, 3.0, 1.0]
    assert cycle.inverse(0, [4.5, 0.5, -3.5]).tolist() == [2.0, 0.0, -2.0]


def test_a_cycle_of_one_control_point_is_a_line() -> None:
    cycle = TimewarpCurve(control_points=np.array([[0.0]]), knot_spacing=5.0, periods=np.array([10.0]))
    assert cycle([0.0, 1.0, 12.0]).ravel().tolist() == [5.0, 7.0, 29.0]


@pytest.mark.slow
@given(increments, shares)
def test_inverse_undoes(steps: list[tuple[float, float]], at: list[float]) -> None:
    curve = curve_of(steps)
    ends = curve(curve.domain)
    for k in range(2):
        frames = ends[0, k] + np.array(at) * (ends[1, k] - ends[0, k])
        assert curve(curve.inverse(k, frames))[:, k] == pytest.approx(frames, abs=1e-9)


@given(increments, shares)
def test_derivative_lies_between_the_steps_around_it(
    steps: list[tuple[float, float]], at: list[float]
) -> None:
    curve = curve_of(steps)
    u = np.array(at) * curve.domain[1]
    rates = curve.derivative(u)
    assert (rates >= np.min(steps, axis=0) / 4.0 - 1e-12).all()
    assert (rates <= np.max(steps, axis=0) / 4.0 + 1e-12).all()


@pytest.mark.slow
@given(increments, shares, st.integers(-3, 3))
def test_cycles_repeat_one_period_on(steps: list[tuple[float, float]], at: list[float], turns: int) -> None:
    cycle = cycle_of(steps)
    first, last = cycle.domain
    u = first + np.array(at) * (last - first)
    later = u + turns * (last - first)
    assert cycle.periods is not None
    assert cycle(later) == pytest.approx(cycle(u) + turns * cycle.periods, abs=1e-9)
    assert cycle.derivative(later) == pytest.approx(cycle.derivative(u), abs=1e-9)
    for k in range(2):
        assert cycle.inverse(k, cycle(later)[:, k]) == pytest.approx(later, abs=1e-6)


@pytest.mark.slow
@given(increments)
def test_value_and_derivative_pass_the_seam(steps: list[tuple[float, float]]) -> None:
    cycle = cycle_of(steps)
    seam = cycle.domain[1]
    sides = seam + np.array([-1e-9, 0.0, 1e-9])
    assert np.ptp(cycle(sides), axis=0) == pytest.approx(0.0, abs=1e-6)
    assert np.ptp(cycle.derivative(sides), axis=0) == pytest.approx(0.0, abs=1e-6)


@pytest.mark.slow
@given(increments, st.floats(0.01, 0.99))
def test_derivative_is_the_limit_of_differences(steps: list[tuple[float, float]], share: float) -> None:
    curve = curve_of(steps)
    u = share * curve.domain[1]
    step = 1e-5
    difference: FloatArray = np.diff(curve([u - step, u + step]), axis=0)[0] / (2 * step)
    assert difference == pytest.approx(curve.derivative(u), rel=1e-4, abs=1e-3)

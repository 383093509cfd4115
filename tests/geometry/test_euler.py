"""Euler angles: `to_euler` against SciPy, and as the inverse of `from_euler`."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from motionloom.errors import ParameterError
from motionloom.geometry import rotations

Order = Literal["XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"]
ORDERS: tuple[Order, ...] = ("XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX")
QUARTER = np.pi / 2.0


@pytest.mark.parametrize("order", ["ZXZ", "XY", "XYW", "", "XXYZ"])
def test_orders_other_than_three_different_axes_are_refused(order: str) -> None:
    with pytest.raises(ParameterError, match="order must name X, Y and Z once each, like 'ZXY', not"):
        rotations.to_euler(rotations.IDENTITY, order)


@pytest.mark.parametrize(("angles", "order"), [([0.1], "W"), ([0.1, 0.2], "X"), ([0.1], "XY"), (0.1, "X")])
def test_angles_that_do_not_fit_their_order_are_refused(angles: Any, order: str) -> None:
    with pytest.raises(
        ParameterError, match=f"order must name one of X, Y and Z for each angle: '{order}' does"
    ):
        rotations.from_euler(angles, order)


@pytest.mark.parametrize(("given", "all_three"), [("", "XYZ"), ("Y", "YXZ"), ("ZY", "ZXY"), ("YZX", "YZX")])
def test_missing_axes_go_where_they_have_no_angle(given: str, all_three: str) -> None:
    assert rotations.completed_order(given) == all_three
    turn = rotations.from_euler([2.5, -2.0, 3.0][: len(given)], given)
    angles = dict(zip(all_three, rotations.to_euler(turn, all_three), strict=True))
    if len(given) < 3:
        assert all(angles[axis] == pytest.approx(0.0, abs=1e-12) for axis in set("XYZ") - set(given))


def test_a_turn_about_one_axis_has_one_angle() -> None:
    assert rotations.to_euler(rotations.from_yaw(0.5), "ZXY").round(12).tolist() == [0.0, 0.0, 0.5]
    assert rotations.to_euler(rotations.from_yaw(0.5), "yxz").round(12).tolist() == [0.5, 0.0, 0.0]


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("middle", [QUARTER, -QUARTER])
def test_gimbal_lock_puts_the_whole_turn_into_the_first_angle(order: str, middle: float) -> None:
    locked = rotations.from_euler([0.4, middle, -0.9], order)
    angles = rotations.to_euler(locked, order)
    assert angles[2] == pytest.approx(0.0, abs=1e-12)
    assert angles[1] == pytest.approx(middle, abs=1e-12)
    assert abs(rotations.from_euler(angles, order) @ locked) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("short_of", [1e-3, 1e-6, 1e-9, 1e-11, 1e-13])
def test_rotations_near_gimbal_lock_are_kept(order: str, short_of: float) -> None:
    q = rotations.from_euler([2.0, QUARTER - short_of, 1.1], order)
    back = rotations.from_euler(rotations.to_euler(q, order), order)
    assert np.minimum(np.abs(back - q).max(), np.abs(back + q).max()) < 1e-11


def test_leading_axes_are_kept() -> None:
    assert rotations.to_euler(np.tile(rotations.IDENTITY, (2, 5, 1)), "XYZ").shape == (2, 5, 3)
    assert rotations.to_euler(np.empty((0, 4)), "XYZ").shape == (0, 3)


@pytest.mark.parametrize("order", ORDERS)
def test_angles_equal_those_of_scipy(order: Order) -> None:
    q = rotations.normalize(np.random.default_rng(7).normal(size=(500, 4)))
    expected = Rotation.from_quat(q[:, [1, 2, 3, 0]]).as_euler(order)
    np.testing.assert_allclose(rotations.to_euler(q, order), expected, atol=1e-11)


@given(
    st.sampled_from(ORDERS),
    st.tuples(*[st.floats(-0.999 * half, 0.999 * half) for half in (np.pi, QUARTER, np.pi)]),
)
def test_angles_within_their_ranges_come_back(order: str, angles: tuple[float, float, float]) -> None:
    back = rotations.to_euler(rotations.from_euler(angles, order), order)
    np.testing.assert_allclose(back, angles, atol=1e-11)

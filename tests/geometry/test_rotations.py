from __future__ import annotations

from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.geometry import rotations
from motionloom.geometry import rotations as rot
from motionloom.geometry.rotations import UNDECIDED, hemisphere_signs
from tests.figures import random_rotations

seeds = st.integers(0, 10_000)


def oracle(q: FloatArray) -> Rotation:
    return Rotation.from_quat(q.reshape(-1, 4), scalar_first=True)


def angle_between(a: FloatArray, b: FloatArray) -> FloatArray:
    return np.asarray(np.linalg.norm(rot.to_rotation_vector(rot.multiply(rot.inverse(a), b)), axis=-1))


def test_zero_quaternion_cannot_be_normalised() -> None:
    with pytest.raises(ParameterError, match="length zero"):
        rot.normalize([[1, 0, 0, 0], [0, 0, 0, 0]])


def test_half_turns_about_the_axes_multiply_as_units() -> None:
    i, j, k = np.eye(4)[1:]
    assert rot.multiply(i, j).tolist() == k.tolist()
    assert rot.multiply(j, i).tolist() == (-k).tolist()
    assert rot.multiply(i, i).tolist() == [-1, 0, 0, 0]


SHAPES = [
    ((4,), ()),
    ((7, 4), (7,)),
    ((4,), (6,)),
    ((6, 4), ()),
    ((5, 1, 4), (5, 3)),
    ((3, 2, 4), (2,)),
    ((0, 4), ()),
]


@pytest.mark.parametrize(("one", "other"), SHAPES)
def test_arrays_of_any_shapes_go_together_as_in_numpy(one: tuple[int, ...], other: tuple[int, ...]) -> None:
    """Quaternions row by row, written out as matrices of products."""
    rng = np.random.default_rng(0)
    q, p, v = rng.normal(size=one), rng.normal(size=(*other, 4)), rng.normal(size=(*other, 3))
    shape = np.broadcast_shapes(one[:-1], other)
    many = [np.broadcast_to(each, (*shape, each.shape[-1])) for each in (q, p, v)]
    product, turned = rot.multiply(q, p), rot.rotate(q, v)
    assert (product.shape, turned.shape) == ((*shape, 4), (*shape, 3))
    for index in np.ndindex(shape):
        a, b, c = (each[index] for each in many)
        vector = a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:])
        assert product[index] == pytest.approx([a[0] * b[0] - a[1:] @ b[1:], *vector], abs=1e-14)
        twist = 2.0 * np.cross(a[1:], c)
        assert turned[index] == pytest.approx(c + a[0] * twist + np.cross(a[1:], twist), abs=1e-13)


@pytest.mark.parametrize(("one", "other"), [((5, 3), (5, 4)), ((5, 4), (5, 5)), ((4,), (3,))])
def test_arrays_that_are_no_quaternions_are_refused(one: tuple[int, ...], other: tuple[int, ...]) -> None:
    with pytest.raises(ParameterError, match=r"rotations are quaternions \(\.\.\., 4\)"):
        rot.multiply(np.ones(one), np.ones(other))


@pytest.mark.parametrize("size", [2, 4])
def test_arrays_that_are_no_vectors_are_refused(size: int) -> None:
    with pytest.raises(ParameterError, match=r"vectors are \(\.\.\., 3\)"):
        rot.rotate(np.ones((5, 4)), np.ones((5, size)))


def test_euler_order_is_outermost_first() -> None:
    """A quarter turn about Z of a quarter turn about X takes y to z, and z is left alone by Z."""
    q = rot.from_euler([np.pi / 2, np.pi / 2], "ZX")
    assert rot.rotate(q, [0, 1, 0]) == pytest.approx([0, 0, 1])


@pytest.mark.parametrize("angle", [0.0, 1e-9, 1e-4, 1.0, np.pi - 1e-6])
def test_rotation_vector_round_trip(angle: float) -> None:
    v = angle * np.array([2.0, -1.0, 2.0]) / 3.0
    assert rot.to_rotation_vector(rot.from_rotation_vector(v)) == pytest.approx(v, abs=1e-12)


def test_logarithm_takes_the_short_way() -> None:
    q = rot.from_yaw(0.5)
    assert rot.to_rotation_vector(-q) == pytest.approx([0, 0.5, 0])


@pytest.mark.parametrize(
    ("a", "b"), [([0, 1, 0], [0, -1, 0]), ([1, 0, 0], [-1, 0, 0]), ([0, 3, 0], [0, 1, 0])]
)
def test_between_handles_opposite_and_equal_directions(a: list[float], b: list[float]) -> None:
    turned = rot.rotate(rot.between(a, b), a) / np.linalg.norm(a)
    assert turned == pytest.approx(np.array(b) / np.linalg.norm(b), abs=1e-12)


def test_slerp_of_equal_and_opposite_signs() -> None:
    q = random_rotations((5,))
    assert rot.slerp(q, q, 0.3) == pytest.approx(q)
    assert angle_between(rot.slerp(q, -q, 0.3), q) == pytest.approx(np.zeros(5), abs=1e-7)


def test_unrolled_has_no_sign_jumps_and_same_rotations() -> None:
    yaw = np.linspace(0, 20, 50)
    q = rot.from_yaw(yaw) * np.where(np.arange(50) % 3 == 0, -1, 1)[:, None]
    smooth = rot.unroll(q)
    assert (np.einsum("ti,ti->t", smooth[1:], smooth[:-1]) > 0).all()
    assert angle_between(smooth, q) == pytest.approx(np.zeros(50), abs=1e-7)
    assert rot.unroll(q[:1]).tolist() == q[:1].tolist()


def test_nearer_lies_in_the_hemisphere_of_the_others() -> None:
    q, others = random_rotations((2, 40), 3)
    found = rot.nearer(q, others)
    assert (np.einsum("ti,ti->t", found, others) >= 0.0).all()
    assert angle_between(found, q) == pytest.approx(np.zeros(40), abs=1e-7)


@pytest.mark.slow
@given(seeds)
def test_agrees_with_scipy(seed: int) -> None:
    a, b = random_rotations((2, 7), seed)
    v = np.random.default_rng(seed).normal(size=(7, 3))
    assert rot.rotate(a, v) == pytest.approx(oracle(a).apply(v), abs=1e-12)
    assert rot.rotate(rot.multiply(a, b), v) == pytest.approx((oracle(a) * oracle(b)).apply(v), abs=1e-12)
    assert rot.to_matrix(a) == pytest.approx(oracle(a).as_matrix(), abs=1e-12)
    assert rot.to_rotation_vector(a) == pytest.approx(oracle(a).as_rotvec(), abs=1e-9)
    assert angle_between(rot.from_matrix(rot.to_matrix(a)), a) == pytest.approx(np.zeros(7), abs=1e-7)


@given(seeds, st.floats(0, 1))
def test_slerp_goes_the_asked_share_of_the_way(seed: int, share: float) -> None:
    a, b = random_rotations((2,), seed)
    way = angle_between(a, b)
    assert angle_between(a, rot.slerp(a, b, share)) == pytest.approx(share * way, abs=1e-7)


@given(seeds)
def test_yaw_is_the_nearest_turn_about_the_vertical(seed: int) -> None:
    q = random_rotations((), seed)
    best = angle_between(rot.from_yaw(rot.yaw_of(q)), q)
    others = angle_between(rot.from_yaw(np.linspace(-np.pi, np.pi, 181)), q)
    assert best <= others.min() + 1e-9


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
    assert rotations.complete_order(given) == all_three
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


def test_signs_follow_a_whole_turn() -> None:
    """Half a turn apart is the border: before it the short way is one way round, after it the other."""
    turning = rot.from_yaw(np.radians([0.0, 90.0, 170.0, 190.0, 210.0, 360.0]))
    still = np.tile(rot.IDENTITY, (6, 1))
    assert hemisphere_signs(still, turning).tolist() == [1, 1, 1, 1, -1, -1]


def test_noise_about_half_a_turn_does_not_flicker() -> None:
    turning = rot.from_yaw(np.radians([120.0, 178.0, 182.0, 177.0, 184.0, 130.0]))
    assert hemisphere_signs(np.tile(rot.IDENTITY, (6, 1)), turning).tolist() == [1] * 6


def test_before_the_first_clear_moment() -> None:
    """An open course takes the first clear sign, a periodic one the last."""
    turning = rot.from_yaw(np.radians([180.0, 90.0, 300.0]))
    still = np.tile(rot.IDENTITY, (3, 1))
    assert hemisphere_signs(still, turning).tolist() == [1, 1, -1]
    assert hemisphere_signs(still, turning, periodic=True).tolist() == [-1, 1, -1]


def test_half_a_turn_apart_for_ever_changes_nothing() -> None:
    assert (
        hemisphere_signs(np.tile(rot.IDENTITY, (4, 1)), rot.from_yaw(np.full(4, np.pi))).tolist() == [1] * 4
    )


@given(st.integers(0, 1000))
def test_chosen_signs_are_on_one_side_wherever_it_is_clear(seed: int) -> None:
    one, other = random_rotations((30, 3), seed), random_rotations((30, 3), seed + 1)
    inner = np.einsum("njc,njc->nj", one, other)
    signed = inner * hemisphere_signs(one, other)
    assert (signed[np.abs(inner) > UNDECIDED] > 0.0).all()
    np.testing.assert_array_equal(hemisphere_signs(one, -other), -hemisphere_signs(one, other))

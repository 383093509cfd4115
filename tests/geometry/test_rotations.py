from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.geometry import rotations as rot
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
    smooth = rot.unrolled(q)
    assert (np.einsum("ti,ti->t", smooth[1:], smooth[:-1]) > 0).all()
    assert angle_between(smooth, q) == pytest.approx(np.zeros(50), abs=1e-7)
    assert rot.unrolled(q[:1]).tolist() == q[:1].tolist()


def test_nearer_lies_in_the_hemisphere_of_the_others() -> None:
    q, others = random_rotations((2, 40), 3)
    found = rot.nearer(q, others)
    assert (np.einsum("ti,ti->t", found, others) >= 0.0).all()
    assert angle_between(found, q) == pytest.approx(np.zeros(40), abs=1e-7)


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

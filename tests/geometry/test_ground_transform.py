from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform, rotations
from motionloom.geometry.ground_transform import apply_rows, compose_rows

numbers = st.floats(-10, 10)
transforms = st.builds(GroundTransform, numbers, numbers, numbers)
points = st.tuples(numbers, numbers, numbers)


def test_refuses_what_is_not_finite() -> None:
    with pytest.raises(ParameterError, match="GroundTransform x must be a finite number, not nan"):
        GroundTransform(0.0, float("nan"), 0.0)


def test_quarter_turn_takes_z_to_x_and_x_to_minus_z() -> None:
    turn = GroundTransform(yaw=np.pi / 2)
    assert turn.apply([[0, 2, 1], [1, 2, 0]]) == pytest.approx(np.array([[1, 2, 0], [0, 2, -1]]))


def test_shift_comes_after_the_turn() -> None:
    assert GroundTransform(np.pi, 1.0, 2.0).apply([1, 0, 1]) == pytest.approx([0, 0, 1])


def test_directions_are_not_shifted() -> None:
    assert GroundTransform(0.0, 5.0, 5.0).apply_to_directions([1, 2, 3]).tolist() == [1, 2, 3]


@given(transforms, transforms, points)
def test_product_applies_the_right_one_first(
    a: GroundTransform, b: GroundTransform, p: tuple[float, ...]
) -> None:
    assert (a @ b).apply(p) == pytest.approx(a.apply(b.apply(p)), abs=1e-9)


@given(transforms, points)
def test_inverse_undoes(a: GroundTransform, p: tuple[float, ...]) -> None:
    assert a.inverse().apply(a.apply(p)) == pytest.approx(p, abs=1e-9)
    assert (a @ a.inverse()).yaw == pytest.approx(0.0, abs=1e-12)


@given(transforms, points)
def test_agrees_with_the_rotation_it_gives(a: GroundTransform, p: tuple[float, ...]) -> None:
    assert a.apply_to_directions(p) == pytest.approx(rotations.rotate(a.rotation(), p), abs=1e-9)


@pytest.mark.slow
@given(transforms, transforms, points)
def test_rows_of_transforms_do_as_the_transforms(
    a: GroundTransform, b: GroundTransform, p: tuple[float, ...]
) -> None:
    rows, place = np.stack([a.row(), b.row()]), np.array(p)
    assert apply_rows(rows, place) == pytest.approx(np.stack([a.apply(p), b.apply(p)]), abs=1e-9)
    assert compose_rows(a.row(), rows)[1] == pytest.approx((a @ b).row(), abs=1e-9)

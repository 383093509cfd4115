from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from motionloom.arrays import (
    FloatArray,
    as_read_only,
    check_array,
    check_rotations,
    dot,
    freeze,
    is_frozen,
    norm,
    quantile,
    read_only_view,
)
from motionloom.errors import ParameterError


def test_wrong_shape_names_the_array_and_both_shapes() -> None:
    with pytest.raises(ParameterError, match=r"^offsets must have shape \(J, 3\), not \(2, 2\)$"):
        check_array("offsets", np.zeros((2, 2)), ("J", 3))


def test_words_are_refused_as_numbers() -> None:
    with pytest.raises(ParameterError, match=r"^offsets must be numbers in an array of shape \(3,\)"):
        check_array("offsets", ["a", "b", "c"], (3,))


def test_not_finite_names_the_entry() -> None:
    with pytest.raises(ParameterError, match=r"^root_positions must be finite: entry \(1, 2\) is nan$"):
        check_array("root_positions", np.array([[0, 0, 0], [0, 0, np.nan]]), ("T", 3))


def test_long_quaternion_names_the_entry_and_its_length() -> None:
    with pytest.raises(ParameterError, match=r"entry \(1,\) has length 2; normalise them first"):
        check_rotations("rotations", [[1, 0, 0, 0], [0, 2, 0, 0]], ("J", 4))


def test_lists_become_read_only_floats() -> None:
    array = check_array("offsets", [[1, 2, 3]], ("J", 3))
    assert array.dtype == np.float64
    assert array.tolist() == [[1.0, 2.0, 3.0]]
    with pytest.raises(ValueError, match="read-only"):
        array[0, 0] = 5.0


def test_writable_arrays_are_copied_and_frozen_ones_shared() -> None:
    mine = np.zeros(3)
    copy = as_read_only(mine)
    mine[0] = 1.0
    assert copy[0] == 0.0
    assert as_read_only(copy) is copy


def test_read_only_view_of_writable_base_is_not_frozen() -> None:
    base = np.zeros(4)
    view = read_only_view(base)
    assert not view.flags.writeable
    assert not is_frozen(view)
    assert as_read_only(view) is not view
    assert is_frozen(freeze(np.zeros(2)))


def test_empty_arrays_pass() -> None:
    assert check_rotations("rotations", np.zeros((0, 2, 4)), ("T", 2, 4)).shape == (0, 2, 4)


@given(st.integers(0, 1000))
def test_lengths_and_dot_products_are_those_of_plain_numpy(seed: int) -> None:
    a, b = np.random.default_rng(seed).normal(size=(2, 5, 4, 3))
    assert norm(a) == pytest.approx(np.linalg.norm(a, axis=-1))
    assert dot(a, b) == pytest.approx((a * b).sum(axis=-1))


@given(arrays(np.float64, st.integers(1, 40), elements=st.floats(-1e6, 1e6)), st.floats(0.0, 1.0))
def test_quantiles_are_those_of_numpy_to_the_last_bit(values: FloatArray, fraction: float) -> None:
    assert quantile(values, fraction) == np.quantile(values, fraction)

from __future__ import annotations

import json
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.studio.heads import Problem
from motionloom.studio.packing import packed, unpacked


def test_a_head_that_is_no_json_is_a_fault() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        packed(Problem(error=float("nan")), {})  # type: ignore[arg-type]


def test_the_layout_is_a_length_the_padded_head_and_the_numbers() -> None:
    data = packed(Problem(error="no"), {"u": [1.5, -2.0], "none": np.empty((0, 3))})
    (length,) = struct.unpack("<I", data[:4])
    assert length % 4 == 0
    assert json.loads(data[4 : 4 + length]) == {
        "head": {"error": "no"},
        "arrays": [{"name": "u", "shape": [2]}, {"name": "none", "shape": [0, 3]}],
    }
    assert struct.unpack("<2f", data[4 + length :]) == (1.5, -2.0)


@given(st.text(max_size=30), st.lists(st.integers(0, 4), min_size=1, max_size=3))
def test_what_is_packed_comes_out_again(words: str, shape: list[int]) -> None:
    values = np.arange(np.prod(shape), dtype=np.float64).reshape(shape) / 7.0
    head, arrays = unpacked(packed(Problem(error=words), {"first": values, "second": values[..., ::-1]}))
    assert head == {"error": words}
    np.testing.assert_array_equal(arrays["first"], values.astype(np.float32))
    np.testing.assert_array_equal(arrays["second"], values[..., ::-1].astype(np.float32))

from __future__ import annotations

import json
import struct

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from motionloom.studio.packs import PackCache, pack, unpack
from motionloom.studio.responses import ErrorResponse


def test_a_head_that_is_no_json_is_a_fault() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        pack(ErrorResponse(error=float("nan")), {})  # type: ignore[arg-type]


def test_the_layout_is_a_length_the_padded_head_and_the_numbers() -> None:
    data = pack(ErrorResponse(error="no"), {"u": [1.5, -2.0], "none": np.empty((0, 3))})
    (length,) = struct.unpack("<I", data[:4])
    assert length % 4 == 0
    assert json.loads(data[4 : 4 + length]) == {
        "header": {"error": "no"},
        "arrays": [{"name": "u", "shape": [2]}, {"name": "none", "shape": [0, 3]}],
    }
    assert struct.unpack("<2f", data[4 + length :]) == (1.5, -2.0)


@given(st.text(max_size=30), st.lists(st.integers(0, 4), min_size=1, max_size=3))
def test_what_is_packed_comes_out_again(words: str, shape: list[int]) -> None:
    values = np.arange(np.prod(shape), dtype=np.float64).reshape(shape) / 7.0
    header, arrays = unpack(pack(ErrorResponse(error=words), {"first": values, "second": values[..., ::-1]}))
    assert header == {"error": words}
    np.testing.assert_array_equal(arrays["first"], values.astype(np.float32))
    np.testing.assert_array_equal(arrays["second"], values[..., ::-1].astype(np.float32))


def test_what_is_not_kept_is_none() -> None:
    assert PackCache().get("key") is None


def test_what_was_used_longest_ago_goes_first() -> None:
    packs = PackCache(max_bytes=6)
    for key in "abc":
        packs.put(key, b"12")
    packs.get("a")
    packs.put("d", b"12")
    assert [key for key in "abcd" if packs.get(key)] == ["a", "c", "d"]


def test_a_key_that_is_put_again_counts_once() -> None:
    packs = PackCache(max_bytes=4)
    packs.put("a", b"1")
    for _ in range(10):
        packs.put("b", b"123")
    assert packs.get("a") == b"1"


def test_the_last_is_kept_even_if_it_is_too_large() -> None:
    packs = PackCache(max_bytes=1)
    packs.put("large", b"123")
    assert packs.get("large") == b"123"

"""Typed arrays in glTF buffers: every kind of number, and nothing outside the buffer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from motionloom.errors import FileFormatError
from motionloom.files.gltf.container import read_container
from motionloom.files.gltf.document import GltfDocument, read_accessor
from tests.files.gltf_sketch import Sketch


def read(sketch: Sketch, folder: Path, kind: str = "VEC3", index: int = 0) -> Any:
    return read_accessor(GltfDocument(read_container(sketch.save(folder / "x.glb"))), index, kind)


def points(**entry: Any) -> Sketch:
    sketch = Sketch()
    sketch.array([[1, 2, 3], [4, 5, 6]], **entry)
    return sketch


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"type": "VEC4"}, r"accessors\[0\].type must be 'VEC3' here"),
    ({"type": 3}, r"accessors\[0\].type must be a string"),
    ({"componentType": 5124}, "componentType must be one of 5120, 5121"),
    ({"count": 3}, r"accessors\[0\] needs more than the 24 bytes of its bufferView"),
    ({"count": 10**15}, "needs more than the 24 bytes of its bufferView"),
    ({"count": -1}, "count must be a whole number from zero"),
    ({"count": True}, "count must be a whole number from zero"),
    ({"count": 1.5}, "count must be a whole number from zero"),
    ({"byteOffset": 4}, "needs more than the 24 bytes of its bufferView"),
    ({"bufferView": 5}, r"accessors\[0\].bufferView must be one of the 1 bufferViews"),
]


@pytest.mark.parametrize(("entry", "message"), WRONG)
def test_wrong_accessors_are_refused(tmp_path: Path, entry: dict[str, Any], message: str) -> None:
    with pytest.raises(FileFormatError, match=message):
        read(points(**entry), tmp_path)


WRONG_VIEWS: list[tuple[dict[str, Any], str]] = [
    ({"byteLength": 25}, r"bufferViews\[0\] ends beyond the 24 bytes of its buffer"),
    ({"byteOffset": 10**12}, r"bufferViews\[0\] ends beyond the 24 bytes of its buffer"),
    ({"byteStride": 4}, "needs more than the 24 bytes of its bufferView"),
    ({"buffer": 1}, r"bufferViews\[0\].buffer must be one of the 1 buffers"),
    (
        {"extensions": {"EXT_meshopt_compression": {}}},
        r"bufferViews\[0\] is compressed \(EXT_meshopt_compression\): save the file without compression",
    ),
]


@pytest.mark.parametrize(("view", "message"), WRONG_VIEWS)
def test_wrong_views_are_refused(tmp_path: Path, view: dict[str, Any], message: str) -> None:
    sketch = points()
    sketch.content["bufferViews"][0].update(view)
    with pytest.raises(FileFormatError, match=message):
        read(sketch, tmp_path)


@pytest.mark.parametrize("value", [np.nan, np.inf, 1e20])
def test_numbers_that_are_no_places_are_refused(tmp_path: Path, value: float) -> None:
    sketch = Sketch()
    sketch.array([[0, value, 0]])
    with pytest.raises(FileFormatError, match=r"accessors\[0\] holds a number that is not finite or beyond"):
        read(sketch, tmp_path)


def test_zeros_without_a_buffer_are_few(tmp_path: Path) -> None:
    sketch = Sketch(accessors=[{"componentType": 5126, "count": 2, "type": "VEC3"}])
    assert read(sketch, tmp_path).tolist() == [[0, 0, 0], [0, 0, 0]]
    sketch.content["accessors"][0]["count"] = 10**12
    with pytest.raises(
        FileFormatError, match="1000000000000 elements: reading it would take about 48,000,000 MB"
    ):
        read(sketch, tmp_path)


def test_floats(tmp_path: Path) -> None:
    assert read(points(), tmp_path).tolist() == [[1, 2, 3], [4, 5, 6]]


@pytest.mark.parametrize(
    ("dtype", "stored", "read_as"),
    [
        ("<i1", [-128, -127, 127], [-1.0, -1.0, 1.0]),
        ("<u1", [0, 51, 255], [0.0, 0.2, 1.0]),
        ("<i2", [-32768, 0, 32767], [-1.0, 0.0, 1.0]),
        ("<u2", [0, 13107, 65535], [0.0, 0.2, 1.0]),
    ],
)
def test_whole_numbers_may_stand_for_shares(
    tmp_path: Path, dtype: str, stored: list[int], read_as: list[float]
) -> None:
    sketch = Sketch()
    sketch.array([stored], dtype, normalized=True)
    assert read(sketch, tmp_path)[0].tolist() == read_as
    sketch.content["accessors"][0]["normalized"] = False
    assert read(sketch, tmp_path)[0].tolist() == stored


def test_interleaved_elements(tmp_path: Path) -> None:
    sketch = Sketch()
    sketch.array([[1, 2, 3], [9, 9, 9], [4, 5, 6]])
    sketch.content["bufferViews"][0]["byteStride"] = 24
    sketch.content["accessors"][0]["count"] = 2
    assert read(sketch, tmp_path).tolist() == [[1, 2, 3], [4, 5, 6]]


def sparse(indices: list[int]) -> Sketch:
    sketch = points()
    where, what = sketch.array(indices, "<u1"), sketch.array([[7, 8, 9]] * len(indices))
    listed = sketch.content["accessors"]
    listed[0]["sparse"] = {
        "count": len(indices),
        "indices": {"bufferView": listed[where]["bufferView"], "componentType": 5121},
        "values": {"bufferView": listed[what]["bufferView"]},
    }
    return sketch


def test_sparse_elements_replace_others(tmp_path: Path) -> None:
    assert read(sparse([1]), tmp_path).tolist() == [[1, 2, 3], [7, 8, 9]]
    with pytest.raises(FileFormatError, match=r"sparse\.indices must be below the number of elements, 2"):
        read(sparse([2]), tmp_path)

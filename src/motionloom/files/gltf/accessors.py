"""Accessors: typed arrays in the buffers of a glTF file, read within bounds."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray
from motionloom.errors import FileFormatError
from motionloom.files.gltf.document import Document, Entry
from motionloom.files.text import LARGEST

COMPONENTS = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
"""Number types by their code in the file."""

WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
"""Numbers of an element by its kind."""

MOST_ZEROS = 1 << 20
"""Elements of an accessor without a buffer: it stands for zeros, which no other size bounds."""

_COMPRESSIONS = ("EXT_meshopt_compression", "KHR_meshopt_compression")


def read_accessor(document: Document, index: int, kind: str) -> FloatArray:
    """The elements (N, width) of an accessor of a kind, whole numbers scaled to 0…1 or −1…1 where it says so.

    Fails where the accessor is of another kind, lies outside its buffer or holds no finite numbers.
    """
    entry = document.entry("accessors", index)
    if entry.text("type") != kind:
        entry.refuse("type", f"{kind!r} here")
    elements = _dense(document, entry, WIDTHS[kind])
    if "sparse" in entry.values:
        elements = _with_sparse(document, entry, elements)
    with np.errstate(invalid="ignore"):  # what is not a number is refused below
        values = _scaled(elements) if entry.values.get("normalized") is True else elements.astype(np.float64)
    if not (np.abs(values) <= LARGEST).all():
        document.refuse(entry.where, f"holds a number that is not finite or beyond {LARGEST:g}")
    return values


def _dense(document: Document, entry: Entry, width: int) -> npt.NDArray[Any]:
    count, dtype = entry.whole("count"), _dtype(entry)
    if "bufferView" in entry.values:
        return _elements(document, entry, count, dtype, width)
    if count > MOST_ZEROS:
        entry.refuse("count", f"at most {MOST_ZEROS} without a bufferView")
    return np.zeros((count, width), dtype)


def _dtype(entry: Entry) -> np.dtype[Any]:
    code = entry.whole("componentType")
    if code not in COMPONENTS:
        entry.refuse("componentType", f"one of {', '.join(map(str, COMPONENTS))}")
    return np.dtype(COMPONENTS[code])


def _elements(
    document: Document, entry: Entry, count: int, dtype: np.dtype[Any], width: int
) -> npt.NDArray[Any]:
    """A view (count, width) of the bytes that an entry with a bufferView and a byteOffset names."""
    view = document.entry("bufferViews", entry.index("bufferView", "bufferViews"))
    _check_uncompressed(document, view)
    data = document.buffer(view.index("buffer", "buffers"))
    start, length = view.whole("byteOffset", 0), view.whole("byteLength")
    if start + length > len(data):
        document.refuse(view.where, f"ends behind the {len(data)} bytes of its buffer")
    size = dtype.itemsize * width
    stride = view.whole("byteStride", size)
    offset = entry.whole("byteOffset", 0)
    if stride < size or offset + (count - 1) * stride + size > length:
        document.refuse(entry.where, f"needs more than the {length} bytes of its bufferView")
    if count == 0:
        return np.empty((0, width), dtype)
    return np.ndarray((count, width), dtype, data, start + offset, (stride, dtype.itemsize))


def _check_uncompressed(document: Document, view: Entry) -> None:
    for name in _COMPRESSIONS:
        if name in view.object("extensions").values:
            raise FileFormatError(
                document.path, f"{view.where} is compressed ({name}): save the file without compression"
            )


def _with_sparse(document: Document, entry: Entry, elements: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The elements with those replaced that the accessor lists apart."""
    sparse = entry.object("sparse")
    count = sparse.whole("count")
    indices, values = sparse.object("indices"), sparse.object("values")
    where = _elements(document, indices, count, _dtype(indices), 1)[:, 0]
    if where.dtype.kind != "u" or (count and where.max() >= len(elements)):
        document.refuse(indices.where, f"must count the {len(elements)} elements")
    replaced = np.array(elements)
    replaced[where] = _elements(document, values, count, elements.dtype, elements.shape[1])
    return replaced


def _scaled(elements: npt.NDArray[Any]) -> FloatArray:
    if elements.dtype.kind == "f":
        return elements.astype(np.float64)
    return np.maximum(elements / np.iinfo(elements.dtype).max, -1.0)

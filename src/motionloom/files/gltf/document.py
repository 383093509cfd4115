"""The JSON of a glTF file and the typed arrays in its buffers.

Files are not trusted: entries are asked for by name and type, arrays are read within bounds.
"""

from __future__ import annotations

from math import isfinite
from pathlib import Path
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray
from motionloom.errors import FileFormatError
from motionloom.files.gltf.container import Container, decode_data_uri, find_file, read_bytes_limited
from motionloom.jobs.budget import Budget
from motionloom.json_files import MAX_NUMBER

MAX_ENTRIES = 200_000
"""Entries of one list (nodes, accessors, …); no file with motion has more."""

_MAX_INDEX = 1 << 53


class GltfDocument:
    """A glTF file: lists of entries by name, and the bytes of its buffers.

    Attributes
    ----------
    path
        The file, for messages.
    content
        The JSON object.
    budget
        The memory that reading the file may take; the usual one by default.
    """

    def __init__(self, container: Container, budget: Budget | None = None) -> None:
        self.budget = budget or Budget(container.path)
        self.path: Path = container.path
        self.content: dict[str, Any] = container.content
        self._binary = container.binary
        self._buffers: dict[int, memoryview] = {}
        self._files: dict[Path, bytes] = {}

    def refuse(self, where: str, what: str) -> NoReturn:
        """Fail because a part of the file is not what it should be."""
        raise FileFormatError(self.path, f"{where} {what}: the file is damaged")

    def count(self, kind: str) -> int:
        """Return how many entries a list of the file has; none when there is no such list."""
        return len(self._list(kind))

    def entry(self, kind: str, index: int) -> Entry:
        """Return one entry of a list; the index is known to be valid."""
        return Entry(self, f"{kind}[{index}]", self._list(kind)[index])

    def entries(self, kind: str) -> list[Entry]:
        """Return all entries of a list."""
        return [self.entry(kind, index) for index in range(self.count(kind))]

    def buffer(self, index: int) -> memoryview:
        """Return the bytes of a buffer, as many as it announces."""
        if index not in self._buffers:
            self._buffers[index] = self._read_buffer(index)
        return self._buffers[index]

    def read_uri(self, uri: str, where: str) -> bytes:
        """Return the bytes that a URI refers to: ``data:``, or a file in the same folder or below.

        A file is read once, however often it is referred to, and counts into the size of this one.
        """
        if uri.startswith("data:"):
            return decode_data_uri(self.path, uri, where)
        place = find_file(self.path, uri, where)
        if place not in self._files:
            self.budget.include(place)
            data = read_bytes_limited(place)
            self.budget.claim(len(data), f"the file {uri[:60]!r} beside it")
            self._files[place] = data
        return self._files[place]

    def _list(self, kind: str) -> list[Any]:
        listed = self.content.get(kind, [])
        if not isinstance(listed, list):
            self.refuse(kind, "must be a list")
        if len(listed) > MAX_ENTRIES:
            raise FileFormatError(self.path, f"holds more than {MAX_ENTRIES} {kind}")
        return listed

    def _read_buffer(self, index: int) -> memoryview:
        entry = self.entry("buffers", index)
        length = entry.integer("byteLength")
        if "uri" in entry.values:
            data = self.read_uri(entry.text("uri"), f"{entry.where}.uri")
        elif index == 0 and self._binary is not None:
            data = self._binary
        else:
            self.refuse(entry.where, "has no data")
        if length > len(data):
            self.refuse(entry.where, f"announces {length} bytes and has {len(data)}")
        return memoryview(data)[:length]


class Entry:
    """An object of the JSON; ``where`` names it in messages. Anything but an object has no entries."""

    def __init__(self, document: GltfDocument, where: str, values: object) -> None:
        self.document = document
        self.where = where
        self.values: dict[str, Any] = values if isinstance(values, dict) else {}

    def refuse(self, key: str, what: str) -> NoReturn:
        """Fail because an entry is missing or not what it should be."""
        self.document.refuse(f"{self.where}.{key}", f"must be {what}")

    def integer(self, key: str, default: int | None = None) -> int:
        """Return a whole number from zero."""
        value = self.values.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < _MAX_INDEX:
            self.refuse(key, "a whole number from zero")
        return value

    def index(self, key: str, kind: str) -> int:
        """Return the index of an entry of the list ``kind``."""
        value, count = self.integer(key), self.document.count(kind)
        if value >= count:
            self.refuse(key, f"one of the {count} {kind}")
        return value

    def indices(self, key: str, kind: str) -> list[int]:
        """Return different indices of entries of the list ``kind``; none when there is no such entry."""
        values = self.values.get(key, [])
        if not isinstance(values, list):
            self.refuse(key, "a list")
        count = self.document.count(kind)
        for value in values:
            if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < count:
                self.refuse(key, f"a list of indices of the {count} {kind}")
        if len(set(values)) < len(values):
            self.refuse(key, "a list without repetitions")
        return values

    def number(self, key: str, default: float) -> float:
        """Return a finite number."""
        value = self.values.get(key, default)
        if not _is_number(value):
            self.refuse(key, f"a number up to {MAX_NUMBER:g}")
        return float(value)

    def numbers(self, key: str, count: int) -> FloatArray | None:
        """Return so many finite numbers, or None when there is no such entry."""
        if key not in self.values:
            return None
        values = self.values[key]
        if not isinstance(values, list) or len(values) != count or not all(map(_is_number, values)):
            self.refuse(key, f"{count} numbers up to {MAX_NUMBER:g}")
        return np.array(values, dtype=np.float64)

    def text(self, key: str, default: str | None = None) -> str:
        """Return a string."""
        value = self.values.get(key, default)
        if not isinstance(value, str):
            self.refuse(key, "a string")
        return value

    def object(self, key: str) -> Entry:
        """Return an object, empty when there is none."""
        return Entry(self.document, f"{self.where}.{key}", self.values.get(key))

    def objects(self, key: str) -> list[Entry]:
        """Return a list of objects; none when there is no such entry."""
        values = self.values.get(key, [])
        if not isinstance(values, list):
            self.refuse(key, "a list")
        return [Entry(self.document, f"{self.where}.{key}[{n}]", value) for n, value in enumerate(values)]


def _is_number(value: object) -> bool:
    return (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and abs(value) <= MAX_NUMBER
        and isfinite(value)
    )


COMPONENTS = {5120: "<i1", 5121: "<u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
"""Number types by their code in the file."""

WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
"""How many numbers an element has, by its kind."""

_COPIES = 2
"""Copies in double precision that are made of an accessor's numbers."""

_COMPRESSIONS = ("EXT_meshopt_compression", "KHR_meshopt_compression")


def read_accessor(document: GltfDocument, index: int, kind: str) -> FloatArray:
    """Return the elements (N, width) of an accessor; normalized integers become 0…1 or −1…1.

    Fails where the accessor is of another kind, is outside its buffer or holds numbers that are not finite.
    """
    entry = document.entry("accessors", index)
    if entry.text("type") != kind:
        entry.refuse("type", f"{kind!r} here")
    elements = _read_dense(document, entry, WIDTHS[kind])
    if "sparse" in entry.values:
        elements = _replace_sparse(document, entry, elements)
    with np.errstate(invalid="ignore"):  # what is not a number is refused below
        values = (
            _denormalize(elements) if entry.values.get("normalized") is True else elements.astype(np.float64)
        )
    if not (np.abs(values) <= MAX_NUMBER).all():
        document.refuse(entry.where, f"holds a number that is not finite or beyond {MAX_NUMBER:g}")
    return values


def _read_dense(document: GltfDocument, entry: Entry, width: int) -> npt.NDArray[Any]:
    count, dtype = entry.integer("count"), _dtype(entry)
    view = _view_elements(document, entry, count, dtype, width) if "bufferView" in entry.values else None
    document.budget.claim(_COPIES * 8 * width * count, f"{entry.where} with {count} elements")
    return np.zeros((count, width), dtype) if view is None else view


def _dtype(entry: Entry) -> np.dtype[Any]:
    code = entry.integer("componentType")
    if code not in COMPONENTS:
        entry.refuse("componentType", f"one of {', '.join(map(str, COMPONENTS))}")
    return np.dtype(COMPONENTS[code])


def _view_elements(
    document: GltfDocument, entry: Entry, count: int, dtype: np.dtype[Any], width: int
) -> npt.NDArray[Any]:
    """Return a view (count, width) of the bytes that an entry with a bufferView and a byteOffset names."""
    view = document.entry("bufferViews", entry.index("bufferView", "bufferViews"))
    _check_uncompressed(document, view)
    data = document.buffer(view.index("buffer", "buffers"))
    start, length = view.integer("byteOffset", 0), view.integer("byteLength")
    if start + length > len(data):
        document.refuse(view.where, f"ends beyond the {len(data)} bytes of its buffer")
    size = dtype.itemsize * width
    stride = view.integer("byteStride", size)
    offset = entry.integer("byteOffset", 0)
    if stride < size or offset + (count - 1) * stride + size > length:
        document.refuse(entry.where, f"needs more than the {length} bytes of its bufferView")
    if count == 0:
        return np.empty((0, width), dtype)
    return np.ndarray((count, width), dtype, data, start + offset, (stride, dtype.itemsize))


def _check_uncompressed(document: GltfDocument, view: Entry) -> None:
    for name in _COMPRESSIONS:
        if name in view.object("extensions").values:
            raise FileFormatError(
                document.path,
                f"{view.where} is compressed ({name})",
                remedy="save the file without compression",
            )


def _replace_sparse(document: GltfDocument, entry: Entry, elements: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the elements with those replaced that the accessor lists as sparse."""
    sparse = entry.object("sparse")
    count = sparse.integer("count")
    indices, values = sparse.object("indices"), sparse.object("values")
    where = _view_elements(document, indices, count, _dtype(indices), 1)[:, 0]
    if where.dtype.kind != "u" or (count and where.max() >= len(elements)):
        document.refuse(indices.where, f"must be below the number of elements, {len(elements)}")
    replaced = np.array(elements)
    replaced[where] = _view_elements(document, values, count, elements.dtype, elements.shape[1])
    return replaced


def _denormalize(elements: npt.NDArray[Any]) -> FloatArray:
    if elements.dtype.kind == "f":
        return elements.astype(np.float64)
    return np.maximum(elements / np.iinfo(elements.dtype).max, -1.0)

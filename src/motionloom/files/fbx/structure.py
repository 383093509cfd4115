"""Whether a binary FBX file is whole: counts and sizes that fit, before Blender is started on it.

Blender believes what a file says about itself. A wrong count keeps it busy for minutes, and an array that
does not unpack leaves it waiting for ever, so that both are looked for here. The layout is a tree of records,
each with the place where it ends, the number of its values, its name, its values, and the records below it; a
record of zeros ends a list of records.
"""

from __future__ import annotations

import struct
import zlib
from pathlib import Path
from typing import NoReturn

from motionloom.errors import FileFormatError

MAGIC = b"Kaydara FBX Binary  \0\x1a\0"

DEEPEST = 100
"""Records within records; files have fewer than ten."""

_VERSION = struct.Struct("<I")
_SMALL, _LARGE = struct.Struct("<IIIB"), struct.Struct("<QQQB")
_LARGE_SINCE = 7500
"""The version from which on a record begins with larger numbers."""

_SIZES = {"Z": 1, "B": 1, "C": 1, "Y": 2, "I": 4, "F": 4, "L": 8, "D": 8}
"""Bytes of a single value, by the letter of its type."""

_TEXTS = "RS"
_LENGTH = struct.Struct("<I")

_ARRAYS = {"b": 1, "c": 1, "i": 4, "f": 4, "l": 8, "d": 8}
"""Bytes of an element of an array, by the letter of its type."""

_ARRAY = struct.Struct("<III")
_PACKED = 1
_PORTION = 1 << 20
"""Bytes that are unpacked at a time; they are only counted."""


def check_structure(path: Path, content: bytes) -> None:
    """Refuse a binary FBX file that is not whole; what is no binary FBX file is left to Blender.

    >>> check_structure(Path("walk.fbx"), MAGIC + bytes(4))
    Traceback (most recent call last):
    motionloom.errors.FileFormatError: walk.fbx: is damaged at byte 27: the file is cut off there
    """
    if content.startswith(MAGIC):
        _Walk(path, content).check()


class _Walk:
    """A way through the records of a file; ``at`` is the byte that comes next."""

    def __init__(self, path: Path, content: bytes) -> None:
        self.path = path
        self.content = content
        self.at = len(MAGIC)

    def check(self) -> None:
        (version,) = self._numbers(_VERSION)
        head = _SMALL if version < _LARGE_SINCE else _LARGE
        ends: list[int] = []
        while True:
            start = self.at
            end, n_values, _, name_length = self._numbers(head)
            if end == 0 and not ends:
                return
            if end == 0 or end > (ends[-1] if ends else len(self.content)) or len(ends) == DEEPEST:
                self._refuse("a record ends where it cannot", start)
            self._skip(name_length)
            for _ in range(n_values):
                self._value()
            if self.at < end:
                ends.append(end)
            elif self.at > end:
                self._refuse("a record is longer than it says", start)
            self._leave(ends, head.size)

    def _leave(self, ends: list[int], size: int) -> None:
        """Pass the zeros that end the lists of records which end here."""
        while ends and self.at >= ends[-1] - size:
            if self.at != ends[-1] - size or any(self.content[self.at : ends[-1]]):
                self._refuse("a list of records does not end where it says")
            self.at = ends.pop()

    def _value(self) -> None:
        letter = chr(self._taken(1)[0])
        if letter in _SIZES:
            self._skip(_SIZES[letter])
        elif letter in _TEXTS:
            self._skip(self._numbers(_LENGTH)[0])
        elif letter in _ARRAYS:
            self._array(_ARRAYS[letter])
        else:
            self._refuse("a value has a type that there is not", self.at - 1)

    def _array(self, size: int) -> None:
        start = self.at
        length, encoding, n_bytes = self._numbers(_ARRAY)
        data = self._taken(n_bytes)
        if (_unpacked_size(data, length * size) if encoding == _PACKED else n_bytes) != length * size:
            self._refuse("an array does not have the length that it says", start)

    def _numbers(self, layout: struct.Struct) -> tuple[int, ...]:
        return layout.unpack(self._taken(layout.size))

    def _taken(self, n_bytes: int) -> bytes:
        start = self.at
        self._skip(n_bytes)
        return self.content[start : self.at]

    def _skip(self, n_bytes: int) -> None:
        if n_bytes > len(self.content) - self.at:
            self._refuse("the file is cut off there")
        self.at += n_bytes

    def _refuse(self, cause: str, at: int | None = None) -> NoReturn:
        raise FileFormatError(self.path, f"is damaged at byte {self.at if at is None else at}: {cause}")


def _unpacked_size(data: bytes, most: int) -> int | None:
    """How many bytes packed data unpacks to, counted a little beyond ``most``; None where it does not."""
    unpacking = zlib.decompressobj()
    size = 0
    try:
        while size <= most and not unpacking.eof:
            portion = unpacking.decompress(data, _PORTION)
            if not portion and not unpacking.eof:
                return None
            size += len(portion)
            data = unpacking.unconsumed_tail
    except zlib.error:
        return None
    return size

"""Check the structure of a binary FBX file before Blender opens it.

Blender trusts the counts and sizes in a file. A wrong count keeps it busy for minutes, and an array that does
not decompress makes it hang, so both are checked here. A file is a tree of records, each with its end
position, the number of its values, its name, its values and its child records; a record of zeros ends a list
of records.
"""

from __future__ import annotations

import struct
import zlib
from pathlib import Path
from typing import NoReturn

from motionloom.errors import FileFormatError
from motionloom.jobs.budget import Budget

MAGIC = b"Kaydara FBX Binary  \0\x1a\0"

MAX_DEPTH = 100
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
_COMPRESSED = 1
_CHUNK = 1 << 20
"""Bytes that are decompressed at a time; they are only counted."""


def check_structure(path: Path, content: bytes, budget: Budget | None = None) -> None:
    """Refuse a binary FBX file that is not whole, or whose arrays are too large; others are left to Blender.

    Parameters
    ----------
    path
        The file.
    content
        Its bytes.
    budget
        The memory that reading the file may take; the usual one by default.

    >>> check_structure(Path("walk.fbx"), MAGIC + bytes(4))
    Traceback (most recent call last):
    motionloom.errors.FileFormatError: walk.fbx: is damaged at byte 27: the file is cut off there
    """
    if content.startswith(MAGIC):
        _StructureCheck(path, content, budget or Budget(path)).check()


class _StructureCheck:
    """Goes through the records of a file; ``at`` is the next byte."""

    def __init__(self, path: Path, content: bytes, budget: Budget) -> None:
        self.path = path
        self.content = content
        self.budget = budget
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
            if end == 0 or end > (ends[-1] if ends else len(self.content)) or len(ends) == MAX_DEPTH:
                self._refuse("a record has an impossible end", start)
            self._skip(name_length)
            for _ in range(n_values):
                self._value()
            if self.at < end:
                ends.append(end)
            elif self.at > end:
                self._refuse("a record is longer than stated", start)
            self._leave(ends, head.size)

    def _leave(self, ends: list[int], size: int) -> None:
        """Skip the zeros that end the lists of records which end here."""
        while ends and self.at >= ends[-1] - size:
            if self.at != ends[-1] - size or any(self.content[self.at : ends[-1]]):
                self._refuse("a list of records does not end where it should")
            self.at = ends.pop()

    def _value(self) -> None:
        letter = chr(self._take(1)[0])
        if letter in _SIZES:
            self._skip(_SIZES[letter])
        elif letter in _TEXTS:
            self._skip(self._numbers(_LENGTH)[0])
        elif letter in _ARRAYS:
            self._array(_ARRAYS[letter])
        else:
            self._refuse("a value has an unknown type", self.at - 1)

    def _array(self, size: int) -> None:
        start = self.at
        length, encoding, n_bytes = self._numbers(_ARRAY)
        data = self._take(n_bytes)
        unpacked = _measure_unpacked(data, length * size) if encoding == _COMPRESSED else n_bytes
        if unpacked != length * size:
            self._refuse("an array does not have the stated length", start)
        self.budget.claim(unpacked, "its arrays")

    def _numbers(self, layout: struct.Struct) -> tuple[int, ...]:
        return layout.unpack(self._take(layout.size))

    def _take(self, n_bytes: int) -> bytes:
        start = self.at
        self._skip(n_bytes)
        return self.content[start : self.at]

    def _skip(self, n_bytes: int) -> None:
        if n_bytes > len(self.content) - self.at:
            self._refuse("the file is cut off there")
        self.at += n_bytes

    def _refuse(self, cause: str, at: int | None = None) -> NoReturn:
        raise FileFormatError(self.path, f"is damaged at byte {self.at if at is None else at}: {cause}")


def _measure_unpacked(data: bytes, limit: int) -> int | None:
    """Count the bytes of compressed data, a little beyond ``limit`` at most; None where it is damaged."""
    decompressor = zlib.decompressobj()
    size = 0
    try:
        while size <= limit and not decompressor.eof:
            chunk = decompressor.decompress(data, _CHUNK)
            if not chunk and not decompressor.eof:
                return None
            size += len(chunk)
            data = decompressor.unconsumed_tail
    except zlib.error:
        return None
    return size

"""The bytes of C3D files: three kinds of processors, the header, and the tree of parameters.

A file is read from its bytes with nothing but slices inside them: every length that it states is compared
with what is left before anything is allocated, and a tree that breaks off gives the parameters before the
break. What follows from the parameters is the business of :mod:`motionloom.files.points.c3d`.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray
from motionloom.files.text import quote_word

BLOCK = 512
"""Bytes; parts of a file begin at multiples of it."""

MAGIC = 0x50
"""Second byte of every file."""

INTEL, DEC, SGI = 84, 85, 86
"""Kinds of processors: little-endian; little-endian with VAX numbers; big-endian."""

MAX_NAME_LENGTH = 127
"""Characters; the format counts them in one signed byte."""

MAX_LENGTH = 255
"""Entries along an axis of a parameter, which the format counts in one byte."""

MAX_AXES = 7
"""Axes of a parameter."""

EVENT_KEY = 12345
"""Word 150 of headers whose events have labels of four characters."""

MAX_FAULTS = 5
"""Faults of the parameters that are told; further ones follow from them."""

MAX_HEADER_EVENTS = 18
"""Events that fit into a header."""

Value = npt.NDArray[Any] | list[str]
"""What a parameter holds: numbers, first axis last as in C, or strings."""


@dataclass(frozen=True)
class Numbers:
    """How numbers are stored.

    Attributes
    ----------
    processor
        One of :data:`INTEL`, :data:`DEC` and :data:`SGI`.
    """

    processor: int

    @property
    def order(self) -> str:
        """The byte order as NumPy and `struct` call it."""
        return ">" if self.processor == SGI else "<"

    def integers(self, content: bytes, *, signed: bool = True) -> npt.NDArray[np.int64]:
        """Return the 16-bit numbers of these bytes."""
        return np.frombuffer(content, f"{self.order}{'i' if signed else 'u'}2").astype(np.int64)

    def word(self, content: bytes, place: int) -> int:
        """Return an unsigned 16-bit number."""
        return int(struct.unpack_from(f"{self.order}H", content, place)[0])

    def fractions(self, content: bytes) -> FloatArray:
        """Return the single-precision numbers of these bytes; what is no number is NaN.

        >>> Numbers(DEC).fractions(bytes([0x80, 0x40, 0, 0])).tolist()
        [1.0]
        """
        if self.processor != DEC:
            with np.errstate(invalid="ignore"):  # some of what is no number makes the processor complain
                found = np.frombuffer(content, f"{self.order}f4").astype(np.float64)
            return np.where(np.isfinite(found), found, np.nan)
        # A VAX number has its halves exchanged and an exponent that is larger by two.
        halves = np.frombuffer(content, "<u2").astype(np.uint32).reshape(-1, 2)
        bits = (halves[:, 0] << 16) | halves[:, 1]
        sign = np.where(bits >> 31, -1.0, 1.0)
        exponent = ((bits >> 23) & 0xFF).astype(np.int64)
        fraction = ((bits & 0x7FFFFF) | 0x800000).astype(np.float64)
        return np.where(exponent == 0, 0.0, sign * np.ldexp(fraction, exponent - 152))


@dataclass(frozen=True)
class Header:
    """The first block.

    Attributes
    ----------
    parameter_block, data_block
        Where the parameters and the measurements begin, in blocks from 1.
    n_points, n_analog
        Points, and measurements of all analog channels, in a frame.
    first, last
        Numbers of the first and of the last frame.
    scale
        Size of a whole number; negative where points are fractions.
    samples
        Measurements of an analog channel in a frame.
    rate
        Frames per second.
    events
        Times in seconds and labels of the events in the header.
    """

    parameter_block: int
    data_block: int
    n_points: int
    n_analog: int
    first: int
    last: int
    scale: float
    samples: int
    rate: float
    events: tuple[tuple[float, str], ...] = ()


@dataclass
class Parameters:
    """Groups of parameters by their names in capital letters.

    >>> Parameters({"POINT": {"RATE": np.array([50.0])}}).number("POINT", "RATE", 0.0)
    50.0
    """

    groups: dict[str, dict[str, Value]] = field(default_factory=dict)

    def get(self, group: str, name: str) -> Value | None:
        """Return a parameter, or None."""
        return self.groups.get(group, {}).get(name)

    def numbers(self, group: str, name: str) -> FloatArray:
        """Return the numbers of a parameter; none where it is missing or text."""
        found = self.get(group, name)
        return np.zeros(0) if found is None or isinstance(found, list) else np.asarray(found, np.float64)

    def number(self, group: str, name: str, default: float) -> float:
        """Return the first number of a parameter."""
        found = self.numbers(group, name)
        return float(found.flat[0]) if found.size and np.isfinite(found.flat[0]) else default

    def strings(self, group: str, name: str) -> list[str]:
        """Return the strings of a parameter; none where it is missing or a number."""
        found = self.get(group, name)
        return found if isinstance(found, list) else []

    def string(self, group: str, name: str) -> str:
        """Return the first string of a parameter, or an empty one."""
        return next(iter(self.strings(group, name)), "")

    def long_strings(self, group: str, name: str) -> list[str]:
        """Return the strings of a parameter that goes on in NAME2, NAME3 and so on."""
        found = list(self.strings(group, name))
        number = 2
        while (further := self.strings(group, f"{name}{number}")) and number <= MAX_LENGTH:
            found += further
            number += 1
        return found


def read_header(content: bytes, numbers: Numbers) -> Header:
    """Return the header; ``content`` holds at least one block."""
    word = numbers.integers(content[:BLOCK], signed=False)
    fraction = numbers.fractions
    events: list[tuple[float, str]] = []
    if word[149] == EVENT_KEY:
        times = fraction(content[304:376])
        for n in range(min(int(word[150]), MAX_HEADER_EVENTS)):
            label = decode_name(content[396 + 4 * n : 400 + 4 * n])
            if np.isfinite(times[n]) and label:
                events.append((float(times[n]), label))
    scale, rate = float(fraction(content[12:16])[0]), float(fraction(content[20:24])[0])
    return Header(
        content[0],
        int(word[8]),
        int(word[1]),
        int(word[2]),
        int(word[3]),
        int(word[4]),
        scale,
        int(word[9]),
        rate,
        tuple(events),
    )


def read_parameters(content: bytes, start: int, numbers: Numbers) -> tuple[Parameters, list[str]]:
    """Return the tree of parameters that begins at a byte, and what is wrong with it, one phrase each.

    Of parameters that occur twice the first counts. The tree ends where a record says so, or where the rest
    cannot be one.
    """
    groups: dict[int, str] = {}
    entries: list[tuple[int, str, Value]] = []
    faults: list[str] = []
    place = start + 4
    while place + 4 <= len(content):
        length = abs(int.from_bytes(content[place : place + 1], "little", signed=True))
        number = int.from_bytes(content[place + 1 : place + 2], "little", signed=True)
        if length == 0 or number == 0:
            break
        name = decode_name(content[place + 2 : place + 2 + length]).upper()
        body = place + 2 + length
        if body + 2 > len(content):
            faults.append("its parameters break off")
            break
        offset = numbers.word(content, body)
        if number < 0:
            groups.setdefault(-number, name)
        else:
            value = _read_value(content, body + 2, body + offset if offset else len(content), numbers)
            if value is None:
                faults.append(f"its parameter {quote_word(name)} reaches beyond its end and was left out")
            else:
                entries.append((number, name, value))
        if offset == 0:
            break
        place = body + offset
        if offset < 2:
            faults.append(f"its parameter {quote_word(name)} does not say where the next one begins")
            break
    tree = Parameters({name: {} for name in groups.values()})
    for number, name, value in entries:
        tree.groups.setdefault(groups.get(number, f"GROUP {number}"), {}).setdefault(name, value)
    return tree, faults[:MAX_FAULTS]


def _read_value(content: bytes, place: int, limit: int, numbers: Numbers) -> Value | None:
    """Return what a parameter holds, or None where it goes on beyond the byte ``limit``."""
    limit = min(limit, len(content))
    if place + 2 > limit:
        return None
    kind = int.from_bytes(content[place : place + 1], "little", signed=True)
    n_axes = content[place + 1]
    shape = list(content[place + 2 : place + 2 + n_axes])
    start = place + 2 + n_axes
    end = start + abs(kind) * prod(shape)
    if kind not in (-1, 1, 2, 4) or n_axes > MAX_AXES or end > limit:
        return None
    raw = content[start:end]
    if kind == -1:
        width = shape[0] if shape else 1
        count = prod(shape[1:]) if len(shape) > 1 else int(bool(width))
        return [decode_name(raw[n * width : (n + 1) * width]) for n in range(count)]
    values: npt.NDArray[Any]
    if kind == 1:
        values = np.frombuffer(raw, "i1").astype(np.int64)
    elif kind == 2:
        values = numbers.integers(raw)
    else:
        values = numbers.fractions(raw)
    return values.reshape(shape[::-1])


def decode_name(raw: bytes) -> str:
    """Return a name or label: UTF-8, or Latin-1 where it is not valid, without what fills it up.

    >>> decode_name(b"LHEE  ")
    'LHEE'
    """
    raw = raw.partition(b"\0")[0].strip()
    try:
        return raw.decode("utf-8").strip()
    except UnicodeDecodeError:
        return raw.decode("latin-1").strip()


def pack_parameters(groups: dict[str, dict[str, Any]], data_block_name: tuple[str, str]) -> bytes:
    """Return a tree of parameters as Intel's numbers, in whole blocks.

    Values are strings, lists of strings, whole numbers (16 bits) or fractions, alone or as arrays whose last
    axis is the format's first. ``data_block_name`` is the group and the name of the parameter that gets the
    block after these.
    """
    packed, data_place = b"\x01\x50\x00\x54", 0
    for number, (group, entries) in enumerate(groups.items(), start=1):
        packed += _record(group, -number, b"\x00")
        for name, value in entries.items():
            body = _pack_value(value)
            if (group, name) == data_block_name:
                data_place = len(packed) + 2 + len(name) + 2 + 2
            packed += _record(name, number, body + b"\x00")
    packed += bytes(2 + -(len(packed) + 2) % BLOCK)
    n_blocks = len(packed) // BLOCK
    data_block = struct.pack("<H", 2 + n_blocks)
    packed = packed[:2] + bytes([min(n_blocks, 255)]) + packed[3:]
    return packed[:data_place] + data_block + packed[data_place + 2 :]


def _record(name: str, number: int, body: bytes) -> bytes:
    start = struct.pack("<bb", len(name), number) + name.encode("ascii")
    return start + struct.pack("<H", 2 + len(body)) + body


def _pack_value(value: str | Sequence[str] | int | float | npt.NDArray[Any]) -> bytes:
    if isinstance(value, str):
        raw = value.encode("ascii")
        return struct.pack("<bBB", -1, 1, len(raw)) + raw
    if isinstance(value, list | tuple):
        raws = [each.encode("ascii") for each in value]
        width = max((len(raw) for raw in raws), default=0)
        return struct.pack("<bBBB", -1, 2, width, len(raws)) + b"".join(raw.ljust(width) for raw in raws)
    array = np.asarray(value)
    whole = array.dtype.kind in "iu"
    raw = array.astype("<i2" if whole else "<f4").tobytes()
    return struct.pack("<bB", 2 if whole else 4, array.ndim) + bytes(array.shape[::-1]) + raw

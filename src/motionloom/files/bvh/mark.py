"""The mark in files that this package writes: unit, up axis and meaning of root positions.

BVH has no place for them, and programs refuse files with comments. The mark is in how the root's OFFSET is
written: zeros after the last decimal, as many as tell what is meant. Every program reads the same numbers.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from math import isclose

from motionloom.files.units import UNITS
from motionloom.motion import Source
from motionloom.motion.provenance import RootOffset, UpAxis

DECIMALS = 12
"""Digits after the point that carry the number; zeros after them carry the mark."""

ROOT_OFFSETS: tuple[RootOffset, ...] = ("absolute", "relative")
UP_AXES: tuple[UpAxis, ...] = ("y", "z", "x")
FIRST_ZEROS = (4, 1, 1)
"""Zeros that stand for the first root offset, unit and up axis. No fixed number of decimals can be mistaken
for a mark: the first number always has more than the last."""

_ROOT = re.compile(rb"\bROOT\b[^{]*\{\s*OFFSET[ \t]+(\S+)[ \t]+(\S+)[ \t]+(\S+)", re.IGNORECASE)


def format_marked_offset(offset: Sequence[float], source: Source) -> str:
    """Return the numbers of the root's OFFSET; without a mark where the unit is none of the known ones.

    >>> format_marked_offset((0.0, 95.0, 0.0), Source(unit="cm", metres_per_unit=0.01))
    '0.0000000000000000 95.000000000000000 0.0000000000000'
    """
    known = [n for n, size in enumerate(UNITS.values()) if isclose(size, source.metres_per_unit)]
    if not known:
        return " ".join(f"{value:.12g}" for value in offset)
    indices = ROOT_OFFSETS.index(source.root_offset), known[0], UP_AXES.index(source.up)
    return " ".join(
        f"{value:.{DECIMALS}f}" + "0" * (first + index)
        for value, first, index in zip(offset, FIRST_ZEROS, indices, strict=True)
    )


def read_mark(header: bytes, source: Source) -> Source:
    """Return the source with what the mark in a HIERARCHY section says, or as it is without a mark.

    >>> header = b"ROOT hips { OFFSET 0.0000000000000000 95.000000000000000 0.0000000000000"
    >>> read_mark(header, Source(unit="")).unit
    'cm'
    """
    found = _ROOT.search(header)
    if found is None:
        return source
    indices = [_count_zeros(word) - first for word, first in zip(found.groups(), FIRST_ZEROS, strict=True)]
    lists = (ROOT_OFFSETS, tuple(UNITS), UP_AXES)
    if not all(0 <= index < len(known) for index, known in zip(indices, lists, strict=True)):
        return source
    unit = tuple(UNITS)[indices[1]]
    return replace(
        source,
        root_offset=ROOT_OFFSETS[indices[0]],
        unit=unit,
        metres_per_unit=UNITS[unit],
        up=UP_AXES[indices[2]],
    )


def _count_zeros(word: bytes) -> int:
    """Return how many zeros follow the decimals that carry the number; -1 where others follow."""
    extra = word.partition(b".")[2][DECIMALS:]
    return len(extra) if extra.strip(b"0") == b"" else -1

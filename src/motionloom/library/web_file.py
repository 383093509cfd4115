"""Match webs in a file: arrays that are mapped into memory, so that a web may be larger than that.

A file begins with a line of JSON that says which takes were compared and how many links and cells there are.
At the next multiple of 64 bytes the arrays follow, one after the other and each of 64-bit numbers: the takes
of links, where the cells of each begin, the cells, and their distances.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray, IntArray
from motionloom.atomic_write import atomic_output
from motionloom.errors import FileFormatError

MARK = "motionloom web"
VERSION = 1

CELLS_AT_ONCE = 1 << 18
"""Cells that are put in order at once: 6 MB."""

CELL = np.dtype([("samples", "<i8", 2), ("distance", "<f8")])
"""A cell of a link while links are collected: samples of both takes, and their distance in metres."""

_ALIGNMENT = 64
_MAX_HEADER = 1 << 26


class CellFile:
    """Cells that are collected in a file, link after link."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def append(self, cells: IntArray, distances: FloatArray) -> None:
        """Add the cells (N, 2) of links, and their distances (N,)."""
        records = np.empty(len(cells), CELL)
        records["samples"], records["distance"] = cells, distances
        self._file.write(records.tobytes())

    def read(self) -> npt.NDArray[Any]:
        """Return all cells; they stay in the file."""
        self._file.flush()
        is_empty = self._file.tell() == 0
        return np.empty(0, CELL) if is_empty else np.asarray(np.memmap(self._file, CELL, "r"))


def write_web(
    path: Path,
    header: dict[str, Any],
    pairs: IntArray,
    starts: IntArray,
    order: IntArray,
    cells: npt.NDArray[Any],
    *,
    overwrite: bool,
) -> None:
    """Write a web, with its links in an order.

    Parameters
    ----------
    path
        The file to make.
    header
        What to say of the takes.
    pairs, starts
        (L, 2) and (L + 1,) the takes of links, and where their cells begin.
    order
        (L,) of the links.
    cells
        (N,) of type ``CELL``.
    overwrite
        Whether to replace a file.
    """
    counts = np.diff(starts)[order]
    facts = {"format": MARK, "version": VERSION, "links": len(pairs), "cells": len(cells), **header}
    line = json.dumps(facts).encode() + b"\n"
    with atomic_output(path, overwrite) as temporary, temporary.open("wb") as file:
        file.write(line.ljust(-(-len(line) // _ALIGNMENT) * _ALIGNMENT))
        file.write(pairs[order].astype("<i8").tobytes())
        file.write(np.concatenate([[0], np.cumsum(counts)]).astype("<i8").tobytes())
        for field in CELL.names or ():
            for chosen in _gather(starts[:-1][order], counts):
                file.write(np.ascontiguousarray(cells[field][chosen]).tobytes())


def read_web(path: Path) -> tuple[dict[str, Any], IntArray, IntArray, IntArray, FloatArray]:
    """Return what was said of the takes, and the pairs, starts, cells and distances of links, mapped."""
    try:
        with path.open("rb") as file:
            line = file.readline(_MAX_HEADER)
        header = json.loads(line)
        n_links, n_cells = int(header["links"]), int(header["cells"])
        is_known = (header["format"], header["version"]) == (MARK, VERSION)
    except OSError as error:
        raise FileFormatError(path, f"cannot be read ({error.strerror})") from None
    except (ValueError, KeyError, TypeError, RecursionError):
        is_known = False
    if not is_known:
        raise FileFormatError(path, "is no match web, or one of another version")
    begin = -(-len(line) // _ALIGNMENT) * _ALIGNMENT
    sizes = [2 * n_links, n_links + 1, 2 * n_cells, n_cells]
    if min(n_links, n_cells) < 0 or path.stat().st_size != begin + 8 * sum(sizes):
        raise FileFormatError(path, "was cut short, or damaged", remedy="make the web again")
    whole = np.asarray(np.memmap(path, np.uint8, "r"))
    ends = begin + 8 * np.cumsum([0, *sizes])
    pairs, starts, cells = (whole[first:last].view("<i8") for first, last in pairwise(ends[:4]))
    if starts[0] != 0 or starts[-1] != n_cells or (np.diff(starts) < 1).any():
        raise FileFormatError(path, "is damaged", remedy="make the web again")
    return header, pairs.reshape(-1, 2), starts, cells.reshape(-1, 2), whole[ends[3] :].view("<f8")


def _gather(begins: IntArray, counts: IntArray) -> Iterator[IntArray]:
    """Yield the indices of the cells of links, of some links at a time."""
    ends = np.cumsum(counts)
    first = 0
    while first < len(counts):
        before = ends[first] - counts[first]
        last = max(first + 1, int(np.searchsorted(ends, before + CELLS_AT_ONCE, side="right")))
        own = counts[first:last]
        yield np.repeat(begins[first:last] - (ends[first:last] - own - before), own) + np.arange(own.sum())
        first = last

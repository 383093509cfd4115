"""Motion packed small for a page: whole steps of half a millimetre, differences in time, deflate.

A table (T, C) is rounded to multiples of a quantum. Each column is then written as its second differences,
most of which are 0 or ±1: positive and negative ones are folded together (0, -1, 1, -2, … become 0, 1, 2, 3,
…), split into bytes of equal weight, column after column, and compressed. Gaps hold the last value and are
marked by one bit. A clip of 31 joints takes 26 to 50 bytes a frame in this way; as float32 it takes 372. The
page unpacks it again (``studio/client/src/viewer/unpacking.ts``).
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError

MAX_QUANTUM = 0.0005
"""Step of packed positions, metres: a point is then off by at most 0.43 mm."""

MIN_STEPS = 2000
"""Steps from one end of a figure to the other, at least, so that a figure in wrong units is not crude."""

MAX_STEPS = 2**28
"""Steps from the origin at most, which second differences of 32 bits can hold."""

LEVEL = 6
"""Effort of the compression: 9 takes five times as long and saves a hundredth."""


@dataclass(frozen=True, kw_only=True)
class PackedTable:
    """How a table of numbers is packed: its name, its shape, the step of its numbers, and their bytes.

    ``has_gaps`` tells that one bit for each frame and point precedes the numbers, set where it was not seen.
    """

    name: str
    shape: tuple[int, ...]
    quantum: float
    n_bytes: int
    has_gaps: bool


def choose_quantum(positions: FloatArray) -> float:
    """Return the step in which positions (T, P, 3) are rounded, metres.

    >>> choose_quantum(np.array([[[0.0, 0.0, 0.0], [0.0, 1.7, 0.0]]]))
    0.0005
    """
    is_seen = np.asarray(np.isfinite(positions).all(axis=2))
    seen = positions[np.sum(is_seen, axis=1) > 0][:: max(1, len(positions) // 50)]
    if not seen.size:
        return MAX_QUANTUM
    size = float(np.max(np.nanmax(seen, axis=1) - np.nanmin(seen, axis=1)))
    return min(MAX_QUANTUM, size / MIN_STEPS) if size > 0.0 else MAX_QUANTUM


def pack_table(name: str, table: FloatArray, quantum: float) -> tuple[PackedTable, bytes]:
    """Pack a table (T, P, 3) whose gaps are NaN; the bytes are not compressed yet.

    >>> how, data = pack_table("positions", np.array([[[0.0, 1.0, 0.0]], [[0.0, 1.5, 0.0]]]), 0.5)
    >>> how.n_bytes, list(data)
    (1, [0, 0, 4, 1, 0, 0])
    """
    n_frames = len(table)
    columns = np.ascontiguousarray(table.reshape(n_frames, -1).T)
    gaps = np.isnan(columns)
    has_gaps = bool(gaps.any())
    prefix = b""
    if has_gaps:
        prefix = np.packbits(gaps.reshape(-1, 3, n_frames).any(axis=1)).tobytes()
        columns = _hold(columns, gaps)
    limit = MAX_STEPS * quantum
    if columns.size and float(np.abs(columns).max()) > limit:
        shown = f"{limit / 1000.0:.0f} km" if limit >= 1000.0 else f"{limit:.3g} m"
        raise ParameterError(
            f"a joint is farther than {shown} from the origin, which a page cannot show",
            remedy="check the clip's unit, or place it nearer",
        )
    steps = np.rint(columns / quantum).astype(np.int32)
    zero = np.int32(0)
    residuals = np.diff(np.diff(steps, axis=1, prepend=zero), axis=1, prepend=zero)
    folded = ((residuals << 1) ^ (residuals >> 31)).view(np.uint32).ravel()
    n_bytes = max(1, (int(folded.max(initial=0)).bit_length() + 7) // 8)
    planes = [((folded >> np.uint32(8 * n)) & np.uint32(255)).astype(np.uint8) for n in range(n_bytes)]
    how = PackedTable(
        name=name, shape=table.shape, quantum=float(quantum), n_bytes=n_bytes, has_gaps=has_gaps
    )
    return how, prefix + b"".join(plane.tobytes() for plane in planes)


def unpack_table(how: PackedTable, data: bytes) -> FloatArray:
    """Return the table (T, P, 3) that was packed, as the page reads it."""
    n_frames, n_columns = how.shape[0], int(np.prod(how.shape[1:], dtype=int))
    bits = n_frames * n_columns // 3 if how.has_gaps else 0
    offset = (bits + 7) // 8
    planes = np.frombuffer(data, np.uint8, how.n_bytes * n_frames * n_columns, offset)
    folded = np.zeros(n_frames * n_columns, np.uint32)
    for n, plane in enumerate(planes.reshape(how.n_bytes, -1)):
        folded |= plane.astype(np.uint32) << np.uint32(8 * n)
    residuals = (folded >> np.uint32(1)).astype(np.int32) ^ -(folded & np.uint32(1)).astype(np.int32)
    steps = residuals.reshape(n_columns, n_frames).cumsum(axis=1).cumsum(axis=1)
    table = np.asarray((steps * how.quantum).T.reshape(how.shape), dtype=float)
    if how.has_gaps:
        gaps = np.unpackbits(np.frombuffer(data, np.uint8, offset), count=bits).astype(bool)
        table[gaps.reshape(-1, n_frames).T] = np.nan
    return table


def compress(parts: list[bytes]) -> bytes:
    """Compress packed tables, one after the other, into one piece."""
    return zlib.compress(b"".join(parts), LEVEL)


def _hold(columns: FloatArray, gaps: npt.NDArray[np.bool_]) -> FloatArray:
    """Fill the gaps of columns (C, T) with the value before them, or after them at the start, or 0."""
    frames = np.arange(columns.shape[1])
    last = np.maximum.accumulate(np.where(gaps, -1, frames), axis=1)
    first = np.where(gaps.all(axis=1), 0, (~gaps).argmax(axis=1))[:, None]
    filled = np.take_along_axis(columns, np.where(last < 0, first, last), axis=1)
    return np.asarray(np.nan_to_num(filled))

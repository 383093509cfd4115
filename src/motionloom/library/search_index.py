"""What a search reads: the signatures and points of all takes that can be searched, mapped into memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path

import numpy as np
import numpy.typing as npt

from motionloom import kernels
from motionloom.arrays import IntArray, freeze
from motionloom.kernels.threads import run_in_slices
from motionloom.library.body_points import N_POINTS
from motionloom.library.catalogue import TakeRow
from motionloom.library.errors import DamagedLibraryError
from motionloom.library.shards import Kind, Location, ShardReader
from motionloom.library.signatures import SampleRate, Singles, count_samples

N_REFERENCES = 2048
"""Samples spread over the library by which the rarity of a pose is judged."""

_SIGNATURES: dict[SampleRate, Kind] = {10: "signatures10", 30: "signatures30"}


@dataclass(frozen=True, eq=False)
class _Part:
    """The takes whose arrays of one kind lie in one shard, where each begins, and what the shard holds.

    Beyond the last array, a writer that was killed may have left any number of bytes.
    """

    shard: int
    takes: IntArray
    starts: IntArray
    size: int


class SearchIndex:
    """The searchable takes of a library at one state of its catalogue.

    Attributes
    ----------
    rows
        The takes; indices below are indices into them.
    """

    def __init__(self, folder: Path, rows: Sequence[TakeRow]) -> None:
        self.rows = tuple(row for row in rows if row.not_searchable is None)
        self._folder = folder
        self._points = ShardReader(folder, "points")
        self._signatures = {rate: ShardReader(folder, kind) for rate, kind in _SIGNATURES.items()}
        self._parts: dict[Kind, list[_Part]] = {}
        self._counts: dict[SampleRate, IntArray] = {}

    def counts(self, rate: SampleRate) -> IntArray:
        """Return the number of samples of each take."""
        if rate not in self._counts:
            counts = [count_samples(row.n_points, rate) for row in self.rows]
            self._counts[rate] = freeze(np.array(counts, dtype=np.int64))
        return self._counts[rate]

    def points(self, take: int) -> Singles:
        """Return the points (N, 17, 3) of a take at 30 Hz."""
        location = self._locate(take, "points")
        return self._points.read(location, np.float32).reshape(-1, N_POINTS, 3)

    def points_of_all(self, takes: IntArray) -> Iterator[tuple[IntArray, Singles, IntArray]]:
        """Yield takes that have their points in one file, its numbers, and where those of each take begin."""
        for part in self._parts_of("points"):
            wanted = np.isin(part.takes, takes)
            if wanted.any():
                numbers = self._points.map(part.shard, part.size)[: part.size].view(np.float32)
                yield part.takes[wanted], numbers, part.starts[wanted]

    def signatures(self, take: int, rate: SampleRate) -> Singles:
        """Return the signatures (27, n) of a take."""
        location = self._locate(take, _SIGNATURES[rate])
        return self._signatures[rate].read(location, np.float32).reshape(kernels.subsequence.N_VALUES, -1)

    def bound_paths(self, query: Singles, weights: Singles, rate: SampleRate, takes: IntArray) -> Singles:
        """Return lower bounds of the paths that end at each sample of the takes, one take after another."""
        # This compares the numbers of samples with what is stored, before memory is reserved for them.
        parts, every_count = self._parts_of(_SIGNATURES[rate]), self.counts(rate)
        first = np.concatenate([[0], np.cumsum(every_count[takes])])
        out = np.empty(first[-1], np.float32)
        first_of = np.full(len(self.rows), -1, dtype=np.int64)
        first_of[takes] = first[:-1]
        for part in parts:
            wanted = first_of[part.takes] >= 0
            if not wanted.any():
                continue
            signatures = self._signatures[rate].map(part.shard, part.size)[: part.size].view(np.float32)
            starts, lengths = part.starts[wanted], every_count[part.takes[wanted]]
            ends = first_of[part.takes[wanted]]

            fill = partial(_fill_bounds, signatures, starts, lengths, query, weights, out, ends)
            run_in_slices(len(starts), fill, weight=int(query.shape[1] * lengths.mean()))
        return out

    @cached_property
    def references(self) -> Singles:
        """Signatures (27, R) of samples that are spread evenly over the library."""
        counts = self.counts(10)
        step = max(1, int(counts.sum()) // N_REFERENCES)
        kept, phase = [], 0
        for take, count in enumerate(counts):
            if phase < count:
                kept.append(self.signatures(take, 10)[:, phase::step])
                phase += kept[-1].shape[1] * step
            phase -= int(count)
        n_values = kernels.subsequence.N_VALUES
        return np.ascontiguousarray(
            np.concatenate(kept, axis=1) if kept else np.empty((n_values, 0)), np.float32
        )

    def _parts_of(self, kind: Kind) -> list[_Part]:
        if kind not in self._parts:
            locations = [self._locate(take, kind) for take in range(len(self.rows))]
            shards = np.array([location.shard for location in locations], dtype=np.int64)
            offsets = np.array([location.offset for location in locations], dtype=np.int64)
            sizes = np.array([location.size for location in locations], dtype=np.int64)
            parts = []
            for shard in np.unique(shards):
                takes: npt.NDArray[np.int64] = np.flatnonzero(shards == shard)
                size = int((offsets + sizes)[takes].max())
                parts.append(_Part(int(shard), takes, offsets[takes] // 4, -(-size // 4) * 4))
            self._parts[kind] = parts
        return self._parts[kind]

    def _locate(self, take: int, kind: Kind) -> Location:
        """Return where an array of a take lies, or fail where it is missing or has another size."""
        row = self.rows[take]
        if kind not in row.locations:
            raise DamagedLibraryError(self._folder, f"{row.name} has no {kind}")
        if kind == "points":
            what, n_values = "points", row.n_points * N_POINTS * 3
        else:
            rate: SampleRate = 10 if kind == "signatures10" else 30
            what, n_values = "signatures", kernels.subsequence.N_VALUES * count_samples(row.n_points, rate)
        if row.locations[kind].size != 4 * n_values:
            raise DamagedLibraryError(self._folder, f"the {what} of {row.name} do not fit its length")
        return row.locations[kind]


def _fill_bounds(
    signatures: Singles,
    starts: IntArray,
    counts: IntArray,
    query: Singles,
    weights: Singles,
    out: Singles,
    out_starts: IntArray,
    first: int,
    last: int,
) -> None:
    """Fill bounds as the kernel ``path_bounds`` does, with scratch memory of its own."""
    n = max(kernels.subsequence.GROUP, counts[first:last].max(initial=0))
    scratch = np.empty(kernels.subsequence.N_VALUES * n, np.float32), np.empty((5, n), np.float32)
    kernels.subsequence.path_bounds(
        signatures, starts, counts, query, weights, out, out_starts, first, last, *scratch
    )

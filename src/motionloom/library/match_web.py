"""Match webs: where the takes of a library run alongside each other, all with all.

A search needs no web; this is for whoever wants all correspondences at once. Takes are compared block by
block, so that memory holds the windows of two blocks, and the links: their cells too, unless they go to a
file (:mod:`motionloom.library.web_file`).
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from itertools import combinations_with_replacement
from operator import itemgetter
from pathlib import Path
from threading import Lock

import numpy as np

from motionloom import kernels
from motionloom.arrays import FloatArray, IntArray, freeze
from motionloom.errors import FileExistsRefusal, FileFormatError, MotionloomError
from motionloom.jobs.parallel import run_numbered
from motionloom.kernels.threads import run_in_slices
from motionloom.library.body_points import RATE
from motionloom.library.library_state import LibraryState, StateName, open_state
from motionloom.library.search_index import SearchIndex
from motionloom.library.signatures import SampleRate, Singles, frame_of_sample, make_windows
from motionloom.library.take import Segment, Take
from motionloom.library.web_file import CellFile, read_web, write_web

BLOCK_SAMPLES = 4096
"""Samples of a block of takes, at least one take: their windows take 8 MB."""

MAX_CELLS = 1 << 18
"""Cells of a grid whose minima are found at once: 6 MB."""

MIN_APART = 1.0
"""Seconds between two moments of one take that may correspond: those nearer always do."""


_Blocks = tuple[Sequence[int], Sequence[int]]
"""Two blocks of takes that are compared, by their numbers in the search index."""


@dataclass(frozen=True, eq=False)
class WebLink:
    """Two segments that run alongside each other.

    Attributes
    ----------
    a, b
        The segments.
    path
        (n, 2) frames of their takes that correspond.
    distances
        (n,) of the poses there, metres of an adult with legs of 85 cm.
    """

    a: Segment
    b: Segment
    path: FloatArray
    distances: FloatArray

    @property
    def distance(self) -> float:
        """Mean distance, metres."""
        return float(self.distances.mean())

    def __repr__(self) -> str:
        return f"WebLink({self.a} and {self.b}, {100 * self.distance:.1f} cm)"


@dataclass(frozen=True, eq=False)
class MatchWeb:
    """All links between takes; ``len(web)``, ``web[3]`` and iterating give them, nearest first.

    Attributes
    ----------
    takes
        The takes that were compared.
    rate
        Samples per second.
    pairs
        (L, 2) the takes of each link, by index.
    starts
        (L + 1,) where the cells of each link begin.
    cells, distances
        (N, 2) samples of the two takes and (N,) their distances, of one link after the other.
    """

    takes: tuple[Take, ...]
    rate: SampleRate
    pairs: IntArray
    starts: IntArray
    cells: IntArray
    distances: FloatArray

    def __len__(self) -> int:
        return len(self.pairs)

    def __getitem__(self, which: int) -> WebLink:
        which = range(len(self))[which]
        first, last = self.starts[which], self.starts[which + 1]
        frames = frame_of_sample(self.cells[first:last], self.rate) / RATE
        sides = [self.takes[take] for take in self.pairs[which]]
        path = frames / np.array([take.frame_time for take in sides])
        a, b = (
            take.segment(round(float(own[0])), min(take.n_frames, round(float(own[-1])) + 1))
            for take, own in zip(sides, path.T, strict=True)
        )
        return WebLink(a, b, freeze(path), self.distances[first:last])

    def __iter__(self) -> Iterator[WebLink]:
        return (self[n] for n in range(len(self)))

    def __repr__(self) -> str:
        return f"MatchWeb({len(self.takes)} takes, {len(self)} links)"

    def links_of(self, segment: Segment) -> list[tuple[Segment, WebLink]]:
        """Return the segments that run alongside a whole segment, each with its link, nearest first."""
        found = []
        ids = [take.id for take in self.takes]
        if segment.take.id not in ids:
            return []
        own = ids.index(segment.take.id)
        for n in np.flatnonzero((self.pairs == own).any(axis=1)):
            link = self[int(n)]
            for side in range(2):
                if self.pairs[n, side] != own:
                    continue
                mine, others = link.path[:, side], link.path[:, 1 - side]
                if mine[0] <= segment.start and segment.end - 1 <= mine[-1]:
                    first, last = np.interp([segment.start, segment.end - 1], mine, others)
                    other = (link.a, link.b)[1 - side].take
                    found.append((other.segment(round(float(first)), round(float(last)) + 1), link))
        return found


@dataclass(frozen=True, eq=False)
class _BlockLinks:
    """The links between two blocks of takes, as in :class:`MatchWeb`; takes are numbers in the index."""

    pairs: IntArray
    counts: IntArray
    cells: IntArray
    distances: FloatArray


def make_web(
    state: LibraryState,
    chosen: Sequence[int] | None,
    *,
    max_distance: float,
    min_duration: float,
    rate: SampleRate,
    jobs: int,
    executor: Executor | None,
    progress: Callable[[int, int], None] | None,
    file: Path | None = None,
    overwrite: bool = False,
) -> MatchWeb:
    """Compare takes, by their numbers in the search index, all with all; None compares all there are.

    See :meth:`motionloom.library.Library.match_web`.
    """
    if file is not None:
        _check_place(file, overwrite)
    numbers = range(len(state.index.rows)) if chosen is None else chosen
    blocks = _divide(numbers, state.index.counts(rate))
    min_steps = max(1, round(min_duration * rate))
    if jobs == 1 and executor is None:
        work: Callable[[_Blocks], _BlockLinks] = partial(
            _link_blocks, state.index, max_distance=max_distance, min_steps=min_steps, rate=rate
        )
    else:
        work = partial(_link_there, state.name, max_distance=max_distance, min_steps=min_steps, rate=rate)
    pairs = list(combinations_with_replacement(blocks, 2))
    failure = "a process ended while it compared takes"
    parts = run_numbered(work, pairs, failure, jobs=jobs, executor=executor, progress=progress)
    takes = [state.searchable[number] for number in numbers]
    if file is None:
        return _put_together(takes, numbers, [part for _, part in sorted(parts, key=itemgetter(0))], rate)
    with tempfile.TemporaryFile(dir=file.parent) as collected:
        cells = CellFile(collected)
        no_pairs, no_counts = np.empty((0, 2), np.int64), np.empty(0, np.int64)
        none = _BlockLinks(no_pairs, no_counts, no_pairs, np.empty(0))
        few = [_write_cells(none, cells), *(_write_cells(part, cells) for _, part in parts)]
        pairs_of, counts, means, firsts = (np.concatenate(own) for own in zip(*few, strict=True))
        starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        order = _sort_links(pairs_of, means, firsts)
        header = {"rate": rate, "takes": [[take.id, take.name, take.n_frames] for take in takes]}
        ranks = _rank(pairs_of, numbers)
        write_web(file, header, ranks, starts, order, cells.read(), overwrite=overwrite)
    return open_web(state, file)


def _check_place(file: Path, overwrite: bool) -> None:
    """Fail before the work is done if a web cannot be written there."""
    if file.exists() and not overwrite:
        raise FileExistsRefusal(file)
    if not file.parent.is_dir():
        raise MotionloomError(f"cannot write {file}: the folder {file.parent} does not exist")


def open_web(state: LibraryState, file: Path) -> MatchWeb:
    """Return the web in a file. See :meth:`motionloom.library.Library.open_web`."""
    header, pairs, starts, cells, distances = read_web(file)
    by_id = {take.id: take for take in state.searchable}
    try:
        takes = [by_id.get(id) for id, _, _ in header["takes"]]
        is_same = all(
            take is not None and [take.id, take.name, take.n_frames] == list(wanted)
            for take, wanted in zip(takes, header["takes"], strict=True)
        )
        rates: dict[object, SampleRate] = {10: 10, 30: 30}
        rate = rates[header["rate"]]
    except (KeyError, TypeError, ValueError):
        raise FileFormatError(file, "is damaged", remedy="make the web again") from None
    if not is_same or (len(pairs) and not 0 <= pairs.min() <= pairs.max() < len(takes)):
        raise FileFormatError(file, "holds a web of other takes than this library's", remedy="make it again")
    return MatchWeb(tuple(take for take in takes if take is not None), rate, pairs, starts, cells, distances)


def _divide(numbers: Sequence[int], counts: IntArray) -> list[tuple[int, ...]]:
    """Return blocks of takes."""
    blocks: list[list[int]] = [[]]
    size = 0
    for number in numbers:
        if blocks[-1] and size + counts[number] > BLOCK_SAMPLES:
            blocks.append([])
            size = 0
        blocks[-1].append(number)
        size += int(counts[number])
    return [tuple(block) for block in blocks if block]


class _TakeBlock:
    """Signatures and windows of the takes of a block."""

    def __init__(self, index: SearchIndex, numbers: Sequence[int], rate: SampleRate) -> None:
        self.numbers = numbers
        self.signatures: list[Singles] = []
        self.windows: list[FloatArray] = []
        self.squares: list[FloatArray] = []
        for number in numbers:
            windows = make_windows(index.points(number), rate)
            joined = np.stack([*windows.ground, windows.heights]).transpose(2, 0, 1)
            self.signatures.append(np.ascontiguousarray(index.signatures(number, rate)).ravel())
            self.windows.append(np.ascontiguousarray(joined))
            self.squares.append(np.sum(windows.ground**2, axis=(0, 1)))


def _link_there(
    name: StateName,
    blocks: _Blocks,
    *,
    max_distance: float,
    min_steps: int,
    rate: SampleRate,
) -> _BlockLinks:
    """Compare blocks in a process that works for another one."""
    index = open_state(name).index
    return _link_blocks(index, blocks, max_distance=max_distance, min_steps=min_steps, rate=rate)


def _link_blocks(
    index: SearchIndex,
    blocks: _Blocks,
    *,
    max_distance: float,
    min_steps: int,
    rate: SampleRate,
) -> _BlockLinks:
    """Compare all takes of a block with all of another one or with each other."""
    same = blocks[0] == blocks[1]
    a = _TakeBlock(index, blocks[0], rate)
    b = a if same else _TakeBlock(index, blocks[1], rate)
    pairs = [(m, n) for m in range(len(a.numbers)) for n in range(m if same else 0, len(b.numbers))]
    found: list[tuple[int, IntArray, IntArray, FloatArray]] = []
    lock = Lock()

    def link(first: int, last: int) -> None:
        for p in range(first, last):
            m, n = pairs[p]
            apart = round(MIN_APART * rate) if same and m == n else -1
            cells, distances = _find_minima(a, m, b, n, max_distance, apart)
            lengths, order = _chain(cells, distances, min_steps)
            if len(lengths):
                with lock:
                    found.append((p, lengths, cells[order], distances[order]))

    mean_cells = sum(map(len, a.squares)) * sum(map(len, b.squares)) // max(1, len(pairs))
    run_in_slices(len(pairs), link, weight=mean_cells)
    found.sort(key=lambda each: each[0])
    own = [[a.numbers[pairs[p][0]], b.numbers[pairs[p][1]]] for p, lengths, _, _ in found for _ in lengths]
    return _BlockLinks(
        np.array(own, dtype=np.int64).reshape(-1, 2),
        np.concatenate([np.empty(0, np.int64), *(each[1] for each in found)]),
        np.concatenate([np.empty((0, 2), np.int64), *(each[2] for each in found)]),
        np.concatenate([np.empty(0), *(each[3] for each in found)]),
    )


def _find_minima(
    a: _TakeBlock, m: int, b: _TakeBlock, n: int, max_distance: float, apart: int
) -> tuple[IntArray, FloatArray]:
    """Return the minima (N, 2) of the grid of two takes, and their distances."""
    n_rows, n_columns = len(a.squares[m]), len(b.squares[n])
    at_once = max(1, MAX_CELLS // max(1, n_columns))
    rows, bounds = np.empty((3, n_columns + 2)), np.empty((3, n_columns), np.float32)
    parts = []
    for first in range(0, n_rows, at_once):
        last = min(n_rows, first + at_once)
        cells = np.empty(((last - first) * n_columns, 2), np.int64)
        distances = np.empty(len(cells))
        count = kernels.match_web.find_minima(
            a.signatures[m],
            a.windows[m],
            a.squares[m],
            b.signatures[n],
            b.windows[n],
            b.squares[n],
            max_distance,
            apart,
            first,
            last,
            rows,
            bounds,
            cells,
            distances,
        )
        parts.append((cells[:count].copy(), distances[:count].copy()))
    if len(parts) == 1:
        return parts[0]
    return np.concatenate([np.empty((0, 2), np.int64), *(part[0] for part in parts)]), np.concatenate(
        [np.empty(0), *(part[1] for part in parts)]
    )


def _chain(cells: IntArray, distances: FloatArray, min_steps: int) -> tuple[IntArray, IntArray]:
    """Return the lengths of chains of minima, and the order of the minima in them."""
    order, starts = np.empty(len(cells), np.int64), np.empty(len(cells) + 1, np.int64)
    visited = np.empty(len(cells), np.bool_)
    count = kernels.match_web.chain_minima(cells, distances, min_steps, visited, order, starts)
    return np.diff(starts[: count + 1]), order[: starts[count]]


def _write_cells(part: _BlockLinks, cells: CellFile) -> tuple[IntArray, IntArray, FloatArray, IntArray]:
    """Write the cells of links, and return the links' pairs, counts, mean distances and first cells."""
    cells.append(part.cells, part.distances)
    starts = (np.cumsum(part.counts) - part.counts).astype(np.int64)
    return part.pairs, part.counts, _average(part.distances, starts, part.counts), part.cells[starts]


def _put_together(
    takes: Sequence[Take], numbers: Sequence[int], parts: Sequence[_BlockLinks], rate: SampleRate
) -> MatchWeb:
    """Return the web of all blocks' links, nearest first."""
    pairs = np.concatenate([np.empty((0, 2), np.int64), *(part.pairs for part in parts)])
    counts = np.concatenate([np.empty(0, np.int64), *(part.counts for part in parts)])
    cells = np.concatenate([np.empty((0, 2), np.int64), *(part.cells for part in parts)])
    distances = np.concatenate([np.empty(0), *(part.distances for part in parts)])
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    order = _sort_links(pairs, _average(distances, starts[:-1], counts), cells[starts[:-1]])
    gather = np.concatenate(
        [np.empty(0, np.int64), *(np.arange(starts[n], starts[n + 1]) for n in order)]
    ).astype(np.int64)
    return MatchWeb(
        tuple(takes),
        rate,
        freeze(_rank(pairs[order], numbers)),
        freeze(np.concatenate([[0], np.cumsum(counts[order])]).astype(np.int64)),
        freeze(cells[gather]),
        freeze(distances[gather]),
    )


def _average(distances: FloatArray, starts: IntArray, counts: IntArray) -> FloatArray:
    """Return the mean distances of links, which begin at ``starts``."""
    return np.add.reduceat(distances, starts) / counts if len(counts) else np.empty(0)


def _sort_links(pairs: IntArray, means: FloatArray, firsts: IntArray) -> IntArray:
    """Return the order of links, nearest first; equally near ones have one too, whatever the blocks were."""
    return np.lexsort((firsts[:, 1], firsts[:, 0], pairs[:, 1], pairs[:, 0], means))


def _rank(pairs: IntArray, numbers: Sequence[int]) -> IntArray:
    """Return pairs of numbers in the search index as indices of the takes that were compared."""
    rank = np.zeros(max(numbers, default=0) + 1, np.int64)
    rank[list(numbers)] = np.arange(len(numbers))
    return rank[pairs]

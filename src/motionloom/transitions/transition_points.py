"""Where two clips are most alike: the cell at which a transition is best made."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from motionloom.arrays import BoolArray, FloatArray
from motionloom.motion import Clip
from motionloom.registration.distance import distance
from motionloom.registration.dtw import Cell

LARGEST_GRID = 4_000_000
"""Cells of a distance grid that is looked at whole; longer clips are looked at in larger steps first."""

APART = 0.1
"""Seconds between cells, in both clips, that count as different places."""

AS_GOOD = 1e-6
"""Relative difference of distances below which two cells are equally good, as in clips that repeat."""


def best_cell(a: Clip, b: Clip, rows: range, columns: range) -> Cell:
    """The best local minimum of the distance grid among some successive frames of both clips.

    Among equally good ones it is the one that keeps most of both clips: late in the first, early in the
    second. Where no local minimum lies among the frames, it is their least distance.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=3.0, fps=30).clip
    >>> i, j = best_cell(clip, clip, range(60, 80), range(60))
    >>> round((i - j) / 30, 1)
    1.0
    """
    return next(best_cells(a, b, rows, columns))


def best_cells(a: Clip, b: Clip, rows: range, columns: range) -> Iterator[Cell]:
    """The local minima among some successive frames of both clips, the best first as in :func:`best_cell`.

    Each lies apart from those before. After the last of them come other cells, the least distant first.
    """
    apart = APART / a.frame_time
    step = int(np.ceil(np.sqrt(a.n_frames * b.n_frames / LARGEST_GRID)))
    if step == 1:
        yield from _best(distance(a, b).values, rows, columns, apart)
        return
    above, across = (range(-(-own.start // step), (own.stop - 1) // step + 1) for own in (rows, columns))
    for found in _best(distance(a[::step], b[::step]).values, above, across, apart / step):
        near = [
            range(max(own.start, (n - 1) * step), min(own.stop, (n + 1) * step + 1))
            for n, own in zip(found, (rows, columns), strict=True)
        ]
        fine = distance(a[near[0].start : near[0].stop], b[near[1].start : near[1].stop]).values
        i, j = next(_best(fine, range(len(near[0])), range(len(near[1])), apart))
        yield near[0][i], near[1][j]


def _best(grid: FloatArray, rows: range, columns: range, apart: float) -> Iterator[Cell]:
    """The local minima (i, j) of a grid within some rows and columns, then others, so many cells apart."""
    block = slice(rows.start, rows.stop), slice(columns.start, columns.stop)
    left, minima = grid[block].copy(), _minima(grid)[block]
    reach = max(1, round(apart))
    while np.isfinite(left).any():
        values = np.where(minima, left, np.inf)
        if not np.isfinite(values).any():
            values = left
        # Distances are squares: what rounding leaves of a perfect fit is no difference.
        good = np.argwhere(values <= values.min() * (1.0 + AS_GOOD) + AS_GOOD**2)
        i, j = max(good.tolist(), key=lambda cell: (cell[0] - cell[1], cell[0]))
        yield rows[i], columns[j]
        left[max(i - reach, 0) : i + reach + 1, max(j - reach, 0) : j + reach + 1] = np.inf


def _minima(grid: FloatArray) -> BoolArray:
    """Which cells (T0, T1) are no larger than any of their eight neighbours."""
    padded = np.pad(grid, 1, constant_values=np.inf)
    height, width = grid.shape
    least = np.ones(grid.shape, dtype=bool)
    for down in range(3):
        for across in range(3):
            least &= grid <= padded[down : down + height, across : across + width]
    return least

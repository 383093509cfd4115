"""Find transition points: pairs of frames at which two clips are most alike."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from motionloom.arrays import BoolArray, FloatArray
from motionloom.motion import Clip
from motionloom.registration.distance import distance
from motionloom.registration.dtw import Cell

MAX_GRID_CELLS = 4_000_000
"""Cells of a distance grid that is computed whole; longer clips are compared in larger steps first."""

MIN_SEPARATION = 0.1
"""Seconds between two transition points, in both clips."""

SAME_DISTANCE = 1e-6
"""Relative difference below which two distances are equal, as in clips that repeat."""


def find_transition_points(a: Clip, b: Clip, rows: range, columns: range) -> Iterator[Cell]:
    """Yield pairs of frames, of some frames of both clips, at which to make a transition, the best first.

    First come the local minima of the distance grid, then other cells, by distance, each apart from those
    before. Among equal distances, the pair that keeps most of both clips comes first: late in the first clip,
    early in the second.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=3.0, fps=30).clip
    >>> i, j = next(find_transition_points(clip, clip, range(60, 80), range(60)))
    >>> round((i - j) / 30, 1)
    1.0
    """
    separation = MIN_SEPARATION / a.frame_time
    step = int(np.ceil(np.sqrt(a.n_frames * b.n_frames / MAX_GRID_CELLS)))
    if step == 1:
        yield from _find_minima(distance(a, b).values, rows, columns, separation)
        return
    # Coarse to fine: minima of a grid in larger steps, each refined among the frames around it.
    down, across = (range(-(-own.start // step), (own.stop - 1) // step + 1) for own in (rows, columns))
    for found in _find_minima(distance(a[::step], b[::step]).values, down, across, separation / step):
        near = [
            range(max(own.start, (n - 1) * step), min(own.stop, (n + 1) * step + 1))
            for n, own in zip(found, (rows, columns), strict=True)
        ]
        grid = distance(a[near[0].start : near[0].stop], b[near[1].start : near[1].stop]).values
        i, j = next(_find_minima(grid, range(len(near[0])), range(len(near[1])), separation))
        yield near[0][i], near[1][j]


def _find_minima(grid: FloatArray, rows: range, columns: range, separation: float) -> Iterator[Cell]:
    """Yield the local minima (i, j) of a grid within some rows and columns, then other cells."""
    block = slice(rows.start, rows.stop), slice(columns.start, columns.stop)
    remaining, minima = grid[block].copy(), _local_minima(grid)[block]
    reach = max(1, round(separation))
    while np.isfinite(remaining).any():
        values = np.where(minima, remaining, np.inf)
        if not np.isfinite(values).any():
            values = remaining
        # Distances are squares: the rounding error of a perfect fit does not count as a difference.
        equal = np.argwhere(values <= values.min() * (1.0 + SAME_DISTANCE) + SAME_DISTANCE**2)
        i, j = max(equal.tolist(), key=lambda cell: (cell[0] - cell[1], cell[0]))
        yield rows[i], columns[j]
        remaining[max(i - reach, 0) : i + reach + 1, max(j - reach, 0) : j + reach + 1] = np.inf


def _local_minima(grid: FloatArray) -> BoolArray:
    """Return which cells (T0, T1) are no larger than any of their eight neighbours."""
    padded = np.pad(grid, 1, constant_values=np.inf)
    height, width = grid.shape
    is_minimum = np.ones(grid.shape, dtype=bool)
    for down in range(3):
        for across in range(3):
            is_minimum &= grid <= padded[down : down + height, across : across + width]
    return is_minimum

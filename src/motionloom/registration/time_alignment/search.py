"""One dynamic-programming sweep over a cost grid, and the choice of an end among those it reached."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from motionloom import kernels
from motionloom.arrays import FloatArray, IntArray, read_only_view
from motionloom.registration.time_alignment.reachability import Cell, live_band

Form = Literal["reversible", "thesis"]
"""Which paths are legal and how free ends are chosen, as ``align_times`` describes."""

LONGEST_RUN = 32_767
"""The longest run a step table can hold (16 bits)."""


@dataclass(frozen=True)
class PathRules:
    """What a path may do and which of equally good ones is taken.

    Attributes
    ----------
    slope_limit
        Runs along one clip are at most this many steps minus one.
    form
        How free ends are chosen.
    leave_freely
        Whether the first step may go along one clip alone.
    first_axis_wins
        Which of two equally cheap runs of equal length is taken: the one along the first clip or the second.
    """

    slope_limit: int
    form: Form
    leave_freely: bool
    first_axis_wins: bool


class Arrival(NamedTuple):
    """Where a path with a free end may end; smaller is better: cheaper, nearer the diagonal, longer."""

    mean: float
    imbalance: int
    minus_length: int
    ordered_start: tuple[int, ...]
    ordered_end: tuple[int, ...]
    start: Cell
    end: Cell

    @classmethod
    def at(cls, mean: float, start: Cell, end: Cell, rules: PathRules) -> Arrival:
        """The arrival at one end, with what decides between equally cheap ones."""
        i, j = end[0] - start[0], end[1] - start[1]
        ordered = (start, end) if rules.first_axis_wins else (start[::-1], end[::-1])
        return cls(mean, abs(i - j), -i - j, *ordered, start, end)


@dataclass(frozen=True, eq=False)
class Sweep:
    """The cheapest paths from one cell to all cells of a region.

    Attributes
    ----------
    origin
        The first cell of all paths, in the grid.
    steps
        (R, C) length of the run that ends in each cell: positive along the first clip, negative along the
        second, 0 for a diagonal step.
    last_row, last_column
        (C,) and (R,) values of the paths that end on the far edges of the region; infinity where none does.
    """

    origin: Cell
    steps: npt.NDArray[np.int16]
    last_row: FloatArray
    last_column: FloatArray

    def path(self, end: Cell) -> IntArray:
        """The cells (N, 2) of the path to a cell of the grid, first cell first."""
        cells = np.empty((sum(self.steps.shape), 2), dtype=np.int64)
        count = kernels.grid_path.trace(self.steps, end[0] - self.origin[0], end[1] - self.origin[1], cells)
        path: IntArray = cells[:count][::-1] + np.array(self.origin)
        return path

    def best_arrival(self, after: Cell, min_length: int, rules: PathRules) -> Arrival | None:
        """The best end on the far edges at or after a cell that covers enough frames of each clip, if any."""
        rows, columns = self.steps.shape
        i = np.concatenate([np.full(columns, rows - 1), np.arange(rows - 1)])
        j = np.concatenate([np.arange(columns), np.full(rows - 1, columns - 1)])
        values = np.concatenate([self.last_row, self.last_column[:-1]])
        fits = np.isfinite(values) & (np.minimum(i, j) + 1 >= min_length)
        fits &= (i + self.origin[0] >= after[0]) & (j + self.origin[1] >= after[1])
        if not fits.any():
            return None
        i, j, values = i[fits] + self.origin[0], j[fits] + self.origin[1], values[fits]
        ends = list(zip(i.tolist(), j.tolist(), strict=True))
        if rules.form == "reversible":
            lengths = i + j + 1 - sum(self.origin)
        else:
            lengths = np.array([len(self.path(end)) for end in ends])
        means = values / lengths
        least = means.min()
        return min(
            Arrival.at(float(least), self.origin, ends[k], rules) for k in np.flatnonzero(means == least)
        )


def sweep(
    costs: FloatArray, origin: Cell, extent: Cell, anchors: Sequence[Cell], rules: PathRules, *, pinned: bool
) -> Sweep:
    """Find the cheapest paths from ``origin`` through the ``anchors`` to the cells of a region of the grid.

    Cells from which a later anchor cannot be reached are not visited. With ``pinned`` every cell counts once;
    otherwise the reversible form counts cells that are entered diagonally twice, so that the number of
    counts depends on the end alone and their mean favours neither long paths nor short ones.
    """
    rows, columns = extent
    relative = [(i - origin[0], j - origin[1]) for i, j in anchors]
    limit = min(rules.slope_limit, rows + columns, LONGEST_RUN)
    steps = np.empty(extent, dtype=np.int16)
    values, last_column = np.full((limit + 3, columns + 1), np.inf), np.full(rows, np.inf)
    band = live_band(extent, relative, limit, leave_freely=rules.leave_freely)
    kernels.grid_path.sweep(
        read_only_view(costs),
        origin[0],
        origin[1],
        band,
        1.0 if pinned or rules.form == "thesis" else 2.0,
        rules.leave_freely,
        rules.first_axis_wins,
        values,
        steps,
        last_column,
    )
    reached = bool((band[0] <= band[1]).all())
    values[0, 1 : 1 + (band[0, -1] if reached else columns)] = np.inf
    return Sweep(origin, steps, values[0, 1:], last_column)


def first_axis_wins(costs: FloatArray, cells: Iterable[Cell]) -> bool:
    """Decide ties between the two clips from the grid itself, so that swapping the clips swaps the decision.

    The shorter clip wins; between equally long ones the first pair of mirrored cells that differ decides,
    then the first given cell off the diagonal. Only a problem that equals its own transpose stays undecided:
    there the first clip wins.

    >>> first_axis_wins(np.array([[0.0, 1.0], [2.0, 0.0]]), [])
    True
    """
    rows, columns = costs.shape
    if rows != columns:
        return bool(rows < columns)
    for k in range(rows - 1):
        across, down = costs[k, k + 1 :], costs[k + 1 :, k]
        if not np.array_equal(across, down):
            at = int(np.argmax(across != down))
            return bool(across[at] < down[at])
    return next((i < j for i, j in cells if i != j), True)

"""Slope-limited dynamic time warping (DTW): the cheapest paths through a grid of costs.

The slope rule: a path with slope limit W is made of diagonal steps and of runs of at most W − 1 steps along
one axis, with a diagonal step or an end of the path on both sides of a run. Between two cells Δi and Δj
frames apart there is a path whose first and last steps are free if max(Δi, Δj) ≤ W · min(Δi, Δj) + W − 1, and
one whose first step is diagonal if max(Δi, Δj) ≤ W · min(Δi, Δj). The cells it can use form an Itakura
parallelogram (:func:`reachable_band`). Within it the recurrence of ``kernels/dtw.py`` keeps the rule.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from motionloom import kernels
from motionloom.arrays import BoolArray, FloatArray, IntArray, read_only_view
from motionloom.errors import ParameterError
from motionloom.options.registration import Form

Cell = tuple[int, int]
"""A frame of the first clip and a frame of the second."""

MAX_RUN = 32_767
"""The longest run that a step table can hold (16 bits)."""


class SlopeLimitError(ParameterError):
    """No path exists under the slope limit; ``needed`` is the smallest limit that allows one."""

    def __init__(self, cells: Sequence[Cell], slope_limit: int, needed: int) -> None:
        self.needed = needed
        first, *pins, last = cells
        if pins:
            through, reason = f" through {', '.join(map(str, pins))}", "the pins need"
        else:
            through = ""
            reason = f"{last[0] - first[0]} frame steps against {last[1] - first[1]} need"
        super().__init__(
            f"no time alignment leads from {first}{through} to {last} with slope limit {slope_limit}: "
            f"{reason} a slope limit of at least {needed}; raise it, or cut or resample the clips"
        )


def min_slope_limit(first: Cell, last: Cell, *, free_first_step: bool) -> int:
    """Return the smallest slope limit that allows a path between two cells that differ in both frames.

    ``free_first_step`` tells whether the first step may advance one clip alone.

    >>> min_slope_limit((0, 0), (9, 4), free_first_step=False)
    3
    >>> min_slope_limit((0, 0), (9, 4), free_first_step=True)
    2
    """
    near, far = sorted((last[0] - first[0], last[1] - first[1]))
    return -(-(far + 1) // (near + 1)) if free_first_step else -(-far // near)


def reachable_band(
    extent: Cell, anchors: Sequence[Cell], slope_limit: int, *, free_first_step: bool
) -> IntArray:
    """Return, per row of a region (3, R), the first and last usable column and the column to pass, or −1.

    The path starts at (0, 0) and passes the ``anchors`` in order; the last anchor may lie beyond the region.
    Rows that no path reaches have a first column after their last. Rows without an anchor have −1 in the
    third line. After the last anchor the path is free.

    >>> reachable_band((3, 3), [(2, 2)], 2, free_first_step=False).tolist()
    [[0, 1, 1], [0, 2, 2], [-1, -1, 2]]
    """
    rows, columns = extent
    band = np.full((3, rows), -1, dtype=np.int64)
    band[0, 0] = 0
    slack, here = (slope_limit - 1 if free_first_step else 0), (0, 0)
    for anchor in anchors:
        i = np.arange(here[0], min(anchor[0] + 1, rows))
        low, high = _cone(i - here[0], slope_limit, slack)
        to_low, to_high = _cone(anchor[0] - i, slope_limit, slope_limit - 1)
        # Kept between the anchors even where no path exists: no edge of the band may ever turn back.
        low = np.clip(np.maximum(here[1] + low, anchor[1] - to_high), here[1], anchor[1])
        high = np.clip(np.minimum(here[1] + high, anchor[1] - to_low), here[1], columns - 1)
        # A pin's row belongs to two stretches: the path enters it in the first and leaves it in the second.
        band[0, i[1:]], band[1, i] = low[1:], high
        if anchor[0] < rows and anchor[1] < columns:
            band[2, anchor[0]] = anchor[1]
        slack, here = slope_limit - 1, anchor
    if here[0] < rows and here[1] < columns:
        i = np.arange(here[0], rows)
        low, high = _cone(i - here[0], slope_limit, slack)
        band[0, i[1:]], band[1, i] = here[1] + low[1:], np.minimum(here[1] + high, columns - 1)
    return band


def _cone(steps: IntArray, slope_limit: int, slack: int) -> tuple[IntArray, IntArray]:
    """Return the fewest and most steps along one axis that go with the given steps along the other."""
    return np.maximum(-((slack - steps) // slope_limit), 0), slope_limit * steps + slack


@dataclass(frozen=True)
class SlopeRule:
    """How far a path may run along one clip alone, as the options of a registration say it.

    Attributes
    ----------
    slope_limit
        W: runs along one clip have at most W − 1 steps.
    form
        Which paths are legal and how free ends are chosen.
    """

    slope_limit: int
    form: Form

    def joins(self, first: Cell, last: Cell) -> bool:
        """Whether a path leads from one cell to another.

        A path leaves a pin by a diagonal step, so the stricter rule holds on either side of it.

        >>> SlopeRule(2, "reversible").joins((0, 0), (9, 4)), SlopeRule(3, "reversible").joins((0, 0), (9, 4))
        (False, True)
        """
        if last[0] <= first[0] or last[1] <= first[1]:
            return False
        return min_slope_limit(first, last, free_first_step=False) <= self.slope_limit

    def allows(self, steps: FloatArray) -> BoolArray:
        """Whether clips may advance by these frames (…, K) together."""
        allowed: BoolArray = steps.max(axis=-1) <= self.slope_limit * steps.min(axis=-1)
        return allowed

    def reachable(self, extent: Cell, anchors: Sequence[Cell]) -> IntArray:
        """Return the columns that a path through the anchors can use (:func:`reachable_band`)."""
        return reachable_band(extent, anchors, self.slope_limit, free_first_step=self.form == "reversible")


@dataclass(frozen=True)
class PathRules:
    """What a path may do, and which of equally cheap ones is taken.

    Attributes
    ----------
    slope_limit
        W: runs along one clip have at most W − 1 steps.
    form
        How free ends are chosen.
    free_first_step
        Whether the first step may advance one clip alone.
    prefer_first_axis
        Which of two equally cheap runs of equal length is taken: the one along the first clip or the second.
    """

    slope_limit: int
    form: Form
    free_first_step: bool
    prefer_first_axis: bool


class FreeEnd(NamedTuple):
    """A cell at which a path may end; smaller is better: cheaper, nearer the diagonal, longer."""

    mean: float
    imbalance: int
    minus_length: int
    ordered_start: tuple[int, ...]
    ordered_end: tuple[int, ...]
    start: Cell
    end: Cell

    @classmethod
    def at(cls, mean: float, start: Cell, end: Cell, rules: PathRules) -> FreeEnd:
        """Return the candidate at one end, with what decides between equally cheap ones."""
        i, j = end[0] - start[0], end[1] - start[1]
        ordered = (start, end) if rules.prefer_first_axis else (start[::-1], end[::-1])
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
        """Return the cells (N, 2) of the path to a cell of the grid, first cell first."""
        cells = np.empty((sum(self.steps.shape), 2), dtype=np.int64)
        count = kernels.dtw.trace(self.steps, end[0] - self.origin[0], end[1] - self.origin[1], cells)
        path: IntArray = cells[:count][::-1] + np.array(self.origin)
        return path

    def best_end(self, after: Cell, min_length: int, rules: PathRules) -> FreeEnd | None:
        """Return the best end on the far edges at or after a cell that covers enough frames of both clips."""
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
        best = means.min()
        return min(
            FreeEnd.at(float(best), self.origin, ends[k], rules) for k in np.flatnonzero(means == best)
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
    limit = min(rules.slope_limit, rows + columns, MAX_RUN)
    steps = np.empty(extent, dtype=np.int16)
    values, last_column = np.full((limit + 3, columns + 1), np.inf), np.full(rows, np.inf)
    band = reachable_band(extent, relative, limit, free_first_step=rules.free_first_step)
    kernels.dtw.sweep(
        read_only_view(costs),
        origin[0],
        origin[1],
        band,
        1.0 if pinned or rules.form == "thesis" else 2.0,
        rules.free_first_step,
        rules.prefer_first_axis,
        values,
        steps,
        last_column,
    )
    reached = bool((band[0] <= band[1]).all())
    values[0, 1 : 1 + (band[0, -1] if reached else columns)] = np.inf
    return Sweep(origin, steps, values[0, 1:], last_column)


def prefer_first_axis(costs: FloatArray, cells: Iterable[Cell]) -> bool:
    """Decide ties between the two clips from the grid itself, so that swapping the clips swaps the decision.

    The shorter clip wins; between equally long ones the first pair of mirrored cells that differ decides,
    then the first given cell off the diagonal. Only a grid that equals its own transpose stays undecided:
    there the first clip wins.

    >>> prefer_first_axis(np.array([[0.0, 1.0], [2.0, 0.0]]), [])
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


def path_between(costs: FloatArray, cells: Sequence[Cell], rules: PathRules) -> IntArray:
    """Return the cheapest path (N, 2) from the first cell through all others to the last."""
    origin, end = cells[0], cells[-1]
    extent = (end[0] - origin[0] + 1, end[1] - origin[1] + 1)
    swept = sweep(costs, origin, extent, cells[1:], rules, pinned=True)
    if not np.isfinite(swept.last_row[-1]):
        raise SlopeLimitError(cells, rules.slope_limit, _find_slope_limit(cells, rules))
    return swept.path(end)


def path_to_edge(
    costs: FloatArray, cells: Sequence[Cell], min_length: int | None, rules: PathRules
) -> IntArray:
    """Return the best path (N, 2) from the first cell through all others to the far edge of the grid."""
    origin = cells[0]
    extent = (costs.shape[0] - origin[0], costs.shape[1] - origin[1])
    swept = sweep(costs, origin, extent, cells[1:], rules, pinned=False)
    best = swept.best_end(cells[-1], _min_length(min_length, extent), rules)
    if best is None:
        if len(cells) > 1:
            path_between(costs, cells, rules)  # raises when it is the pins that cannot be passed
        raise _too_short(_min_length(min_length, extent), rules)
    return swept.path(best.end)


def path_from_edge(
    costs: FloatArray, cells: Sequence[Cell], min_length: int | None, rules: PathRules
) -> IntArray:
    """Return the best path (N, 2) from the near edge of the grid through all cells, grown backwards."""
    far = np.array(costs.shape) - 1
    reversed_cells = [(int(far[0] - i), int(far[1] - j)) for i, j in reversed(cells)]
    return (far - path_to_edge(costs[::-1, ::-1], reversed_cells, min_length, rules))[::-1]


def path_through(
    costs: FloatArray, cells: Sequence[Cell], min_length: int | None, rules: PathRules
) -> IntArray:
    """Return the best path (N, 2) grown from the first cell: back to the near edge, on to the far edge.

    Both halves leave the cell by a diagonal step: a run on either side could together exceed the slope limit.
    """
    outwards = replace(rules, free_first_step=False)
    seed, last = cells[0], cells[-1]
    near, far = np.array([seed]), np.array([seed])
    if min(seed) > 0:
        near = path_from_edge(costs, [seed], min_length, outwards)
    if last[0] < costs.shape[0] - 1 and last[1] < costs.shape[1] - 1:
        far = path_to_edge(costs, cells, min_length, outwards)
    elif len(cells) > 1:
        far = path_between(costs, cells, outwards)
    if len(near) + len(far) == 2:
        raise ParameterError(
            f"no path grows from cell {seed}: it lies in a corner where one clip ends and one starts"
        )
    return np.concatenate([near[:-1], far])


def path_between_edges(costs: FloatArray, min_length: int | None, rules: PathRules) -> IntArray:
    """Return the best path (N, 2) from anywhere on the near edge of the grid to anywhere on the far edge."""
    rows, columns = costs.shape
    length = _min_length(min_length, (rows, columns))
    starts = [(0, j) for j in range(columns)] + [(i, 0) for i in range(1, rows)]
    best = None
    for start in starts:
        extent = (rows - start[0], columns - start[1])
        if min(extent) < length:
            continue
        found = sweep(costs, start, extent, [], rules, pinned=False).best_end(start, length, rules)
        if found is not None and (best is None or found < best):
            best = found
    if best is None:
        raise _too_short(length, rules)
    extent = (rows - best.start[0], columns - best.start[1])
    return sweep(costs, best.start, extent, [], rules, pinned=False).path(best.end)


def _min_length(min_length: int | None, extent: Cell) -> int:
    """Return the fewest frames of each clip to cover; at least two, because the path must advance in both."""
    return max(2, 1 + (min(extent) - 1) // 2 if min_length is None else min_length)


def _too_short(length: int, rules: PathRules) -> ParameterError:
    return ParameterError(
        f"no path to the edge of the grid covers {length} frames of each clip with slope limit "
        f"{rules.slope_limit}: lower min_length, raise the slope limit, or start further from the edge"
    )


def _find_slope_limit(cells: Sequence[Cell], rules: PathRules) -> int:
    """Return the smallest slope limit with which a path can pass all cells.

    Runs may go on through a pin, so that the stretches between pins are not independent: each alone gives a
    lower bound, and leaving every pin by a diagonal step an upper one. A sweep decides between the two.
    """
    stretches = list(pairwise(cells))
    enough = max(min_slope_limit(a, b, free_first_step=False) for a, b in stretches)
    bounds = [min_slope_limit(a, b, free_first_step=True) for a, b in stretches]
    extent = (cells[-1][0] - cells[0][0] + 1, cells[-1][1] - cells[0][1] + 1)
    level = np.zeros(extent)
    anchors = [(i - cells[0][0], j - cells[0][1]) for i, j in cells[1:]]
    for limit in range(max(rules.slope_limit + 1, *bounds), enough):
        trial = sweep(level, (0, 0), extent, anchors, replace(rules, slope_limit=limit), pinned=True)
        if np.isfinite(trial.last_row[-1]):
            return limit
    return enough

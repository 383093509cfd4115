"""Paths between given cells, from a cell to an edge of the grid, and between edges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np

from motionloom.arrays import FloatArray, IntArray
from motionloom.errors import ParameterError
from motionloom.registration.time_alignment.reachability import Cell, SlopeLimitError, least_slope_limit
from motionloom.registration.time_alignment.search import PathRules, sweep


def path_between(costs: FloatArray, cells: Sequence[Cell], rules: PathRules) -> IntArray:
    """The cheapest path (N, 2) from the first cell through all others to the last."""
    origin, end = cells[0], cells[-1]
    extent = (end[0] - origin[0] + 1, end[1] - origin[1] + 1)
    swept = sweep(costs, origin, extent, cells[1:], rules, pinned=True)
    if not np.isfinite(swept.last_row[-1]):
        raise SlopeLimitError(cells, rules.slope_limit, _needed_slope_limit(cells, rules))
    return swept.path(end)


def path_to_edge(
    costs: FloatArray, cells: Sequence[Cell], min_length: int | None, rules: PathRules
) -> IntArray:
    """The best path (N, 2) from the first cell through all others to the far edge of the grid."""
    origin = cells[0]
    extent = (costs.shape[0] - origin[0], costs.shape[1] - origin[1])
    swept = sweep(costs, origin, extent, cells[1:], rules, pinned=False)
    arrival = swept.best_arrival(cells[-1], _length(min_length, extent), rules)
    if arrival is None:
        if len(cells) > 1:
            path_between(costs, cells, rules)  # says so when it is the pins that cannot be passed
        raise _too_short(_length(min_length, extent), rules)
    return swept.path(arrival.end)


def path_from_edge(
    costs: FloatArray, cells: Sequence[Cell], min_length: int | None, rules: PathRules
) -> IntArray:
    """The best path (N, 2) from the near edge of the grid through all cells to the last, grown backwards."""
    far = np.array(costs.shape) - 1
    turned = [(int(far[0] - i), int(far[1] - j)) for i, j in reversed(cells)]
    return (far - path_to_edge(costs[::-1, ::-1], turned, min_length, rules))[::-1]


def path_through(
    costs: FloatArray, cells: Sequence[Cell], min_length: int | None, rules: PathRules
) -> IntArray:
    """The best path (N, 2) grown from the first cell: back to the near edge, on to the far edge.

    Both halves leave the cell by a diagonal step: a run on either side could together pass the slope limit.
    """
    outwards = replace(rules, leave_freely=False)
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
    """The best path (N, 2) from anywhere on the near edge of the grid to anywhere on the far edge."""
    rows, columns = costs.shape
    length = _length(min_length, (rows, columns))
    starts = [(0, j) for j in range(columns)] + [(i, 0) for i in range(1, rows)]
    best = None
    for start in starts:
        extent = (rows - start[0], columns - start[1])
        if min(extent) < length:
            continue
        arrival = sweep(costs, start, extent, [], rules, pinned=False).best_arrival(start, length, rules)
        if arrival is not None and (best is None or arrival < best):
            best = arrival
    if best is None:
        raise _too_short(length, rules)
    extent = (rows - best.start[0], columns - best.start[1])
    return sweep(costs, best.start, extent, [], rules, pinned=False).path(best.end)


def _length(min_length: int | None, extent: Cell) -> int:
    """The fewest frames of each clip to cover; at least two, because the path must advance in both."""
    return max(2, 1 + (min(extent) - 1) // 2 if min_length is None else min_length)


def _too_short(length: int, rules: PathRules) -> ParameterError:
    return ParameterError(
        f"no path to the edge of the grid covers {length} frames of each clip with slope limit "
        f"{rules.slope_limit}: lower min_length, raise the slope limit, or start further from the edge"
    )


def _needed_slope_limit(cells: Sequence[Cell], rules: PathRules) -> int:
    """The smallest slope limit with which a path can pass all cells.

    Runs may go on through a pin, so that the stretches between pins are not independent: each alone gives a
    lower bound, and leaving every pin by a diagonal step an upper one. A sweep decides between the two.
    """
    stretches = list(pairwise(cells))
    enough = max(least_slope_limit(a, b, leave_freely=False) for a, b in stretches)
    bounds = [least_slope_limit(a, b, leave_freely=True) for a, b in stretches]
    extent = (cells[-1][0] - cells[0][0] + 1, cells[-1][1] - cells[0][1] + 1)
    level = np.zeros(extent)
    anchors = [(i - cells[0][0], j - cells[0][1]) for i, j in cells[1:]]
    for limit in range(max(rules.slope_limit + 1, *bounds), enough):
        trial = sweep(level, (0, 0), extent, anchors, replace(rules, slope_limit=limit), pinned=True)
        if np.isfinite(trial.last_row[-1]):
            return limit
    return enough

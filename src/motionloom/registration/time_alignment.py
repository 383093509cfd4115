"""Time alignment of two clips: the cheapest slope-limited path through their distances.

This file checks what is asked for and describes the result; the search itself is in :mod:`.dtw`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray, IntArray, freeze
from motionloom.errors import ParameterError
from motionloom.options.registration import Form
from motionloom.registration.dtw import (
    Cell,
    PathRules,
    path_between,
    path_between_edges,
    path_from_edge,
    path_through,
    path_to_edge,
    prefer_first_axis,
)

PathEnd = Literal["corners", "free"] | Cell
"""An end of a path: at the clips' own ends, anywhere on the edge of the grid, or at a given cell."""

DISTORTED_RATE = 2.5
"""Ratio of two clips' rates, relative to their overall ratio, beyond which time counts as distorted."""


class AlignmentOutcome(Enum):
    """How good the path is, as a sentence."""

    OPTIMAL = "the path is the cheapest of all paths under the slope limit"
    WINDOWED = "the path was grown window by window: each stretch is the best nearby, the whole may not be"


@dataclass(frozen=True, eq=False, repr=False)
class TimeAlignment:
    """A path through a distance grid: pairs of frames that correspond, in forward order.

    Attributes
    ----------
    path
        (N, 2) frame of the first clip and frame of the second; each step adds (1, 1), (1, 0) or (0, 1).
    cost
        Sum of the costs of the cells on the path.
    slope_limit, form
        The rules the path obeys, as in :func:`align_times`.
    outcome
        How good the path is.
    """

    path: IntArray
    cost: float
    slope_limit: int
    form: Form
    outcome: AlignmentOutcome = AlignmentOutcome.OPTIMAL

    def __len__(self) -> int:
        return len(self.path)

    def __repr__(self) -> str:
        first, last = (tuple(cell.tolist()) for cell in self.path[[0, -1]])
        return (
            f"TimeAlignment({len(self)} pairs of frames, {first} to {last}, mean cost {self.mean_cost:.3g}, "
            f"slope limit {self.slope_limit}, {self.outcome.name.lower()})"
        )

    @property
    def mean_cost(self) -> float:
        """The mean cost of the cells on the path."""
        return self.cost / len(self.path)

    @property
    def saturation(self) -> float:
        """The fraction of steps at the slope limit: runs of full length, with the diagonal step before them.

        1 for a path that runs at the slope limit from end to end, 0 where a slope limit of 1 allows no runs.
        """
        steps = np.diff(self.path, axis=0) @ (1, -1)
        bounds = np.flatnonzero(np.diff(steps, prepend=9, append=9))
        at_limit = np.zeros(len(steps), dtype=bool)
        for begin, end in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
            if steps[begin] != 0 and end - begin == self.slope_limit - 1:
                at_limit[max(begin - 1, 0) : end] = True
        return float(at_limit.mean())

    def distortion(self, reach: int) -> float:
        """Return the fraction of cells around which a clip runs far off its overall rate.

        Rates are measured over ``reach`` cells to either side.

        >>> TimeAlignment(np.stack([np.arange(9)] * 2, axis=1), 0.0, 3, "reversible").distortion(reach=3)
        0.0
        """
        cells = np.arange(len(self.path))
        first, last = np.maximum(cells - reach, 0), np.minimum(cells + reach, len(cells) - 1)
        advances = np.maximum(self.path[last] - self.path[first], 0.5) / np.maximum(
            np.ptp(self.path, axis=0), 1
        )
        ratios = np.abs(np.log(advances[:, 0] / advances[:, 1]))
        return float((ratios > np.log(DISTORTED_RATE)).mean())


def align_times(
    costs: npt.ArrayLike,
    *,
    slope_limit: int = 2,
    start: PathEnd = "corners",
    end: PathEnd = "corners",
    pins: Sequence[Cell] = (),
    form: Form = "reversible",
    min_length: int | None = None,
) -> TimeAlignment:
    """Find the cheapest path through a grid of costs whose slope stays between 1/W and W.

    Parameters
    ----------
    costs
        (T0, T1) cost of each pair of frames, finite and not negative.
    slope_limit
        W ≥ 1: each frame takes part in at most W pairs, so runs along one clip have at most W − 1 steps; a
        diagonal step or an end of the path stands on both sides of a run.
    start, end
        "corners" for the first (last) frames of both clips, a cell (i, j), or "free" for any cell on the edge
        of the grid where a clip starts (ends).
    pins
        Cells the path must pass, each later than the one before in both clips. With both ends free the path
        grows outwards from the first pin, in both directions, by a diagonal step each: this aligns two clips
        about the centre of a transition.
    form
        "reversible": runs may stand anywhere, also at the ends; Δi against Δj steps are possible if
        max ≤ W · min + W − 1, and reversing both clips reverses the path. "thesis": Eq. 5.1 of Kovar's
        thesis, where a run always follows a diagonal step; possible if max ≤ W · min.
    min_length
        With a free end, the fewest frames of each clip to cover, counted from the cell the path grows from.
        By default half of those that remain of the clip with fewer left; with both ends free and no pin,
        half of the shorter clip.

    Notes
    -----
    Between given cells the sum of the costs is minimal. At a free end, the reversible form minimises the cost
    per frame: cells entered diagonally count twice because they advance both clips, and the sum is divided by
    the number of counts, Δi + Δj + 1. The thesis form takes the cheapest path to each cell on the edge, then
    the end where the mean cost of the cells is lowest. With both ends free and no pin all starts are tried:
    the time grows with the cube of the length.

    Among equally cheap paths, looking back from the end, a diagonal step wins, then the shorter run, then the
    clip that :func:`~motionloom.registration.dtw.prefer_first_axis` names. Transposing the grid therefore
    transposes the path, unless the whole grid equals its own transpose. Among equally good free ends the one
    nearest the diagonal wins, then the longer path.

    >>> align_times([[0, 1, 1], [1, 0, 0], [1, 1, 0]]).path.tolist()
    [[0, 0], [1, 1], [2, 2]]
    """
    grid = check_costs(costs)
    check_rules(slope_limit, form, min_length)
    shape = (grid.shape[0], grid.shape[1])
    check_shape(shape)
    cells = check_cells(start, end, pins, shape)
    free_start, free_end = is_free(start), is_free(end)
    rules = PathRules(slope_limit, form, form == "reversible", prefer_first_axis(grid, cells))
    if not free_start and not free_end:
        path = path_between(grid, cells, rules)
    elif not free_start:
        path = path_to_edge(grid, cells, min_length, rules)
    elif not free_end:
        path = path_from_edge(grid, cells, min_length, rules)
    elif cells:
        path = path_through(grid, cells, min_length, rules)
    else:
        path = path_between_edges(grid, min_length, rules)
    cost = float(grid[path[:, 0], path[:, 1]].sum())
    return TimeAlignment(freeze(np.ascontiguousarray(path)), cost, slope_limit, form)


def check_costs(costs: npt.ArrayLike) -> FloatArray:
    """Return the costs as a float64 array (T0, T1), or say what is wrong with them.

    >>> check_costs([[0, 1], [1, 0]]).dtype
    dtype('float64')
    """
    try:
        grid = np.ascontiguousarray(costs, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ParameterError(
            f"must be numbers in an array of shape (T0, T1): {error}", parameter="costs"
        ) from None
    if grid.ndim != 2:
        raise ParameterError(f"must have shape (T0, T1), not {grid.shape}", parameter="costs")
    # A path has fewer cells than both clips have frames together, and a cell counts at most twice.
    max_cost = np.finfo(np.float64).max / (2 * max(sum(grid.shape), 1))
    if not (grid.min(initial=0.0) >= 0.0 and grid.max(initial=0.0) <= max_cost):
        bad = np.argwhere(~((grid >= 0.0) & (grid <= max_cost)))[0]
        where = (int(bad[0]), int(bad[1]))
        raise ParameterError(
            f"must be finite, not negative and small enough to sum: cell {where} is {grid[where]}",
            parameter="costs",
        )
    return grid


def check_shape(shape: tuple[int, ...]) -> None:
    """Refuse clips of fewer than two frames."""
    if min(shape) < 2:
        raise ParameterError(
            f"clips of {shape[0]} and {shape[1]} frames cannot be aligned: a strictly increasing "
            "correspondence needs at least two frames of each"
        )


def check_rules(slope_limit: int, form: Form, min_length: int | None = None) -> None:
    """Refuse slope limits and lengths that are not whole numbers of at least one, and unknown forms."""
    for name, number in (
        ("slope_limit", slope_limit),
        ("min_length", 1 if min_length is None else min_length),
    ):
        if isinstance(number, bool) or not isinstance(number, int | np.integer) or number < 1:
            raise ParameterError(
                f"must be a whole number of at least 1, not {number!r}", parameter=name, value=number
            )
    if form not in get_args(Form):
        raise ParameterError(f"must be 'reversible' or 'thesis', not {form!r}", parameter="form", value=form)


def check_cells(start: PathEnd, end: PathEnd, pins: Sequence[Cell], shape: tuple[int, int]) -> list[Cell]:
    """Return the cells a path must pass, in order: its start unless free, the pins, its end unless free.

    >>> check_cells("corners", "free", [(1, 2)], (3, 3))
    [(0, 0), (1, 2)]
    """
    cells = [_check_cell("a pin", pin, shape) for pin in pins]
    first = _check_end("start", start, (0, 0), shape)
    last = _check_end("end", end, (shape[0] - 1, shape[1] - 1), shape)
    if first is not None and cells[:1] != [first]:
        cells.insert(0, first)
    if last is not None and (cells[-1:] != [last] or len(cells) == 1):
        cells.append(last)
    for a, b in pairwise(cells):
        if not (a[0] < b[0] and a[1] < b[1]):
            raise ParameterError(
                f"the path cannot pass {a} and then {b}",
                remedy="start, pins and end must each be later than the one before in both clips",
            )
    return cells


def is_free(end: PathEnd) -> bool:
    """Tell whether the search chooses this end of the path."""
    return isinstance(end, str) and end == "free"


def _check_end(name: str, given: PathEnd, corner: Cell, shape: tuple[int, int]) -> Cell | None:
    if isinstance(given, str):
        if given not in ("corners", "free"):
            raise ParameterError(
                f"must be 'corners', 'free' or a cell (i, j), not {given!r}", parameter=name, value=given
            )
        return None if is_free(given) else corner
    return _check_cell(name, given, shape)


def _check_cell(name: str, given: Cell, shape: tuple[int, int]) -> Cell:
    try:
        i, j = (int(frame) for frame in given)
    except (TypeError, ValueError):
        raise ParameterError(
            f"must be a cell (i, j) of two frame numbers, not {given!r}", parameter=name, value=given
        ) from None
    if (i, j) != tuple(given):
        raise ParameterError(
            f"must be a cell (i, j) of whole frames, not {given!r}", parameter=name, value=given
        )
    if not (0 <= i < shape[0] and 0 <= j < shape[1]):
        raise ParameterError(f"{name} {(i, j)} lies outside the grid of {shape[0]} × {shape[1]} frames")
    return i, j

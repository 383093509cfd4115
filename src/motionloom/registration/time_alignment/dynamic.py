"""Which frames of two clips belong together: the cheapest slope-limited path through a distance grid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np
import numpy.typing as npt

from motionloom.arrays import IntArray, freeze
from motionloom.registration.time_alignment.checks import (
    PathEnd,
    check_rules,
    check_shape,
    checked_cells,
    checked_costs,
    is_free,
)
from motionloom.registration.time_alignment.growth import (
    path_between,
    path_between_edges,
    path_from_edge,
    path_through,
    path_to_edge,
)
from motionloom.registration.time_alignment.reachability import Cell
from motionloom.registration.time_alignment.search import Form, PathRules, first_axis_wins

FAR_RATE = 2.5
"""Ratio of two clips' rates, against their overall ratio, from which time is bent out of shape."""


class AlignmentOutcome(Enum):
    """How good the path is, as a sentence."""

    OPTIMAL = "the path is the best of all paths under the slope limit"
    WINDOWED = "the path was grown window by window: each stretch is the best near it, the whole may not be"


@dataclass(frozen=True, eq=False)
class TimeAlignment:
    """A path through a distance grid: pairs of frames that belong together, in forward order.

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

    @property
    def mean_cost(self) -> float:
        """The mean cost of the cells on the path."""
        return self.cost / len(self.path)

    @property
    def saturation(self) -> float:
        """The share of steps at the slope limit: runs as long as they may be, with the diagonal step before.

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
        """The share of cells around which, ``reach`` cells to either side, a clip runs far off its pace.

        >>> TimeAlignment(np.stack([np.arange(9)] * 2, axis=1), 0.0, 3, "reversible").distortion(reach=3)
        0.0
        """
        cells = np.arange(len(self.path))
        first, last = np.maximum(cells - reach, 0), np.minimum(cells + reach, len(cells) - 1)
        advances = np.maximum(self.path[last] - self.path[first], 0.5) / np.maximum(
            np.ptp(self.path, axis=0), 1
        )
        ratios = np.abs(np.log(advances[:, 0] / advances[:, 1]))
        return float((ratios > np.log(FAR_RATE)).mean())


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
        grows outwards from the first pin, in both directions, by a diagonal step each: the way to align two
        clips about the centre of a transition.
    form
        "reversible": runs may stand anywhere, also at the ends; Δi against Δj steps are possible if
        max ≤ W · min + W − 1, and reversing both clips reverses the problem. "thesis": Eq. 5.1 of Kovar's
        thesis, where a run always follows a diagonal step; possible if max ≤ W · min.
    min_length
        With a free end, the fewest frames of each clip to cover, counted from the cell the path grows from.
        By default half of those that lie there of the clip with fewer left; with both ends free and no pin,
        half of the shorter clip.

    Notes
    -----
    Between given cells the sum of the costs is least. At a free end, the reversible form minimises the cost
    per frame: cells entered diagonally count twice because they advance both clips, and the sum is divided by
    the number of counts, Δi + Δj + 1. The thesis form takes the cheapest path to each cell on the edge, then
    the end where the mean cost of the cells is least. With both ends free and no pin all starts are tried:
    the time grows with the cube of the length.

    Among equally cheap paths, looking back from the end, a diagonal step wins, then the shorter run, then the
    clip that ``search.first_axis_wins`` names. Transposing the grid
    therefore transposes the path, unless the whole problem equals its own transpose. Among equally good free
    ends the one nearest the diagonal wins, then the longer path.

    >>> align_times([[0, 1, 1], [1, 0, 0], [1, 1, 0]]).path.tolist()
    [[0, 0], [1, 1], [2, 2]]
    """
    grid = checked_costs(costs)
    check_rules(slope_limit, form, min_length)
    shape = (grid.shape[0], grid.shape[1])
    check_shape(shape)
    cells = checked_cells(start, end, pins, shape)
    free_start, free_end = is_free(start), is_free(end)
    rules = PathRules(slope_limit, form, form == "reversible", first_axis_wins(grid, cells))
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

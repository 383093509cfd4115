"""Which cells of a cost grid a slope-limited path can use, and which slope limit would do.

A path with slope limit W has runs of at most W − 1 steps along one axis. Between two cells Δi and Δj frames
apart there is one whose first and last steps are free if max(Δi, Δj) ≤ W · min(Δi, Δj) + W − 1, and one
whose first step is diagonal if max(Δi, Δj) ≤ W · min(Δi, Δj).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from motionloom.arrays import IntArray
from motionloom.errors import ParameterError

Cell = tuple[int, int]
"""A frame of the first clip and a frame of the second."""


class SlopeLimitError(ParameterError):
    """No path exists under the slope limit; ``needed`` is the smallest one that allows a path."""

    def __init__(self, cells: Sequence[Cell], slope_limit: int, needed: int) -> None:
        self.needed = needed
        if len(cells) > 2:
            way, reason = f" through {', '.join(map(str, cells[1:-1]))}", "the pins take"
        else:
            way, reason = (
                "",
                f"{cells[-1][0] - cells[0][0]} frame steps against {cells[-1][1] - cells[0][1]} take",
            )
        super().__init__(
            f"no time alignment leads from {cells[0]}{way} to {cells[-1]} with slope limit {slope_limit}: "
            f"{reason} a slope limit of at least {needed}; raise it, or cut or resample the clips"
        )


def least_slope_limit(first: Cell, last: Cell, *, leave_freely: bool) -> int:
    """The smallest slope limit that allows a path between two cells that differ in both frames.

    ``leave_freely`` tells whether the first step may go along one clip alone.

    >>> least_slope_limit((0, 0), (9, 4), leave_freely=False)
    3
    >>> least_slope_limit((0, 0), (9, 4), leave_freely=True)
    2
    """
    near, far = sorted((last[0] - first[0], last[1] - first[1]))
    return -(-(far + 1) // (near + 1)) if leave_freely else -(-far // near)


def live_band(extent: Cell, anchors: Sequence[Cell], slope_limit: int, *, leave_freely: bool) -> IntArray:
    """Per row of a region: first and last column a path can use, and the column it must pass or −1; (3, R).

    The path starts at (0, 0) and passes the ``anchors`` in order; the last anchor may lie beyond the region.
    Rows that no path reaches have a first column after their last. After the last anchor the path is free.

    >>> live_band((3, 3), [(2, 2)], 2, leave_freely=False).tolist()
    [[0, 1, 1], [0, 2, 2], [-1, -1, 2]]
    """
    rows, columns = extent
    band = np.full((3, rows), -1, dtype=np.int64)
    band[0, 0] = 0
    slack, here = (slope_limit - 1 if leave_freely else 0), (0, 0)
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
    """The fewest and most steps along one axis that go with the given steps along the other."""
    return np.maximum(-((slack - steps) // slope_limit), 0), slope_limit * steps + slack

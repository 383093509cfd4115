"""Time alignment of long clips, window by window, so that the whole distance grid is never held in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray, IntArray, freeze
from motionloom.errors import ParameterError
from motionloom.options.registration import Form
from motionloom.registration.dtw import (
    Cell,
    PathRules,
    SlopeLimitError,
    min_slope_limit,
    prefer_first_axis,
    sweep,
)
from motionloom.registration.time_alignment import (
    AlignmentOutcome,
    PathEnd,
    TimeAlignment,
    check_cells,
    check_costs,
    check_rules,
    check_shape,
    is_free,
)

CostBlock = Callable[[slice, slice], npt.ArrayLike]
"""Returns the costs of some frames of the first clip against some frames of the second."""

DEFAULT_WINDOW = 20
"""Frames of each clip in one window, for clips at 30 Hz (Kovar's thesis: 15 to 20)."""


def align_times_windowed(
    cost_block: CostBlock,
    shape: tuple[int, int],
    *,
    slope_limit: int = 2,
    start: PathEnd = "corners",
    end: PathEnd = "corners",
    pins: Sequence[Cell] = (),
    form: Form = "reversible",
    window: int = DEFAULT_WINDOW,
    advance: int | None = None,
) -> TimeAlignment:
    """Grow a path forward through windows of the grid, in time and memory proportional to its length.

    Each window of ``window`` × ``window`` frames begins where the path has got to. The best path to the far
    edge of the window is found, its first ``advance`` steps are kept, and the next window begins there.

    Parameters
    ----------
    cost_block
        Called with a slice of frames of each clip; returns their costs, finite and not negative.
    shape
        Numbers of frames of the two clips.
    slope_limit, start, end, pins, form
        As in :func:`align_times`; the start is a corner or a cell.
        Windows keep to cells from which the next pin or the end can be reached. The path leaves every pin by
        a diagonal step.
    window
        Frames of each clip in a window. The default suits 30 Hz; use proportionally more at higher rates.
    advance
        Steps kept per window, at least ``slope_limit`` and less than ``window``; by default half of it.

    >>> align_times_windowed(lambda a, b: np.ones((a.stop - a.start, b.stop - b.start)), (50, 50)).cost
    50.0
    """
    check_shape(shape)
    check_rules(slope_limit, form)
    walk = _Walk(cost_block, shape, slope_limit, form, window, window // 2 if advance is None else advance)
    if is_free(start):
        raise ParameterError(
            "must be 'corners' or a cell: windows grow forward from a known cell. For a free start use "
            'alignment="auto", or cut the clips to where they correspond',
            parameter="start",
        )
    cells = check_cells(start, end, pins, shape)
    _check_stretches(cells, slope_limit, form)
    pieces = list(walk.pieces(cells, free_end=is_free(end)))
    if not pieces:
        raise ParameterError(f"no path grows from cell {cells[0]}: one of the clips ends there")
    path = np.concatenate([pieces[0][0][:1], *(cells[1:] for cells, _ in pieces)])
    cost = float(pieces[0][1][0]) + sum(float(values[1:].sum()) for _, values in pieces)
    return TimeAlignment(freeze(path), cost, slope_limit, form, AlignmentOutcome.WINDOWED)


@dataclass(frozen=True)
class _Walk:
    """How a path advances through the grid, window after window."""

    cost_block: CostBlock
    shape: tuple[int, int]
    slope_limit: int
    form: Form
    window: int
    advance: int

    def __post_init__(self) -> None:
        if not self.slope_limit <= self.advance < self.window:
            raise ParameterError(
                f"must be at least the slope limit ({self.slope_limit}) and less than the window "
                f"({self.window}), not {self.advance}",
                parameter="advance",
                value=self.advance,
            )

    def pieces(self, cells: Sequence[Cell], *, free_end: bool) -> Iterator[tuple[IntArray, FloatArray]]:
        """Yield the path (N, 2) and its costs (N,) in pieces; each begins where the one before ends."""
        free_first_step = self.form == "reversible"
        for origin, target in pairwise(cells):
            yield from self._stretch(origin, target, free_first_step)
            free_first_step = False
        if free_end:
            yield from self._stretch(cells[-1], None, free_first_step)

    def _stretch(
        self, origin: Cell, target: Cell | None, free_first_step: bool
    ) -> Iterator[tuple[IntArray, FloatArray]]:
        """Yield the pieces from a cell to the target, or to the edge of the grid when there is none."""
        end = (self.shape[0] - 1, self.shape[1] - 1) if target is None else target
        while target is not None or (origin[0] < end[0] and origin[1] < end[1]):
            block, path = self._window(origin, end, target, free_first_step)
            last = (int(path[-1, 0]) + origin[0], int(path[-1, 1]) + origin[1])
            arrived = last == target or (target is None and (last[0] == end[0] or last[1] == end[1]))
            kept = path if arrived else path[: self._count_kept(path)]
            yield kept + np.array(origin), block[kept[:, 0], kept[:, 1]]
            if arrived:
                return
            origin = (int(kept[-1, 0]) + origin[0], int(kept[-1, 1]) + origin[1])
            free_first_step = True

    def _window(
        self, origin: Cell, end: Cell, target: Cell | None, free_first_step: bool
    ) -> tuple[FloatArray, IntArray]:
        """Return the costs of the window that begins at a cell, and the best path through it from there."""
        ahead = (end[0] - origin[0], end[1] - origin[1])
        extent = (min(self.window, ahead[0] + 1), min(self.window, ahead[1] + 1))
        frames = [slice(first, first + n) for first, n in zip(origin, extent, strict=True)]
        block = check_costs(self.cost_block(frames[0], frames[1]))
        if block.shape != extent:
            raise ParameterError(
                f"must return {extent} costs for {frames}, not {block.shape}",
                parameter="cost_block",
            )
        rules = PathRules(self.slope_limit, self.form, free_first_step, prefer_first_axis(block, [ahead]))
        pinned = target is not None and extent == (ahead[0] + 1, ahead[1] + 1)
        swept = sweep(block, (0, 0), extent, [] if target is None else [ahead], rules, pinned=pinned)
        best = None if pinned else swept.best_end((0, 0), 1, rules)
        return block, swept.path(ahead if best is None else best.end)

    def _count_kept(self, path: IntArray) -> int:
        """Count the cells of a window's path to keep: up to the last diagonal step of the advance.

        After a diagonal step a run of any legal length may begin, so every cell of the band can be reached.
        """
        diagonal = np.diff(path[: self.advance + 1], axis=0).all(axis=1)
        return int(np.flatnonzero(diagonal)[-1]) + 2


def _check_stretches(cells: Sequence[Cell], slope_limit: int, form: Form) -> None:
    free_first_step = form == "reversible"
    for first, last in pairwise(cells):
        needed = min_slope_limit(first, last, free_first_step=free_first_step)
        if needed > slope_limit:
            raise SlopeLimitError([first, last], slope_limit, needed)
        free_first_step = False

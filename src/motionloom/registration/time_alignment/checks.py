"""What a time alignment is given, checked: costs, slope limit, ends and pins."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.registration.time_alignment.reachability import Cell
from motionloom.registration.time_alignment.search import Form

PathEnd = Literal["corners", "free"] | Cell
"""An end of a path: at the clips' own ends, anywhere on the edge of the grid, or at a given cell."""


def checked_costs(costs: npt.ArrayLike) -> FloatArray:
    """The costs as a float64 array (T0, T1), or a sentence on what is wrong with them.

    >>> checked_costs([[0, 1], [1, 0]]).dtype
    dtype('float64')
    """
    try:
        grid = np.ascontiguousarray(costs, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ParameterError(f"costs must be numbers in an array of shape (T0, T1): {error}") from None
    if grid.ndim != 2:
        raise ParameterError(f"costs must have shape (T0, T1), not {grid.shape}")
    # A path has fewer cells than both clips have frames together, and a cell counts at most twice.
    largest = np.finfo(np.float64).max / (2 * max(sum(grid.shape), 1))
    if not (grid.min(initial=0.0) >= 0.0 and grid.max(initial=0.0) <= largest):
        bad = np.argwhere(~((grid >= 0.0) & (grid <= largest)))[0]
        where = (int(bad[0]), int(bad[1]))
        raise ParameterError(
            f"costs must be finite, not negative and small enough to sum: cell {where} is {grid[where]}"
        )
    return grid


def check_shape(shape: tuple[int, ...]) -> None:
    """Refuse clips without a second frame."""
    if min(shape) < 2:
        raise ParameterError(
            f"clips of {shape[0]} and {shape[1]} frames cannot be aligned: a strictly increasing "
            "correspondence needs at least two frames of each"
        )


def check_rules(slope_limit: int, form: Form, min_length: int | None = None) -> None:
    """Refuse slope limits and lengths below one or not whole, and unknown forms."""
    for name, number in (
        ("slope_limit", slope_limit),
        ("min_length", 1 if min_length is None else min_length),
    ):
        if isinstance(number, bool) or not isinstance(number, int | np.integer) or number < 1:
            raise ParameterError(f"{name} must be a whole number of at least 1, not {number!r}")
    if form not in get_args(Form):
        raise ParameterError(f"form must be 'reversible' or 'thesis', not {form!r}")


def checked_cells(start: PathEnd, end: PathEnd, pins: Sequence[Cell], shape: tuple[int, int]) -> list[Cell]:
    """The cells a path must pass, in order: its start unless free, the pins, its end unless free.

    >>> checked_cells("corners", "free", [(1, 2)], (3, 3))
    [(0, 0), (1, 2)]
    """
    cells = [_cell("a pin", pin, shape) for pin in pins]
    first, last = _end("start", start, (0, 0), shape), _end("end", end, (shape[0] - 1, shape[1] - 1), shape)
    if first is not None and cells[:1] != [first]:
        cells.insert(0, first)
    if last is not None and (cells[-1:] != [last] or len(cells) == 1):
        cells.append(last)
    for a, b in pairwise(cells):
        if not (a[0] < b[0] and a[1] < b[1]):
            raise ParameterError(
                f"the path cannot pass {a} and then {b}: start, pins and end must each be later than the one "
                "before in both clips"
            )
    return cells


def is_free(end: PathEnd) -> bool:
    """Tell whether an end of the path is to be chosen."""
    return isinstance(end, str) and end == "free"


def _end(name: str, given: PathEnd, corner: Cell, shape: tuple[int, int]) -> Cell | None:
    if isinstance(given, str):
        if given not in ("corners", "free"):
            raise ParameterError(f"{name} must be 'corners', 'free' or a cell (i, j), not {given!r}")
        return None if is_free(given) else corner
    return _cell(name, given, shape)


def _cell(name: str, given: Cell, shape: tuple[int, int]) -> Cell:
    try:
        i, j = (int(frame) for frame in given)
    except (TypeError, ValueError):
        raise ParameterError(f"{name} must be a cell (i, j) of two frame numbers, not {given!r}") from None
    if (i, j) != tuple(given):
        raise ParameterError(f"{name} must be a cell (i, j) of whole frames, not {given!r}")
    if not (0 <= i < shape[0] and 0 <= j < shape[1]):
        raise ParameterError(f"{name} {(i, j)} lies outside the grid of {shape[0]} × {shape[1]} frames")
    return i, j

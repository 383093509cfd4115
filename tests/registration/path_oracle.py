"""Exhaustive search over all legal paths of a small grid, written without dynamic programming."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import groupby, pairwise

import numpy as np

from motionloom.arrays import BoolArray, FloatArray, IntArray
from motionloom.options.registration import Form
from motionloom.registration.dtw import Cell

Path = tuple[Cell, ...]


@cache
def all_paths(shape: Cell, start: Cell) -> list[Path]:
    """Every monotone path from a cell to any cell of the grid."""
    paths: list[Path] = [(start,)]
    for path in paths:
        i, j = path[-1]
        paths += [
            (*path, cell)
            for cell in ((i + 1, j + 1), (i + 1, j), (i, j + 1))
            if cell[0] < shape[0] and cell[1] < shape[1]
        ]
    return paths


def steps_of(path: Path) -> list[Cell]:
    return [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(path)]


def is_legal(path: Path, slope_limit: int, *, free_first_step: bool, corners: bool = False) -> bool:
    """Short runs, no run right after another unless corners are allowed, and the rule on the first step."""
    steps = steps_of(path)
    runs = [(step, len(list(same))) for step, same in groupby(steps)]
    short = all(step == (1, 1) or length < slope_limit for step, length in runs)
    apart = corners or all((1, 1) in (a[0], b[0]) for a, b in pairwise(runs))
    return short and apart and (free_first_step or not steps or steps[0] == (1, 1))


@dataclass(frozen=True, eq=False)
class LegalPaths:
    """All legal paths from one cell, with the weight of every cell in every path."""

    shape: Cell
    paths: list[Path]
    ends: IntArray
    once: FloatArray
    twice_on_diagonals: FloatArray

    @staticmethod
    @cache
    def of(
        shape: Cell, start: Cell, slope_limit: int, free_first_step: bool, corners: bool = False
    ) -> LegalPaths:
        paths = [
            path
            for path in all_paths(shape, start)
            if is_legal(path, slope_limit, free_first_step=free_first_step, corners=corners)
        ]
        once, twice = np.zeros((2, len(paths), *shape))
        for p, path in enumerate(paths):
            for cell in path:
                once[p][cell] = 1.0
            twice[p][path[0]] = 1.0
            for cell, step in zip(path[1:], steps_of(path), strict=True):
                twice[p][cell] = sum(step)
        flat = (len(paths), shape[0] * shape[1])
        return LegalPaths(
            shape, paths, np.array([p[-1] for p in paths]), once.reshape(flat), twice.reshape(flat)
        )

    def through(self, cells: list[Cell]) -> BoolArray:
        """Which paths pass all the cells."""
        passed: BoolArray = self.once[:, [i * self.shape[1] + j for i, j in cells]] > 0
        return np.asarray(passed.all(axis=1))

    def cheapest_to(self, end: Cell, pins: list[Cell], costs: FloatArray) -> tuple[float, Path] | None:
        """The least total cost to a cell and its path."""
        return self._least(self.once @ costs.ravel(), self.through(pins) & (self.ends == end).all(axis=1))

    def best_to_edge(
        self, pins: list[Cell], least: int, costs: FloatArray, form: Form
    ) -> tuple[float, Path] | None:
        """The best value of a path to the far edge that covers enough frames of each clip, and the path."""
        covered = self.ends - np.array(self.paths[0][0])
        fits = self.through(pins) & (self.ends == np.array(self.shape) - 1).any(axis=1)
        fits &= covered.min(axis=1) + 1 >= least
        if form == "reversible":
            return self._least(self.twice_on_diagonals @ costs.ravel() / (covered.sum(axis=1) + 1), fits)
        totals = self.once @ costs.ravel()
        cheapest = np.zeros(len(totals), dtype=bool)
        for end in np.unique(self.ends[fits], axis=0):
            to_end = np.flatnonzero(fits & (self.ends == end).all(axis=1))
            cheapest[to_end[totals[to_end].argmin()]] = True
        return self._least(totals / self.once.sum(axis=1), cheapest)

    def _least(self, values: FloatArray, fits: BoolArray) -> tuple[float, Path] | None:
        if not fits.any():
            return None
        at = int(np.flatnonzero(fits)[values[fits].argmin()])
        return float(values[at]), self.paths[at]


def turned(path: Path, shape: Cell) -> Path:
    """The same path after both clips are reversed."""
    return tuple((shape[0] - 1 - i, shape[1] - 1 - j) for i, j in reversed(path))


def as_path(cells: IntArray) -> Path:
    return tuple((int(i), int(j)) for i, j in cells)

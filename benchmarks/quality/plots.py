"""Pictures of the tables: errors case by case, and transitions pair by pair."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import matplotlib
import numpy as np

from benchmarks.quality.judge import interval
from benchmarks.quality.leave_one_out import Judged
from benchmarks.quality.predictors import METHODS
from benchmarks.quality.transitions import COLUMNS
from motionloom.arrays import FloatArray

matplotlib.use("Agg")

from matplotlib import pyplot as plt
from matplotlib.axes import Axes

DPI = 120

MARKS = "os^Dv*P"
"""One mark per method, so that methods are told apart without colours."""


def write_plots(folder: Path, sets: Mapping[str, Judged], joined: Mapping[str, FloatArray]) -> None:
    """Write ``errors.png`` and ``transitions.png`` into a folder, which is made where it is missing."""
    folder.mkdir(parents=True, exist_ok=True)
    _write_errors(folder / "errors.png", sets)
    _write_transitions(folder / "transitions.png", joined)


def _write_errors(file: Path, sets: Mapping[str, Judged]) -> None:
    heights = [len(results.names) for results in sets.values()]
    figure, panels = plt.subplots(
        len(sets), 1, figsize=(9.0, 0.34 * sum(heights) + 2.0), height_ratios=heights, layout="constrained"
    )
    for axes, (title, results) in zip(panels, sets.items(), strict=True):
        _draw_errors(axes, title, results)
    panels[0].legend(fontsize=8, loc="lower right")
    panels[-1].set_xlabel("mean distance of joints to the real clip, cm (logarithmic)")
    figure.savefig(file, dpi=DPI)
    plt.close(figure)


def _draw_errors(axes: Axes, title: str, results: Judged) -> None:
    rows = np.arange(len(results.names))
    # Methods lie a little apart, so that equal errors do not hide each other.
    shifts = np.linspace(-0.3, 0.3, len(METHODS))
    for method, shift, mark in zip(METHODS, shifts, MARKS, strict=True):
        axes.plot(results.errors(method), rows + shift, mark, markersize=4, label=method)
    axes.set_xscale("log")
    axes.set_yticks(rows, results.names, fontsize=8)
    axes.invert_yaxis()
    axes.grid(axis="x", alpha=0.3, which="both")
    axes.set_title(title, fontsize=10, loc="left")


def _write_transitions(file: Path, joined: Mapping[str, FloatArray]) -> None:
    figure, panels = plt.subplots(1, len(COLUMNS), figsize=(13.0, 4.5), sharey=True, layout="constrained")
    rows = range(len(joined))
    for n, (axes, column) in enumerate(zip(panels, COLUMNS, strict=True)):
        for row, values in zip(rows, joined.values(), strict=True):
            _draw_spread(axes, row, values[:, n])
        axes.set_title(column, fontsize=10)
        axes.grid(axis="x", alpha=0.3)
    panels[0].set_yticks(list(rows), list(joined), fontsize=8)
    panels[0].invert_yaxis()
    for axes in panels[2:]:
        axes.axvline(1.0, color="grey", linewidth=1.0, linestyle="--")
        axes.set_xscale("log")
    figure.suptitle(
        "dots: pairs; bars: mean and 95 % interval; dashed: what is usual in the takes", fontsize=9
    )
    figure.savefig(file, dpi=DPI)
    plt.close(figure)


def _draw_spread(axes: Axes, row: int, values: FloatArray) -> None:
    known = values[~np.isnan(values)]
    if not len(known):
        return
    mean, low, high = interval(known)
    axes.plot(known, np.full(len(known), row), "o", markersize=3, alpha=0.4, color="tab:blue")
    axes.plot([low, high], [row, row], color="tab:red", linewidth=2.0)
    axes.plot([mean], [row], "|", markersize=12, color="tab:red")

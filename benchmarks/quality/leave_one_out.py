"""Held-out clips: how far the best prediction of every method is from the real one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from benchmarks.quality.cases import HeldOut
from benchmarks.quality.judge import joint_error
from benchmarks.quality.predictors import METHODS, Prediction, predictions
from benchmarks.quality.tables import COLUMN, LABEL, print_head, print_means, with_interval
from motionloom.arrays import FloatArray
from motionloom.motion import Clip
from motionloom.quality import Measures, measure

COLUMNS = ("error, cm", "levelled, cm", "duration, %", "skate, cm/s", "path, cm", "heading, °")
"""Mean distance of joints, and the same at one mean height; how far duration, length of the path and change
of heading are off; and how feet slide, which is no error: real feet do too."""

SKATE = COLUMNS.index("skate, cm/s")


@dataclass(frozen=True, eq=False)
class Judged:
    """What came out for N cases: figures (N, C) of every method, NaN where it has no prediction.

    ``skates`` (N,) are those of the real clips, cm/s.
    """

    names: list[str]
    figures: dict[str, FloatArray]
    skates: FloatArray

    def errors(self, method: str) -> FloatArray:
        """(N,) mean distances of joints, cm."""
        return self.figures[method][:, 0]


def judged(cases: Iterable[HeldOut]) -> Judged:
    names: list[str] = []
    skates: list[float] = []
    rows: dict[str, list[FloatArray]] = {method: [] for method in METHODS}
    for case in cases:
        made, truth = predictions(case), measure(case.actual)
        names.append(case.name)
        skates.append(truth.value("skate speed"))
        for method, row in rows.items():
            row.append(
                _figures(made[method], case.actual, truth)
                if method in made
                else np.full(len(COLUMNS), np.nan)
            )
    return Judged(names, {method: np.array(row) for method, row in rows.items()}, np.array(skates))


def _figures(made: Prediction, actual: Clip, truth: Measures) -> FloatArray:
    found = measure(made.clip)
    # What is left of the duration after the last whole frame goes on at the mean pace.
    whole = made.duration / (made.clip.n_frames - 1.0)
    path, heading = (
        abs(whole * found.value(name) - truth.value(name)) for name in ("path length", "heading change")
    )
    return np.array(
        [
            made.error(actual),
            joint_error(made.clip, actual, made.duration, level=True),
            100.0 * abs(made.seconds / actual.duration - 1.0),
            found.value("skate speed"),
            100.0 * path,
            heading,
        ]
    )


def print_judged(title: str, results: Judged) -> None:
    """The error of every case, then means of all columns over cases."""
    print_head(f"{title}: error, cm", [*METHODS, "default to linear"])
    to_linear = results.errors("default") / results.errors("linear")
    for n, name in enumerate(results.names):
        shown = (f"{results.errors(method)[n]:{COLUMN}.2f}".replace("nan", "  –") for method in METHODS)
        print(f"{name:<{LABEL}}{''.join(shown)}{to_linear[n]:{COLUMN}.3f}")
    print()
    linear = results.errors("linear")
    rows = {
        method: np.column_stack([figures, figures[:, 0] - linear, figures[:, 0] / linear])
        for method, figures in results.figures.items()
    }
    columns = [*COLUMNS, "less linear, cm", "to linear"]
    print_means(f"{title}: {len(results.names)} cases", columns, rows)
    print(f"{'the real clips':<{LABEL}}{'':{COLUMN * SKATE}}{with_interval(results.skates)}")
    below_nearest = results.errors("default") < results.errors("nearest")
    print(
        f"default to linear: below in {(to_linear < 1.0).mean():.0%}, at most {to_linear.max():.3f}; "
        f"default to nearest: below in {below_nearest.mean():.0%}\n"
    )

"""Tables of means with confidence intervals over cases."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from benchmarks.quality.judge import interval
from motionloom.arrays import FloatArray

LABEL, COLUMN = 36, 20
"""Characters of the first column, and of all others."""

ENFORCED = ", enforced"
"""What follows the name of a method whose result has its feet planted."""


def print_head(title: str, columns: Sequence[str]) -> None:
    print(f"{title:<{LABEL}}" + "".join(f"{column:>{COLUMN}}" for column in columns))


def print_means(title: str, columns: Sequence[str], rows: Mapping[str, FloatArray]) -> None:
    """One line per row (N, C): the mean of each column over the cases that have it, and its interval."""
    print_head(title, columns)
    for name, values in rows.items():
        count = int((~np.isnan(values)).any(axis=1).sum())
        label = name if count == len(values) else f"{name} ({count} of {len(values)} cases)"
        print(f"{label:<{LABEL}}" + "".join(map(with_interval, values.T)))


def with_interval(values: FloatArray) -> str:
    """A mean over the cases that are known and its 95 % confidence interval."""
    known = values[~np.isnan(values)]
    if not len(known):
        return f"{'–':>{COLUMN}}"
    mean, low, high = map(_number, interval(known))
    return f"{f'{mean} ({low}–{high})':>{COLUMN}}"


def _number(value: float) -> str:
    """A number as a table shows it: fewer digits after the point where there are more before it."""
    return f"{value:.2f}" if abs(value) < 10.0 else f"{value:.1f}" if abs(value) < 100.0 else f"{value:.0f}"

"""What the benchmarks share: medians, and a table of ratios from one run."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

MAX_REPEATS: int | None = None
"""Calls that a median is taken of at most."""

SMALL = {"MAX_REPEATS": 1}


def median_seconds(work: Callable[[], object], repeats: int = 7) -> float:
    """The median time of a call, after one that warms caches and compiles."""
    work()
    times = []
    for _ in range(repeats if MAX_REPEATS is None else min(repeats, MAX_REPEATS)):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def print_table(title: str, rows: dict[str, float], ours: str) -> None:
    """Print milliseconds and, for each row, how many times as long as ours it takes."""
    print(title)
    width = max(map(len, rows))
    for name, seconds in rows.items():
        ratio = "" if name == ours else f"{seconds / rows[ours]:10.2f} × ours"
        print(f"  {name:<{width}}  {1000 * seconds:9.2f} ms{ratio}")
    print()

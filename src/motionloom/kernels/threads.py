"""Run one kernel over slices of a range in a few threads.

Kernels release the interpreter lock, so plain threads use all cores; numba's own thread layers are
not used because one of them aborts the process when two threads enter it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from threading import Thread, local

MIN_WORK = 20_000
"""Items below which starting a thread costs more than it saves."""

_here = local()


@contextmanager
def single_threaded() -> Iterator[None]:
    """Start no further threads from this thread within this block: its caller already uses all cores."""
    _here.single = True
    try:
        yield
    finally:
        _here.single = False


def run_in_slices(n_items: int, work: Callable[[int, int], None], weight: int = 1) -> None:
    """Call ``work(start, stop)`` on slices that cover ``range(n_items)``, in parallel where that is faster.

    ``weight`` is how much one item counts against :data:`MIN_WORK` (for frames: the number of joints).
    """
    max_threads = 1 if getattr(_here, "single", False) else min(os.cpu_count() or 1, 8)
    n_threads = min(max_threads, max(1, n_items * weight // MIN_WORK))
    bounds = [n_items * i // n_threads for i in range(n_threads + 1)]
    if n_threads == 1:
        work(0, n_items)
        return
    failures: list[BaseException] = []

    def run_slice(start: int, stop: int) -> None:
        try:
            work(start, stop)
        except BaseException as error:
            failures.append(error)

    threads = [Thread(target=run_slice, args=pair) for pair in pairwise(bounds[1:])]
    for thread in threads:
        thread.start()
    run_slice(bounds[0], bounds[1])
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]

"""Run one kernel over slices of a range in a few threads.

Kernels release the interpreter lock, so plain threads use all cores; numba's own thread layers are
avoided because one of them aborts the process when two threads enter it.
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
def alone() -> Iterator[None]:
    """Within this block, work of this thread is not spread any further: its caller already uses all cores."""
    _here.alone = True
    try:
        yield
    finally:
        _here.alone = False


def over_slices(n_items: int, work: Callable[[int, int], None], weight: int = 1) -> None:
    """Call ``work(start, stop)`` on slices that cover ``range(n_items)``, at once where that pays.

    ``weight`` is how much one item counts against :data:`MIN_WORK` (for frames: the number of joints).
    """
    most = 1 if getattr(_here, "alone", False) else min(os.cpu_count() or 1, 8)
    n_threads = min(most, max(1, n_items * weight // MIN_WORK))
    bounds = [n_items * i // n_threads for i in range(n_threads + 1)]
    if n_threads == 1:
        work(0, n_items)
        return
    failures: list[BaseException] = []

    def guarded(start: int, stop: int) -> None:
        try:
            work(start, stop)
        except BaseException as error:
            failures.append(error)

    threads = [Thread(target=guarded, args=pair) for pair in pairwise(bounds[1:])]
    for thread in threads:
        thread.start()
    guarded(bounds[0], bounds[1])
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]

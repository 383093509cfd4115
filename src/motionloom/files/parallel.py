"""Do the same with many items, in this process, in several, or wherever an executor runs them."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def run_each(
    work: Callable[[Item], Result],
    items: Sequence[Item],
    *,
    jobs: int = 1,
    executor: Executor | None = None,
) -> Iterator[tuple[Item, Result | None]]:
    """Yield each item with its result, in the order in which they finish; None where its process ended.

    On Ctrl-C what is finished is still yielded, and what has not begun is given up.

    Parameters
    ----------
    work
        What to do with an item. With several jobs or an executor it is pickled.
    items
        The items.
    jobs
        Processes; with one, everything is done in this process.
    executor
        Where to do it instead, such as that of a Dask client.

    >>> sorted(run_each(abs, [-2, 1]))
    [(-2, 2), (1, 1)]
    """
    if executor is None and (jobs == 1 or len(items) < 2):
        for item in items:
            yield item, work(item)
        return
    if executor is not None:
        for item, result in _run_in(executor, work, items):
            yield item, None if isinstance(result, _Ended) else result
        return
    suspects: list[Item] = []
    for item, result in _run_pool(work, items, jobs):
        if isinstance(result, _Ended):
            suspects.append(item)
        else:
            yield item, result
    # An item that ends its process takes those with it that come after: each is tried again on its own.
    for suspect in suspects:
        for item, result in _run_pool(work, [suspect], 1):
            yield item, None if isinstance(result, _Ended) else result


class _Ended:
    """In the place of a result: the process ended without one."""


def _run_pool(
    work: Callable[[Item], Result], items: Sequence[Item], jobs: int
) -> Iterator[tuple[Item, Result | _Ended]]:
    executor = ProcessPoolExecutor(
        min(jobs, len(items)),
        mp_context=get_context("spawn"),
        initializer=signal.signal,  # Ctrl-C reaches all processes; items at work are finished
        initargs=(signal.SIGINT, signal.SIG_IGN),
    )
    try:
        yield from _run_in(executor, work, items)
    finally:
        executor.shutdown(cancel_futures=True)


def _is_lost(error: Exception) -> bool:
    """Return whether an error says that a process ended, and nothing about the work."""
    return isinstance(error, BrokenProcessPool) or type(error).__module__.partition(".")[0] == "distributed"


def _run_in(
    executor: Executor, work: Callable[[Item], Result], items: Sequence[Item]
) -> Iterator[tuple[Item, Result | _Ended]]:
    pending: dict[Future[Result], Item] = {}
    try:
        pending = {executor.submit(work, item): item for item in items}
        while pending:
            for future in wait(pending, return_when=FIRST_COMPLETED).done:
                item = pending.pop(future)
                try:
                    yield item, future.result()
                except Exception as error:
                    if not _is_lost(error):
                        raise
                    yield item, _Ended()
    except KeyboardInterrupt:
        for future in pending:
            future.cancel()
        for future, item in pending.items():
            if future.done() and not future.cancelled() and future.exception() is None:
                yield item, future.result()
        raise

"""Do the same with many items, in this process, in several, or on a Dask cluster."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from itertools import islice
from multiprocessing import get_context
from typing import TypeVar, cast

from motionloom.errors import MissingPackageError, MotionloomError

Item = TypeVar("Item")
Result = TypeVar("Result")

ITEMS_PER_PROCESS = 4
"""Items that wait for each process at a time: none runs out of work, and few are lost with one that ends."""

TIMEOUT = 10.0
"""Seconds for which a scheduler may be silent before it counts as unreachable."""

RETRIES = 3
"""How often a piece of work is tried again whose worker was lost."""


@contextmanager
def open_pool(jobs: int, executor: Executor | None = None) -> Iterator[Executor | None]:
    """Yield an executor for several calls of :func:`run_each`: starting processes takes seconds.

    It is the given one, or one of ``jobs`` processes; None for one job, which is done in this process.

    >>> with open_pool(1) as pool:
    ...     print(pool)
    None
    """
    if executor is not None or jobs == 1:
        yield executor
        return
    own = _start_pool(jobs)
    try:
        yield own
    finally:
        own.shutdown(cancel_futures=True)


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
        waiting = iter(items)
        for item, result in _run_in(executor, work, waiting, at_once=len(items)):
            yield item, None if isinstance(result, _Ended) else result
        yield from ((item, None) for item in waiting)
        return
    suspects: list[Item] = []
    for item, result in _run_pools(work, items, jobs, at_once=ITEMS_PER_PROCESS * jobs):
        if isinstance(result, _Ended):
            suspects.append(item)
        else:
            yield item, result
    # An item that ends its process takes those with it that wait: they are tried again one by one.
    for item, result in _run_pools(work, suspects, 1, at_once=1):
        yield item, None if isinstance(result, _Ended) else result


def run_all(
    work: Callable[[Item], Result],
    items: Sequence[Item],
    failure: str,
    *,
    jobs: int = 1,
    executor: Executor | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> list[Result]:
    """Return the results of all items, in their order; fail where a process ended without one.

    Parameters
    ----------
    work, items, jobs, executor
        As in :func:`run_each`.
    failure
        What to say where a process ended, such as "a process ended while it searched".
    progress
        Called with the number of items that are done, and of all.

    >>> run_all(abs, [-2, 1], "a process ended")
    [2, 1]
    """
    pieces = run_numbered(work, items, failure, jobs=jobs, executor=executor, progress=progress)
    results = dict(pieces)
    return [results[n] for n in range(len(items))]


def run_numbered(
    work: Callable[[Item], Result],
    items: Sequence[Item],
    failure: str,
    *,
    jobs: int = 1,
    executor: Executor | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Iterator[tuple[int, Result]]:
    """Yield the number and the result of each item as they finish, for results that are not to be kept.

    Parameters are as in :func:`run_all`.

    >>> list(run_numbered(abs, [-2, 1], "a process ended"))
    [(0, 2), (1, 1)]
    """
    pieces = run_each(partial(_keep_number, work), list(enumerate(items)), jobs=jobs, executor=executor)
    for done, (_, piece) in enumerate(pieces, 1):
        if piece is None:
            raise MotionloomError(f"{failure}, perhaps for lack of memory", remedy="try fewer jobs")
        yield piece
        if progress is not None:
            progress(done, len(items))


def _keep_number(work: Callable[[Item], Result], item: tuple[int, Item]) -> tuple[int, Result]:
    return item[0], work(item[1])


class _Ended:
    """In the place of a result: the process ended without one."""


def _run_pools(
    work: Callable[[Item], Result], items: Sequence[Item], jobs: int, at_once: int
) -> Iterator[tuple[Item, Result | _Ended]]:
    """Yield all items with their results; where a process ended, new ones go on with what had not begun."""
    waiting, n_left = iter(items), len(items)
    while n_left > 0:
        executor = _start_pool(min(jobs, n_left))
        try:
            for item, result in _run_in(executor, work, waiting, at_once):
                n_left -= 1
                yield item, result
        finally:
            executor.shutdown(cancel_futures=True)


def _start_pool(jobs: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(
        jobs,
        mp_context=get_context("spawn"),
        initializer=signal.signal,  # Ctrl-C reaches all processes; items at work are finished
        initargs=(signal.SIGINT, signal.SIG_IGN),
    )


def _is_lost(error: Exception) -> bool:
    """Return whether an error says that a process ended, and nothing about the work."""
    return isinstance(error, BrokenExecutor) or type(error).__module__.partition(".")[0] == "distributed"


def _run_in(
    executor: Executor, work: Callable[[Item], Result], items: Iterator[Item], at_once: int
) -> Iterator[tuple[Item, Result | _Ended]]:
    """Yield items with their results until none is left or a process ended; the rest stays in ``items``."""
    pending: dict[Future[Result], Item] = {}
    is_broken = False
    try:
        while True:
            for item in islice(items, 0 if is_broken else at_once - len(pending)):
                try:
                    pending[executor.submit(work, item)] = item
                except BrokenExecutor:  # a process ended while items were handed over
                    is_broken = True
                    yield item, _Ended()
                    break
            if not pending:
                return
            for future in wait(pending, return_when=FIRST_COMPLETED).done:
                item = pending.pop(future)
                try:
                    yield item, future.result()
                except Exception as error:
                    if not _is_lost(error):
                        raise
                    is_broken = isinstance(error, BrokenExecutor)
                    yield item, _Ended()
    except KeyboardInterrupt:
        for future in pending:
            future.cancel()
        for future, item in pending.items():
            if future.done() and not future.cancelled() and future.exception() is None:
                yield item, future.result()
        raise


@contextmanager
def connect_scheduler(address: str) -> Iterator[Executor]:
    """Give an executor that runs work on the cluster of a Dask scheduler.

    Files are read by the workers, so all of them must see the same folders. Work whose worker ends is done
    again by another one.

    Parameters
    ----------
    address
        Where the scheduler is, such as ``tcp://render-01:8786``.

    >>> with connect_scheduler("tcp://render-01:8786") as executor:                  # doctest: +SKIP
    ...     lib.add("//storage/takes", executor=executor)
    """
    try:
        distributed = import_module("distributed")
    except ImportError:
        install = "pip install 'motionloom[dask]'"
        raise MissingPackageError("distributed", "a Dask scheduler", install) from None
    try:
        client = distributed.Client(address, timeout=TIMEOUT)
    except (OSError, ValueError) as error:
        raise MotionloomError(
            f"no Dask scheduler answers at {address} ({error})", remedy="start one with `dask scheduler`"
        ) from None
    with client:
        yield cast(Executor, client.get_executor(pure=False, retries=RETRIES))

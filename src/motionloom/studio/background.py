"""Work that may take long, in threads for which the end of the studio does not wait."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread
from typing import TypeVar

_Answer = TypeVar("_Answer")


async def run_in_background(work: Callable[[], _Answer]) -> _Answer:
    """Run a function in a thread of its own and return its result.

    ``asyncio.to_thread`` would keep Ctrl-C waiting until the last movie is rendered; a thread of this kind
    ends with the process.

    >>> await run_in_background(lambda: 6 * 7)    # doctest: +SKIP
    42
    """
    future: Future[_Answer] = Future()

    def run() -> None:
        if future.set_running_or_notify_cancel():
            try:
                future.set_result(work())
            except BaseException as error:
                future.set_exception(error)

    Thread(target=run, name="run_in_background", daemon=True).start()
    return await asyncio.wrap_future(future)

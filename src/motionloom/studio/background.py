"""Work that may take long, in threads for which nobody waits for ever: all of it has a deadline."""

from __future__ import annotations

import asyncio
import ctypes
import sys
from collections.abc import Callable
from concurrent.futures import Future
from threading import Thread
from time import sleep
from typing import TypeVar

from motionloom.errors import MotionloomError

_Answer = TypeVar("_Answer")

MAX_SECONDS = 1800.0
"""Seconds that work in the background may take: a movie of many minutes is rendered in less."""


IMPORT_WAIT = 0.02
"""Seconds between two looks at a thread that imports something."""


class JobStopped(BaseException):
    """Raised in a thread whose work is no longer wanted; no `except Exception` holds it up."""


def interrupt(thread: Thread) -> None:
    """Raise :class:`JobStopped` in a thread, as soon as it runs Python code again.

    Compiled code is not interrupted before it returns, so that whoever waits for the thread must go on
    without it. The exception may come late, so that the thread must do nothing more than end; and it may come
    anywhere, so that locks of such threads are taken by ``with`` and are plain ones: those of a
    :class:`~threading.Condition` are taken by Python code, which may be interrupted before it returns.

    Imports are left to end first: half of a package stays behind where one is interrupted, and importing it
    again fails until the program ends (SciPy: "name '_ndimage_api' is not defined").
    """
    if _is_importing(thread):
        Thread(target=_interrupt_after_import, args=(thread,), name="interrupt", daemon=True).start()
    else:
        _stop(thread)


def _is_importing(thread: Thread) -> bool:
    frame = sys._current_frames().get(thread.ident or 0)
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def _interrupt_after_import(thread: Thread) -> None:
    while thread.is_alive() and _is_importing(thread):
        sleep(IMPORT_WAIT)
    _stop(thread)


def _stop(thread: Thread) -> None:
    # The number of a thread that has ended may be another's by now.
    if thread.ident is not None and thread.is_alive():
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident), ctypes.py_object(JobStopped))


async def run_in_background(work: Callable[[], _Answer], max_seconds: float = MAX_SECONDS) -> _Answer:
    """Run a function in a thread of its own and return its result.

    ``asyncio.to_thread`` would keep Ctrl-C waiting until the last movie is rendered; a thread of this kind
    ends with the process. Work that takes longer than ``max_seconds``, or for which nobody waits any more,
    is stopped.

    >>> await run_in_background(lambda: 6 * 7)    # doctest: +SKIP
    42
    """
    future: Future[_Answer] = Future()

    def run() -> None:
        try:
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(work())
                except BaseException as error:
                    future.set_exception(error)
        except JobStopped:
            pass  # it came when the work was over

    thread = Thread(target=run, name="run_in_background", daemon=True)
    thread.start()
    waiting = asyncio.wrap_future(future)
    try:
        # A running future cannot be cancelled; the shield leaves it to the thread.
        return await asyncio.wait_for(asyncio.shield(waiting), max_seconds)
    except TimeoutError:
        # The work itself may have failed with a timeout, which is an answer.
        if future.done():
            raise
        _abandon(thread, waiting)
        raise MotionloomError(describe_deadline(max_seconds)) from None
    except asyncio.CancelledError:
        _abandon(thread, waiting)
        raise


def _abandon(thread: Thread, waiting: asyncio.Future[_Answer]) -> None:
    """Stop a thread; whatever comes of it still, nobody is told."""
    waiting.add_done_callback(lambda done: done.cancelled() or done.exception())
    interrupt(thread)


def describe_deadline(seconds: float) -> str:
    """Say that work was stopped at its deadline.

    >>> describe_deadline(600.0)
    'it took longer than 600 s and was stopped: use shorter clips or fewer of them'
    """
    return f"it took longer than {seconds:g} s and was stopped: use shorter clips or fewer of them"

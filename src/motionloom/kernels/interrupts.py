"""Defer Ctrl-C while numba loads or compiles.

Both call back into Python from C, where a KeyboardInterrupt is printed and dropped, and the program would
continue. An interrupt that arrives meanwhile is raised when the last deferral ends.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType


class _Deferral:
    """Counts nested deferrals of the main thread, the only one that is interrupted."""

    def __init__(self) -> None:
        self.depth = 0
        self.interrupted = False

    def begin(self) -> None:
        """Defer interrupts from now on, where Python's own handler would raise them."""
        if current_thread() is not main_thread():
            return
        self.depth += 1
        if self.depth == 1 and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, self._remember)

    def end(self) -> None:
        """End one deferral; the last one raises an interrupt that arrived meanwhile."""
        if current_thread() is not main_thread():
            return
        self.depth -= 1
        if self.depth == 0 and signal.getsignal(signal.SIGINT) == self._remember:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            if self.interrupted:
                self.interrupted = False
                raise KeyboardInterrupt

    def _remember(self, _: int, __: FrameType | None) -> None:
        self.interrupted = True


deferral = _Deferral()


@contextmanager
def defer_interrupts() -> Iterator[None]:
    """Defer interrupts within this block."""
    deferral.begin()
    try:
        yield
    finally:
        deferral.end()

"""Holding Ctrl-C back while numba loads or compiles.

Both call back into Python from C, where a KeyboardInterrupt is printed and dropped, and the program would go
on as if nothing had happened. An interrupt that arrives meanwhile is raised when the last hold ends.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread, main_thread
from types import FrameType


class _Hold:
    """Counts the holds of the main thread, the only one that is interrupted."""

    def __init__(self) -> None:
        self.depth = 0
        self.interrupted = False

    def begin(self) -> None:
        """Hold interrupts back from now on, where Python's own handler would raise them."""
        if current_thread() is not main_thread():
            return
        self.depth += 1
        if self.depth == 1 and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, self._remember)

    def end(self) -> None:
        """End one hold; the last one raises an interrupt that came meanwhile."""
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


hold = _Hold()


@contextmanager
def held() -> Iterator[None]:
    """Hold interrupts back within this block."""
    hold.begin()
    try:
        yield
    finally:
        hold.end()

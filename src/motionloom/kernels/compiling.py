"""How kernels are compiled: lazily, cached on disk where possible, without the interpreter lock."""

from __future__ import annotations

import logging
import signal
from collections.abc import Callable
from threading import current_thread, main_thread
from types import FrameType
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
from numba import njit
from numba.core import event

Function = TypeVar("Function", bound=Callable[..., Any])
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]

logger = logging.getLogger("motionloom")


class _Compilation(event.Listener):
    """Says once per process that compiling takes a moment, and keeps an interrupt from being lost in it.

    The compiler calls back into Python from C, where a KeyboardInterrupt is printed and dropped. An interrupt
    that arrives meanwhile is therefore held back and raised when the compilation ends. Cached kernels compile
    nothing and come through here never.
    """

    def __init__(self) -> None:
        self.said = False
        self.depth = 0
        self.interrupted = False

    def on_start(self, _: event.Event) -> None:
        if not self.said:
            self.said = True
            logger.info("compiling numeric kernels for their first use; later runs start at once")
        if current_thread() is main_thread():
            self.depth += 1
            if self.depth == 1 and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
                signal.signal(signal.SIGINT, self._hold)

    def on_end(self, _: event.Event) -> None:
        if current_thread() is not main_thread():
            return
        self.depth -= 1
        if self.depth == 0 and signal.getsignal(signal.SIGINT) == self._hold:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            if self.interrupted:
                self.interrupted = False
                raise KeyboardInterrupt

    def _hold(self, _: int, __: FrameType | None) -> None:
        self.interrupted = True


event.register("numba:compile", _Compilation())  # type: ignore[no-untyped-call]


def kernel(function: Function) -> Function:
    """Compile a function on its first call; keep the machine code on disk where that is possible."""
    try:
        return njit(function, cache=True, nogil=True, error_model="numpy")  # type: ignore[no-any-return]
    except RuntimeError:
        # numba raises at decoration time when no cache folder is writable (read-only install, no home).
        return njit(function, nogil=True, error_model="numpy")  # type: ignore[no-any-return]

"""How kernels are compiled: lazily, cached on disk where possible, without the interpreter lock."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt
from numba import njit
from numba.core import event

from motionloom.kernels.interrupts import deferral
from motionloom.kernels.machine_code_cache import MachineCodeCache, say_once

Function = TypeVar("Function", bound=Callable[..., Any])
Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bytes = npt.NDArray[np.uint8]
Bools = npt.NDArray[np.bool_]
Signs = npt.NDArray[np.int8]


class _Compilation(event.Listener):
    """Says once per process that compiling takes a moment, and defers interrupts until it is done.

    Cached kernels compile nothing and never come through here.
    """

    def on_start(self, _: event.Event) -> None:
        say_once("compiling numeric kernels for their first use")
        deferral.begin()

    def on_end(self, _: event.Event) -> None:
        deferral.end()


event.register("numba:compile", _Compilation())  # type: ignore[no-untyped-call]


def kernel(function: Function) -> Function:
    """Compile a function on its first call; keep the machine code on disk where that is possible."""
    try:
        compiled = njit(function, cache=True, nogil=True, error_model="numpy")
    except RuntimeError:
        # numba raises at decoration time when no cache folder is writable (read-only install, no home).
        say_once("no folder for machine code is writable: every run compiles it again (set NUMBA_CACHE_DIR)")
        return njit(function, nogil=True, error_model="numpy")  # type: ignore[no-any-return]
    compiled._cache = MachineCodeCache(compiled._cache)
    return compiled  # type: ignore[no-any-return]

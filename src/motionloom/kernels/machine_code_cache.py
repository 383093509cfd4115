"""The cache of machine code on disk: where it is damaged or full, kernels are compiled and work goes on."""

from __future__ import annotations

import logging
from contextlib import suppress
from typing import Any

logger = logging.getLogger("motionloom")

_said: set[str] = set()
"""What was said in this process: once is enough, however many kernels there are."""

_compiled: list[str] = []
"""Kernels that were compiled in this process."""


def say_once(sentence: str) -> None:
    """Log a sentence the first time it is said in this process."""
    if sentence not in _said:
        _said.add(sentence)
        logger.info(sentence)


def report_progress(name: str) -> None:
    """Log that a kernel is being compiled: a sentence the first time, and its name as progress."""
    say_once("compiling numeric kernels for their first use; later runs load them")
    _compiled.append(name)
    logger.info(f"compiling {name} (kernel {len(_compiled)})", extra={"progress": True})


class MachineCodeCache:
    """Numba's cache of one kernel, which never keeps the kernel from being compiled.

    Numba raises whatever unpickling an empty or truncated file raises, and what a full disk raises.

    Parameters
    ----------
    cache
        The cache that Numba made for the kernel.
    name
        The kernel, for messages.
    """

    def __init__(self, cache: Any, name: str) -> None:
        self._cache = cache
        self._name = name

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cache, name)

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """Return the compiled kernel for a signature, or None where it has to be compiled."""
        loaded = None
        try:
            loaded = self._cache.load_overload(signature, target_context)
        except OSError:
            pass  # saving says what is wrong
        except Exception:  # unpickling damaged bytes may raise anything
            say_once(f"machine code in {self._cache.cache_path} is damaged: it is compiled again")
            with suppress(OSError):
                self._cache.flush()
        if loaded is None:
            report_progress(self._name)
        return loaded

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Keep a compiled kernel for later runs, where the disk allows it."""
        try:
            self._cache.save_overload(signature, compiled)
        except Exception as error:  # a damaged index may raise anything
            reason = error.strerror if isinstance(error, OSError) and error.strerror else type(error).__name__
            say_once(
                f"machine code cannot be kept in {self._cache.cache_path} ({reason.lower()}): "
                "every run compiles it again"
            )

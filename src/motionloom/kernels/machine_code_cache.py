"""The cache of machine code on disk: where it is damaged or full, kernels are compiled and work goes on."""

from __future__ import annotations

import logging
from contextlib import suppress
from typing import Any

logger = logging.getLogger("motionloom")

_said: set[str] = set()
"""What was said in this process: once is enough, however many kernels there are."""


def say_once(sentence: str) -> None:
    """Log a sentence the first time it is said in this process."""
    if sentence not in _said:
        _said.add(sentence)
        logger.info(sentence)


class MachineCodeCache:
    """Numba's cache of one kernel, which never keeps the kernel from being compiled.

    Numba raises whatever unpickling an empty or truncated file raises, and what a full disk raises.

    Parameters
    ----------
    cache
        The cache that Numba made for the kernel.
    """

    def __init__(self, cache: Any) -> None:
        self._cache = cache

    def __getattr__(self, name: str) -> Any:
        return getattr(self._cache, name)

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        """Return the compiled kernel for a signature, or None where it has to be compiled."""
        try:
            return self._cache.load_overload(signature, target_context)
        except OSError:
            return None  # saving says what is wrong
        except Exception:  # unpickling damaged bytes may raise anything
            say_once(f"machine code in {self._cache.cache_path} is damaged: it is compiled again")
        with suppress(OSError):
            self._cache.flush()
        return None

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

"""`limit_arenas`: keep the memory of a studio flat that makes clips in many threads for hours.

The C library of most Linux systems gives every thread an arena of its own to allocate from, up to eight per
processor, and none of them hands freed memory to another. Clips are made, shown and freed by changing
threads, so that each arena keeps holes of its own: after some minutes of editing, free memory in arenas grows
although nothing accumulates. Two arenas are enough, since Python lets one thread at a time run and kernels
allocate little.
"""

from __future__ import annotations

import ctypes
import os
import sys

MAX_ARENAS = 2
"""Arenas: one for the event loop and one for the thread that makes clips beside it."""

_M_ARENA_MAX = -8
"""The number of this setting in glibc's ``malloc.h``."""

_VARIABLE = "MALLOC_ARENA_MAX"
"""The environment variable by which users choose for themselves."""


def limit_arenas(count: int = MAX_ARENAS) -> bool:
    """Let threads that begin from now on share a few arenas; tell whether this system has such a setting.

    What the environment variable ``MALLOC_ARENA_MAX`` says stays.

    >>> limit_arenas()                                                  # doctest: +SKIP
    True
    """
    if not sys.platform.startswith("linux") or _VARIABLE in os.environ:
        return False
    library = ctypes.CDLL(None)
    if not hasattr(library, "gnu_get_libc_version"):
        return False
    return bool(library.mallopt(_M_ARENA_MAX, count))

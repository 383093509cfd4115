"""Coroutines in tests."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

_Answer = TypeVar("_Answer")


def run_here(coroutine: Coroutine[Any, Any, _Answer]) -> _Answer:
    """What a coroutine returns, run in a thread of its own: browser tests keep a loop in the first one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()

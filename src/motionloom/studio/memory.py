"""A bound on memory: a result that is too large fails alone instead of taking the machine with it."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

SHARE = 0.75
"""Share of the machine's memory that the studio may take; the browser and the system need the rest."""

CONTAINER = Path("/sys/fs/cgroup/memory.max")
"""Where Linux says how many bytes a container may take; "max" stands for all there are."""


if sys.platform == "linux":

    def memory_of_machine(container: Path = CONTAINER) -> int:
        """Bytes of memory that there are for all programs, or for all of this container.

        >>> memory_of_machine() > 2**20
        True
        """
        whole = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
        with suppress(OSError, ValueError):
            return min(whole, int(container.read_text()))
        return whole

    @contextmanager
    def bounded_memory(share: float = SHARE) -> Iterator[None]:
        """Have allocations beyond a share of the memory fail with a ``MemoryError`` inside of the block.

        Without it the system kills the process, and again whenever the project is opened, since what was too
        large is part of it. Other systems than Linux have no such bound, and page to the disk instead.
        """
        import resource

        before = resource.getrlimit(resource.RLIMIT_DATA)
        most = int(memory_of_machine() * share)
        bounds = [most, *(bound for bound in before if bound != resource.RLIM_INFINITY)]
        resource.setrlimit(resource.RLIMIT_DATA, (min(bounds), before[1]))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_DATA, before)

else:

    @contextmanager
    def bounded_memory(share: float = SHARE) -> Iterator[None]:
        """Do nothing: this system has no bound that tells a program in time."""
        yield

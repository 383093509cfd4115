"""Arenas of the C library: threads share a few of them, where it has any."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

COUNT = """
import ctypes, sys, threading
from motionloom.studio.limit_arenas import limit_arenas

print(limit_arenas(), end=" ")
library = ctypes.CDLL(None)
library.malloc.restype = library.fopen.restype = ctypes.c_void_p
together = threading.Barrier(9)

def allocate():
    library.malloc(ctypes.c_size_t(1000))
    together.wait()
    together.wait()

threads = [threading.Thread(target=allocate) for _ in range(8)]
for thread in threads:
    thread.start()
together.wait()
file = ctypes.c_void_p(library.fopen(sys.argv[1].encode(), b"w"))
library.malloc_info(0, file)
library.fclose(file)
together.wait()
"""
"""Eight threads allocate at the same time; then the C library lists its arenas."""


def count_arenas(path: Path, **variables: str) -> tuple[bool, int]:
    """Whether arenas were limited in a process, and how many it has."""
    own = {name: value for name, value in os.environ.items() if name != "MALLOC_ARENA_MAX"}
    run = subprocess.run(
        [sys.executable, "-c", COUNT, str(path)],
        env={**own, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr[-2000:]
    return run.stdout.strip() == "True", path.read_text().count("<heap nr=")


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="the C library of this system has no arenas")
def test_threads_share_arenas_unless_the_user_chose(tmp_path: Path) -> None:
    assert count_arenas(tmp_path / "arenas.xml") == (True, 2)
    limited, count = count_arenas(tmp_path / "chosen.xml", MALLOC_ARENA_MAX="5")
    assert not limited
    assert count == 5

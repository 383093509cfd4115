"""Where modules of POSIX are missing, as on Windows, everything imports, and files are read and blended."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

POSIX = ("fcntl", "resource", "termios", "tty", "pwd", "grp", "pty", "syslog", "readline")

EMULATED = f"""
import ctypes, multiprocessing.util, os, pkgutil, socket, subprocess, sys, tempfile
from importlib import import_module
import click, llvmlite.binding, numba, numpy.testing, PIL.Image, rich.console, scipy.linalg, scipy.sparse
import starlette.applications, starlette.staticfiles, uvicorn, websockets

for name in {POSIX!r}:
    sys.modules[name] = None
for name in ("fork", "forkpty", "getuid", "geteuid", "getpgid", "killpg", "fchmod", "chown", "sysconf"):
    if hasattr(os, name):
        delattr(os, name)
sys.platform = "win32"

import motionloom

skipped = ("motionloom.__main__", ".worker")
modules = [
    found.name
    for found in pkgutil.walk_packages(motionloom.__path__, "motionloom.")
    if not found.name.endswith(skipped)
]
for name in modules:
    import_module(name)
print(len(modules), "modules")

from motionloom.cli.main import main

for line in (
    "synthesize walk --duration 2 --fps 30 -o walk.bvh",
    "synthesize jog --duration 2 --fps 30 -o jog.bvh",
    "blend walk.bvh jog.bvh -w 0.5 0.5 -o half.bvh",
    "info half.bvh",
):
    try:
        main(line.split())
    except SystemExit as end:
        assert not end.code, line
"""


@pytest.mark.slow
def test_without_posix(tmp_path: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", EMULATED],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={**os.environ, "NUMBA_OPT": "0"},  # compiling takes most of the time
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    assert int(ended.stdout.split()[0]) > 200
    assert (tmp_path / "half.bvh").exists()


def test_workers_without_memory_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    from motionloom.jobs.worker_memory import limit_memory

    monkeypatch.setitem(sys.modules, "resource", None)
    limit_memory()


WINDOWS_LOCK = """
import sys, types
from pathlib import Path

locked = set()

def locking(handle, mode, n_bytes):
    import os
    key = os.fstat(handle).st_ino
    if key in locked:
        raise OSError(13, "Permission denied")
    locked.add(key)

sys.modules["msvcrt"] = types.SimpleNamespace(locking=locking, LK_NBLCK=2)
sys.modules["fcntl"] = None
import motionloom.errors, tempfile
sys.platform = "win32"
from motionloom.studio import folder_lock
import os
place = Path(tempfile.mkdtemp()) / "lock"
handles = [os.open(place, os.O_RDWR | os.O_CREAT) for _ in range(2)]
folder_lock._lock_at_once(handles[0])
try:
    folder_lock._lock_at_once(handles[1])
except OSError as error:
    print("second refused")
"""


def test_the_lock_of_windows() -> None:
    ended = subprocess.run([sys.executable, "-c", WINDOWS_LOCK], capture_output=True, text=True, check=False)
    assert ended.stdout == "second refused\n", ended.stderr

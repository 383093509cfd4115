"""One studio per project: a lock that the system lets go of when the process ends, however it ends."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from motionloom.errors import MotionloomError
from motionloom.messages import Argument

LOCK_NAME = ".studio.lock"

PID_LENGTH = 20
"""Bytes that the number of the process takes in the file; what is locked on Windows lies behind them."""


@contextmanager
def only_studio(folder: Path) -> Iterator[None]:
    """Hold the lock of a project's folder, or fail where another process has it.

    >>> import tempfile
    >>> with only_studio(Path(tempfile.mkdtemp())):
    ...     pass
    """
    try:
        handle = os.open(folder / LOCK_NAME, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o666)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise MotionloomError(
            f"cannot write into the project's folder {folder}: {reason}",
            remedy=("choose another with ", Argument("project")),
        ) from error
    try:
        _lock(handle, folder)
        os.truncate(handle, 0)
        os.write(handle, str(os.getpid()).encode())
        yield
    finally:
        # The file stays: removing it would let two others lock two files of one name.
        os.close(handle)


def _lock(handle: int, folder: Path) -> None:
    try:
        _lock_at_once(handle)
    except OSError:
        owner = os.read(handle, PID_LENGTH).decode(errors="replace").strip() or "unknown"
        raise MotionloomError(
            f"the project {folder} is open in another studio (process {owner})",
            remedy=("use or stop that one, or open another project with ", Argument("project")),
        ) from None


if sys.platform == "win32":

    def _lock_at_once(handle: int) -> None:
        import msvcrt

        os.lseek(handle, PID_LENGTH, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        finally:
            os.lseek(handle, 0, os.SEEK_SET)

else:

    def _lock_at_once(handle: int) -> None:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)

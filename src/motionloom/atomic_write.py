"""Write files so that readers see the old one or the whole new one; lock files; make folders."""

from __future__ import annotations

import os
import re
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from os import PathLike
from pathlib import Path

from motionloom.errors import FileExistsRefusal, MotionloomError

_NEW_FILE_MODE = 0o666
"""Permissions a new file asks for, before the user's umask takes its bits away."""

_PRIVATE_MODE = 0o600

_LEFTOVER = re.compile(r"\.motionloom-[0-9a-f]{16}(\..*)?")
"""Names of files until they are whole: those that nobody else gives to a file."""

MAX_LOCK_AGE = 10.0
"""Seconds after which a lock was left by a process that was killed: files are locked for milliseconds."""

MAX_LOCK_WAIT = 30.0
"""Seconds that a lock is waited for: many processes take turns in less, and old locks are removed before."""

_LOCK_WAIT = 0.01
"""Seconds from one attempt to lock a file to the next."""


@contextmanager
def atomic_output(path: str | PathLike[str], overwrite: bool = False) -> Iterator[Path]:
    """Give a temporary file to write to, and put it in the place of ``path`` when the block succeeds.

    The temporary file lies in the same folder and has the same suffix. On success it is flushed to the
    disk and renamed; on any exception, KeyboardInterrupt included, it is removed and an older file at
    ``path`` stays as it was. A symbolic link is followed: the file it points to is replaced, not the link.

    Parameters
    ----------
    path
        The file to make.
    overwrite
        Whether a file that is already there may be replaced.

    Raises
    ------
    FileExistsRefusal
        ``path`` exists and ``overwrite`` is False.
    MotionloomError
        The folder does not exist, cannot be written to, or ``path`` is a folder.

    >>> from tempfile import mkdtemp
    >>> folder = Path(mkdtemp())
    >>> with atomic_output(folder / "note.txt") as temporary:
    ...     _ = temporary.write_text("whole")
    >>> [(file.name, file.read_text()) for file in folder.iterdir()]
    [('note.txt', 'whole')]
    """
    place = Path(os.path.realpath(path))
    _refuse_unwritable(Path(path), place, overwrite)
    temporary = _make_temporary(Path(path), place)
    try:
        yield temporary
        _copy_permissions(place, temporary)
        _flush_to_disk(temporary)
        if not overwrite and place.exists():  # somebody else made it while the block ran
            raise FileExistsRefusal(path)
        os.replace(temporary, place)
    except BaseException:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise
    flush_folder(place.parent)


def remove_leftovers(folder: Path) -> None:
    """Remove what processes that were killed had half written; nobody else may be writing in the folder.

    >>> from tempfile import mkdtemp
    >>> folder = Path(mkdtemp())
    >>> for name in (".motionloom-0123456789abcdef.bvh", ".mine"):
    ...     (folder / name).touch()
    >>> remove_leftovers(folder)
    >>> [file.name for file in folder.iterdir()]
    ['.mine']
    """
    for path in folder.iterdir():
        if _LEFTOVER.fullmatch(path.name) and path.is_file():
            path.unlink()


@contextmanager
def lock_file(path: str | PathLike[str]) -> Iterator[None]:
    """Let one process or thread at a time read a file, change what it read, and write it again.

    A hidden file beside it is the lock. Only those who lock a file wait for each other; readers do not, if
    the file is written with :func:`atomic_output`.

    Parameters
    ----------
    path
        The file, which need not exist.

    Raises
    ------
    MotionloomError
        The folder cannot be written to, or a lock stays there although nobody can hold it that long.

    >>> from tempfile import mkdtemp
    >>> folder = Path(mkdtemp())
    >>> with lock_file(folder / "list.json"):
    ...     [file.name for file in folder.iterdir()]
    ['.list.json.lock']
    >>> list(folder.iterdir())
    []
    """
    place = Path(os.path.realpath(path))
    _refuse_unwritable(Path(path), place, overwrite=True)
    lock = place.with_name(f".{place.name}.lock")
    owner = secrets.token_hex(8)
    end = time.monotonic() + MAX_LOCK_WAIT
    while not _make_lock(Path(path), lock, owner):
        # A lock of the future, or one that may not be removed, would be waited for without end.
        if time.monotonic() > end:
            raise MotionloomError(
                f"{path} is locked by {lock}", remedy="remove that if no other program is at work"
            )
        time.sleep(_LOCK_WAIT)
        with suppress(OSError):
            if time.time() - lock.stat().st_mtime > MAX_LOCK_AGE:
                lock.unlink()
    try:
        yield
    finally:
        # A lock that was held for too long may have been taken for a killed process's, and be another's now.
        with suppress(OSError):
            if lock.read_text() == owner:
                lock.unlink()


def _make_lock(named: Path, lock: Path, owner: str) -> bool:
    """Make a lock that tells its owner; return False where another has made it."""
    try:
        handle = os.open(lock, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _PRIVATE_MODE)
        try:
            os.write(handle, owner.encode())
        finally:
            os.close(handle)
    except FileExistsError:
        return False
    except OSError as error:
        raise _unwritable_error(named, lock.parent, error) from error
    return True


def make_folder(path: Path) -> None:
    """Make a folder, and those above it, unless it is there."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise MotionloomError(f"cannot make the folder {path}: {reason}; choose another place") from None


def _refuse_unwritable(named: Path, place: Path, overwrite: bool) -> None:
    if place.is_dir():
        raise MotionloomError(f"{named} is a folder", remedy="give the name of a file to write")
    if not place.parent.is_dir():
        raise MotionloomError(
            f"cannot write {named}: the folder {place.parent} does not exist; create it first"
        )
    if place.exists() and not overwrite:
        raise FileExistsRefusal(named)


def _make_temporary(named: Path, place: Path) -> Path:
    """Make an empty file in the folder of ``place``, hidden, with its suffix.

    It is private where it replaces a file, which may be, and has the permissions of any new file elsewhere.
    """
    temporary = place.with_name(f".motionloom-{secrets.token_hex(8)}{place.suffix}")
    mode = _PRIVATE_MODE if place.exists() else _NEW_FILE_MODE
    try:
        os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY, mode))
    except OSError as error:
        raise _unwritable_error(named, place.parent, error) from error
    return temporary


def _copy_permissions(place: Path, temporary: Path) -> None:
    """Give a file the permissions of the one that it replaces."""
    with suppress(OSError):  # there is none, or the file system has no permissions
        temporary.chmod(place.stat().st_mode & 0o777)


def _unwritable_error(named: Path, folder: Path, error: OSError) -> MotionloomError:
    return MotionloomError(
        f"cannot write {named}: {(error.strerror or str(error)).lower()} in the folder {folder}; "
        "choose a folder you may write to"
    )


def _flush_to_disk(path: Path) -> None:
    with open(path, "rb+") as file:
        os.fsync(file.fileno())


def flush_folder(folder: Path) -> None:
    """Make new and renamed files of a folder durable, where the system can open folders (Windows cannot)."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        return
    with suppress(OSError):
        os.fsync(handle)
    os.close(handle)

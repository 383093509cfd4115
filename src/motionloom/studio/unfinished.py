"""Which clips were being made when the studio ended before its time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Lock

from motionloom.atomic_write import atomic_output
from motionloom.errors import MotionloomError
from motionloom.json_files import check_plain_file

FILE = "making.json"
"""The file in a project's folder that lists what is being made; an orderly end removes it."""

MAX_BYTES = 1 << 20
"""Bytes beyond which the file is none of ours."""

MAX_ATTEMPTS = 2
"""Ends of the studio with a clip in the making after which it is left alone until somebody asks for it: one
may be chance, as when the machine was switched off."""


class Unfinished:
    """Keeps keys of clips in a file while they are made, and tells which were there before.

    A clip can end the whole process: it may take all memory, or crash a library. Made first thing at every
    start it would keep its project closed for ever.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     died = Unfinished(Path(folder))
    ...     making = died.making("a")
    ...     making.__enter__()
    ...     again = Unfinished(Path(folder))
    ...     again.attempts("a"), again.attempts("b")
    (1, 0)
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / FILE
        self._before = _read(self._path)
        self._making: dict[str, int] = {}
        self._lock = Lock()

    def attempts(self, key: str) -> int:
        """Return how often the studio ended before its time while the clip with this key was made."""
        return self._before.get(key, 0)

    def forget(self) -> None:
        """Take every clip as if nothing had happened with it: somebody asked for one again."""
        with self._lock:
            self._before.clear()
            self._write()

    @contextmanager
    def making(self, key: str) -> Iterator[None]:
        """Note that a clip is being made, until the block is left in whatever way."""
        with self._lock:
            self._making[key] = self._before.pop(key, 0) + 1
            self._write()
        try:
            yield
        finally:
            with self._lock:
                self._making.pop(key, None)
                self._write()

    def _write(self) -> None:
        noted = {**self._before, **self._making}
        with suppress(OSError, MotionloomError):  # a full disk keeps nobody from making clips
            if self._path.is_symlink():
                # A project from elsewhere could name any file of the user here.
                self._path.unlink()
            if noted:
                with atomic_output(self._path, overwrite=True) as temporary:
                    temporary.write_text(json.dumps(noted))
            else:
                self._path.unlink(missing_ok=True)


def _read(path: Path) -> dict[str, int]:
    """Read the keys and counts of a file that a killed process may have left half written."""
    try:
        check_plain_file(path)
        if path.is_symlink() or path.stat().st_size > MAX_BYTES:
            return {}
        data = json.loads(path.read_text())
    except (OSError, ValueError, RecursionError, MotionloomError):
        return {}
    if not isinstance(data, dict):
        return {}
    return {key: count for key, count in data.items() if type(count) is int}

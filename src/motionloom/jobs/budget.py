"""How much memory reading a file may take: readers ask before they allocate.

A small file can stand for a large motion: zeros that compress well, keys that are far apart, joints without
channels. Readers count what they are about to decode, and refuse a file whose motion is out of proportion to
its size. Everything that reading does takes time in proportion to what is counted, so that memory bounds time
too; a library that runs in a process of its own is stopped by :data:`SECONDS_PER_MEGABYTE`.
"""

from __future__ import annotations

from pathlib import Path

from motionloom.errors import FileTooLargeError
from motionloom.json_files import check_plain_file
from motionloom.messages import Argument
from motionloom.validation import check_count

BYTES_PER_FILE_BYTE = 20
"""Bytes of memory that reading may take for every byte of the file. Captured motion takes up to 13: single
precision becomes double, and unit, axes and faults are found on positions of all joints."""

MIN_BYTES = 50_000_000
"""Bytes of memory that reading any file may take besides: a few keys may span minutes."""

BYTES_PER_SAMPLE = 150
"""Bytes that a joint takes in a frame: rotations and positions, local and in the world (up to 112), and what
the detection of unit, axes, faults and loops computes from them."""

BYTES_PER_POINT = 100
"""Bytes that a point without a skeleton takes in a frame: its position (24), and what finds unit and axes."""

BYTES_PER_JOINT = 3_000
"""Bytes that a joint or point takes in all: its name, its entries in tables, its part of the anatomy."""

SECONDS_PER_MEGABYTE = 2.0
"""Seconds that reading may take for every megabyte of the file."""

_BYTES_PER_JSON_SIGN = {b"{": 240, b"[": 64, b",": 40}
"""Bytes of the objects that Python makes where JSON text has these signs; strings count by their length."""

MEGABYTE = 1_000_000

ALLOW_MORE = ("if you trust the file, allow more with ", Argument("max_memory"))
"""What to do about a file that stands for more than reading it may take."""


class Budget:
    """The memory that reading one file may take, in bytes of what is decoded from it.

    Parameters
    ----------
    path
        The file.
    max_memory
        Bytes that the caller allows; by default 20 times the file's size and 50 MB.

    >>> budget = Budget(Path("walk.glb"), max_memory=10_000_000)
    >>> budget.claim_samples(100, 60)
    >>> budget.claimed
    1080000
    """

    def __init__(self, path: Path, max_memory: int | None = None) -> None:
        self.path = path
        self.claimed = 0
        self._max_memory = None if max_memory is None else check_count("max_memory", max_memory)
        self._file_size = _size_of(path)

    @property
    def allowed(self) -> int:
        """Bytes that reading may take."""
        if self._max_memory is not None:
            return self._max_memory
        return BYTES_PER_FILE_BYTE * self._file_size + MIN_BYTES

    def include(self, path: Path) -> None:
        """Count a file that belongs to this one, such as its skeleton, into its size."""
        self._file_size += _size_of(path)

    def claim(self, n_bytes: int, why: str = "") -> None:
        """Count memory that is about to be used, or refuse the file; ``why`` says what takes it."""
        self.claimed += n_bytes
        if self.claimed > self.allowed:
            given = f"{BYTES_PER_FILE_BYTE} times its size and {MIN_BYTES // MEGABYTE} MB"
            allowed = f"{_in_megabytes(self.allowed)} MB are allowed"
            raise FileTooLargeError(
                self.path,
                f"{why}{': ' if why else ''}reading it would take about {_in_megabytes(self.claimed)} MB, "
                f"and {allowed}{'' if self._max_memory else f' ({given})'}",
                remedy=ALLOW_MORE,
                needed=self.claimed,
                allowed=self.allowed,
            )

    def claim_samples(self, n_frames: int, n_joints: int, why: str = "") -> None:
        """Count a clip of so many frames and joints."""
        size = f"{n_frames} frames of {n_joints} joints"
        self.claim(n_frames * n_joints * BYTES_PER_SAMPLE + n_joints * BYTES_PER_JOINT, why or size)

    def claim_points(self, n_frames: int, n_points: int) -> None:
        """Count a clip of so many frames and points."""
        size = f"{n_frames} frames of {n_points} points"
        self.claim(n_frames * n_points * BYTES_PER_POINT + n_points * BYTES_PER_JOINT, size)

    def claim_json(self, text: bytes) -> None:
        """Count the objects that JSON text becomes."""
        objects = sum(size * text.count(sign) for sign, size in _BYTES_PER_JSON_SIGN.items())
        self.claim(2 * len(text) + objects, "its JSON part")


def _size_of(path: Path) -> int:
    """Return the size of a file; a reader that cannot open it says why."""
    check_plain_file(path)
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _in_megabytes(n_bytes: int) -> str:
    return f"{-(-n_bytes // MEGABYTE):,}"

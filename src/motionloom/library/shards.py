"""Shards: the arrays of all takes, one after the other in a few files that are mapped into memory.

Bytes are only ever added at the end, and count once the catalogue says where they are. So a writer that is
killed leaves nothing behind but bytes that the next one overwrites, and readers need no lock.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from motionloom.atomic_write import flush_folder
from motionloom.errors import MotionloomError
from motionloom.library.errors import DamagedLibraryError

Kind = Literal["poses", "points", "signatures10", "signatures30"]
KINDS: tuple[Kind, ...] = ("poses", "points", "signatures10", "signatures30")

MAX_SHARD = 1 << 29
"""Bytes after which the next take begins a new file."""

ALIGNMENT = 64
"""Bytes at whose multiples arrays begin: a cache line."""


@dataclass(frozen=True)
class Location:
    """Where the bytes of an array lie.

    Attributes
    ----------
    shard
        Number of the file.
    offset, size
        Bytes from the start of the file, and how many.
    checksum
        CRC-32 of the bytes.
    """

    shard: int
    offset: int
    size: int
    checksum: int


class ShardReader:
    """Maps shards of one kind into memory, each when it is first asked for."""

    def __init__(self, folder: Path, kind: Kind) -> None:
        self._folder, self._kind = folder, kind
        self._maps: dict[int, npt.NDArray[np.uint8]] = {}

    def read(self, location: Location, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
        """Return the array at a location, flat and read-only; its memory is that of the file."""
        return self.map(location.shard, location.offset + location.size)[
            location.offset : location.offset + location.size
        ].view(dtype)

    def map(self, shard: int, size: int) -> npt.NDArray[np.uint8]:
        """Return the bytes of a shard, of which there must be ``size`` at least."""
        known = self._maps.get(shard)
        if known is None or len(known) < size:
            path = shard_path(self._folder, self._kind, shard)
            try:
                known = np.asarray(np.memmap(path, np.uint8, "r"))
            except (OSError, ValueError):
                raise DamagedLibraryError(self._folder, f"{path.name} is missing or empty") from None
            if len(known) < size:
                raise DamagedLibraryError(self._folder, f"{path.name} was cut short")
            self._maps[shard] = known
        return known

    def is_whole(self, location: Location) -> bool:
        """Return whether the bytes at a location are those that were written."""
        try:
            return zlib.crc32(self.read(location, np.uint8).data) == location.checksum
        except DamagedLibraryError:
            return False


def find_damage(folder: Path, takes: Iterable[Mapping[Kind, Location]]) -> Iterator[list[Kind]]:
    """Yield for each take, given where its arrays lie, those that are not what was written."""
    readers = {kind: ShardReader(folder, kind) for kind in KINDS}
    for locations in takes:
        yield [kind for kind, location in locations.items() if not readers[kind].is_whole(location)]


class ShardWriter:
    """Appends arrays to the last shard of one kind; only the process that holds the writer's lock makes one.

    Parameters
    ----------
    folder, kind
        The library, and which of its arrays.
    occupied
        For each shard, the bytes that the catalogue knows of: what lies beyond is overwritten.
    """

    def __init__(self, folder: Path, kind: Kind, occupied: dict[int, int]) -> None:
        self._folder, self._kind = folder, kind
        self._shard = max(occupied, default=0)
        self._end = occupied.get(self._shard, 0)
        self._dirty: set[int] = set()

    def append(self, array: npt.NDArray[Any]) -> Location:
        """Write an array at the end, and return where it lies. It may not be on the disk yet."""
        content = np.ascontiguousarray(array).tobytes()
        offset = -(-self._end // ALIGNMENT) * ALIGNMENT
        if offset and offset + len(content) > MAX_SHARD:
            self._shard, offset = self._shard + 1, 0
        path = shard_path(self._folder, self._kind, self._shard)
        is_new = not path.exists()
        try:
            with path.open("w+b" if is_new else "r+b") as file:
                file.seek(offset)
                file.write(content)
            if is_new:
                flush_folder(self._folder)
        except OSError as error:
            raise MotionloomError(f"cannot write {path}: {error.strerror}") from None
        self._end = offset + len(content)
        self._dirty.add(self._shard)
        return Location(self._shard, offset, len(content), zlib.crc32(content))

    def flush(self) -> None:
        """Wait until everything is on the disk."""
        for shard in sorted(self._dirty):
            path = shard_path(self._folder, self._kind, shard)
            try:
                with path.open("r+b") as file:
                    os.fsync(file.fileno())
            except OSError as error:
                raise MotionloomError(f"cannot write {path}: {error.strerror}") from None
        self._dirty.clear()


def shard_path(folder: Path, kind: Kind, shard: int) -> Path:
    """Return the file of a shard.

    >>> shard_path(Path("takes.library"), "poses", 3).name
    'poses-0003.bin'
    """
    return folder / f"{kind}-{shard:04d}.bin"


def list_shards(folder: Path, kind: Kind) -> list[tuple[int, Path]]:
    """Return the numbers and files of all shards of a kind that are there."""
    found = []
    for path in sorted(folder.glob(f"{kind}-*.bin")):
        number = path.stem.removeprefix(f"{kind}-")
        if number.isdigit():
            found.append((int(number), path))
    return found


def find_ends(locations: Iterable[Location]) -> dict[int, int]:
    """Return for each shard the bytes up to the end of the last array in it.

    >>> find_ends([Location(0, 0, 100, 0), Location(0, 128, 10, 0)])
    {0: 138}
    """
    ends: dict[int, int] = {}
    for location in locations:
        ends[location.shard] = max(ends.get(location.shard, 0), location.offset + location.size)
    return ends

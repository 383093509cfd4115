"""Give back the space of takes that were removed.

All arrays are written one after the other into new shards, and the catalogue changes over to them in one
step; only then are the old ones deleted. A process that is killed in between leaves files that the next call
deletes.
"""

from __future__ import annotations

import sys
from collections.abc import Container, Mapping
from contextlib import suppress
from pathlib import Path

import numpy as np

from motionloom.library.catalogue import Catalogue, TakeRow, dump_locations
from motionloom.library.errors import DamagedLibraryError
from motionloom.library.shards import KINDS, Kind, Location, ShardReader, ShardWriter, list_shards


def compact_library(catalogue: Catalogue) -> int:
    """Rewrite the shards without gaps, and return the bytes saved; the caller holds the lock."""
    before = _count_bytes(catalogue)
    rows = catalogue.takes()
    known = {kind: {number for number, _ in list_shards(catalogue.folder, kind)} for kind in KINDS}
    first = {kind: max(numbers, default=-1) + 1 for kind, numbers in known.items()}
    readers = {kind: ShardReader(catalogue.folder, kind) for kind in KINDS}
    writers = {kind: ShardWriter(catalogue.folder, kind, {first[kind]: 0}) for kind in KINDS}
    try:
        moved = [(dump_locations(_move(row, readers, writers, catalogue.folder)), row.id) for row in rows]
        for writer in writers.values():
            writer.flush()
        with catalogue.change() as database:
            database.executemany("UPDATE takes SET locations = ? WHERE id = ?", moved)
            database.execute("DELETE FROM skeletons WHERE id NOT IN (SELECT skeleton FROM takes)")
    except BaseException:
        # Nothing knows of the new shards; on a full disk they would keep others from writing.
        _delete_shards(catalogue, {kind: range(number, sys.maxsize) for kind, number in first.items()})
        raise
    _delete_shards(catalogue, known)
    catalogue.vacuum()
    return before - _count_bytes(catalogue)


def _move(
    row: TakeRow, readers: Mapping[Kind, ShardReader], writers: Mapping[Kind, ShardWriter], folder: Path
) -> dict[Kind, Location]:
    """Copy the arrays of a take, and return where they lie then."""
    moved = {}
    for kind, location in row.locations.items():
        # A copy of damaged bytes would have a checksum that says they are whole.
        if not readers[kind].is_whole(location):
            raise DamagedLibraryError(folder, f"the {kind} of {row.name} are not what was written")
        moved[kind] = writers[kind].append(readers[kind].read(location, np.uint8))
    return moved


def _delete_shards(catalogue: Catalogue, numbers: Mapping[Kind, Container[int]]) -> None:
    for kind, own in numbers.items():
        for number, path in list_shards(catalogue.folder, kind):
            if number in own:
                # Where another process still reads the file, some systems keep it: the next call deletes it.
                with suppress(OSError):
                    path.unlink()


def _count_bytes(catalogue: Catalogue) -> int:
    return sum(path.stat().st_size for path in catalogue.folder.iterdir() if path.is_file())

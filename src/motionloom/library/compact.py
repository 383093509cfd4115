"""Give back the space of takes that were removed, and store those of old libraries as it is done now.

All arrays are written one after the other into new shards, and the catalogue changes over to them in one
step; only then are the old ones deleted. A process that is killed in between leaves files that the next call
deletes.
"""

from __future__ import annotations

import sys
from collections.abc import Container, Mapping
from contextlib import suppress

import numpy as np

from motionloom.library.catalogue import Catalogue, TakeRow, put_arrays
from motionloom.library.errors import DamagedLibraryError
from motionloom.library.shards import KINDS, Kind, Location, ShardReader, ShardWriter, list_shards
from motionloom.library.stored_clip import StoredClip, convert_clip


def compact_library(catalogue: Catalogue) -> int:
    """Rewrite the shards without gaps, and return the bytes saved; the caller holds the lock."""
    before = _count_bytes(catalogue)
    rows = catalogue.takes()
    known = {kind: {number for number, _ in list_shards(catalogue.folder, kind)} for kind in KINDS}
    first = {kind: max(numbers, default=-1) + 1 for kind, numbers in known.items()}
    readers = {kind: ShardReader(catalogue.folder, kind) for kind in KINDS}
    writers = {kind: ShardWriter(catalogue.folder, kind, {first[kind]: 0}) for kind in KINDS}
    try:
        moved = [_move(row, readers, writers, catalogue) for row in rows]
        for writer in writers.values():
            writer.flush()
        with catalogue.change() as database:
            for row, (locations, header) in zip(rows, moved, strict=True):
                put_arrays(database, row.id, locations, header)
            database.execute("DELETE FROM skeletons WHERE id NOT IN (SELECT skeleton FROM takes)")
    except BaseException:
        # Nothing knows of the new shards; on a full disk they would keep others from writing.
        _delete_shards(catalogue, {kind: range(number, sys.maxsize) for kind, number in first.items()})
        raise
    _delete_shards(catalogue, known)
    catalogue.vacuum()
    return before - _count_bytes(catalogue)


def _move(
    row: TakeRow,
    readers: Mapping[Kind, ShardReader],
    writers: Mapping[Kind, ShardWriter],
    catalogue: Catalogue,
) -> tuple[dict[Kind, Location], str | None]:
    """Copy the arrays of a take, and return where they lie then, and its header if that is a new one."""
    moved, new_header = dict[Kind, Location](), None
    for kind, location in row.locations.items():
        # A copy of damaged bytes would have a checksum that says they are whole.
        if not readers[kind].is_whole(location):
            raise DamagedLibraryError(catalogue.folder, f"the {kind} of {row.name} are not what was written")
        array = readers[kind].read(location, np.uint8)
        if kind == "poses":
            header = catalogue.header(row.id) or ""
            stored = StoredClip(catalogue.skeleton(row.skeleton), header, array)
            clip = convert_clip(stored, catalogue.folder)
            array, new_header = clip.poses, None if clip is stored else clip.header
        moved[kind] = writers[kind].append(array)
    return moved, new_header


def _delete_shards(catalogue: Catalogue, numbers: Mapping[Kind, Container[int]]) -> None:
    for kind, own in numbers.items():
        for number, path in list_shards(catalogue.folder, kind):
            if number in own:
                # Where another process still reads the file, some systems keep it: the next call deletes it.
                with suppress(OSError):
                    path.unlink()


def _count_bytes(catalogue: Catalogue) -> int:
    return sum(path.stat().st_size for path in catalogue.folder.iterdir() if path.is_file())

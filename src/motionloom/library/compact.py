"""Give back the space of takes that were removed.

All arrays are written one after the other into new shards, and the catalogue changes over to them in one
step; only then are the old ones deleted. A process that is killed in between leaves files that the next call
deletes.
"""

from __future__ import annotations

import json
from contextlib import suppress

import numpy as np

from motionloom.library.catalogue import Catalogue
from motionloom.library.errors import DamagedLibraryError
from motionloom.library.shards import KINDS, ShardReader, ShardWriter, list_shards, shard_path


def compact_library(catalogue: Catalogue) -> int:
    """Rewrite the shards without gaps, and return the bytes saved; the caller holds the lock."""
    before = _count_bytes(catalogue)
    rows = catalogue.takes()
    known = {kind: {number for number, _ in list_shards(catalogue.folder, kind)} for kind in KINDS}
    first = {kind: max(numbers, default=-1) + 1 for kind, numbers in known.items()}
    readers = {kind: ShardReader(catalogue.folder, kind) for kind in KINDS}
    writers = {kind: ShardWriter(catalogue.folder, kind, {first[kind]: 0}) for kind in KINDS}
    moved: list[tuple[str, int]] = []
    for row in rows:
        locations = {}
        for kind, location in row.locations.items():
            # A copy of damaged bytes would have a checksum that says they are whole.
            if not readers[kind].is_whole(location):
                raise DamagedLibraryError(
                    catalogue.folder, f"the {kind} of {row.name} are not what was written"
                )
            new = writers[kind].append(readers[kind].read(location, np.uint8))
            locations[kind] = [new.shard, new.offset, new.size, new.checksum]
        moved.append((json.dumps(locations), row.id))
    for writer in writers.values():
        writer.flush()
    with catalogue.change() as database:
        database.executemany("UPDATE takes SET locations = ? WHERE id = ?", moved)
        database.execute(
            "DELETE FROM skeletons WHERE id NOT IN (SELECT skeleton FROM takes)",
        )
    for kind, numbers in known.items():
        for number in numbers:
            # Where another process still reads the file, some systems keep it: the next call deletes it.
            with suppress(OSError):
                shard_path(catalogue.folder, kind, number).unlink()
    catalogue.vacuum()
    return before - _count_bytes(catalogue)


def _count_bytes(catalogue: Catalogue) -> int:
    return sum(path.stat().st_size for path in catalogue.folder.iterdir() if path.is_file())

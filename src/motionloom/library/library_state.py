"""`LibraryState`: the takes of a library at one state of its catalogue, and what a search reads of them.

Processes that work for another one open the state that it works on by its name, from the same folder: so
nothing but names and results is sent to and fro, and all agree on what is searched.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from pathlib import Path

import numpy as np

from motionloom.errors import MotionloomError
from motionloom.library.catalogue import Catalogue, TakeRow
from motionloom.library.errors import DamagedLibraryError
from motionloom.library.search_index import SearchIndex
from motionloom.library.shards import ShardReader
from motionloom.library.stored_clip import StoredClip, restore_clip
from motionloom.library.take import Take
from motionloom.motion import Clip

KEPT_STATES = 4
"""States of libraries that a process keeps open for others."""


@dataclass(frozen=True)
class StateName:
    """By what another process finds the same state.

    Attributes
    ----------
    folder
        The library.
    version
        Of its catalogue.
    last_id, n_takes
        The last take and how many there are: those that were added since do not belong to this state.
    """

    folder: Path
    version: int
    last_id: int
    n_takes: int


class LibraryState:
    """Takes of a library, and their search index.

    Attributes
    ----------
    rows
        The takes as the catalogue knows them, in the order in which they were added.
    version
        Of the catalogue.
    index
        Signatures and points of the takes that can be searched.
    """

    def __init__(self, catalogue: Catalogue, version: int, rows: Sequence[TakeRow]) -> None:
        self._catalogue = catalogue
        self.version, self.rows = version, tuple(rows)
        self.index = SearchIndex(catalogue.folder, self.rows)

    @property
    def name(self) -> StateName:
        """By what another process finds the same state."""
        last_id = self.rows[-1].id if self.rows else 0
        return StateName(self._catalogue.folder.absolute(), self.version, last_id, len(self.rows))

    @cached_property
    def takes(self) -> tuple[Take, ...]:
        """All takes, in the order in which they were added."""
        files = dict[int, list[str]]()
        for file in self._catalogue.files():
            if file.take is not None:
                files.setdefault(file.take, []).append(file.path)
        return tuple(self._make_take(row, tuple(files.get(row.id, ()))) for row in self.rows)

    @cached_property
    def searchable(self) -> tuple[Take, ...]:
        """The takes that can be searched, in the order of the search index."""
        by_id = {take.id: take for take in self.takes}
        return tuple(by_id[row.id] for row in self.index.rows)

    def choose(
        self,
        words: Sequence[str] = (),
        where: Callable[[Take], bool] | None = None,
        subjects: Sequence[str] = (),
    ) -> tuple[int, ...] | None:
        """Return the numbers of the takes that have one of the words and subjects, and a function agrees.

        They are indices into the rows of the search index. Where everything is chosen there are none.
        """
        if not words and not subjects and where is None:
            return None
        return tuple(n for n, take in enumerate(self.searchable) if is_chosen(take, words, where, subjects))

    def still_holds(self) -> bool:
        """Return whether all arrays are still where they were; what was added since does not matter."""
        if self._catalogue.version() == self.version:
            return True
        locations = {row.id: row.locations for row in self._catalogue.takes()}
        return all(locations.get(row.id) == row.locations for row in self.rows)

    def _make_take(self, row: TakeRow, files: tuple[str, ...]) -> Take:
        return Take(
            row.id,
            row.name,
            files,
            row.n_frames,
            row.frame_time,
            row.description,
            row.tags,
            row.notes,
            row.not_searchable,
            partial(_read_clip, self._catalogue.folder, row),
        )


def read_state(catalogue: Catalogue) -> LibraryState:
    """Return the state of a library as it is now."""
    # The version comes first: what is added in between is seen, and looked at again the next time.
    version = catalogue.version()
    return LibraryState(catalogue, version, catalogue.takes())


@lru_cache(KEPT_STATES)
def open_state(name: StateName) -> LibraryState:
    """Open the state that another process works on, or fail where takes were removed since."""
    catalogue = Catalogue(name.folder)
    rows = [row for row in catalogue.takes() if row.id <= name.last_id]
    if len(rows) != name.n_takes:
        raise MotionloomError(f"takes of {name.folder} were removed meanwhile", remedy="try again")
    return LibraryState(catalogue, name.version, rows)


def is_chosen(
    take: Take,
    words: Sequence[str],
    where: Callable[[Take], bool] | None,
    subjects: Sequence[str] = (),
) -> bool:
    """Return whether a take has one of the words and subjects, if there are any, and a function agrees."""
    fits = (not words or any(map(take.has_word, words))) and (not subjects or take.subject in subjects)
    return fits and (where is None or where(take))


def _read_clip(folder: Path, row: TakeRow) -> Clip:
    """Return the motion of a take as it is stored; so a take knows its library by the folder alone."""
    catalogue, reader = Catalogue(folder), ShardReader(folder, "poses")
    location, header = row.locations["poses"], catalogue.header(row.id)
    # A take that was removed since may have given its place to another one.
    if header is None or not reader.is_whole(location):
        raise DamagedLibraryError(folder, f"the motion of {row.name} was overwritten or removed")
    poses = reader.read(location, np.uint8)
    return restore_clip(StoredClip(catalogue.skeleton(row.skeleton), header, poses), folder)

"""`Library`: a folder of takes that can be searched by example.

The folder holds a catalogue (:mod:`motionloom.library.catalogue`) and shards
(:mod:`motionloom.library.shards`). One process at a time may change it; any number may read and search
meanwhile, and see all that was reported as added.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TypeVar

from motionloom.errors import MotionloomError, ParameterError
from motionloom.files.process_files import collect_files
from motionloom.library.add_files import AddReport, add_files
from motionloom.library.catalogue import Catalogue, FileRow
from motionloom.library.compact import compact_library
from motionloom.library.errors import DamagedCatalogueError
from motionloom.library.export import export_takes
from motionloom.library.hits import Hits
from motionloom.library.library_search import check_options, check_rate
from motionloom.library.library_state import LibraryState, is_chosen, read_state
from motionloom.library.match_web import MatchWeb, make_web, open_web
from motionloom.library.near_duplicates import find_near_duplicates
from motionloom.library.parallel_search import search_all, search_one
from motionloom.library.shards import find_damage
from motionloom.library.signatures import SampleRate
from motionloom.library.summary import LibrarySummary, summarize
from motionloom.library.take import Segment, Take
from motionloom.motion import Clip
from motionloom.motion.result import ClipLike
from motionloom.validation import check_count, check_number, check_path

WEB_DISTANCE = 0.08
"""Metres within which poses of a match web correspond."""

MIN_LINK = 0.5
"""Seconds that a link of a match web lasts at least."""

SAME_MOTION = 0.02
"""Metres of mean distance within which takes hold almost the same motion."""

Result = TypeVar("Result")

Paths = str | PathLike[str] | Iterable[str | PathLike[str]]


class Library:
    """A folder of takes that can be searched by example.

    Parameters
    ----------
    path
        The folder. It is made where there is none.

    >>> import tempfile, motionloom as ml
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     len(ml.Library(f"{folder}/takes.library").takes)
    0
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        self.path = check_path(path)
        self._catalogue = Catalogue(self.path)
        self._catalogue.create()
        self._known: LibraryState | None = None

    def __repr__(self) -> str:
        takes = self.takes
        minutes = sum(take.duration for take in takes) / 60.0
        return f"Library({str(self.path)!r}, {len(takes)} takes, {minutes:.1f} minutes)"

    @property
    def takes(self) -> tuple[Take, ...]:
        """All takes, in the order in which they were added."""
        return self._read().takes

    def take(self, name: str | int) -> Take:
        """Return the take with a name, with an id, or that one of its files holds."""
        if isinstance(name, int):
            found = [take for take in self.takes if take.id == name]
        else:
            found = [take for take in self.takes if take.name == name]
            file = str(Path(name).absolute())
            found = found or [take for take in self.takes if file in take.files]
        if len(found) == 1:
            return found[0]
        if found:
            files = ", ".join(take.files[0] for take in found if take.files)
            raise ParameterError(
                f"{len(found)} takes are called {name!r}", remedy=f"name the file of one ({files})"
            )
        raise ParameterError(f"{self.path} has no take {name!r}; `motionloom library list` shows all")

    def clips(self, *words: str) -> list[Clip]:
        """Return the motions of all takes that have one of the words as a tag, in their name or description.

        Without words, of all takes.
        """
        return [take.clip() for take in self.takes if is_chosen(take, words, None)]

    def add(
        self,
        files: Paths,
        *,
        tags: Sequence[str] = (),
        descriptions: Mapping[str, str] | None = None,
        subjects: Mapping[str, str] | None = None,
        jobs: int = 1,
        executor: Executor | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> AddReport:
        """Read files, and add their motion.

        Files that were added before and have not changed are left alone, so an interrupted call goes on where
        it stopped; where their motion in the library is damaged it is written anew. A file that cannot be
        read is recorded with the reason, and stops no others; what it held before stays in the library. What
        the report or the progress counts is on the disk.

        Parameters
        ----------
        files
            A file, a folder, a pattern such as ``takes/*.bvh``, or several of them.
        tags
            Words that all of them get.
        descriptions
            A sentence for each file, by its name without the suffix.
        subjects
            Who performs each file, in the same way; kept as a tag such as "subject:Ann".
        jobs
            Processes that read. A script that uses several needs ``if __name__ == "__main__":``.
        executor
            Where files are read instead.
        progress
            Called with the number of files that are done, and of all.
        """
        check_count("jobs", jobs)
        given = [files] if isinstance(files, str | PathLike) else list(files)
        paths = [path for path, _ in collect_files([check_path(each) for each in given], self.path)]
        with self._catalogue.lock():
            return add_files(
                self._catalogue,
                [path.absolute() for path in paths],
                tags=tuple(tags),
                descriptions=descriptions or {},
                subjects=subjects or {},
                jobs=jobs,
                executor=executor,
                progress=progress,
            )

    def remove(self, takes: Iterable[Take | str | int]) -> None:
        """Forget takes and their files. Their space on the disk stays taken, except at the end of a shard."""
        ids = [(take if isinstance(take, Take) else self.take(take)).id for take in takes]
        with self._catalogue.lock(), self._catalogue.change() as database:
            for id in ids:
                database.execute("DELETE FROM files WHERE take = ?", [id])
                database.execute("DELETE FROM takes WHERE id = ?", [id])

    def update(
        self,
        *,
        jobs: int = 1,
        executor: Executor | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> AddReport:
        """Read files again that changed since they were added, or that could not be read.

        Their takes keep tags and descriptions. Files that are gone keep their takes.
        """
        with self._catalogue.lock():
            return add_files(
                self._catalogue,
                [Path(file.path) for file in self._catalogue.files() if os.path.exists(file.path)],
                tags=(),
                descriptions={},
                subjects={},
                jobs=jobs,
                executor=executor,
                progress=progress,
                retry=True,
            )

    @property
    def files(self) -> tuple[FileRow, ...]:
        """All files that were added, with the reason for those that could not be read."""
        return tuple(self._catalogue.files())

    def check(self) -> list[str]:
        """Return a sentence for everything that is wrong: damaged arrays, files that are gone or changed."""
        rows = self._catalogue.takes()
        damage = find_damage(self.path, (row.locations for row in rows))
        faults = [
            f"{row.name}: its {' and '.join(kinds)} are damaged: add its file again"
            for row, kinds in zip(rows, damage, strict=True)
            if kinds
        ]
        gone = [file.path for file in self._catalogue.files() if not os.path.exists(file.path)]
        return [*faults, *(f"{path}: the file is gone; its motion is still here" for path in gone)]

    def search(
        self,
        query: ClipLike | Segment,
        *,
        k: int = 20,
        mirrored: bool = False,
        words: Sequence[str] = (),
        subjects: Sequence[str] = (),
        where: Callable[[Take], bool] | None = None,
        min_duration: float = 0.0,
        max_duration: float | None = None,
        min_speed: float = 0.0,
        max_speed: float | None = None,
        max_distance: float | None = None,
        steps: int = 1,
        rarity: bool = True,
        rate: SampleRate = 10,
        jobs: int = 1,
        executor: Executor | None = None,
    ) -> Hits:
        """Return the k segments that resemble a motion most, nearest first and without overlaps.

        They are exactly the nearest ones of all segments that run at between half and twice the speed of the
        query, wherever they are and whichever way they face.

        Parameters
        ----------
        query
            A clip, part of one (``clip[20:60]``), or a segment of this library, which is then left out of the
            hits.
        k
            How many hits at most.
        mirrored
            Search for mirrored motion too.
        words, subjects, where
            Search only takes that have one of the words, that one of the subjects performs, or for which a
            function returns true.
        min_duration, max_duration
            Seconds that a hit may last.
        min_speed, max_speed
            Mean speed of a hit's pelvis over the ground, metres per second.
        max_distance
            Metres beyond which nothing is a hit. With several steps, hits of the first one lie within it, by
            default each within its own limit (:attr:`Hit.limit <motionloom.Hit>`); those of later steps may
            be 1.5 times as far from the query.
        steps
            With 2 or 3, hits become queries too, as long as registration would blend them with the first
            query, and what hits agree on is found: more of motion that varies. Hits are then in the order of
            their distance to the first query.
        rarity
            Let poses that are frequent in the library, such as standing, count little.
        rate
            Samples per second, 10 or 30.
        jobs, executor
            With several steps: processes that search for the hits of a step, or where that is done instead.
        """
        options = check_options(
            k, mirrored, min_duration, max_duration, min_speed, max_speed, max_distance, steps, rarity, rate
        )
        check_count("jobs", jobs)

        def search(state: LibraryState) -> Hits:
            chosen = replace(options, chosen=state.choose(words, where, subjects))
            return search_one(query, state, chosen, jobs=jobs, executor=executor)

        return self._work(search)

    def search_all(
        self,
        queries: Iterable[ClipLike | Segment],
        *,
        k: int = 20,
        mirrored: bool = False,
        words: Sequence[str] = (),
        subjects: Sequence[str] = (),
        where: Callable[[Take], bool] | None = None,
        min_duration: float = 0.0,
        max_duration: float | None = None,
        min_speed: float = 0.0,
        max_speed: float | None = None,
        max_distance: float | None = None,
        steps: int = 1,
        rarity: bool = True,
        rate: SampleRate = 10,
        jobs: int = 1,
        executor: Executor | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> list[Hits]:
        """Return the hits of many queries, each as :meth:`search` finds them.

        Parameters
        ----------
        queries
            Clips, parts of clips, or segments of this library.
        k, mirrored, words, subjects, where, min_duration, max_duration, min_speed, max_speed
            As in :meth:`search`.
        max_distance, steps, rarity, rate
            As in :meth:`search`.
        jobs
            Processes that search. A script that uses several needs ``if __name__ == "__main__":``.
        executor
            Where queries are searched for instead; all processes must see the library's folder.
        progress
            Called with the number of queries that are done, and of all.

        >>> kicks = [lib.take(name).segment() for name in ("kick_07", "kick_08")]    # doctest: +SKIP
        >>> [len(hits.near()) for hits in lib.search_all(kicks, jobs=2)]             # doctest: +SKIP
        [14, 9]
        """
        options = check_options(
            k, mirrored, min_duration, max_duration, min_speed, max_speed, max_distance, steps, rarity, rate
        )
        check_count("jobs", jobs)
        wanted = list(queries)

        def search(state: LibraryState) -> list[Hits]:
            chosen = replace(options, chosen=state.choose(words, where, subjects))
            return search_all(wanted, state, chosen, jobs=jobs, executor=executor, progress=progress)

        return self._work(search)

    def match_web(
        self,
        *words: str,
        where: Callable[[Take], bool] | None = None,
        max_distance: float = WEB_DISTANCE,
        min_duration: float = MIN_LINK,
        rate: SampleRate = 10,
        file: str | PathLike[str] | None = None,
        overwrite: bool = False,
        jobs: int = 1,
        executor: Executor | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> MatchWeb:
        """Return all pairs of segments, of all takes, that run alongside each other.

        Each take is compared with all others and with itself. The grid of the distances of two takes is
        searched for minima in rows or columns, and neighbouring minima are chained.

        Parameters
        ----------
        words, where
            Compare only takes that have one of the words, or for which a function returns true.
        max_distance
            Metres within which poses correspond.
        min_duration
            Seconds that a link lasts at least.
        rate
            Samples per second, 10 or 30.
        file, overwrite
            Where to keep the web instead of in memory, and whether to replace a file there.
        jobs, executor
            Processes that compare, or where blocks of takes are compared instead.
        progress
            Called with the number of pairs of blocks that are done, and of all.

        >>> web = lib.match_web("walk")                                              # doctest: +SKIP
        >>> web[0]                                                                   # doctest: +SKIP
        WebLink(16_15 0.40-2.83 s and 16_16 0.33-2.80 s, 2.1 cm)
        """
        limit = check_number("max_distance", max_distance, min=0.0)
        duration = check_number("min_duration", min_duration, min=0.0)
        check_rate(rate)
        check_count("jobs", jobs)
        path, is_done = None if file is None else check_path(file), False

        def compare(state: LibraryState) -> MatchWeb:
            nonlocal is_done
            web = make_web(
                state,
                state.choose(words, where),
                max_distance=limit,
                min_duration=duration,
                rate=rate,
                jobs=jobs,
                executor=executor,
                progress=progress,
                file=path,
                overwrite=overwrite or is_done,
            )
            is_done = True
            return web

        return self._work(compare)

    def open_web(self, file: str | PathLike[str]) -> MatchWeb:
        """Return the web that :meth:`match_web` wrote to a file, as long as its takes are in the library."""
        return self._work(lambda state: open_web(state, check_path(file)))

    def near_duplicates(
        self, *, max_distance: float = SAME_MOTION, progress: Callable[[int, int], None] | None = None
    ) -> list[list[Take]]:
        """Return groups of takes of which each is found whole in another one, within a mean distance.

        Parameters
        ----------
        max_distance
            Metres.
        progress
            Called with the number of takes that are done, and of all.
        """
        limit = check_number("max_distance", max_distance, min=0.0)

        def group(state: LibraryState) -> list[list[Take]]:
            groups = find_near_duplicates(state.index, limit, progress)
            return [[state.searchable[n] for n in group] for group in groups]

        return self._work(group)

    def summary(
        self, *, near_duplicates: bool = False, progress: Callable[[int, int], None] | None = None
    ) -> LibrarySummary:
        """Return what the library holds: hours, skeletons, gaits, what repeats, faults and doubtful rates.

        Parameters
        ----------
        near_duplicates
            Also look for takes that hold almost the same motion.
        progress
            As in :meth:`near_duplicates`.

        >>> print(lib.summary())                                                     # doctest: +SKIP
        910 takes, 1.99 hours, 36 skeletons
        ...
        """
        groups = None
        if near_duplicates:
            found = self.near_duplicates(progress=progress)
            groups = tuple(tuple(take.name for take in group) for group in found)

        def summarize_all(state: LibraryState) -> LibrarySummary:
            try:
                return summarize(state, self._catalogue, groups)
            except (
                ValueError,
                LookupError,
                TypeError,
                AttributeError,
                OverflowError,
                RecursionError,
            ) as error:
                raise DamagedCatalogueError(self.path, f"a take cannot be summarized ({error})") from None

        return self._work(summarize_all)

    def compact(self) -> int:
        """Give back the space of removed takes and of older, larger forms; return how many bytes that are.

        Searches of other processes that began before may fail with a sentence, and succeed when repeated.
        """
        with self._catalogue.lock():
            return compact_library(self._catalogue)

    def export(
        self,
        folder: str | PathLike[str],
        *words: str,
        where: Callable[[Take], bool] | None = None,
        suffix: str = ".bvh",
        overwrite: bool = False,
        progress: Callable[[int, int], None] | None = None,
    ) -> list[Path]:
        """Write the motion of takes to files, and return their paths.

        Parameters
        ----------
        folder
            Where to write; it is made where there is none. ``takes.csv`` in it lists names, descriptions and
            tags, as ``library add --descriptions`` reads them.
        words, where
            Only takes that have one of the words, or for which a function returns true.
        suffix
            Which format, such as ".bvh", ".npz" or ".glb".
        overwrite
            Replace existing files.
        progress
            Called with the number of takes that are written, and of all.
        """
        chosen = [take for take in self.takes if is_chosen(take, words, where)]
        return export_takes(chosen, check_path(folder), suffix, overwrite, progress)

    def _read(self) -> LibraryState:
        """Return the library as it is now."""
        if self._known is None or self._known.version != self._catalogue.version():
            self._known = read_state(self._catalogue)
        return self._known

    def _work(self, work: Callable[[LibraryState], Result]) -> Result:
        """Work on the library as it is now; once more where takes were removed or moved meanwhile."""
        state = self._read()
        try:
            result = work(state)
            if state.still_holds():
                return result
        except MotionloomError:
            if state.still_holds():
                raise
        return work(self._read())

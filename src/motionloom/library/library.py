"""`Library`: a folder of takes that can be searched by example.

The folder holds a catalogue (:mod:`motionloom.library.catalogue`) and shards
(:mod:`motionloom.library.shards`). One process at a time may change it; any number may read and search
meanwhile, and see all that was reported as added.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from functools import partial
from os import PathLike
from pathlib import Path

import numpy as np

from motionloom.errors import ParameterError
from motionloom.files.process_files import collect_files
from motionloom.library.add_files import AddReport, add_files
from motionloom.library.catalogue import Catalogue, FileRow, TakeRow
from motionloom.library.compact import compact_library
from motionloom.library.errors import DamagedLibraryError
from motionloom.library.export import export_takes
from motionloom.library.find_hits import find_hits
from motionloom.library.hits import Hits
from motionloom.library.match_web import MatchWeb, make_web
from motionloom.library.near_duplicates import find_near_duplicates
from motionloom.library.search_index import SearchIndex
from motionloom.library.shards import KINDS, ShardReader
from motionloom.library.signatures import SampleRate
from motionloom.library.stored_clip import StoredClip, restore_clip
from motionloom.library.summary import LibrarySummary, summarize
from motionloom.library.take import Segment, Take
from motionloom.motion import Clip
from motionloom.validation import check_count, check_number, check_path

MAX_STEPS = 3
"""Steps of a search at most: chains of more derail."""

WEB_DISTANCE = 0.08
"""Metres within which poses of a match web correspond."""

MIN_LINK = 0.5
"""Seconds that a link of a match web lasts at least."""

SAME_MOTION = 0.02
"""Metres of mean distance within which takes hold almost the same motion."""

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
        self._known: tuple[int, tuple[Take, ...], SearchIndex] | None = None

    def __repr__(self) -> str:
        takes = self.takes
        minutes = sum(take.duration for take in takes) / 60.0
        return f"Library({str(self.path)!r}, {len(takes)} takes, {minutes:.1f} minutes)"

    @property
    def takes(self) -> tuple[Take, ...]:
        """All takes, in the order in which they were added."""
        return self._read()[0]

    def take(self, name: str) -> Take:
        """Return the take with a name."""
        found = [take for take in self.takes if take.name == name]
        if len(found) == 1:
            return found[0]
        if found:
            files = ", ".join(take.files[0] for take in found if take.files)
            raise ParameterError(f"{len(found)} takes are called {name!r} ({files}): choose one by its id")
        raise ParameterError(f"{self.path} has no take {name!r}; `motionloom library list` shows all")

    def clips(self, *words: str) -> list[Clip]:
        """Return the motions of all takes that have one of the words as a tag, in their name or description.

        Without words, of all takes.
        """
        return [take.clip() for take in self.takes if not words or any(map(take.has_word, words))]

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
        it stopped. A file that cannot be read is recorded with the reason, and stops no others. What the
        report or the progress counts is on the disk.

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

    def remove(self, takes: Iterable[Take | str]) -> None:
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
        """Read files again that changed since they were added.

        Their takes keep tags and descriptions. Files that are gone keep their takes.
        """
        with self._catalogue.lock():
            paths = [Path(file.path) for file in self._catalogue.files()]
            return add_files(
                self._catalogue,
                [path for path in paths if path.exists()],
                tags=(),
                descriptions={},
                subjects={},
                jobs=jobs,
                executor=executor,
                progress=progress,
            )

    @property
    def files(self) -> tuple[FileRow, ...]:
        """All files that were added, with the reason for those that could not be read."""
        return tuple(self._catalogue.files())

    def check(self) -> list[str]:
        """Return a sentence for everything that is wrong: damaged arrays, files that are gone or changed."""
        faults = []
        readers = {kind: ShardReader(self.path, kind) for kind in KINDS}
        for row in self._catalogue.takes():
            damaged = [
                kind for kind, location in row.locations.items() if not readers[kind].is_whole(location)
            ]
            if damaged:
                faults.append(f"{row.name}: its {' and '.join(damaged)} are damaged: add its file again")
        gone = [file.path for file in self._catalogue.files() if not Path(file.path).exists()]
        return [*faults, *(f"{path}: the file is gone; its motion is still here" for path in gone)]

    def search(
        self,
        query: Clip | Segment,
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
            default a limit that suits how much the query moves and how near ordinary segments are; those of
            later steps may be 1.3 times as far from the query.
        steps
            With 2 or 3, hits become queries too, as long as they resemble the first query and registration
            would blend them with it: more is found of motion that varies. Hits are then in the order of their
            distance to the first query.
        rarity
            Let poses that are frequent in the library, such as standing, count little.
        rate
            Samples per second, 10 or 30.
        """
        check_count("k", k, max=100_000)
        _check_rate(rate)
        durations = _check_range("duration", min_duration, max_duration)
        speeds = _check_range("speed", min_speed, max_speed)
        max_metres = None if max_distance is None else check_number("max_distance", max_distance, min=0.0)
        check_count("steps", steps, max=MAX_STEPS)
        takes, index = self._read()
        by_id = {take.id: take for take in takes}
        ordered = [by_id[row.id] for row in index.rows]
        return find_hits(
            query,
            index,
            ordered,
            [n for n, take in enumerate(ordered) if _is_chosen(take, words, where, subjects)],
            k=k,
            mirrored=mirrored,
            durations=durations,
            speeds=speeds,
            max_distance=max_metres,
            steps=steps,
            rarity=rarity,
            rate=rate,
        )

    def match_web(
        self,
        *words: str,
        where: Callable[[Take], bool] | None = None,
        max_distance: float = WEB_DISTANCE,
        min_duration: float = MIN_LINK,
        rate: SampleRate = 10,
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
        takes, index = self._read()
        by_id = {take.id: take for take in takes}
        rows = [row for row in index.rows if _is_chosen(by_id[row.id], words, where)]
        return make_web(
            self.path,
            takes,
            rows,
            max_distance=limit,
            min_duration=duration,
            rate=_check_rate(rate),
            jobs=check_count("jobs", jobs),
            executor=executor,
            progress=progress,
        )

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
        takes, index = self._read()
        by_id = {take.id: take for take in takes}
        groups = find_near_duplicates(index, limit, progress)
        return [[by_id[index.rows[n].id] for n in group] for group in groups]

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
        takes, index = self._read()
        groups = None
        if near_duplicates:
            found = self.near_duplicates(progress=progress)
            groups = tuple(tuple(take.name for take in group) for group in found)
        try:
            return summarize(takes, index, self._catalogue.takes(), self._catalogue.skeletons(), groups)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise DamagedLibraryError(self.path, f"a take cannot be summarized ({error})") from None

    def compact(self) -> int:
        """Give back the space of takes that were removed, and return how many bytes that are.

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
        chosen = [take for take in self.takes if _is_chosen(take, words, where)]
        return export_takes(chosen, check_path(folder), suffix, overwrite, progress)

    def _read(self) -> tuple[tuple[Take, ...], SearchIndex]:
        """Return the takes and the search index of the catalogue as it is now."""
        version = self._catalogue.version()
        if self._known is None or self._known[0] != version:
            rows, files = self._catalogue.takes(), dict[int, list[str]]()
            for file in self._catalogue.files():
                if file.take is not None:
                    files.setdefault(file.take, []).append(file.path)
            takes = tuple(self._take(row, tuple(files.get(row.id, ()))) for row in rows)
            self._known = version, takes, SearchIndex(self.path, rows)
        return self._known[1:]

    def _take(self, row: TakeRow, files: tuple[str, ...]) -> Take:
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
            partial(self._clip, row),
        )

    def _clip(self, row: TakeRow) -> Clip:
        reader, location = ShardReader(self.path, "poses"), row.locations["poses"]
        # A take that was removed since may have given its place to another one.
        if not reader.is_whole(location):
            raise DamagedLibraryError(self.path, f"the motion of {row.name} was overwritten or removed")
        poses = reader.read(location, np.uint8)
        return restore_clip(StoredClip(self._catalogue.skeleton(row.skeleton), row.header, poses), self.path)


def _check_rate(rate: SampleRate) -> SampleRate:
    if rate not in (10, 30):
        raise ParameterError(f"rate must be 10 or 30 samples per second, not {rate!r}")
    return rate


def _check_range(name: str, min: float, max: float | None) -> tuple[float, float]:
    low = check_number(f"min_{name}", min, min=0.0)
    return low, np.inf if max is None else check_number(f"max_{name}", max, min=0.0)


def _is_chosen(
    take: Take,
    words: Sequence[str],
    where: Callable[[Take], bool] | None,
    subjects: Sequence[str] = (),
) -> bool:
    """Return whether a take has one of the words and subjects, if there are any, and a function agrees."""
    fits = (not words or any(map(take.has_word, words))) and (not subjects or take.subject in subjects)
    return fits and (where is None or where(take))

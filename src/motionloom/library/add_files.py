"""Add files to a library, in batches that are on the disk before they are reported.

Worker processes read the files, and work out all that a library keeps of each.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from motionloom.annotation.annotate import annotate
from motionloom.errors import MissingPackageError, MotionloomError
from motionloom.files.content_hash import hash_content
from motionloom.files.formats import list_files
from motionloom.files.load_save import load_clip
from motionloom.jobs.parallel import run_each
from motionloom.library.body_points import N_POINTS, map_points, sample_points
from motionloom.library.catalogue import (
    Catalogue,
    FileRow,
    TakeRow,
    insert_take,
    put_arrays,
    put_file,
    put_words,
)
from motionloom.library.shards import KINDS, Kind, Location, ShardWriter, find_damage, find_ends
from motionloom.library.signatures import SampleRate, Singles, make_windows, sign_windows, stride_of
from motionloom.library.stored_clip import StoredClip, store_clip
from motionloom.library.take import SUBJECT
from motionloom.motion import Clip

BATCH_SECONDS = 1.0
"""Seconds after which what was read is put on the disk: so much work is lost when a process is killed."""

CHUNK = 256
"""Files that are handed to the processes at once: what they return waits in memory for the disk."""

MIN_SECONDS = 0.2
"""A take shorter than this has hardly a window, and is stored without being searched."""


@dataclass
class AddReport:
    """What became of files.

    Attributes
    ----------
    added
        Files whose motion is new in the library.
    mended
        Files whose motion was there already, but damaged, and was written anew.
    copies
        Files whose motion was there already, exactly.
    unchanged
        Files that were added before and have not changed.
    failed
        Files that cannot be read, with the reason.
    not_searchable
        Files whose motion is stored but cannot be searched, with the reason.
    """

    added: list[Path] = field(default_factory=list)
    mended: list[Path] = field(default_factory=list)
    copies: list[Path] = field(default_factory=list)
    unchanged: list[Path] = field(default_factory=list)
    failed: dict[Path, str] = field(default_factory=dict)
    not_searchable: dict[Path, str] = field(default_factory=dict)

    def __str__(self) -> str:
        counts = self.counts()
        return ", ".join(f"{count} {word}" for word, count in counts.items() if count) or "nothing to add"

    def counts(self) -> dict[str, int]:
        """Return how many files were added, mended, copies, unchanged, and failed."""
        return {
            "added": len(self.added),
            "mended": len(self.mended),
            "copies": len(self.copies),
            "unchanged": len(self.unchanged),
            "failed": len(self.failed),
        }


def add_files(
    catalogue: Catalogue,
    paths: Sequence[Path],
    *,
    tags: tuple[str, ...],
    descriptions: Mapping[str, str],
    subjects: Mapping[str, str],
    jobs: int,
    executor: Executor | None,
    progress: Callable[[int, int], None] | None,
    retry: bool = False,
) -> AddReport:
    """Add files; the caller holds the library's lock. See :meth:`motionloom.library.Library.add`.

    With ``retry``, files that could not be read are read again even if they have not changed.
    """
    report = AddReport()
    known = {file.path: file for file in catalogue.files()}
    damaged = _find_damaged_takes(catalogue, {known[str(path)].take for path in paths if str(path) in known})
    waiting = []
    for path in paths:
        file = known.get(str(path))
        is_due = file is None or file.take in damaged or (retry and file.reason is not None)
        if file is not None and not is_due and _is_unchanged(path, file):
            report.unchanged.append(path)
        else:
            waiting.append(path)
    writer = _Writer(catalogue, tags, descriptions, subjects, damaged)
    if progress is not None:
        progress(len(report.unchanged), len(paths))
    for batch in _read_in_batches(waiting, jobs, executor):
        writer.write(batch, report)
        if progress is not None:
            progress(sum(report.counts().values()), len(paths))
    if tags or descriptions or subjects:
        writer.add_words([*report.unchanged, *report.copies, *report.mended])
    return report


class _Writer:
    """Puts batches of files into shards and catalogue."""

    def __init__(
        self,
        catalogue: Catalogue,
        tags: tuple[str, ...],
        descriptions: Mapping[str, str],
        subjects: Mapping[str, str],
        damaged: set[int],
    ) -> None:
        self._catalogue, self._tags, self._descriptions = catalogue, tags, descriptions
        self._subjects, self._damaged = subjects, damaged
        rows = catalogue.takes()
        self._ids = {row.content: row.id for row in rows}
        takes = {row.id: row for row in rows}
        self._former = {file.path: takes[file.take] for file in catalogue.files() if file.take in takes}
        self._writers = {
            kind: ShardWriter(
                catalogue.folder,
                kind,
                find_ends(row.locations[kind] for row in rows if kind in row.locations),
            )
            for kind in KINDS
        }

    def write(self, batch: Sequence[IndexedFile], report: AddReport) -> None:
        """Write a batch; when this returns it is on the disk, and in the report."""
        fresh: dict[str, tuple[Path, IndexedTake, dict[Kind, Location]]] = {}
        for file in batch:
            take = file.take
            if take is not None and not self._holds(take.content) and take.content not in fresh:
                fresh[take.content] = file.path, take, self._append(take)
        for writer in self._writers.values():
            writer.flush()
        added: dict[str, int] = {}
        with self._catalogue.change() as database:
            for content, (path, take, locations) in fresh.items():
                if content in self._ids:
                    put_arrays(database, self._ids[content], locations, take.clip.header)
                else:
                    added[content] = insert_take(database, self._row(path, take, locations), take.clip)
            for file in batch:
                put_file(database, self._file_row(file, self._ids | added))
            # A file that changed leaves the take behind that it held before.
            orphans = database.execute(
                "DELETE FROM takes WHERE id NOT IN (SELECT take FROM files WHERE take NOTNULL) RETURNING id"
            ).fetchall()
        gone = {id for (id,) in orphans}
        self._damaged -= {self._ids[content] for content in fresh if content in self._ids}
        self._ids = {content: id for content, id in (self._ids | added).items() if id not in gone}
        for file in batch:
            if file.take is None:
                report.failed[file.path] = file.reason or "cannot be read"
            elif fresh.pop(file.take.content, None) is None:
                report.copies.append(file.path)
            elif file.take.content not in added:
                report.mended.append(file.path)
            else:
                report.added.append(file.path)
                if file.take.not_searchable is not None:
                    report.not_searchable[file.path] = file.take.not_searchable

    def _holds(self, content: str) -> bool:
        """Return whether a motion is in the library, and whole."""
        return content in self._ids and self._ids[content] not in self._damaged

    def _file_row(self, file: IndexedFile, ids: Mapping[str, int]) -> FileRow:
        """Return the row of a file; one that cannot be read any more keeps the take that it held."""
        former = self._former.get(str(file.path))
        known = None if former is None else former.id
        own = known if file.take is None else ids[file.take.content]
        return FileRow(str(file.path), file.size, file.modified, file.content, own, file.reason)

    def add_words(self, paths: Sequence[Path]) -> None:
        """Give the takes of files that were there already the tags, and the descriptions of their names."""
        takes = {row.id: row for row in self._catalogue.takes()}
        own = {file.path: file.take for file in self._catalogue.files()}
        with self._catalogue.change() as database:
            for path in paths:
                row = takes.get(own.get(str(path)) or 0)
                if row is not None:
                    tags = self._join_tags(row.name, row.tags)
                    put_words(database, row.id, tags, self._descriptions.get(row.name, row.description))

    def _join_tags(self, name: str, former: tuple[str, ...]) -> tuple[str, ...]:
        """Return the tags of a take: what it had, what all of these takes get, and its subject."""
        subject = self._subjects.get(name)
        if subject:
            former = (*(tag for tag in former if not tag.startswith(SUBJECT)), f"{SUBJECT}{subject}")
        return tuple(dict.fromkeys((*former, *self._tags)))

    def _append(self, take: IndexedTake) -> dict[Kind, Location]:
        locations: dict[Kind, Location] = {"poses": self._writers["poses"].append(take.clip.poses)}
        if take.not_searchable is None:
            locations["points"] = self._writers["points"].append(take.points)
            locations["signatures10"] = self._writers["signatures10"].append(take.signatures[10])
            locations["signatures30"] = self._writers["signatures30"].append(take.signatures[30])
        return locations

    def _row(self, path: Path, take: IndexedTake, locations: dict[Kind, Location]) -> TakeRow:
        """Return the row of a take; what was said of the file that held another one before still holds."""
        former = self._former.get(str(path))
        description = self._descriptions.get(take.name, "" if former is None else former.description)
        tags = self._join_tags(take.name, () if former is None else former.tags)
        return TakeRow(
            0,
            take.name,
            take.content,
            0,
            take.n_frames,
            take.frame_time,
            len(take.points),
            take.scale,
            take.not_searchable,
            description,
            tags,
            take.notes,
            locations,
        )


def _read_in_batches(
    paths: Sequence[Path], jobs: int, executor: Executor | None
) -> Iterator[list[IndexedFile]]:
    """Yield files that were read, as many as a second brings.

    They are in the order of the paths, whichever was finished first: so the same files always make the same
    library, and of copies the first one gives its name.
    """
    batch: list[IndexedFile] = []
    began = time.monotonic()
    for first in range(0, len(paths), CHUNK):
        chunk = paths[first : first + CHUNK]
        finished: dict[Path, IndexedFile] = {}
        n_taken = 0
        for path, file in run_each(index_file, chunk, jobs=jobs, executor=executor):
            finished[path] = file or IndexedFile(path, 0, 0, "", None, "its process ended without a result")
            while n_taken < len(chunk) and chunk[n_taken] in finished:
                batch.append(finished.pop(chunk[n_taken]))
                n_taken += 1
            if batch and time.monotonic() - began > BATCH_SECONDS:
                yield batch
                batch, began = [], time.monotonic()
        batch += finished.values()
    if batch:
        yield batch


def _find_damaged_takes(catalogue: Catalogue, ids: Collection[int | None]) -> set[int]:
    """Return those of the takes whose arrays are not what was written."""
    rows = [row for row in catalogue.takes() if row.id in ids]
    damage = find_damage(catalogue.folder, (row.locations for row in rows))
    return {row.id for row, kinds in zip(rows, damage, strict=True) if kinds}


def _is_unchanged(path: Path, known: FileRow) -> bool:
    """Return whether a file is as it was when it was added; the time of change alone proves nothing."""
    if not known.content:
        return False
    try:
        state = path.stat()
        if state.st_size != known.size:
            return False
        # Of files that are read along with it, such as a skeleton, only the content tells.
        alone = state.st_mtime_ns == known.modified and len(list_files(path)) == 1
        return alone or hash_content(path) == known.content
    except (OSError, MotionloomError):
        return False


@dataclass(frozen=True, eq=False)
class IndexedTake:
    """What a library keeps of a clip.

    Attributes
    ----------
    name
        The file's name without its suffix.
    content
        Hash of the motion: copies have the same.
    clip
        The clip with its annotations, taken apart.
    n_frames, frame_time
        Of the clip.
    points
        (N, 17, 3) at 30 Hz; none where the take cannot be searched.
    scale
        Factor from the body's size to that of the standard body.
    signatures
        By sample rate, (27, n) each.
    not_searchable
        Why the take cannot be searched, or None.
    notes
        What was noted when the file was read.
    """

    name: str
    content: str
    clip: StoredClip
    n_frames: int
    frame_time: float
    points: Singles
    scale: float
    signatures: dict[SampleRate, Singles]
    not_searchable: str | None
    notes: tuple[str, ...]


@dataclass(frozen=True)
class IndexedFile:
    """A file that was looked at: its take, or the reason why it has none.

    It has no hash of its content where the reason may pass, such as lack of memory: then it is to be read
    again even if it does not change.
    """

    path: Path
    size: int
    modified: int
    content: str
    take: IndexedTake | None
    reason: str | None


def index_file(path: Path) -> IndexedFile:
    """Read and index one file; whatever is wrong with it becomes a reason."""
    size, modified, content = 0, 0, ""
    try:
        state = path.stat()
        size, modified, content = state.st_size, state.st_mtime_ns, hash_content(path)
        return IndexedFile(path, size, modified, content, index_clip(load_clip(path), path.stem), None)
    except FileNotFoundError:
        reason, content = "there is no such file", ""
    except OSError as error:
        reason, content = f"cannot be read ({error.strerror})", ""
    except (MissingPackageError, MemoryError) as error:
        reason, content = str(error) or "there is not enough memory to read it", ""
    except MotionloomError as error:
        reason = str(error).removeprefix(f"{path}: ")
    except Exception as error:  # readers that packages add may raise anything
        reason, content = f"its reader failed ({type(error).__name__}: {error})", ""
    return IndexedFile(path, size, modified, content, None, reason)


def index_clip(clip: Clip, name: str) -> IndexedTake:
    """Work out what a library keeps of a clip.

    >>> from motionloom.synthesis import walk
    >>> take = index_clip(walk(duration=2.0, fps=60).clip, "walk")
    >>> take.points.shape, take.signatures[10].shape
    ((61, 17, 3), (27, 19))
    """
    content = clip.content_hash(annotations=False)
    points, scale, reason = np.empty((0, N_POINTS, 3), np.float32), 1.0, None
    try:
        points = sample_points(clip).astype(np.float32)
        scale = map_points(clip.body.skeleton).scale
        if clip.duration < MIN_SECONDS:
            points, reason = points[:0], f"the take is shorter than {MIN_SECONDS} s"
    except MotionloomError as error:
        reason = str(error)
    dense = sign_windows(make_windows(points, 30))
    signatures: dict[SampleRate, Singles] = {30: dense, 10: np.ascontiguousarray(dense[:, :: stride_of(10)])}
    stored = store_clip(annotate(clip) if reason is None else clip)
    return IndexedTake(
        name,
        content,
        stored,
        clip.n_frames,
        clip.frame_time,
        points,
        scale,
        signatures,
        reason,
        tuple(clip.source.notes),
    )

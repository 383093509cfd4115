"""The catalogue: what a library knows of its files and takes, in one SQLite database.

A file that was added is a row of ``files``, whatever came of it: a take, a copy of a take that is already
there, or a sentence that says why it could not be read. A take is a motion, with the locations of its arrays
in the shards.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from math import inf
from pathlib import Path
from types import UnionType
from typing import Any

from motionloom.errors import MotionloomError
from motionloom.library import body_points
from motionloom.library.errors import BusyLibraryError, DamagedCatalogueError
from motionloom.library.shards import ALIGNMENT, KINDS, Kind, Location
from motionloom.library.stored_clip import StoredClip

FILE, LOCK = "catalogue.sqlite", "writer.sqlite"

VERSION = 2
"""Version of what is stored. Those of version 1 are read too, and have it as soon as a take is written."""

READ_WAIT = 30.0
"""Seconds for which a reader waits while a writer puts its last takes into the catalogue."""

_TABLES = """
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE skeletons (id INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, text TEXT NOT NULL);
CREATE TABLE takes (
    id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, content TEXT NOT NULL UNIQUE,
    skeleton INTEGER NOT NULL REFERENCES skeletons (id), header TEXT NOT NULL,
    n_frames INTEGER NOT NULL, frame_time REAL NOT NULL, n_points INTEGER NOT NULL, scale REAL NOT NULL,
    not_searchable TEXT, description TEXT NOT NULL, tags TEXT NOT NULL, notes TEXT NOT NULL,
    locations TEXT NOT NULL
);
CREATE TABLE files (
    path TEXT PRIMARY KEY, size INTEGER NOT NULL, modified INTEGER NOT NULL, content TEXT NOT NULL,
    take INTEGER REFERENCES takes (id), reason TEXT
) WITHOUT ROWID;
CREATE INDEX files_of_takes ON files (take);
"""


@dataclass(frozen=True)
class FileRow:
    """A file that was added.

    Attributes
    ----------
    path
        Absolute.
    size, modified, content
        Bytes, time of the last change in ns, and hash of what it held when it was added. No hash where
        reading it failed for a reason that may pass, such as lack of memory.
    take
        The take that it holds, or held when it could last be read; several files may hold the same one.
    reason
        Why it could not be read the last time.
    """

    path: str
    size: int
    modified: int
    content: str
    take: int | None = None
    reason: str | None = None


@dataclass(frozen=True)
class TakeRow:
    """A take; see :class:`~motionloom.library.take.Take` for what its values mean.

    Its header, which holds the annotations, is read when it is asked for: those of many hours take more
    memory than everything else.
    """

    id: int
    name: str
    content: str
    skeleton: int
    n_frames: int
    frame_time: float
    n_points: int
    scale: float
    not_searchable: str | None
    description: str
    tags: tuple[str, ...]
    notes: tuple[str, ...]
    locations: Mapping[Kind, Location]


_FILE_COLUMNS, _TAKE_COLUMNS = tuple(FileRow.__dataclass_fields__), tuple(TakeRow.__dataclass_fields__)


class Catalogue:
    """The database of one library; every call opens it anew, so that no state outlives a killed process."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def create(self) -> None:
        """Make an empty catalogue, unless there is one; check the version of one that is there."""
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise MotionloomError(f"cannot make the library {self.folder}: {error.strerror}") from None
        if not (self.folder / FILE).exists():
            # A process that was killed before it made the catalogue leaves the files of its lock.
            if any(not path.name.startswith(LOCK) for path in self.folder.iterdir()):
                raise MotionloomError(
                    f"{self.folder} is a folder that holds no library", remedy="name a new or an empty folder"
                )
            with self.lock(), self._open() as database:
                self._make_tables(database)
        self._check_version()

    def _make_tables(self, database: sqlite3.Connection) -> None:
        """Make the tables in an empty database, unless another process has just made them."""
        if database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            return
        facts = {"version": VERSION, "points": body_points.VERSION}
        database.executescript(f"BEGIN;{_TABLES}")
        database.executemany("INSERT INTO facts VALUES (?, ?)", facts.items())
        database.commit()

    @contextmanager
    def lock(self) -> Iterator[None]:
        """Let this process alone change the library; the lock ends with the process, however that ends."""
        with closing(self._connect(self.folder / LOCK, timeout=0.2)) as lock:
            try:
                lock.execute("BEGIN EXCLUSIVE")
            except sqlite3.OperationalError as error:
                if "locked" in str(error):
                    raise BusyLibraryError(self.folder) from None
                raise MotionloomError(f"cannot change the library {self.folder}: {error}") from None
            yield

    def version(self) -> int:
        """Return a number that changes whenever takes are added, changed or removed."""
        rows = self._rows("SELECT value FROM facts WHERE name = 'changes'")
        try:
            return int(rows[0][0]) if rows else 0
        except (TypeError, ValueError):
            raise DamagedCatalogueError(self.folder, f"{FILE} does not count its changes") from None

    def files(self) -> list[FileRow]:
        """Return all files, by path."""
        rows = self._rows(f"SELECT {', '.join(_FILE_COLUMNS)} FROM files ORDER BY path")
        try:
            return [_file_row(row) for row in rows]
        except (TypeError, ValueError):
            raise DamagedCatalogueError(self.folder, f"{FILE} holds a file that cannot be read") from None

    def takes(self) -> list[TakeRow]:
        """Return all takes, in the order in which they were added."""
        rows = self._rows(f"SELECT {', '.join(_TAKE_COLUMNS)} FROM takes ORDER BY id")
        try:
            return [_take_row(row) for row in rows]
        except (TypeError, ValueError, KeyError, RecursionError):
            raise DamagedCatalogueError(self.folder, f"{FILE} holds a take that cannot be read") from None

    def skeleton(self, id: int) -> str:
        """Return the text of a skeleton."""
        rows = self._rows("SELECT text FROM skeletons WHERE id = ?", [id])
        if not rows:
            raise DamagedCatalogueError(self.folder, f"{FILE} has no skeleton {id}")
        return str(rows[0][0])

    def header(self, id: int) -> str | None:
        """Return the header of a take, or None where the take was removed meanwhile."""
        rows = self._rows("SELECT header FROM takes WHERE id = ?", [id])
        return str(rows[0][0]) if rows else None

    def skeletons(self) -> dict[int, str]:
        """Return the texts of all skeletons, by their ids."""
        return {int(id): str(text) for id, text in self._rows("SELECT id, text FROM skeletons")}

    def vacuum(self) -> None:
        """Give back the space of rows that were deleted."""
        self._rows("VACUUM")

    @contextmanager
    def change(self) -> Iterator[sqlite3.Connection]:
        """Give the database for a change that is seen whole or not at all."""
        with self._open() as database:
            try:
                database.execute("BEGIN IMMEDIATE")
                yield database
                database.execute(
                    "INSERT INTO facts VALUES ('changes', 1) "
                    "ON CONFLICT (name) DO UPDATE SET value = CAST(value AS INTEGER) + 1"
                )
                database.commit()
            except sqlite3.Error as error:
                with suppress(sqlite3.Error):
                    database.rollback()
                raise self._explain(error) from None
            except BaseException:
                database.rollback()
                raise

    def _check_version(self) -> None:
        facts = dict(self._rows("SELECT name, value FROM facts"))
        found = facts.get("version")
        if found is None or not str(found).isdigit():
            raise DamagedCatalogueError(self.folder, f"{FILE} does not state its version")
        if int(found) > VERSION:
            raise MotionloomError(
                f"{self.folder} has version {found}, and this Motionloom reads up to {VERSION}",
                remedy="update it",
            )
        if str(facts.get("points")) != str(body_points.VERSION):
            raise MotionloomError(
                f"{self.folder} was indexed by another version of Motionloom",
                remedy="make a new one from its files",
            )

    def _rows(self, query: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        with self._open() as database:
            try:
                return database.execute(query, values).fetchall()
            except UnicodeDecodeError:
                raise DamagedCatalogueError(self.folder, f"{FILE} holds text that cannot be read") from None
            except sqlite3.Error as error:
                raise self._explain(error) from None

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        with closing(self._connect(self.folder / FILE, timeout=READ_WAIT)) as database:
            yield database

    def _connect(self, path: Path, timeout: float) -> sqlite3.Connection:
        try:
            return sqlite3.connect(path, timeout=timeout, isolation_level=None)
        except sqlite3.Error as error:
            raise self._explain(error) from None

    def _explain(self, error: sqlite3.Error) -> MotionloomError:
        words = str(error)
        if isinstance(error, sqlite3.OperationalError) and "locked" in words:
            return BusyLibraryError(self.folder)
        if "readonly" in words:
            return MotionloomError(f"cannot change the library {self.folder}: it may only be read")
        if "unable to open" in words:
            return MotionloomError(f"cannot open the library {self.folder}: check who may read and write it")
        if "full" in words or "disk I/O" in words:
            return MotionloomError(f"cannot write to the library {self.folder}: {words}")
        return DamagedCatalogueError(self.folder, f"{FILE}: {words}")


def state_version(database: sqlite3.Connection) -> None:
    """Say that takes are stored in the form of this version: older ones cannot read the library any more."""
    database.execute("UPDATE facts SET value = ? WHERE name = 'version'", [str(VERSION)])


def insert_take(database: sqlite3.Connection, row: TakeRow, clip: StoredClip) -> int:
    """Put a take with the skeleton and the header of its clip into the catalogue, and return its id."""
    state_version(database)
    skeleton = clip.skeleton_hash, clip.skeleton
    database.execute("INSERT OR IGNORE INTO skeletons (hash, text) VALUES (?, ?)", skeleton)
    own = database.execute("SELECT id FROM skeletons WHERE hash = ?", skeleton[:1]).fetchone()
    if own is None:
        raise sqlite3.DatabaseError("the skeletons do not agree with their index")
    values = vars(row) | {
        "id": None,
        "skeleton": own[0],
        "tags": json.dumps(row.tags),
        "notes": json.dumps(row.notes),
        "locations": dump_locations(row.locations),
    }
    columns = (*_TAKE_COLUMNS, "header")
    marks = ", ".join("?" * len(columns))
    order = [*(values[column] for column in _TAKE_COLUMNS), clip.header]
    cursor = database.execute(f"INSERT INTO takes ({', '.join(columns)}) VALUES ({marks})", order)
    assert cursor.lastrowid is not None
    return cursor.lastrowid


def put_words(database: sqlite3.Connection, id: int, tags: tuple[str, ...], description: str) -> None:
    """Put the tags and the description of a take into the catalogue, in the place of what it had."""
    database.execute(
        "UPDATE takes SET tags = ?, description = ? WHERE id = ?", [json.dumps(tags), description, id]
    )


def put_arrays(
    database: sqlite3.Connection, id: int, locations: Mapping[Kind, Location], header: str | None
) -> None:
    """Put the places of a take's arrays, and its header if there is a new one, into the catalogue."""
    state_version(database)
    values = header, dump_locations(locations), id
    database.execute("UPDATE takes SET header = coalesce(?, header), locations = ? WHERE id = ?", values)


def dump_locations(locations: Mapping[Kind, Location]) -> str:
    """Return the text by which the catalogue knows where arrays lie."""
    return json.dumps({kind: [p.shard, p.offset, p.size, p.checksum] for kind, p in locations.items()})


def put_file(database: sqlite3.Connection, row: FileRow) -> None:
    """Put a file into the catalogue, in the place of what was known of it."""
    database.execute("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?)", list(vars(row).values()))


def _file_row(row: tuple[Any, ...]) -> FileRow:
    values = dict(zip(_FILE_COLUMNS, row, strict=True))
    _check_types(values, str, "path", "content")
    _check_types(values, int, "size", "modified")
    _check_types(values, int | None, "take")
    _check_types(values, str | None, "reason")
    return FileRow(**values)


def _take_row(row: tuple[Any, ...]) -> TakeRow:
    values = dict(zip(_TAKE_COLUMNS, row, strict=True))
    _check_types(values, int, "id", "skeleton", "n_frames", "n_points")
    _check_types(values, str, "name", "content", "description", "tags", "notes")
    _check_types(values, str | None, "not_searchable")
    for key in ("frame_time", "scale"):
        values[key] = float(values[key])
        if not 0.0 < values[key] < inf:
            raise ValueError(key)
    if values["n_frames"] < 1 or values["n_points"] < 0:
        raise ValueError("a take without frames")
    values["locations"] = _read_locations(json.loads(values["locations"]))
    for key in ("tags", "notes"):
        values[key] = tuple(str(word) for word in json.loads(values[key]))
    return TakeRow(**values)


def _read_locations(texts: Mapping[Kind, Sequence[Any]]) -> dict[Kind, Location]:
    locations = {kind: Location(*map(int, texts[kind])) for kind in KINDS if kind in texts}
    for location in (locations["poses"], *locations.values()):
        if min(location.shard, location.offset, location.size) < 0 or location.offset % ALIGNMENT:
            raise ValueError("an array at an impossible place")
    return locations


def _check_types(values: Mapping[str, object], wanted: type | UnionType, *keys: str) -> None:
    for key in keys:
        if not isinstance(values[key], wanted):
            raise TypeError(key)

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
from pathlib import Path
from typing import Any

from motionloom.errors import MotionloomError
from motionloom.library import body_points
from motionloom.library.errors import BusyLibraryError, DamagedLibraryError
from motionloom.library.shards import KINDS, Kind, Location

FILE, LOCK = "catalogue.sqlite", "writer.sqlite"

VERSION = 1
"""Version of the tables."""

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
        Bytes, time of the last change in ns, and hash of what it held when it was added.
    take
        The take that it holds; several files may hold the same one. None where it could not be read.
    reason
        Why it could not be read.
    """

    path: str
    size: int
    modified: int
    content: str
    take: int | None = None
    reason: str | None = None


@dataclass(frozen=True)
class TakeRow:
    """A take; see :class:`~motionloom.library.take.Take` for what its values mean."""

    id: int
    name: str
    content: str
    skeleton: int
    header: str
    n_frames: int
    frame_time: float
    n_points: int
    scale: float
    not_searchable: str | None
    description: str
    tags: tuple[str, ...]
    notes: tuple[str, ...]
    locations: Mapping[Kind, Location]


_TAKE_COLUMNS = tuple(TakeRow.__dataclass_fields__)


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
                    f"{self.folder} is a folder that holds no library: name a new or an empty folder"
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
        return int(self._rows("SELECT coalesce(max(value), 0) FROM facts WHERE name = 'changes'")[0][0])

    def files(self) -> list[FileRow]:
        """Return all files, by path."""
        return [FileRow(*row) for row in self._rows("SELECT * FROM files ORDER BY path")]

    def takes(self) -> list[TakeRow]:
        """Return all takes, in the order in which they were added."""
        rows = self._rows(f"SELECT {', '.join(_TAKE_COLUMNS)} FROM takes ORDER BY id")
        try:
            return [_take_row(row) for row in rows]
        except (TypeError, ValueError, KeyError):
            raise DamagedLibraryError(self.folder, f"{FILE} holds a take that cannot be read") from None

    def skeleton(self, id: int) -> str:
        """Return the text of a skeleton."""
        rows = self._rows("SELECT text FROM skeletons WHERE id = ?", [id])
        if not rows:
            raise DamagedLibraryError(self.folder, f"{FILE} has no skeleton {id}")
        return str(rows[0][0])

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
            raise DamagedLibraryError(self.folder, f"{FILE} does not state its version")
        if int(found) > VERSION:
            raise MotionloomError(
                f"{self.folder} has version {found}, and this Motionloom reads up to {VERSION}: update it"
            )
        if str(facts.get("points")) != str(body_points.VERSION):
            raise MotionloomError(
                f"{self.folder} was indexed by another version of Motionloom: make a new one from its files"
            )

    def _rows(self, query: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        with self._open() as database:
            try:
                return database.execute(query, values).fetchall()
            except UnicodeDecodeError:
                raise DamagedLibraryError(self.folder, f"{FILE} holds text that cannot be read") from None
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
        if "full" in words or "disk I/O" in words:
            return MotionloomError(f"cannot write to the library {self.folder}: {words}")
        return DamagedLibraryError(self.folder, f"{FILE}: {words}")


def insert_take(database: sqlite3.Connection, row: TakeRow, skeleton: tuple[str, str]) -> int:
    """Put a take and its skeleton, hash and text, into the catalogue, and return the take's id."""
    database.execute("INSERT OR IGNORE INTO skeletons (hash, text) VALUES (?, ?)", skeleton)
    own = database.execute("SELECT id FROM skeletons WHERE hash = ?", skeleton[:1]).fetchone()
    if own is None:
        raise sqlite3.DatabaseError("the skeletons do not agree with their index")
    locations = {kind: [p.shard, p.offset, p.size, p.checksum] for kind, p in row.locations.items()}
    values = vars(row) | {
        "id": None,
        "skeleton": own[0],
        "tags": json.dumps(row.tags),
        "notes": json.dumps(row.notes),
        "locations": json.dumps(locations),
    }
    marks = ", ".join("?" * len(_TAKE_COLUMNS))
    order = [values[column] for column in _TAKE_COLUMNS]
    cursor = database.execute(f"INSERT INTO takes ({', '.join(_TAKE_COLUMNS)}) VALUES ({marks})", order)
    assert cursor.lastrowid is not None
    return cursor.lastrowid


def put_words(database: sqlite3.Connection, id: int, tags: tuple[str, ...], description: str) -> None:
    """Put the tags and the description of a take into the catalogue, in the place of what it had."""
    database.execute(
        "UPDATE takes SET tags = ?, description = ? WHERE id = ?", [json.dumps(tags), description, id]
    )


def put_file(database: sqlite3.Connection, row: FileRow) -> None:
    """Put a file into the catalogue, in the place of what was known of it."""
    database.execute("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?)", list(vars(row).values()))


def _take_row(row: tuple[Any, ...]) -> TakeRow:
    values = dict(zip(_TAKE_COLUMNS, row, strict=True))
    locations = json.loads(values["locations"])
    values["locations"] = {kind: Location(*map(int, locations[kind])) for kind in KINDS if kind in locations}
    for key in ("tags", "notes"):
        values[key] = tuple(str(word) for word in json.loads(values[key]))
    return TakeRow(**values)

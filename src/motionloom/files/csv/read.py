"""Read tables of positions and of rotations, and the skeleton's table beside them."""

from __future__ import annotations

import csv
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NoReturn

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.errors import FileFormatError, NoSkeletonError, ParameterError
from motionloom.files.notes import Note, override
from motionloom.files.text import content_mark, iterate_lines, parse_number, quote_word, read_text
from motionloom.geometry import rotations as rot
from motionloom.jobs.budget import Budget
from motionloom.messages import Argument, Operation
from motionloom.motion import Clip, PointClip, Skeleton, Source, Tip

POSITION, QUATERNION = ("x", "y", "z"), ("qw", "qx", "qy", "qz")
"""What the columns of a joint end in, after its name and a point."""

SKELETON_SUFFIX = ".skeleton.csv"
SKELETON_COLUMNS = ("joint", "parent", "x", "y", "z", "rest_w", "rest_x", "rest_y", "rest_z")

BYTES_PER_SIGN = 2
"""Bytes of memory for a character: the text, and once more where it is not ASCII or has other line ends."""

BYTES_PER_CELL = 48
"""Bytes of memory for a cell: its number (8) in the table, by joints, as a clip, and what checks it."""

SKELETON_MARK = "skeleton "
"""How the name of the empty column begins that notes the mark of the skeleton's table."""

DEFAULT_FRAME_TIME = 1.0 / 60.0
"""Seconds per frame of a table of one row, whose times do not tell."""

MAX_UNEVEN = 0.2
"""Fraction of a frame by which times may be off the even steps that frames have."""

MAX_ROUNDING = 1e-3
"""How far the length of a quaternion may be from one: tables are edited and rounded by hand."""

UNIT_LENGTH_TOLERANCE = 1e-9
"""How far it may be from one without being normalised, and steps of time from their mean, relatively."""


def read_positions(
    path: Path, *, frame_time: float | None = None, max_memory: int | None = None
) -> PointClip:
    """Read a table of positions.

    ``frame_time`` in seconds replaces what its times say, ``max_memory`` in bytes the usual budget.
    """
    table = _read_table(path, Budget(path, max_memory))
    if table.has(QUATERNION):
        _refuse(path, "holds rotations: read it with motionloom.load")
    names = table.names
    if not names:
        _refuse(path, "has no columns NAME.x, NAME.y, NAME.z")
    positions = np.stack([table.columns(name, POSITION) for name in names], axis=1)
    notes: list[str] = []
    step = frame_time or _find_frame_time(table, notes)
    return PointClip(names, step, freeze(positions), Source(str(path), "csv", notes=tuple(notes)))


def read_rotations(
    path: Path,
    *,
    skeleton: Skeleton | None = None,
    frame_time: float | None = None,
    max_memory: int | None = None,
) -> Clip:
    """Read a table of rotations onto a skeleton, by default the one in the table beside it.

    ``frame_time`` in seconds replaces what the table's times say, ``max_memory`` in bytes the usual budget.
    """
    table = _read_table(path, Budget(path, max_memory))
    if not table.has(QUATERNION):
        raise NoSkeletonError(
            path,
            "holds positions without a skeleton",
            remedy=("read it with ", Operation("motionloom.load")),
        )
    if skeleton is None:
        skeleton = read_skeleton(skeleton_path(path))
        _check_mark(table, skeleton_path(path))
    known = set(table.names)
    missing = [name for name in skeleton.names if name not in known]
    if missing:
        _refuse(path, f"has no columns for the joint {missing[0]!r} of its skeleton")
    of_joints = [n for column, n in table.header.items() if "." in column]
    if np.isnan(table.rows[:, of_joints]).any():
        _refuse(path, "has empty cells: rotations have no gaps")
    rotations = np.stack([table.columns(name, QUATERNION) for name in skeleton.names], axis=1)
    notes: list[str] = []
    return Clip(
        skeleton,
        frame_time or _find_frame_time(table, notes),
        freeze(table.columns(skeleton.names[0], POSITION)),
        freeze(_normalize(path, rotations)),
        translations=_translations(table, skeleton),
        source=Source(str(path), "csv", notes=tuple(notes)),
    )


def _check_mark(table: _Table, path: Path) -> None:
    """Refuse a skeleton that is not the one with which the table was written."""
    marks = [
        column.removeprefix(SKELETON_MARK) for column in table.header if column.startswith(SKELETON_MARK)
    ]
    if marks and marks[0] != content_mark(read_text(path).content):
        raise FileFormatError(
            table.path,
            f"was not written with the skeleton that {path.name} holds now (one of the two was replaced, or "
            "saving broke off between them)",
            remedy=("save the motion again, or name a skeleton with ", Argument("skeleton")),
        )


def read_skeleton(path: Path) -> Skeleton:
    """Read a skeleton's table."""
    reader = _TableRows(path)
    if tuple(reader.header) != SKELETON_COLUMNS:
        _refuse(path, f"must have the columns {','.join(SKELETON_COLUMNS)}")
    rows, listed = [], []
    for line, row in reader:
        rows.append(row)
        listed.append(_numbers(path, row[2:], line))
    joints = [row for row in rows if row[0]]
    names = [row[0] for row in joints]
    joint_of = {name: joint for joint, name in enumerate(names)}
    numbers = np.array(listed).reshape(-1, 7)
    of_joint = np.array([bool(row[0]) for row in rows], dtype=bool)
    for row in rows:
        if row[1] not in joint_of and (row[1] or not row[0]):
            _refuse(path, f"has no joint {quote_word(row[1])}, the parent of another")
    tips = [Tip(joint_of[row[1]], at[:3]) for row, at in zip(rows, numbers, strict=True) if not row[0]]
    parents = np.array([joint_of.get(row[1], -1) for row in joints], dtype=np.int64)
    rest = _normalize(path, numbers[of_joint, 3:])
    try:
        return Skeleton(tuple(names), parents, numbers[of_joint, :3], rest, tuple(tips))
    except ParameterError as error:
        _refuse(path, f"holds no valid skeleton: {error}")


@dataclass(frozen=True)
class _Table:
    """Rows (T, columns) of numbers under a header; NaN where a cell is empty."""

    path: Path
    header: dict[str, int]
    rows: FloatArray

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names in columns NAME.PART, in order."""
        return tuple(dict.fromkeys(column.rpartition(".")[0] for column in self.header if "." in column))

    def has(self, parts: Iterable[str]) -> bool:
        """Tell whether any column holds one of the parts."""
        return any(column.rpartition(".")[2] in parts and "." in column for column in self.header)

    def columns(self, name: str, parts: Sequence[str]) -> FloatArray:
        """Return the parts (T, n) of a name."""
        wanted = [f"{name}.{part}" for part in parts]
        for column in wanted:
            if column not in self.header:
                _refuse(self.path, f"has no column {quote_word(column)}")
        return self.rows[:, [self.header[column] for column in wanted]]


def _read_table(path: Path, budget: Budget) -> _Table:
    rows = _TableRows(path, budget)
    for column in rows.header:
        if (
            column not in ("frame", "time")
            and not column.startswith(SKELETON_MARK)
            and column.rpartition(".")[2] not in POSITION + QUATERNION
        ):
            _refuse(
                path,
                f"has a column {quote_word(column)}: columns are frame, time, NAME.x … and NAME.qw …",
                1,
            )
    values = array("d")
    for line, row in rows:
        values.extend(_numbers(path, row, line))
    header = {column: n for n, column in enumerate(rows.header)}
    return _Table(path, header, np.array(values).reshape(-1, len(header)))


class _TableRows:
    """The rows of cells below a header, each as long as it, with their lines; empty rows are skipped."""

    def __init__(self, path: Path, budget: Budget | None = None) -> None:
        self._path = path
        content = read_text(path).content
        (budget or Budget(path)).claim(
            BYTES_PER_SIGN * len(content) + BYTES_PER_CELL * (content.count(b",") + content.count(b"\n")),
            "its cells",
        )
        self._reader = csv.reader(iterate_lines(content), strict=True)
        self.header = [word.strip() for word in self._next() or ()]
        if not self.header:
            _refuse(path, "is empty")
        if len(self.header) == 1 and ";" in self.header[0]:
            _refuse(path, "separates its columns by semicolons: save it with commas, and decimal points", 1)
        if len(set(self.header)) < len(self.header):
            _refuse(path, "has two columns of the same name", 1)

    def __iter__(self) -> Iterator[tuple[int, list[str]]]:
        while (row := self._next()) is not None:
            if len(row) != len(self.header):
                cause = f"has {len(row)} cells where the header has {len(self.header)}"
                _refuse(self._path, cause, self._reader.line_num)
            yield self._reader.line_num, row

    def _next(self) -> list[str] | None:
        """Return the next row that is not empty, or None at the end."""
        try:
            return next((row for row in self._reader if row), None)
        except csv.Error as error:
            raise FileFormatError(self._path, f"is not a table: {error}", self._reader.line_num) from None


def _numbers(path: Path, words: Iterable[str], line: int) -> list[float]:
    try:
        return [parse_number(word.strip()) if word else np.nan for word in words]
    except ValueError as error:
        _refuse(path, str(error), line)


def _refuse(path: Path, cause: str, line: int | None = None) -> NoReturn:
    raise FileFormatError(path, cause, line)


def _find_frame_time(table: _Table, notes: list[str]) -> float:
    """Return seconds per frame of evenly spaced times."""
    if "time" not in table.header:
        raise FileFormatError(
            table.path, "has no column 'time'", remedy=("state its rate with ", Argument("fps"))
        )
    times = table.rows[:, table.header["time"]]
    if len(times) < 2:
        text = "one row does not tell a frame rate: 60 assumed"
        notes.append(Note("frame_rate", text, remedy=override("fps")))
        return DEFAULT_FRAME_TIME
    first, mean = float(times[1] - times[0]), float((times[-1] - times[0]) / (len(times) - 1))
    off = np.abs(times - times[0] - mean * np.arange(len(times)))
    if not (mean > 0.0 and off.max() <= MAX_UNEVEN * mean):
        _refuse(table.path, "has times that are not evenly spaced: resample it first")
    # One step of times that were written with all digits is exact, and their mean is not.
    return first if abs(first - mean) <= UNIT_LENGTH_TOLERANCE * mean else mean


def _normalize(path: Path, rotations: FloatArray) -> FloatArray:
    off = np.abs(np.linalg.norm(rotations, axis=-1) - 1.0)
    if not (off <= MAX_ROUNDING).all():
        _refuse(path, "holds a quaternion whose length is not one")
    return rotations if off.max(initial=0.0) <= UNIT_LENGTH_TOLERANCE else rot.normalize(rotations)


def _translations(table: _Table, skeleton: Skeleton) -> FloatArray | None:
    if not any(f"{name}.x" in table.header for name in skeleton.names[1:]):
        return None
    return freeze(np.stack([table.columns(name, POSITION) for name in skeleton.names], axis=1))


def skeleton_path(path: Path) -> Path:
    """Return the path of the skeleton's table that belongs to a table of rotations.

    >>> skeleton_path(Path("walk.csv")).name
    'walk.skeleton.csv'
    """
    return path.with_name(path.stem + SKELETON_SUFFIX)

"""Read and write TRC files: marker positions as tab-separated text."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.atomic_write import atomic_output
from motionloom.errors import FileFormatError, MotionloomError, ParameterError
from motionloom.files.detection import choose_points_up
from motionloom.files.notes import Note, override
from motionloom.files.text import (
    TextFile,
    check_size,
    decode_text,
    parse_number,
    read_text,
    renaming_notes,
    unique_names,
)
from motionloom.files.units import metres_per_unit
from motionloom.jobs.budget import Budget
from motionloom.messages import Argument
from motionloom.motion import PointClip, Source
from motionloom.motion.provenance import UpAxis

USUAL_UNIT = "mm"
"""Length unit of most files, and of those that do not state it."""

MIN_HEADER_LINES = 5
"""Kind of file, names of fields, their values, names of markers, axes of markers."""

MAX_HEADER_LINES = 30
"""Lines among which the names of markers are looked for."""

NOT_SEEN = 9_999_999.0
"""Numbers from this size on stand for a gap; no laboratory is that large in any unit."""

DECIMALS = 6
"""Digits after the point: a nanometre where the unit is a millimetre."""

_FIELDS = (
    "DataRate",
    "CameraRate",
    "NumFrames",
    "NumMarkers",
    "Units",
    "OrigDataRate",
    "OrigDataStartFrame",
    "OrigNumFrames",
)


@dataclass(frozen=True)
class _Header:
    """What the first lines say, and the place of the first row."""

    fields: dict[str, str]
    labels: list[str]
    first_row: int


def read_trc(
    path: Path,
    *,
    frame_time: float | None = None,
    up: UpAxis | None = None,
    max_memory: int | None = None,
) -> PointClip:
    """Read the points of a file in its own unit and axes; empty fields are gaps (NaN).

    ``frame_time`` in seconds and ``up`` replace what the file states or shows, ``max_memory`` in bytes the
    usual budget.
    """
    return read_timed_trc(path, frame_time=frame_time, up=up, max_memory=max_memory)[0]


def read_timed_trc(
    path: Path,
    *,
    frame_time: float | None = None,
    up: UpAxis | None = None,
    max_memory: int | None = None,
) -> tuple[PointClip, float]:
    """Read the points of a file as :func:`read_trc` does, and the time of their first frame in seconds."""
    file = read_text(path)
    lines = decode_text(file.content).split("\n")
    header = _header(file, lines)
    notes = list(file.notes)
    rows = lines[header.first_row :]
    n_rows = sum(not line.isspace() and bool(line) for line in rows)
    _add_unnamed(header, rows, notes)
    Budget(path, max_memory).claim_points(n_rows, len(header.labels))
    times, positions = _rows(file, rows, header, notes)
    _check_count(header, len(positions), notes)
    names = unique_names(header.labels, "point")
    notes += renaming_notes("point", header.labels, names)
    up = up or choose_points_up(positions, "y", notes)
    unit = _unit(header, notes)
    source = Source(str(path), "trc", *unit, up, notes=tuple(notes))
    frame_time = frame_time or _frame_time(file, header, times)
    start = times[0] if times and times[0] == times[0] else 0.0
    return PointClip(names, frame_time, freeze(positions), source), start


def write_trc(clip: PointClip, path: Path, *, overwrite: bool = False) -> None:
    """Write points that are already in the unit and axes of the file; gaps become empty fields."""
    for name in clip.names:
        unwritable = any(sign in "\t\r\n" or "\ud800" <= sign <= "\udfff" for sign in name)
        if not name or unwritable or name != name.strip():
            raise MotionloomError(
                f"the point name {name!r} cannot be written in a TRC file",
                subject=str(path),
                remedy="rename the point first",
            )
    check_size(path, float(np.fmax.reduce(np.abs(clip.positions), axis=None, initial=0.0)))
    rate, n_frames, n_points = f"{clip.fps!r}", clip.n_frames, len(clip.names)
    values = (rate, rate, n_frames, n_points, clip.source.unit, rate, 1, n_frames)
    own_name = path.name.encode("utf-8", "replace").decode("utf-8")  # names of files may be no UTF-8
    header = [
        f"PathFileType\t4\t(X/Y/Z)\t{own_name}",
        "\t".join(_FIELDS),
        "\t".join(map(str, values)),
        "Frame#\tTime\t" + "\t\t\t".join(clip.names),
        "\t\t" + "\t".join(f"{axis}{n + 1}" for n in range(n_points) for axis in "XYZ"),
        "",
    ]
    with (
        atomic_output(path, overwrite=overwrite) as temporary,
        temporary.open("w", encoding="utf-8") as file,
    ):
        file.write("\n".join(header) + "\n")
        for frame, row in enumerate(clip.positions.reshape(n_frames, 3 * n_points)):
            cells = ("" if value != value else f"{value:.{DECIMALS}f}" for value in row.tolist())
            time = f"{frame * clip.frame_time:.{DECIMALS}f}"
            file.write(f"{frame + 1}\t{time}\t" + "\t".join(cells) + "\n")


def _header(file: TextFile, lines: list[str]) -> _Header:
    """Return what stands before the rows; every program leaves out or adds lines of its own."""
    if not lines[0].startswith("PathFileType") or len(lines) < MIN_HEADER_LINES:
        raise file.error("is not a TRC file: it does not begin with PathFileType and four more lines")
    head = lines[:MAX_HEADER_LINES]
    at = next((n for n, line in enumerate(head) if line.lower().lstrip().startswith("frame")), 3)
    stated = [line for line in head[1:at] if line.strip()]
    words = [_split(line) for line in stated[:2]]
    fields = dict(zip(*words, strict=False)) if len(words) == 2 else {}
    labels = _labels(lines[at])
    if not any(labels):
        raise FileFormatError(file.path, "names no markers", line=at + 1)
    # The line of axes (X1 Y1 Z1 …) may be missing, and blank lines may follow it.
    first = at + 1
    if first < len(lines) and not _begins_with_number(lines[first]):
        first += 1
    return _Header(fields, labels, first)


def _labels(line: str) -> list[str]:
    """Return the names of the markers; one that has a place but no name is an empty string."""
    if "\t" not in line:
        return line.split()[2:]
    cells = [cell.strip() for cell in line.split("\t")[2:]]
    while cells and not cells[-1]:
        cells.pop()
    in_triples = all(n % 3 == 0 for n, cell in enumerate(cells) if cell)
    return cells[::3] if in_triples and len(cells) > 1 else [cell for cell in cells if cell]


def _add_unnamed(header: _Header, rows: list[str], notes: list[str]) -> None:
    """Give places to the points that the file counts and does not name, where rows hold them."""
    stated = header.fields.get("NumMarkers", "")
    widest = max((len(_split(row.rstrip())) for row in rows), default=0)
    count = min(int(stated) if stated.isascii() and stated.isdigit() else 0, (widest - 2) // 3)
    n_unnamed = count - len(header.labels)
    if n_unnamed > 0:
        header.labels.extend([""] * n_unnamed)
        notes.append(f"{n_unnamed} of {count} points have no name")


def _begins_with_number(line: str) -> bool:
    """Tell whether a line is a row: rows begin with the number of their frame."""
    try:
        parse_number(next(iter(line.split()), ""))
    except ValueError:
        return False
    return True


def _split(line: str) -> list[str]:
    """Return the cells of a row: tabs separate them, and so do blanks inside of what lies between tabs."""
    return [word for cell in line.split("\t") for word in (cell.split() or [""])]


def _rows(
    file: TextFile, rows: list[str], header: _Header, notes: list[str]
) -> tuple[list[float], FloatArray]:
    """Return the times (T,) and the positions (T, P, 3) of the rows."""
    times: list[float] = []
    numbers = array("d")
    n_points = len(header.labels)
    width, unnamed = 3 * n_points, 0
    decimal_commas = _uses_decimal_commas(rows)
    for count, line in enumerate(rows, start=header.first_row + 1):
        if not line or line.isspace():
            continue
        cells = _split(line.replace(",", ".") if decimal_commas else line)
        values = [_cell(file, cell, count) for cell in cells]
        beyond = values[2 + width :]
        if len(values) < 2 or not _are_points(beyond):
            raise FileFormatError(
                file.path, f"the row has {len(values)} fields instead of {2 + width}", count
            )
        unnamed = max(unnamed, sum(value == value for value in beyond) // 3)
        times.append(values[1])
        numbers.extend((values[2:] + [np.nan] * (2 + width - len(values)))[:width])
    if unnamed:
        notes.append(f"rows hold up to {unnamed} points without a name, which were left out")
    positions = np.array(numbers).reshape(len(times), n_points, 3)
    positions[np.isnan(positions).any(axis=-1)] = np.nan
    return times, positions


def _uses_decimal_commas(rows: list[str]) -> bool:
    """Tell whether rows have commas where others have points, which programs write in some countries."""
    first = next((line for line in rows if line.strip()), "")
    return "," in first and "." not in first


def _are_points(values: list[float]) -> bool:
    """Tell whether what lies beyond the named columns is whole points: three numbers or three blanks each."""
    triples = (values[n : n + 3] for n in range(0, len(values), 3))
    counts = [sum(value == value for value in triple) for triple in triples]
    return all(count in (0, 3) for count in counts)


def _cell(file: TextFile, cell: str, line: int) -> float:
    """Return a number; an empty field is a gap, and so is what some programs print for one."""
    if not cell or cell.lower() in ("nan", "-"):
        return float("nan")
    try:
        value = parse_number(cell)
    except ValueError as error:
        raise FileFormatError(file.path, str(error), line) from None
    return value if abs(value) < NOT_SEEN else float("nan")


def _check_count(header: _Header, n_rows: int, notes: list[str]) -> None:
    announced = header.fields.get("NumFrames", "")
    if announced != str(n_rows):
        notes.append(f"the file announces {announced or 'no number of'} frames and holds {n_rows}")


def _frame_time(file: TextFile, header: _Header, times: list[float]) -> float:
    """Return seconds per frame by the stated rate, else by the column of times."""
    try:
        rate = parse_number(header.fields.get("DataRate", ""))
        if 1e-6 <= rate <= 1e6:
            return 1.0 / rate
    except ValueError:
        pass
    known = [(n, time) for n, time in enumerate(times) if time == time]
    step = float("nan")
    if len(known) > 1:
        step = (known[-1][1] - known[0][1]) / (known[-1][0] - known[0][0])
    if not 1e-6 <= step <= 1e6:
        raise FileFormatError(file.path, "states no DataRate", 3, remedy=("state it with ", Argument("fps")))
    return step


def _unit(header: _Header, notes: list[str]) -> tuple[str, float]:
    stated = header.fields.get("Units", "")
    try:
        return metres_per_unit(stated)
    except ParameterError:
        text = f"the file states the unit {stated!r}: {USUAL_UNIT} assumed"
        notes.append(Note("unit", text, remedy=override("unit")))
        return metres_per_unit(USUAL_UNIT)

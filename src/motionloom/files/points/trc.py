"""Read and write TRC files: marker positions as tab-separated text."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.atomic_write import atomic_output
from motionloom.errors import FileFormatError, MotionloomError, ParameterError
from motionloom.files.budget import Budget
from motionloom.files.detection import choose_points_up
from motionloom.files.notes import Note
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
from motionloom.motion import PointClip, Source
from motionloom.motion.provenance import UpAxis

USUAL_UNIT = "mm"
"""Length unit of most files, and of those that do not state it."""

N_HEADER_LINES = 5
"""Kind of file, names of fields, their values, names of markers, axes of markers."""

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
    """What the first lines say."""

    fields: dict[str, str]
    labels: list[str]


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
    file = read_text(path)
    lines = decode_text(file.content).split("\n")
    header = _header(file, lines)
    notes = list(file.notes)
    n_rows = sum(not line.isspace() and bool(line) for line in lines[N_HEADER_LINES:])
    Budget(path, max_memory).claim_points(n_rows, len(header.labels))
    times, positions = _rows(file, lines, len(header.labels))
    _check_count(header, len(positions), notes)
    names = unique_names(header.labels)
    notes += renaming_notes("point", header.labels, names)
    up = up or choose_points_up(positions, "y", notes)
    unit = _unit(header, notes)
    source = Source(str(path), "trc", *unit, up, notes=tuple(notes))
    return PointClip(names, frame_time or _frame_time(file, header, times), freeze(positions), source)


def write_trc(clip: PointClip, path: Path, *, overwrite: bool = False) -> None:
    """Write points that are already in the unit and axes of the file; gaps become empty fields."""
    for name in clip.names:
        unwritable = any(sign in "\t\r\n" or "\ud800" <= sign <= "\udfff" for sign in name)
        if not name or unwritable or name != name.strip():
            raise MotionloomError(
                f"{path}: the point name {name!r} cannot be written in a TRC file: rename the point first"
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
    if not lines[0].startswith("PathFileType") or len(lines) < N_HEADER_LINES:
        raise file.error("is not a TRC file: it does not begin with PathFileType and four more lines")
    fields = dict(zip(lines[1].split(), lines[2].split(), strict=False))
    labels = [word.strip() for word in lines[3].split("\t")[2:]]
    named = [label for label in labels if label]
    if not named:
        raise FileFormatError(file.path, "names no markers", line=4)
    return _Header(fields, named)


def _rows(file: TextFile, lines: list[str], n_points: int) -> tuple[list[float], FloatArray]:
    """Return the times (T,) and the positions (T, P, 3) of the rows."""
    times: list[float] = []
    numbers = array("d")
    width = 3 * n_points
    for count, line in enumerate(lines[N_HEADER_LINES:], start=N_HEADER_LINES + 1):
        cells = line.split("\t") if "\t" in line else line.split()
        if not any(cell.strip() for cell in cells):
            continue
        values = [_cell(file, cell, count) for cell in cells]
        excess = [value for value in values[2 + width :] if value == value]
        if len(values) < 2 or excess:
            raise FileFormatError(
                file.path, f"the row has {len(values)} fields instead of {2 + width}", count
            )
        times.append(values[1])
        numbers.extend((values[2:] + [np.nan] * (2 + width - len(values)))[:width])
    positions = np.array(numbers).reshape(len(times), n_points, 3)
    positions[np.isnan(positions).any(axis=-1)] = np.nan
    return times, positions


def _cell(file: TextFile, cell: str, line: int) -> float:
    """Return a number; an empty field is a gap, and so is the word that some programs print for one."""
    cell = cell.strip()
    if not cell or cell.lower() == "nan":
        return float("nan")
    try:
        return parse_number(cell)
    except ValueError as error:
        raise FileFormatError(file.path, str(error), line) from None


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
    step = (times[-1] - times[0]) / (len(times) - 1) if len(times) > 1 else float("nan")
    if not 1e-6 <= step <= 1e6:
        raise FileFormatError(file.path, "states no DataRate: state it with fps= or --read-fps", 3)
    return step


def _unit(header: _Header, notes: list[str]) -> tuple[str, float]:
    stated = header.fields.get("Units", "")
    try:
        return metres_per_unit(stated)
    except ParameterError:
        text = f"the file states the unit {stated!r}: {USUAL_UNIT} assumed (override with unit= or --unit)"
        notes.append(Note("unit", text))
        return metres_per_unit(USUAL_UNIT)

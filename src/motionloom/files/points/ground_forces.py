"""Read and write OpenSim's tables of ground forces (``.mot``, ``.sto``), which lie beside files of markers.

A table has a column of times and, for every plate or foot, columns for the force (``…vx``, ``…vy``,
``…vz``), for the point where it acts (``…px`` and so on) and for the torque about that point
(``…torque_x`` or ``…mx``). Names differ from program to program; the letters at their ends do not.
Lengths are metres, axes those of the markers.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.atomic_write import atomic_output
from motionloom.errors import FileFormatError
from motionloom.files.normalize import TO_Y_UP
from motionloom.files.text import TextFile, decode_text, parse_number, read_text
from motionloom.jobs.budget import Budget
from motionloom.motion import ForcePlate, PointClip
from motionloom.motion.provenance import UpAxis

SUFFIXES = (".mot", ".sto")
"""Endings of the tables; both kinds hold the same."""

NAME_PARTS = ("_grf", "_forces", "_force", "_ext", "")
"""What is added to the name of a file of markers to get that of its table."""

WRITTEN = "_grf.mot"
"""What is added to the name of a file of markers to write its table."""

MAX_HEADER_LINES = 100
"""Lines among which the end of the header is looked for."""

DECIMALS = 8
"""Digits after the point: points of application to ten nanometres."""

_COLUMN = re.compile(r"(?P<stem>.*?)_?(?P<kind>[vpm]?)_?(?P<axis>[xyz])(?P<number>_?\d*)", re.IGNORECASE)
_WORDS = re.compile(r"_*(force|torque|moment|cop|grf)_*", re.IGNORECASE)


def find_ground_forces(path: Path) -> list[Path]:
    """Return the tables of ground forces that lie beside a file of markers; the first one is read."""
    return [
        beside
        for ending in NAME_PARTS
        for suffix in SUFFIXES
        if (beside := path.with_name(f"{path.stem}{ending}{suffix}")).is_file()
    ]


def read_ground_forces(
    path: Path, *, up: UpAxis = "y", first_time: float = 0.0, max_memory: int | None = None
) -> tuple[ForcePlate, ...]:
    """Return the forces of a table as plates without corners, in metres and Y up.

    Parameters
    ----------
    path
        The table; one without forces, such as joint angles, gives no plates.
    up
        The vertical axis of the file.
    first_time
        Time of the first frame of the markers, seconds.
    max_memory
        Bytes that reading may take; by default the usual budget.

    >>> read_ground_forces(Path("walk_grf.mot"))                       # doctest: +SKIP
    (ForcePlate(name='ground_1', frame_time=0.001, start=0.0, channels=(...)),)
    """
    file = read_text(path)
    lines = decode_text(file.content).split("\n")
    labels, first = _find_labels(file, lines)
    parts = _find_parts(labels)
    if not parts:
        return ()
    Budget(path, max_memory).claim(16 * len(file.content), "its rows")
    times, values = _read_rows(file, lines, first, len(labels))
    steps = np.diff(times)
    if len(times) < 2 or not (steps > 0.0).all():
        raise FileFormatError(path, "its times do not increase from row to row")
    step = float((times[-1] - times[0]) / (len(times) - 1))
    even = times[0] + step * np.arange(len(times))
    if np.abs(even - times).max() > 0.5 * step:
        raise FileFormatError(path, "its times are not evenly spaced", remedy="resample the table first")
    plates = []
    for name, columns in parts.items():
        force, point = (np.nan_to_num(values[:, columns[kind]]) for kind in "vp")
        moment = np.cross(point, force)
        if "m" in columns:
            moment += np.nan_to_num(values[:, columns["m"]])
        plates.append(
            ForcePlate(
                name,
                step,
                freeze(force @ TO_Y_UP[up].T),
                freeze(moment @ TO_Y_UP[up].T),
                start=float(times[0]) - first_time,
                channels=tuple(labels[column] for numbers in columns.values() for column in numbers),
            )
        )
    return tuple(plates)


def _find_labels(file: TextFile, lines: Sequence[str]) -> tuple[list[str], int]:
    """Return the names of the columns and the number of the first row."""
    head = [line.strip().lower() for line in lines[:MAX_HEADER_LINES]]
    start = head.index("endheader") + 1 if "endheader" in head else 0
    for n, line in enumerate(lines[start : start + MAX_HEADER_LINES], start=start):
        labels = line.split()
        if labels and labels[0].lower() == "time":
            return labels, n + 1
    raise file.error("is not a table of OpenSim: no line of its columns begins with 'time'")


def _find_parts(labels: Sequence[str]) -> dict[str, dict[str, list[int]]]:
    """Return for every force the columns (3 each) of its force "v", its point "p" and its torque "m".

    >>> _find_parts("time r_force_vx r_force_vy r_force_vz r_force_px r_force_py r_force_pz".split())
    {'r': {'v': [1, 2, 3], 'p': [4, 5, 6]}}
    """
    found: dict[str, dict[str, dict[str, int]]] = {}
    for column, label in enumerate(labels):
        match = _COLUMN.fullmatch(label)
        if match is None:
            continue
        stem = match["stem"].lower()
        kind = "m" if "torque" in stem or "moment" in stem else match["kind"].lower()
        name = _WORDS.sub("_", stem + match["number"]).strip("_")
        found.setdefault(name or "ground", {}).setdefault(kind, {}).setdefault(match["axis"].lower(), column)
    parts = {
        name: {kind: [axes[axis] for axis in "xyz"] for kind, axes in kinds.items() if len(axes) == 3}
        for name, kinds in found.items()
    }
    return {name: kinds for name, kinds in parts.items() if "v" in kinds and "p" in kinds}


def _read_rows(
    file: TextFile, lines: Sequence[str], first: int, n_columns: int
) -> tuple[FloatArray, FloatArray]:
    """Return the times (N,) and all columns (N, C)."""
    numbers = array("d")
    for count, line in enumerate(lines[first:], start=first + 1):
        words = line.split()
        if not words:
            continue
        if len(words) != n_columns:
            raise FileFormatError(file.path, f"the row has {len(words)} fields instead of {n_columns}", count)
        try:
            numbers.extend(float("nan") if word.lower() == "nan" else parse_number(word) for word in words)
        except ValueError as error:
            raise FileFormatError(file.path, str(error), count) from None
    values = np.array(numbers).reshape(-1, n_columns)
    return values[:, 0], values


def write_ground_forces(clip: PointClip, path: Path, *, up: UpAxis, overwrite: bool = False) -> None:
    """Write the force plates of points in metres and Y up as a table with this vertical axis.

    All plates are written at the times of the first one.
    """
    times = clip.force_plates[0].times
    labels, columns = ["time"], [times]
    for n, plate in enumerate(clip.force_plates, start=1):
        point = np.nan_to_num(plate.centre_of_pressure)
        point[np.isnan(plate.centre_of_pressure).any(axis=1)] = plate.origin
        torque = plate.moment - np.cross(point - plate.origin, plate.force)
        for kind, vectors in (("force_v", plate.force), ("force_p", point), ("torque_", torque)):
            turned = vectors @ TO_Y_UP[up]
            for axis, column in zip("xyz", turned.T, strict=True):
                labels.append(f"ground_{kind.replace('_', f'_{n}_')}{axis}")
                columns.append(np.interp(times, plate.times, column))
    rows = np.column_stack(columns)
    head = [path.stem, "version=1", f"nRows={len(rows)}", f"nColumns={len(labels)}", "inDegrees=yes"]
    with (
        atomic_output(path, overwrite=overwrite) as temporary,
        temporary.open("w", encoding="utf-8") as file,
    ):
        file.write("\n".join([*head, "endheader", "\t".join(labels)]) + "\n")
        for row in rows:
            file.write("\t".join(f"{value:.{DECIMALS}f}" for value in row.tolist()) + "\n")

"""`load_line`: a line on the ground from an SVG drawing or a CSV table."""

from __future__ import annotations

import csv
from io import StringIO
from itertools import pairwise
from os import PathLike
from pathlib import Path as FilePath

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.errors import FileFormatError, ParameterError
from motionloom.files.svg_path import read_svg_lines
from motionloom.files.text import decode_text, parse_number, quote_word, read_text
from motionloom.paths.path import Action, Arrival, Line, Stretch
from motionloom.validation import check_path, check_positive

MAX_FILE_SIZE = 20_000_000
"""Bytes; a point for every centimetre of ten kilometres takes less."""

COLUMNS = ("x", "z", "yaw", "speed", "time", "action", "tag")
"""Columns of a table."""

MAX_GAP = 1e-3
"""Fraction of a drawing's size by which strokes that belong together may lie apart."""


def load_line(
    path: str | PathLike[str],
    *,
    scale: float | None = None,
    length: float | None = None,
    name: str | None = None,
    join: bool = False,
) -> Line:
    """Load a line on the ground to follow.

    An ``.svg`` drawing holds it as a path, polyline, polygon or line; it is seen from above, so up in the
    drawing is +Z and left is +X. Curves, arcs and transforms are read; sizes in units of length are not: give
    ``scale`` or ``length``. A ``.csv`` table has the columns ``x`` and ``z`` in metres and, where wanted,
    ``yaw`` (facing in degrees), ``speed`` (m/s), ``time`` (seconds of arrival), ``action`` (the tag of what
    happens there) and ``tag`` (takes that are played from there on). Empty cells ask for nothing.

    Parameters
    ----------
    path
        File to read.
    scale
        Metres per unit of the file, by default 1.
    length
        Length that the line is scaled to, metres, instead.
    name
        Id of the line, where a drawing has several.
    join
        Whether strokes and jumps are joined by straight lines, instead of refused.

    Returns
    -------
    Path
        The line. That of a drawing begins at the origin.

    Raises
    ------
    FileFormatError
        The file cannot be read, holds no line or several, or the line jumps.

    >>> import motionloom as ml
    >>> line = ml.paths.Line.load("stage.svg", length=20.0)    # doctest: +SKIP
    """
    file = check_path(path)
    if scale is not None and length is not None:
        raise ParameterError("give scale or length of a path, not both")
    factor = 1.0 if scale is None else check_positive("scale", scale, unit="metres per unit")
    wanted = None if length is None else check_positive("length", length, unit="metres")
    suffix = file.suffix.lower()
    if suffix not in (".svg", ".csv"):
        raise ParameterError("a path is read from .svg or .csv", subject=str(file))
    if suffix == ".csv" and name is not None:
        raise ParameterError("a table has one line, so name is for drawings only", subject=str(file))
    try:
        if suffix == ".svg":
            points = _read_drawing(file, name, join)
            return Line(points * _find_scale(points, factor, wanted), join=join)
        return _read_table(file, factor, wanted, join)
    except ParameterError as error:
        raise FileFormatError(file, str(error)) from None


def _find_scale(points: FloatArray, scale: float, length: float | None) -> float:
    """Return metres per unit."""
    own = float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum())
    return scale if length is None or own <= 0.0 else length / own


def _read_drawing(file: FilePath, name: str | None, join: bool) -> FloatArray:
    """Return the points (N, 2) of a drawing's line, x and z, from the origin on."""
    lines = read_svg_lines(file)
    if not lines:
        raise FileFormatError(file, "holds no path, polyline, polygon or line")
    if name is not None:
        chosen = [line for line in lines if line.name == name]
        if not chosen:
            names = ", ".join(quote_word(line.name) for line in lines)
            raise FileFormatError(file, f"has no line {quote_word(name)}: its lines are {names}")
        lines = chosen
    if len(lines) > 1:
        names = ", ".join(quote_word(line.name) for line in lines)
        raise FileFormatError(file, f"holds {len(lines)} lines", remedy=f"choose one by name, of {names}")
    strokes = lines[0].strokes
    every = np.concatenate(strokes)
    near = MAX_GAP * float(np.ptp(every, axis=0).max())
    for n, (before, after) in enumerate(pairwise(strokes)):
        gap = float(np.linalg.norm(after[0] - before[-1]))
        if gap > near and not join:
            (x0, y0), (x1, y1) = before[-1], after[0]
            raise FileFormatError(
                file,
                f"draws its line in {len(strokes)} strokes, and after stroke {n + 1} it jumps by {gap:g} "
                f"from ({x0:g}, {y0:g}) to ({x1:g}, {y1:g})",
                remedy="draw it in one, or join strokes",
            )
    # Up in the drawing is +Z; seen from above, +X is then to the left.
    return np.asarray(every[0] - every)


def _read_table(file: FilePath, scale: float, length: float | None, join: bool) -> Line:
    """Return the line of a table."""
    text = read_text(file).content
    if len(text) > MAX_FILE_SIZE:
        raise FileFormatError(file, "is far too large for a path")
    rows = [row for row in csv.reader(StringIO(decode_text(text))) if any(cell.strip() for cell in row)]
    if not rows:
        raise FileFormatError(file, "is empty")
    names = [cell.strip().lower() for cell in rows[0]]
    body = rows[1:]
    if "x" not in names and len(names) == 2:
        names, body = ["x", "z"], rows
    unknown = [word for word in names if word not in COLUMNS]
    if unknown or "x" not in names or "z" not in names or len(set(names)) < len(names):
        raise FileFormatError(
            file,
            f"must have the columns x and z, and may have {', '.join(COLUMNS[2:])}, each once; it has "
            f"{', '.join(quote_word(word) for word in names)}",
            1,
        )
    first_line = len(rows) - len(body) + 1
    columns = {word: [row[k].strip() if k < len(row) else "" for row in body] for k, word in enumerate(names)}
    numbers = {
        word: _parse_column(file, word, columns[word], first_line)
        for word in ("x", "z", "yaw", "speed", "time")
        if word in columns
    }
    points = np.column_stack([numbers["x"], numbers["z"]])
    if np.isnan(points).any():
        line = int(np.argmax(np.isnan(points).any(axis=1)))
        raise FileFormatError(file, "lacks x or z", line + first_line)
    factor = _find_scale(points, scale, length)
    points = points * factor
    yaw, speed = (_fill_gaps(numbers.get(word)) for word in ("yaw", "speed"))
    plain = Line(points, join=join)
    stations = _stations_of(plain, points)
    return Line(
        points,
        facing=None if yaw is None else np.unwrap(np.radians(yaw)),
        speed=speed,
        actions=[Action(tag, float(stations[n])) for n, tag in enumerate(columns.get("action", [])) if tag],
        stretches=_list_stretches(columns.get("tag", []), stations),
        arrivals=[
            Arrival(float(stations[n]), float(t))
            for n, t in enumerate(numbers.get("time", np.zeros(0)))
            if not np.isnan(t) and stations[n] > 0.0
        ],
        join=join,
    )


def _stations_of(path: Line, points: FloatArray) -> FloatArray:
    """Return metres along a path (N,) of the points that it was made of."""
    steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
    along = np.concatenate([[0.0], np.cumsum(steps)])
    return np.asarray(along * path.length / along[-1])


def _list_stretches(tags: list[str], stations: FloatArray) -> list[Stretch]:
    """Return the parts of a path that have a tag, each up to where the next begins."""
    starts = [n for n, tag in enumerate(tags) if tag]
    ends = [*starts[1:], len(stations) - 1]
    return [
        Stretch(tags[a], float(stations[a]), float(stations[b]))
        for a, b in zip(starts, ends, strict=False)
        if stations[b] > stations[a]
    ]


def _parse_column(file: FilePath, name: str, cells: list[str], first_line: int) -> FloatArray:
    """Return the numbers (N,) of a column; nan where a cell is empty."""
    values = np.full(len(cells), np.nan)
    for n, cell in enumerate(cells):
        if cell:
            try:
                values[n] = parse_number(cell)
            except ValueError as error:
                raise FileFormatError(file, f"{name}: {error}", n + first_line) from None
    return values


def _fill_gaps(values: FloatArray | None) -> FloatArray | None:
    """Return a column with its empty cells filled from those around them; None for one without numbers."""
    if values is None or np.isnan(values).all():
        return None
    known = np.flatnonzero(~np.isnan(values))
    return np.asarray(np.interp(np.arange(len(values)), known, values[known]))

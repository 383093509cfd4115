"""The MOTION section: how many frames, how long each, and the rows of numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from io import BytesIO
from math import isfinite

import numpy as np
import numpy.typing as npt

from motionloom import kernels
from motionloom.arrays import FloatArray, freeze
from motionloom.errors import FileFormatError
from motionloom.files.bvh.text import TextFile, decoded
from motionloom.kernels.threads import over_slices

FRAMES = re.compile(rb"\s*FRAMES[ \t]*:?[ \t]*(\S*)[ \t\r]*(?:\n|$)", re.IGNORECASE)
FRAME_TIME = re.compile(rb"\s*FRAME[ \t]*TIME[ \t]*:?[ \t]*(\S*)[ \t\r]*(?:\n|$)", re.IGNORECASE)

Text = npt.NDArray[np.uint8]

COMMA_NOTE = "numbers are written with decimal commas; they were read as decimal points"


@dataclass(frozen=True)
class MotionRows:
    """The MOTION section: rows (T, C) of channel values, seconds per frame (None if unsaid), notes."""

    values: FloatArray
    frame_time: float | None
    notes: tuple[str, ...]


def read_rows(file: TextFile, start: int, n_columns: int, all_rows: bool = False) -> MotionRows:
    """Read the section that begins at byte ``start``; rows beyond the declared count only on request."""
    notes: list[str] = []
    declared, frame_time, body = _read_settings(file, start, notes)
    if n_columns == 0:
        notes.append("no joint has channels; the file was read as a skeleton without frames")
        return MotionRows(np.zeros((0, 0)), frame_time, tuple(notes))
    needed = None if declared is None else declared * n_columns
    numbers, even = _parse(file, body, n_columns, needed, notes)
    if not even:
        _check_wrapping(file, body, n_columns, needed, notes)
    rows = _whole_rows(file, numbers, n_columns, notes)
    return MotionRows(freeze(_as_declared(rows, declared, all_rows, notes)), frame_time, tuple(notes))


def _read_settings(file: TextFile, start: int, notes: list[str]) -> tuple[int | None, float | None, int]:
    """``Frames:`` and ``Frame Time:`` in either order, and the byte after them."""
    declared: int | None = None
    frame_time: float | None = None
    seen: set[str] = set()
    while True:
        if "time" not in seen and (match := FRAME_TIME.match(file.content, start)):
            seen.add("time")
            frame_time = _number(file, match, "Frame Time")
        elif "frames" not in seen and (match := FRAMES.match(file.content, start)):
            seen.add("frames")
            count = _number(file, match, "Frames")
            if count != int(count) or not 0 <= count < 1e12:
                raise file.error(f"Frames: {count:g} is not a count", match.start(1))
            declared = int(count)
        else:
            break
        start = match.end()
    if declared is None:
        notes.append("the file does not say how many frames it holds; all rows were read")
    return declared, frame_time, start


def _number(file: TextFile, match: re.Match[bytes], name: str) -> float:
    word = match.group(1)
    try:
        value = float(word.replace(b",", b"."))
    except ValueError:
        raise file.error(f"{name}: {decoded(word)[:40]!r} is not a number", match.start(1)) from None
    if not np.isfinite(value):
        raise file.error(f"{name}: {decoded(word)[:40]!r} is not a finite number", match.start(1))
    return value


def _parse(
    file: TextFile, body: int, n_columns: int, needed: int | None, notes: list[str]
) -> tuple[FloatArray, bool]:
    """All numbers from byte ``body`` on, and whether every line holds whole rows."""
    text = np.frombuffer(file.content, dtype=np.uint8)
    numbers, even, bad = _parse_bytes(text, body, n_columns)
    if bad < 0 or (needed is not None and len(numbers) >= needed):
        if bad >= 0:
            notes.append(f"line {file.line_at(bad)}: the text after the last declared frame was ignored")
        return numbers, even
    if b"," in file.content[bad : bad + 64].split(None, 1)[0]:
        numbers, even, still_bad = _parse_bytes(_with_points(file, text, body), body, n_columns)
        if still_bad < 0:
            notes.append(COMMA_NOTE)
            return numbers, even
        bad = still_bad
    raise file.error(_not_a_number(file, bad), bad)


def _with_points(file: TextFile, text: Text, body: int) -> Text:
    """The text with decimal commas as points; where points occur too, a comma may mean anything."""
    if b"." in file.content[body:]:
        at = file.content.index(b",", body)
        raise file.error("both commas and points occur in the numbers: which one is the decimal sign?", at)
    return np.where(text == ord(","), np.uint8(ord(".")), text)


def _not_a_number(file: TextFile, bad: int) -> str:
    word = decoded(file.content[bad : bad + 64].split(None, 1)[0])
    if word.lower().lstrip("+-") in ("nan", "inf", "infinity", "1.#ind", "1.#qnan", "1.#inf"):
        return f"holds {word!r}: the frame has no valid pose; remove or repair this row"
    return f"{word[:40]!r} is not a number"


def _parse_bytes(text: Text, body: int, n_columns: int) -> tuple[FloatArray, bool, int]:
    """Numbers of the bytes from ``body`` on, parsed in as many threads as pay, cut at line ends."""
    size = len(text) - body
    parts: dict[int, tuple[FloatArray, bool, int]] = {}

    def run(first: int, last: int) -> None:
        start, stop = _line_start(text, body + first, body), _line_start(text, body + last, body)
        parts[first] = _parse_part(text, start, stop, n_columns)

    over_slices(size, run)
    ordered = [parts[first] for first in sorted(parts)]
    numbers = [part[0] for part in ordered]
    bad = next((n for n, part in enumerate(ordered) if part[2] >= 0), None)
    if bad is not None:
        return np.concatenate(numbers[: bad + 1]), False, ordered[bad][2]
    even = all(part[1] for part in ordered)
    return numbers[0] if len(numbers) == 1 else np.concatenate(numbers), even, -1


def _line_start(text: Text, position: int, body: int) -> int:
    """The first byte of the first line that begins at or after a position."""
    if position <= body or position >= len(text):
        return min(position, len(text))
    step = 1 << 16
    while position < len(text):
        ends = np.flatnonzero(text[position - 1 : position - 1 + step] == ord("\n"))
        if len(ends):
            return position + int(ends[0])
        position += step
    return len(text)


def _parse_part(text: Text, start: int, stop: int, n_columns: int) -> tuple[FloatArray, bool, int]:
    most = (stop - start) // 2 + 1
    out, hard, found = np.empty(most), np.empty((most, 3), dtype=np.int64), np.empty(4, dtype=np.int64)
    kernels.text.parse_numbers(text, start, stop, n_columns, out, hard, found)
    count, n_hard, uneven, bad = (int(n) for n in found)
    for index, first, last in hard[:n_hard].tolist():
        value = float(text[first:last].tobytes())
        if not isfinite(value):
            return out[:index], False, first
        out[index] = value
    return out[:count], uneven < 0 and count % n_columns == 0, bad


def _check_wrapping(file: TextFile, body: int, n_columns: int, needed: int | None, notes: list[str]) -> None:
    """Accept rows that continue on further lines, as long as every row ends at a line's end."""
    in_row, total, first_line, wrapped = 0, 0, 0, False
    line_number = file.line_at(body)
    for number, line in enumerate(BytesIO(file.content[body:]), start=line_number):
        n_words = len(line.split())
        if needed is not None and total >= needed:
            break
        if in_row == 0:
            first_line = number
        elif n_words:
            wrapped = True
        in_row += n_words
        total += n_words
        if in_row > n_columns and in_row % n_columns:
            here = "this row" if first_line == number else f"the row that begins on line {first_line}"
            raise FileFormatError(
                file.path,
                f"{here} does not end with the line: all CHANNELS together make {n_columns} numbers a frame",
                number,
            )
        in_row %= n_columns
    if wrapped:
        notes.append("rows are wrapped over several lines; they were joined")


def _whole_rows(file: TextFile, numbers: FloatArray, n_columns: int, notes: list[str]) -> FloatArray:
    """The numbers as rows (T, C), without an incomplete last one."""
    n_rows, left = divmod(len(numbers), n_columns)
    if left:
        notes.append(f"the last row is cut off after {left} of {n_columns} numbers; it was left out")
    return numbers[: n_rows * n_columns].reshape(n_rows, n_columns)


def _as_declared(rows: FloatArray, declared: int | None, all_rows: bool, notes: list[str]) -> FloatArray:
    """The rows the file says it has; where the count is wrong the notes say what was done."""
    if declared is None or declared == len(rows):
        return rows
    if declared > len(rows):
        notes.append(f"the file announces {declared} frames but holds {len(rows)}; those were read")
        return rows
    extra = len(rows) - declared
    if all_rows:
        notes.append(f"the file announces {declared} frames but holds {len(rows)}; all were read, as asked")
        return rows
    notes.append(
        f"the file announces {declared} frames but holds {len(rows)}; the last {extra} were left out "
        "(all_rows=True or --all-rows reads them)"
    )
    return rows[:declared]

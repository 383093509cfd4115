"""Read the MOTION section: frame count and frame time, and the rows of channel values."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO

import numpy as np
import numpy.typing as npt

from motionloom import kernels
from motionloom.arrays import FloatArray, freeze
from motionloom.errors import FileFormatError
from motionloom.files.text import TextFile, decode_text, parse_number, quote_word
from motionloom.json_files import MAX_NUMBER
from motionloom.kernels.threads import run_in_slices
from motionloom.messages import Argument, Message

BLANKS = re.compile(rb"\s*")
SECONDS = ("s", "sec", "secs", "second", "seconds")
MAX_FRAMES = 10**9
"""Frames that a file may announce: a year at 30 frames per second."""


@dataclass(frozen=True)
class MotionHeader:
    """Announced frames and seconds per frame, None where unsaid, and the byte at which the rows begin."""

    n_frames: int | None
    frame_time: float | None
    body: int


def read_motion_header(file: TextFile, start: int) -> MotionHeader:
    """Read ``Frames:`` and ``Frame Time:``, in either order, on lines of their own or on one."""
    stated: dict[str, float] = {}
    while True:
        start = _first_word(file, start)
        end = file.content.find(b"\n", start)
        end = len(file.content) if end < 0 else end
        words = decode_text(file.content[start:end].replace(b":", b" ")).split()
        if not _split_setting(words)[0]:
            break
        try:
            _read_setting_line(words, stated)
        except ValueError as error:
            raise file.error(str(error), start) from None
        start = end
    count = stated.get("Frames")
    return MotionHeader(None if count is None else int(count), stated.get("Frame Time"), start)


def _first_word(file: TextFile, start: int) -> int:
    blanks = BLANKS.match(file.content, start)
    return start if blanks is None else blanks.end()


def _split_setting(words: list[str]) -> tuple[str, list[str]]:
    """Return the setting that the words begin with, "" for none, and the words after its name."""
    lower = [word.lower() for word in words[:2]]
    if lower == ["frame", "time"]:
        return "Frame Time", words[2:]
    if lower[:1] == ["frametime"]:
        return "Frame Time", words[1:]
    return ("Frames", words[1:]) if lower[:1] == ["frames"] else ("", words)


def _read_setting_line(words: list[str], stated: dict[str, float]) -> None:
    """Take all settings of one line; a ValueError says what is wrong with it."""
    while words:
        name, rest = _split_setting(words)
        if name in stated:
            raise ValueError(f"{name} is stated twice")
        if not rest or _split_setting(rest)[0]:
            raise ValueError(f"{name} needs a number")
        value, words = rest[0], rest[1:]
        stated[name] = _PARSERS[name](value)
        if name == "Frame Time" and words and words[0].lower() in SECONDS:
            words = words[1:]
        if words and not _split_setting(words)[0]:
            raise ValueError(f"{name} takes one number, not {quote_word(' '.join(rest))}")


def _parse_count(word: str) -> float:
    count = _parse_value("Frames", word)
    if count != int(count) or not 0 <= count <= MAX_FRAMES:
        raise ValueError(f"Frames: {quote_word(word)} is not a count")
    return count


def _parse_frame_time(word: str) -> float:
    return _parse_value("Frame Time", word)


def _parse_value(name: str, word: str) -> float:
    try:
        return parse_number(word.replace(",", "."))
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


_PARSERS: dict[str, Callable[[str], float]] = {"Frames": _parse_count, "Frame Time": _parse_frame_time}


Text = npt.NDArray[np.uint8]

COMMA_NOTE = "numbers have decimal commas, which were read as points"

MIN_PARALLEL_SIZE = 400_000
"""Bytes of text that one thread parses in about a millisecond: of fewer, a second one saves nothing."""

MAX_HARD_NUMBERS = 1024
"""Numbers with very many digits that the kernel puts aside, for Python to parse, at one time."""

MAX_WORD_LENGTH = 400
"""Bytes of a word that are looked at to say what is wrong with it; no number is longer."""


@dataclass(frozen=True)
class MotionRows:
    """The MOTION section: rows (T, C) of channel values, seconds per frame (None if unsaid), notes."""

    values: FloatArray
    frame_time: float | None
    notes: tuple[str, ...]


def read_rows(file: TextFile, start: int, n_columns: int, all_rows: bool = False) -> MotionRows:
    """Read the section that begins at byte ``start``; rows beyond the declared count only on request."""
    notes: list[str] = []
    settings = read_motion_header(file, start)
    declared, body = settings.n_frames, settings.body
    if declared is None:
        notes.append("the file does not say how many frames it holds: all rows were read")
    if n_columns == 0:
        notes.append("no joint has channels: the file was read as a skeleton without frames")
        return MotionRows(np.zeros((0, 0)), settings.frame_time, tuple(notes))
    needed = None if declared is None else declared * n_columns
    numbers, even = _parse(file, body, n_columns, needed, notes)
    if not even:
        _check_wrapping(file, body, n_columns, needed, notes)
    rows = _cut_to_declared(_split_rows(numbers, n_columns, notes), declared, all_rows, notes)
    return MotionRows(freeze(rows), settings.frame_time, tuple(notes))


def _parse(
    file: TextFile, body: int, n_columns: int, needed: int | None, notes: list[str]
) -> tuple[FloatArray, bool]:
    """Return all numbers from byte ``body`` on, and whether every line holds whole rows."""
    text = np.frombuffer(file.content, dtype=np.uint8)
    numbers, even, bad = _parse_bytes(text, body, n_columns)
    if bad >= 0 and (needed is None or len(numbers) < needed) and b"," in _word_at(file, bad):
        points = np.where(text == ord(","), np.uint8(ord(".")), text)
        numbers, even, bad = _parse_bytes(points, body, n_columns)
        _check_commas_only(file, body, bad)
        notes.append(COMMA_NOTE)
    if bad >= 0:
        if needed is None or len(numbers) < needed:
            raise file.error(_describe_bad_word(_word_at(file, bad)), bad)
        notes.append(f"line {file.line_at(bad)}: the text after the last declared frame was ignored")
    return numbers, even


def _word_at(file: TextFile, position: int) -> bytes:
    return file.content[position : position + MAX_WORD_LENGTH].split(None, 1)[0]


def _describe_bad_word(word: bytes) -> str:
    try:
        parse_number(decode_text(word))
    except ValueError as error:
        return str(error)
    return f"{decode_text(word[:20])!r} begins a word too long for a number"


def _check_commas_only(file: TextFile, body: int, bad: int) -> None:
    """Refuse numbers with both points and commas, where a comma may mean anything."""
    end = len(file.content) if bad < 0 else bad
    if file.content.find(b".", body, end) >= 0:
        at = file.content.index(b",", body)
        raise file.error(
            "both commas and points occur in the numbers: replace all decimal commas by points", at
        )


def _parse_bytes(text: Text, body: int, n_columns: int) -> tuple[FloatArray, bool, int]:
    """Parse the bytes from ``body`` on, cut at line ends, in as many threads as pay off."""
    size = len(text) - body
    parts: dict[int, tuple[FloatArray, bool, int]] = {}

    def run(first: int, last: int) -> None:
        start, stop = _line_start(text, body + first, body), _line_start(text, body + last, body)
        parts[first] = _parse_part(text, start, stop, n_columns)

    if size < MIN_PARALLEL_SIZE:
        run(0, size)
    else:
        run_in_slices(size, run)
    ordered = [parts[first] for first in sorted(parts)]
    numbers = [part[0] for part in ordered]
    bad = next((n for n, part in enumerate(ordered) if part[2] >= 0), None)
    if bad is not None:
        return np.concatenate(numbers[: bad + 1]), False, ordered[bad][2]
    even = all(part[1] for part in ordered)
    return numbers[0] if len(numbers) == 1 else np.concatenate(numbers), even, -1


def _line_start(text: Text, position: int, body: int) -> int:
    """Return the first byte of the first line that begins at or after a position."""
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
    """Parse ``text[start:stop]``: numbers, whether lines hold whole rows, the byte of the first bad word."""
    at, count, uneven, bad = start, 0, -1, -1
    out, hard = np.empty((stop - start) // 2 + 1), np.empty((MAX_HARD_NUMBERS, 3), dtype=np.int64)
    while at < stop and bad < 0:
        found = np.array([at, count, 0, uneven, bad])
        kernels.text.parse_numbers(text, stop, n_columns, MAX_NUMBER, out, hard, found)
        at, count, n_hard, uneven, bad = (int(n) for n in found)
        for index, first, last in hard[:n_hard].tolist():
            value = float(text[first:last].tobytes())
            if abs(value) > MAX_NUMBER:
                return out[:index], False, first
            out[index] = value
    return out[:count], uneven < 0 and count % n_columns == 0, bad


def _check_wrapping(file: TextFile, body: int, n_columns: int, needed: int | None, notes: list[str]) -> None:
    """Accept rows that continue on further lines, as long as every row ends at the end of a line."""
    in_row, total, first_line, first_words, wrapped = 0, 0, 0, 0, False
    wanted = f"all CHANNELS together make {n_columns} numbers per frame"
    for line_number, line in enumerate(BytesIO(file.content[body:]), start=file.line_at(body)):
        n_words = len(line.split())
        if needed is not None and total >= needed:
            break
        if in_row == 0:
            first_line, first_words = line_number, n_words
        elif n_words:
            wrapped = True
        in_row += n_words
        total += n_words
        if in_row > n_columns and in_row % n_columns:
            rest = "" if first_line == line_number else ", and the lines after it do not complete it"
            raise FileFormatError(
                file.path, f"this row has {first_words} numbers{rest}: {wanted}", first_line
            )
        in_row %= n_columns
    if wrapped:
        notes.append("rows that continue on further lines were joined")


def _split_rows(numbers: FloatArray, n_columns: int, notes: list[str]) -> FloatArray:
    """Return the numbers as rows (T, C), without an incomplete last one."""
    n_rows, left = divmod(len(numbers), n_columns)
    if left:
        notes.append(f"the last row, cut off after {left} of {n_columns} numbers, was dropped")
    return numbers[: n_rows * n_columns].reshape(n_rows, n_columns)


def _cut_to_declared(rows: FloatArray, declared: int | None, all_rows: bool, notes: list[str]) -> FloatArray:
    """Return the rows that the file says it has; where the count is wrong, a note says what was done."""
    if declared is None or declared == len(rows):
        return rows
    if declared > len(rows):
        notes.append(f"the file announces {declared} frames but holds {len(rows)}, which were read")
        return rows
    extra = len(rows) - declared
    if all_rows:
        notes.append(
            f"the file announces {declared} frames but holds {len(rows)}: all were read, as requested"
        )
        return rows
    notes.append(
        Message(
            f"the file announces {declared} frames but holds {len(rows)}: the last {extra} were dropped",
            remedy=("read them with ", Argument("all_rows", True)),
        )
    )
    return rows[:declared]

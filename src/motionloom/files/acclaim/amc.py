"""Read AMC files: one block per frame, one line per bone."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.errors import FileFormatError, ParameterError
from motionloom.files.acclaim.skeleton import (
    FRAME_TIME_SENTENCE,
    SKELETON_SENTENCE,
    AcclaimSkeleton,
    AngleUnit,
)
from motionloom.files.text import iterate_lines, parse_number, quote_word, read_text
from motionloom.motion.sampling import frame_time_of
from motionloom.validation import check_frame_time

MAX_FRAME_DIGITS = 18
"""Digits of a frame number; a longer run of digits is no frame number."""

MIN_BONES_FRACTION = 0.5
"""Fraction of a skeleton's moving bones that a frame must hold; with fewer the files do not match."""


@dataclass(frozen=True, eq=False)
class AcclaimMotion:
    """The numbers of an AMC file.

    Attributes
    ----------
    values
        (T, N) the values of all bones, in the order of the skeleton's bones and their degrees of freedom.
    angle
        Unit of the angles, or None where the file names none.
    frame_time
        Seconds per frame, or None where the file states no rate.
    notes
        What was repaired or dropped while reading, one sentence each.
    skeleton_mark
        The mark of the skeleton's file that the motion was written with, or None where it notes none.
    """

    values: FloatArray
    angle: AngleUnit | None
    frame_time: float | None
    notes: tuple[str, ...]
    skeleton_mark: str | None = None


def read_amc(path: Path, skeleton: AcclaimSkeleton) -> AcclaimMotion:
    """Read the motion of a skeleton, or fail with the line of the first thing that does not fit it.

    A last frame that breaks off is dropped and a bone that a frame lacks stays at zero; both are noted.
    """
    file = read_text(path)
    last = 1 + file.content.count(b"\n")
    reader = _Reader(path, skeleton)
    broken_off = False
    try:
        for line_number, line in enumerate(iterate_lines(file.content), start=1):
            reader.read_line(line_number, line)
    except FileFormatError as error:
        # A last line without an end that is wrong after lines that were fine: the file breaks off there.
        if error.line != last or not reader.frame_lines:
            raise
        broken_off = True
    reader.finish(broken_off)
    values = np.frombuffer(reader.values).reshape(len(reader.frame_lines), -1)
    notes = (*file.notes, *reader.notes())
    return AcclaimMotion(values, reader.angle, reader.frame_time, notes, reader.skeleton_mark)


class _Reader:
    """Reads the lines of an AMC file one by one and collects the values of whole frames."""

    def __init__(self, path: Path, skeleton: AcclaimSkeleton) -> None:
        self.path = path
        self.angle: AngleUnit | None = None
        self.frame_time: float | None = None
        self.skeleton_mark: str | None = None
        self.values = array("d")
        self.frame_lines: list[int] = []
        self.counts = {bone.name.lower(): len(bone.freedoms) for bone in skeleton.bones}
        self.zeros = {name: [0.0] * count for name, count in self.counts.items() if count}
        self._frame: dict[str, list[float]] = {}
        self._before: dict[str, list[float]] = {}
        self._started: int | None = None
        self._number: int | None = None
        self._missing: Counter[str] = Counter()
        self._jumps: list[tuple[int, int]] = []
        self._dropped = False

    def read_line(self, line: int, text: str) -> None:
        """Read one line of the file."""
        statement, comment, rest = text.partition("#")
        words = statement.split()
        if not words:
            if comment and tuple(rest.split()[:2]) == FRAME_TIME_SENTENCE:
                self._read_frame_time(line, rest.split()[2:3], check_frame_time)
            elif comment and tuple(rest.split()[:2]) == SKELETON_SENTENCE and not self.skeleton_mark:
                self.skeleton_mark = " ".join(rest.split()[2:])
            return
        first = words[0]
        if len(words) == 1 and first.isdecimal() and first.isascii() and len(first) <= MAX_FRAME_DIGITS:
            self._close_frame()
            self._open_frame(line, int(first))
        elif first[0] == ":":
            self._read_header(line, first.lower(), words[1:])
        else:
            self._read_bone(line, first, words[1:])

    def finish(self, broken_off: bool) -> None:
        """Close the last frame, or drop it when it is not whole."""
        if self._started is None:
            raise FileFormatError(self.path, "holds no frames: it is not an AMC motion, or is empty")
        if self.frame_lines and (broken_off or not self._before.keys() <= self._frame.keys()):
            self._dropped = True
        else:
            self._close_frame()

    def notes(self) -> list[str]:
        """Return what was odd about the file, one sentence each."""
        notes = []
        if self._dropped:
            notes.append("the file breaks off within its last frame, which was dropped")
        if self._missing:
            names = ", ".join(f"{name} ({count} frames)" for name, count in self._missing.items())
            notes.append(f"bones that frames lack stay at zero: {names}")
        if self._jumps:
            before, after = self._jumps[0]
            notes.append(
                f"frame numbers jump {len(self._jumps)} times, first from {before} to {after}: "
                "the frames were read as consecutive"
            )
        return notes

    def _open_frame(self, line: int, number: int) -> None:
        if self._number is not None and number != self._number + 1:
            self._jumps.append((self._number, number))
        self._started, self._number = line, number

    def _close_frame(self) -> None:
        if self._started is None:
            return
        frame = self._frame
        if len(frame) < MIN_BONES_FRACTION * len(self.zeros) or not frame:
            raise FileFormatError(
                self.path,
                f"frame {self._number} holds {len(frame)} of the skeleton's {len(self.zeros)} moving bones: "
                "the skeleton belongs to another motion, or the file is damaged",
                self._started,
            )
        if len(frame) < len(self.zeros):
            self._missing.update(self.zeros.keys() - frame.keys())
        for name, zeros in self.zeros.items():
            self.values.extend(frame.get(name, zeros))
        self.frame_lines.append(self._started)
        self._before, self._frame = frame, {}

    def _read_header(self, line: int, keyword: str, words: Sequence[str]) -> None:
        if keyword == ":degrees":
            self.angle = "deg"
        elif keyword == ":radians":
            self.angle = "rad"
        elif keyword == ":samples-per-second" and self.frame_time is None:
            self._read_frame_time(line, words[:1], frame_time_of)

    def _read_frame_time(self, line: int, words: Sequence[str], convert: Callable[[float], float]) -> None:
        """Read a stated rate or frame time; the first one counts."""
        try:
            self.frame_time = convert(parse_number("".join(words)))
        except ParameterError as error:
            raise FileFormatError(self.path, f"the stated {error}", line) from None
        except ValueError as error:
            raise FileFormatError(self.path, f"the stated rate: {error}", line) from None

    def _read_bone(self, line: int, word: str, words: Sequence[str]) -> None:
        name = word.lower()
        count = self.counts.get(name)
        if count is None:
            raise FileFormatError(self.path, f"the skeleton has no bone {quote_word(word)}", line)
        if self._started is None:
            raise FileFormatError(
                self.path, f"values of {quote_word(word)} come before the first frame number", line
            )
        if len(words) != count:
            raise FileFormatError(
                self.path,
                f"{quote_word(word)} has {len(words)} values, but the skeleton gives it {count}",
                line,
            )
        if name in self._frame:
            raise FileFormatError(self.path, f"{quote_word(word)} occurs twice in frame {self._number}", line)
        try:
            values = [parse_number(value) for value in words]
        except ValueError as error:
            raise FileFormatError(self.path, f"{quote_word(word)} needs numbers: {error}", line) from None
        if count:
            self._frame[name] = values

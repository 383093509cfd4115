"""Reading AMC files: one block per frame, one line per bone."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from io import StringIO
from itertools import islice
from pathlib import Path

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.errors import FileFormatError
from motionloom.files.acclaim.skeleton import AcclaimSkeleton, AngleUnit
from motionloom.files.acclaim.text import LARGEST, read_text, shown

LONGEST_FRAME_NUMBER = 18
"""Digits of a frame number; a longer run of digits is no frame number."""

LEAST_SHARE = 0.5
"""Share of a skeleton's moving bones that a frame must hold; with fewer the files do not match."""


@dataclass(frozen=True, eq=False)
class AcclaimMotion:
    """The numbers of an AMC file.

    Attributes
    ----------
    values
        (T, N) the values of all bones, in the order of the skeleton's bones and their degrees of freedom.
    angle
        Unit of the angles, or None where the file names none.
    rate
        Frames per second, or None where the file states none.
    notes
        What was repaired or left out while reading, one sentence each.
    """

    values: FloatArray
    angle: AngleUnit | None
    rate: float | None
    notes: tuple[str, ...]


def read_amc(path: Path, skeleton: AcclaimSkeleton) -> AcclaimMotion:
    """Read the motion of a skeleton, or fail with the line of the first thing that does not fit it.

    A last frame that breaks off is dropped and a bone that a frame lacks stays at zero; both are noted.
    """
    text = read_text(path)
    last = 1 + text.rstrip().count("\n")
    reader = _Reader(path, skeleton)
    broken_off = False
    try:
        for number, line in enumerate(StringIO(text), start=1):
            reader.take(number, line)
    except FileFormatError as error:
        # What is wrong with the last line of a file that was fine before is that the file ends too early.
        if error.line != last or not reader.frame_lines:
            raise
        broken_off = True
    reader.finish(broken_off)
    return AcclaimMotion(_checked_values(reader, text), reader.angle, reader.rate, tuple(reader.notes()))


class _Reader:
    """Takes the lines of an AMC file one by one and gathers the values of whole frames."""

    def __init__(self, path: Path, skeleton: AcclaimSkeleton) -> None:
        self.path = path
        self.angle: AngleUnit | None = None
        self.rate: float | None = None
        self.values = array("d")
        self.frame_lines: list[int] = []
        self.counts = {bone.name.lower(): len(bone.freedoms) for bone in skeleton.bones}
        self.zeros = {name: [0.0] * count for name, count in self.counts.items() if count}
        self._frame: dict[str, list[float]] = {}
        self._before: dict[str, list[float]] = {}
        self._started: int | None = None
        self._number: int | None = None
        self._lacking: Counter[str] = Counter()
        self._jumps: list[tuple[int, int]] = []
        self._dropped = False

    def take(self, line: int, text: str) -> None:
        """Take one line of the file."""
        words = text.split() if "#" not in text else text.partition("#")[0].split()
        if not words:
            return
        first = words[0]
        if len(words) == 1 and first.isdecimal() and len(first) <= LONGEST_FRAME_NUMBER:
            self._close_frame()
            self._open_frame(line, int(first))
        elif first[0] == ":":
            self._take_header(line, first.lower(), words[1:])
        else:
            self._take_bone(line, first, words[1:])

    def finish(self, broken_off: bool) -> None:
        """Close the last frame, or drop it when it is not whole."""
        if self._started is None:
            raise FileFormatError(self.path, "the file holds no frames: it is no AMC motion, or it is empty")
        if self.frame_lines and (broken_off or not self._before.keys() <= self._frame.keys()):
            self._dropped = True
        else:
            self._close_frame()

    def notes(self) -> list[str]:
        """What was odd about the file, one sentence each."""
        notes = []
        if self._dropped:
            notes.append("the file breaks off within its last frame, which is left out")
        if self._lacking:
            names = ", ".join(f"{name} ({count} frames)" for name, count in self._lacking.items())
            notes.append(f"bones that frames lack are kept at zero: {names}")
        if self._jumps:
            before, after = self._jumps[0]
            notes.append(
                f"frame numbers jump {len(self._jumps)} times, first from {before} to {after}: "
                "the frames are taken as consecutive"
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
        if len(frame) < LEAST_SHARE * len(self.zeros) or not frame:
            raise FileFormatError(
                self.path,
                f"frame {self._number} holds {len(frame)} of the skeleton's {len(self.zeros)} moving bones: "
                "the skeleton belongs to another motion, or the file is damaged",
                self._started,
            )
        if len(frame) < len(self.zeros):
            self._lacking.update(self.zeros.keys() - frame.keys())
        for name, zeros in self.zeros.items():
            self.values.extend(frame.get(name, zeros))
        self.frame_lines.append(self._started)
        self._before, self._frame = frame, {}

    def _take_header(self, line: int, keyword: str, words: Sequence[str]) -> None:
        if keyword == ":degrees":
            self.angle = "deg"
        elif keyword == ":radians":
            self.angle = "rad"
        elif keyword == ":samples-per-second":
            try:
                self.rate = float(words[0])
            except (IndexError, ValueError):
                self.rate = 0.0
            if not 0.0 < self.rate <= LARGEST:
                raise FileFormatError(self.path, f"{keyword} needs a positive number", line)

    def _take_bone(self, line: int, word: str, words: Sequence[str]) -> None:
        name = word.lower()
        count = self.counts.get(name)
        if count is None:
            raise FileFormatError(self.path, f"the skeleton has no bone {shown(word)}", line)
        if self._started is None:
            raise FileFormatError(
                self.path, f"values of {shown(word)} stand before the first frame number", line
            )
        if len(words) != count:
            raise FileFormatError(
                self.path, f"{shown(word)} has {len(words)} values, but the skeleton gives it {count}", line
            )
        if name in self._frame:
            raise FileFormatError(self.path, f"{shown(word)} occurs twice in frame {self._number}", line)
        try:
            values = [float(value) for value in words]
        except ValueError:
            raise FileFormatError(
                self.path, f"{shown(word)} needs numbers, not {shown(' '.join(words))}", line
            ) from None
        if count:
            self._frame[name] = values


def _checked_values(reader: _Reader, text: str) -> FloatArray:
    """The values (T, N), or an error with the line of the first that is no usable number."""
    values = np.array(reader.values).reshape(len(reader.frame_lines), -1)
    good = np.abs(values) <= LARGEST
    if good.all():
        return values
    frame, column = (int(i) for i in np.argwhere(~good)[0])
    columns = [name for name, zeros in reader.zeros.items() for _ in zeros]
    lines = islice(enumerate(StringIO(text), start=1), reader.frame_lines[frame], None)
    line = next(number for number, line in lines if line.lower().split()[:1] == [columns[column]])
    raise FileFormatError(
        reader.path,
        f"{columns[column]!r} has the value {values[frame, column]:g}: "
        f"values must be finite and at most {LARGEST:g}",
        line,
    )

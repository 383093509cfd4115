"""Lines of words and numbers, with errors that name the line."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from typing import NamedTuple

from motionloom.errors import FileFormatError

LARGEST = 1e9
"""No length or angle of a body comes near it in any unit, and sums of such numbers stay finite."""

_SHOWN = 40
"""Characters of a word that a message quotes."""

_LONGEST = 8_000_000
"""Characters of a file whose words are kept in memory: a skeleton of a hundred thousand bones."""

_SEPARATORS = str.maketrans("(),", "   ")


class Line(NamedTuple):
    """The words of one line that holds any, and its number in the file, counted from 1."""

    number: int
    words: tuple[str, ...]

    @property
    def keyword(self) -> str:
        """The first word in lower case; Acclaim files do not mind the case."""
        return self.words[0].lower()


def read_text(path: Path) -> str:
    """The text of a file with plain line ends; bytes that are no text become replacement signs."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise FileFormatError(path, f"the file cannot be read: {error.strerror or error}") from None
    text = data.decode("utf-8-sig", errors="replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_lines(path: Path) -> list[Line]:
    """The lines of a file that hold words; comments are cut, commas and parentheses count as spaces."""
    text = read_text(path)
    if len(text) > _LONGEST:
        raise FileFormatError(path, f"with {len(text)} characters the file is too long for a skeleton")
    stripped = (line.partition("#")[0].translate(_SEPARATORS).split() for line in StringIO(text))
    return [Line(number, tuple(words)) for number, words in enumerate(stripped, start=1) if words]


def shown(text: str) -> str:
    """A word of a file in quotes for a message, cut where it is long."""
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")


def numbers(path: Path, line: Line, words: Sequence[str], count: int) -> list[float]:
    """The given words as so many finite numbers, or an error that shows the line."""
    if len(words) != count:
        raise FileFormatError(
            path,
            f"{shown(line.words[0])} needs {count} number{'s' * (count > 1)}, not {len(words)}",
            line.number,
        )
    try:
        values = [float(word) for word in words]
    except ValueError:
        raise FileFormatError(
            path, f"{shown(line.words[0])} needs numbers, not {shown(' '.join(words))}", line.number
        ) from None
    if not all(abs(value) <= LARGEST for value in values):
        raise FileFormatError(
            path, f"{shown(line.words[0])} has a number that is not finite or beyond {LARGEST:g}", line.number
        )
    return values

"""Lines of words and numbers, with errors that name the line."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from typing import NamedTuple

from motionloom.errors import FileFormatError
from motionloom.files.text import decoded, number, read_text, shown

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


def read_lines(path: Path) -> list[Line]:
    """The lines of a file that hold words; comments are cut, commas and parentheses count as spaces."""
    text = decoded(read_text(path).content)
    if len(text) > _LONGEST:
        raise FileFormatError(path, f"with {len(text)} characters the file is too long for a skeleton")
    stripped = (line.partition("#")[0].translate(_SEPARATORS).split() for line in StringIO(text))
    return [Line(place, tuple(words)) for place, words in enumerate(stripped, start=1) if words]


def numbers(path: Path, line: Line, words: Sequence[str], count: int) -> list[float]:
    """The given words as so many numbers, or an error that shows the line."""
    if len(words) != count:
        raise FileFormatError(
            path,
            f"{shown(line.words[0])} needs {count} number{'s' * (count > 1)}, not {len(words)}",
            line.number,
        )
    try:
        return [number(word) for word in words]
    except ValueError as error:
        raise FileFormatError(path, f"{shown(line.words[0])} needs numbers: {error}", line.number) from None

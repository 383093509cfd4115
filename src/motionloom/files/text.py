"""What text formats share: bytes with one kind of line end, names, and numbers that are really numbers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from motionloom.errors import FileFormatError, MotionloomError

LARGEST = 1e9
"""No length or angle of a body comes near it in any unit, and sums of such numbers stay finite."""

_SHOWN = 40
"""Characters of a word that a message quotes."""

_NUMBER_SIGNS = "0123456789+-.eE"
_NO_VALUE = ("nan", "inf", "1.#")
"""How words begin that programs print for the result of an impossible calculation."""


@dataclass(frozen=True)
class TextFile:
    """A file's content as bytes that are ASCII where it matters."""

    path: str
    content: bytes
    notes: tuple[str, ...] = ()

    def line_at(self, position: int) -> int:
        """The number, from 1, of the line that holds this byte."""
        return self.content.count(b"\n", 0, position) + 1

    def error(self, cause: str, position: int | None = None) -> FileFormatError:
        """An error at this byte of the file."""
        return FileFormatError(self.path, cause, None if position is None else self.line_at(position))


def read_text(path: Path) -> TextFile:
    """Read a file, without a byte-order mark, UTF-16 turned into UTF-8, all line ends into line feeds."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise unreadable(path, error) from None
    notes: list[str] = []
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        try:
            content = content.decode("utf-16").encode("utf-8")
        except UnicodeDecodeError:
            raise FileFormatError(path, "begins like UTF-16 text but is not") from None
        notes.append("the file is UTF-16 text; it was read as such")
    content = content.removeprefix(b"\xef\xbb\xbf")
    if b"\r" in content:
        content = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    return TextFile(str(path), content, tuple(notes))


def unreadable(path: Path, error: OSError) -> FileFormatError:
    """The error for a file that the system does not let us read."""
    missing = isinstance(error, FileNotFoundError)
    return FileFormatError(path, "there is no such file" if missing else f"cannot be read ({error.strerror})")


def decoded(words: bytes) -> str:
    """Text from a file: UTF-8, or Latin-1 where it is not valid UTF-8."""
    try:
        return words.decode("utf-8")
    except UnicodeDecodeError:
        return words.decode("latin-1")


def shown(text: str) -> str:
    """A word of a file in quotes for a message, cut where it is long.

    >>> shown("hips")
    "'hips'"
    """
    return repr(text if len(text) <= _SHOWN else text[:_SHOWN] + "…")


def number(word: str) -> float:
    """A number as files write it, or a ValueError that says what is wrong with the word.

    Digits are ASCII, the decimal sign is a point, and the size is at most :data:`LARGEST`; Python's own
    reading also takes underscores, digits of other scripts and words for infinity.

    >>> number("-1.5e3")
    -1500.0
    """
    try:
        if word.strip(_NUMBER_SIGNS):  # some other sign is left
            raise ValueError
        value = float(word)
    except ValueError:
        raise ValueError(_not_a_number(word)) from None
    if abs(value) > LARGEST:
        raise ValueError(f"{shown(word)} is too large: numbers go up to {LARGEST:g}")
    return value


def _not_a_number(word: str) -> str:
    if word.lower().lstrip("+-").startswith(_NO_VALUE):
        return f"{shown(word)} stands for no value: remove or repair this line"
    return f"{shown(word)} is not a number"


def check_size(path: str | Path, largest: float) -> None:
    """Refuse to write a value that reading would refuse."""
    if largest > LARGEST:
        raise MotionloomError(
            f"{path}: a value of {largest:.3g} is too large to be written: "
            f"numbers in files go up to {LARGEST:g}"
        )

"""What text formats share: bytes with one kind of line end, unique names, and numbers that are numbers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from pathlib import Path

from motionloom.errors import FileFormatError, MotionloomError
from motionloom.json_files import MAX_NUMBER, check_plain_file

_MARK_LENGTH = 16
"""Digits of a mark: enough to tell files apart, not a safeguard against forgery."""

_MAX_QUOTED = 40
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
        """Return the number, from 1, of the line that holds this byte."""
        return self.content.count(b"\n", 0, position) + 1

    def error(self, cause: str, position: int | None = None) -> FileFormatError:
        """Return an error at this byte of the file."""
        return FileFormatError(self.path, cause, None if position is None else self.line_at(position))


def read_text(path: Path) -> TextFile:
    """Read a file, without a byte-order mark, UTF-16 turned into UTF-8, all line ends into line feeds."""
    check_plain_file(path)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise unreadable_error(path, error) from None
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


def unreadable_error(path: Path, error: OSError) -> FileFormatError:
    """Return the error for a file that the system does not let us read."""
    missing = isinstance(error, FileNotFoundError)
    return FileFormatError(path, "there is no such file" if missing else f"cannot be read ({error.strerror})")


def decode_text(words: bytes) -> str:
    """Decode text from a file: UTF-8, or Latin-1 where it is not valid UTF-8."""
    try:
        return words.decode("utf-8")
    except UnicodeDecodeError:
        return words.decode("latin-1")


def iterate_lines(content: bytes) -> Iterator[str]:
    r"""Yield the lines of a file's content with their line feeds, decoded one by one.

    A text of a gigabyte would take several more of them as one string, and as a stream of such.

    >>> list(iterate_lines(b"1 2\n3"))
    ['1 2\n', '3']
    """
    encoding = "utf-8"
    if not content.isascii():
        try:
            content.decode(encoding)
        except UnicodeDecodeError:
            encoding = "latin-1"
    for line in BytesIO(content):
        yield line.decode(encoding)


def content_mark(content: bytes) -> str:
    """Return a short hash of what a text file says, whatever its blanks and line ends.

    Of two files that belong together, one notes the mark of the other: where saving broke off between the
    two, or one was replaced, they do not fit.

    >>> content_mark(b"a b") == content_mark(b" a   b ")
    True
    """
    return sha256(b" ".join(content.split())).hexdigest()[:_MARK_LENGTH]


def quote_word(text: str) -> str:
    """Return a word of a file in quotes for a message, cut where it is long.

    >>> quote_word("hips")
    "'hips'"
    """
    return repr(text if len(text) <= _MAX_QUOTED else text[:_MAX_QUOTED] + "…")


def unique_names(names: Iterable[str], unnamed: str = "") -> tuple[str, ...]:
    """Return the names with later copies of a name numbered.

    Parameters
    ----------
    names
        The names as a file has them.
    unnamed
        What empty names become, with their place in the list; by default they count as any other name.

    >>> unique_names(["heel", "heel", "heel_2", ""], "point")
    ('heel', 'heel_3', 'heel_2', 'point 4')
    """
    given = list(names)
    taken = set(given)
    last: dict[str, int] = {}
    unique: list[str] = []
    for n, name in enumerate(given, start=1):
        is_given = bool(name or not unnamed)
        base = name if is_given else f"{unnamed} {n}"
        number = last.get(name, 0) + 1 if is_given else 1
        candidate = base if number == 1 else f"{base}_{number}"
        while candidate in taken and not (number == 1 and is_given):
            number += 1
            candidate = f"{base}_{number}"
        last[name] = number
        taken.add(candidate)
        unique.append(candidate)
    return tuple(unique)


def renaming_notes(what: str, names: Sequence[str], unique: Sequence[str]) -> list[str]:
    """Return a note for every name that was changed to be unique; nameless ones are not mentioned.

    >>> renaming_notes("joint", ["heel", "heel"], ["heel", "heel_2"])
    ["a second joint 'heel' was renamed 'heel_2'"]
    """
    pairs = zip(names, unique, strict=True)
    return [f"a second {what} {old!r} was renamed {new!r}" for old, new in pairs if old not in ("", new)]


def parse_number(word: str) -> float:
    """Parse a number as files write it, or raise a ValueError that says what is wrong with the word.

    Digits are ASCII, the decimal sign is a point, and the size is at most :data:`MAX_NUMBER`; Python's own
    reading also takes underscores, digits of other scripts and words for infinity.

    >>> parse_number("-1.5e3")
    -1500.0
    """
    try:
        if word.strip(_NUMBER_SIGNS):  # some other sign is left
            raise ValueError
        value = float(word)
    except ValueError:
        raise ValueError(_not_a_number(word)) from None
    if abs(value) > MAX_NUMBER:
        raise ValueError(f"{quote_word(word)} is too large: numbers go up to {MAX_NUMBER:g}")
    return value


def _not_a_number(word: str) -> str:
    if word.lower().lstrip("+-").startswith(_NO_VALUE):
        return f"{quote_word(word)} stands for no value: remove or repair this line"
    return f"{quote_word(word)} is not a number"


def check_size(path: str | Path, magnitude: float) -> None:
    """Refuse to write a value that reading would refuse."""
    if magnitude > MAX_NUMBER:
        raise MotionloomError(
            f"a value of {magnitude:.3g} is too large to be written: "
            f"numbers in files go up to {MAX_NUMBER:g}",
            subject=str(path),
        )

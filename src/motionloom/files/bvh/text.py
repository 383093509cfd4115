"""The bytes of a text file with one kind of line end and one encoding, and where in them a line is."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from motionloom.errors import FileFormatError


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


def decoded(word: bytes) -> str:
    """A name from a file: UTF-8, or Latin-1 where it is not valid UTF-8."""
    try:
        return word.decode("utf-8")
    except UnicodeDecodeError:
        return word.decode("latin-1")


def read_text(path: Path) -> TextFile:
    """Read a file, without a byte-order mark, UTF-16 turned into UTF-8, old Mac line ends into line feeds."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise FileFormatError(path, "there is no such file") from None
    except OSError as error:
        raise FileFormatError(path, f"cannot be read ({error.strerror})") from None
    notes: list[str] = []
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        try:
            content = content.decode("utf-16").encode("utf-8")
        except UnicodeDecodeError:
            raise FileFormatError(path, "begins like UTF-16 text but is not") from None
        notes.append("the file is UTF-16 text; it was read as such")
    content = content.removeprefix(b"\xef\xbb\xbf")
    if b"\n" not in content:
        content = content.replace(b"\r", b"\n")
    return TextFile(str(path), content, tuple(notes))

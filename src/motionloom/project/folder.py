"""The folder of a project: its document, saved whole or not at all, its clips, and their file names."""

from __future__ import annotations

import json
import os
import re
import unicodedata
from os import PathLike
from pathlib import Path, PurePosixPath
from threading import Lock

from motionloom.atomic_write import atomic_output, make_folder
from motionloom.errors import FileExistsRefusal, FileFormatError, ParameterError
from motionloom.json_files import read_json
from motionloom.project.document import Document, check_whole
from motionloom.project.plain_data import from_plain, to_plain

DOCUMENT = "project.json"
"""The file of the document in the folder of a project."""

CLIPS = "clips"
"""The folder, in that of a project, for files that were added."""

MAX_DOCUMENT_BYTES = 64 << 20
"""Bytes beyond which a document is taken for something else; a thousand keys take a tenth of a megabyte."""

MAX_NAME = 100
"""Characters of the name of an added file that are kept, its ending apart."""

RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)
"""Names that stand for devices on Windows, whatever their endings."""

SCRIPT_OUTPUT_FOLDER = "made"
"""The folder, in that of a project, for files that scripts write on the way."""

MAX_STEM = 60
"""Characters of a name that a file keeps."""

DRAWN = (".gif", ".mp4", ".png")
"""Endings of pictures and movies, which are drawn and not saved."""

_UNSAFE = re.compile(r"[^\w .()+-]+")

_UNSAFE_IN_STEM = re.compile(r"[^\w+]+")


class ProjectFolder:
    """A folder with a document and the clips it refers to.

    Nothing is read or made before it is asked for. Nothing outside the folder is ever named: paths are
    relative to it, and links that lead out of it are refused.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as place:
    ...     folder = ProjectFolder(place)
    ...     folder.save(Document())
    ...     folder.exists, folder.add("walk.bvh", b"HIERARCHY"), folder.load() == Document()
    (True, 'clips/walk.bvh', True)
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        self.path = Path(path)
        self._adding = Lock()

    @property
    def exists(self) -> bool:
        """Whether a document was saved here."""
        return (self.path / DOCUMENT).is_file()

    def load(self) -> Document:
        """Load the document as it was saved last, or an empty one."""
        path = self.path / DOCUMENT
        if not path.exists():
            return Document()
        data = read_json(path, "a project", MAX_DOCUMENT_BYTES)
        version = data.get("version") if isinstance(data, dict) else None
        if type(version) is int and version > Document.version:
            raise FileFormatError(
                path,
                f"is of version {version}, made by a newer Motionloom",
                remedy="update it (pip install -U motionloom)",
            )
        try:
            document: Document = from_plain(Document, data, "the project")
            check_whole(document)
        except ParameterError as error:
            raise FileFormatError(path, str(error)) from None
        return document

    def save(self, document: Document) -> None:
        """Write the document in place of the one before; whoever reads sees one or the other, whole."""
        text = json.dumps(to_plain(document), indent=1, ensure_ascii=False)
        make_folder(self.path)
        with atomic_output(self.path / DOCUMENT, overwrite=True) as temporary:
            temporary.write_text(text + "\n", encoding="utf-8")

    def resolve(self, relative: str) -> Path:
        """Return the path of a file of the project; anything outside of the folder is refused.

        >>> ProjectFolder(".").resolve("../secret.bvh")
        Traceback (most recent call last):
        ...
        motionloom.errors.ParameterError: '../secret.bvh' lies outside of the project: add the file to it
        """
        steps = PurePosixPath(relative)
        unsafe = not relative or "\0" in relative or "\\" in relative or ":" in relative
        if unsafe or steps.is_absolute() or ".." in steps.parts:
            raise _outside(relative)
        top = os.path.realpath(self.path)
        try:
            place = os.path.realpath(os.path.join(top, *steps.parts))
        except (OSError, ValueError):
            raise _outside(relative) from None
        if place == top or os.path.commonpath([top, place]) != top:
            raise _outside(relative)
        return Path(place)

    def add(self, name: str, content: bytes) -> str:
        """Keep a file among the clips under its name, or one like it that is free; returns its path.

        A file of the same name and content is not stored twice.
        """
        stem, ending = _safe(name)
        clips = self.resolve(CLIPS)
        with self._adding:
            make_folder(clips)
            number = 1
            while True:
                free = f"{stem}{'' if number == 1 else f' {number}'}{ending}"
                try:
                    with atomic_output(clips / free) as temporary:
                        temporary.write_bytes(content)
                except FileExistsRefusal:
                    if not _holds(clips / free, content):
                        number += 1
                        continue
                return f"{CLIPS}/{free}"


def _outside(relative: str) -> ParameterError:
    return ParameterError(f"{relative!r} lies outside of the project: add the file to it")


def _holds(path: Path, content: bytes) -> bool:
    try:
        return path.stat().st_size == len(content) and path.read_bytes() == content
    except OSError:
        return False


def _safe(name: str) -> tuple[str, str]:
    """Split a name into stem and suffix that are safe on every file system."""
    last = unicodedata.normalize("NFC", re.split(r"[/\\]", name)[-1])
    stem, dot, ending = last.rpartition(".")
    if not dot:
        stem, ending = last, ""
    stem = _UNSAFE.sub("_", stem)[:MAX_NAME].strip(" .-")
    if RESERVED.fullmatch(stem):
        stem = f"{stem}_"
    ending = re.sub(r"\W+", "", ending)[:10].lower()
    return stem or "clip", f".{ending}" if ending else ""


def file_stems(document: Document) -> dict[str, str]:
    """Return a unique file stem for each item, by id; they differ even where case is ignored.

    >>> from motionloom.project.document import Item
    >>> from motionloom.project.recipes import FileRecipe
    >>> file = FileRecipe(path="clips/walk.bvh")
    >>> items = (Item(id="c1", name="Walk / slow", recipe=file), Item(id="c2", name="walk-slow", recipe=file))
    >>> file_stems(Document(items=items))
    {'c1': 'Walk-slow', 'c2': 'walk-slow-c2'}
    """
    found: dict[str, str] = {}
    taken: set[str] = set()
    for item in document.items:
        stem = _UNSAFE_IN_STEM.sub("-", item.name)[:MAX_STEM].strip("-") or item.id
        while stem.casefold() in taken:
            stem = f"{stem}-{item.id}"
        taken.add(stem.casefold())
        found[item.id] = stem
    return found


def script_path(stem: str) -> str:
    """Return the path, relative to the project's folder, in which a script saves a clip."""
    return f"{SCRIPT_OUTPUT_FOLDER}/{stem}.npz"


def script_paths(document: Document) -> dict[str, str]:
    """Return the path in which a script saves each item, by id, relative to the project's folder."""
    return {id: script_path(stem) for id, stem in file_stems(document).items()}


def printable_name(name: str) -> str:
    r"""Return a name that is safe in a comment of a script: one line, printable characters only.

    >>> printable_name("walk\nrm -r /")
    'walk rm -r /'
    """
    return "".join(letter for letter in " ".join(name.split()) if letter.isprintable())

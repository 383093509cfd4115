"""What the clips of a project are called as files."""

from __future__ import annotations

import re

from motionloom.project.document import Document

SCRIPT_OUTPUT_FOLDER = "made"
"""The folder, in that of a project, for files that scripts write on the way."""

MAX_STEM = 60
"""Characters of a name that a file keeps."""

DRAWN = (".gif", ".mp4", ".png")
"""Endings of pictures and movies, which are drawn and not saved."""

_UNSAFE = re.compile(r"[^\w+]+")


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
        stem = _UNSAFE.sub("-", item.name)[:MAX_STEM].strip("-") or item.id
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

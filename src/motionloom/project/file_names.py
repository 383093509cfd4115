"""What the clips of a project are called as files."""

from __future__ import annotations

import re

from motionloom.project.document import Document

MADE_FOLDER = "made"
"""The folder, in that of a project, for files that scripts make on the way."""

MAX_STEM = 60
"""Characters of a name that a file keeps."""

DRAWN = (".gif", ".mp4", ".png")
"""Endings of pictures and movies, which are drawn and not saved."""

_UNSAFE = re.compile(r"[^\w+]+")


def file_stems(document: Document) -> dict[str, str]:
    """A name without an ending for the file of each item, by its id; all differ, in any case of letters.

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
    """The file, as seen from the project's folder, in which a script keeps a clip."""
    return f"{MADE_FOLDER}/{stem}.npz"


def script_paths(document: Document) -> dict[str, str]:
    """The file, as seen from the project's folder, in which a script keeps each item, by its id."""
    return {id: script_path(stem) for id, stem in file_stems(document).items()}


def printable_name(name: str) -> str:
    r"""A name as it may stand in a comment of a script: in one line, with nothing that does not show.

    >>> printable_name("walk\nrm -r /")
    'walk rm -r /'
    """
    return "".join(letter for letter in " ".join(name.split()) if letter.isprintable())

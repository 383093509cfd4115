"""Opening a project: the one in a folder, with files that are brought along, or a first one to play with."""

from __future__ import annotations

from pathlib import Path

from motionloom.atomic_write import atomic_output, remove_leftovers
from motionloom.errors import FileFormatError, MotionloomError, ParameterError
from motionloom.messages import Argument
from motionloom.project.document import Document
from motionloom.project.edits import AddItem, ShowItem
from motionloom.project.folder import CLIPS, DOCUMENT, ProjectFolder
from motionloom.project.recipes import BlendRecipe, FileRecipe, MotionRecipe
from motionloom.studio.uploads import skeletons_beside, store_file

BUILT_IN = {
    "walk": "walk",
    "jog": "jog",
    "walk left": "walk_left",
    "walk right": "walk_right",
    "turn left": "walk_turn_left",
    "front kick": "kick_front",
}
"""Built-in motions of a first project, by the names they get."""

SHOWN = ("walk", "jog")
"""Those whose figures are shown from the start, together with the blend of them."""

BLENDED = ("walk", "jog")

COPY = "project.backup.json"
"""The document as it was when the project was opened last, beside the one that changes."""


def open_document(folder: ProjectFolder, files: tuple[Path, ...] = ()) -> Document:
    """Open the document of a folder as it was saved, or a new one, and copy the files into the project.

    A new project without files has some built-in motions and a blend. The document is saved before this
    returns, so that a folder is a project from the start.
    """
    for path in files:
        _check_file(path)
    # A document that is a link out of the folder would be written there.
    folder.resolve(DOCUMENT)
    for place in (folder.path, folder.resolve(CLIPS)):
        if place.is_dir():
            remove_leftovers(place)
    fresh = Document() if files else first_document()
    document = reload_document(folder) if folder.exists else fresh
    for path in files:
        document = with_file(document, folder, path)
    folder.save(document)
    return document


def reload_document(folder: ProjectFolder) -> Document:
    """Load the document of a folder and keep a copy of it; a damaged file is left untouched."""
    try:
        document = folder.load()
    except FileFormatError as error:
        copy = f", put {COPY} in its place" if (folder.path / COPY).is_file() else ""
        raise MotionloomError(
            f"{error}; nothing was changed",
            remedy=(f"repair the file{copy}, or choose another folder with ", Argument("project")),
        ) from None
    with atomic_output(folder.resolve(COPY), overwrite=True) as temporary:
        temporary.write_bytes((folder.path / DOCUMENT).read_bytes())
    return document


def first_document() -> Document:
    """Make a document with some built-in motions and a blend of two.

    >>> [item.name for item in first_document().items][-1]
    'walk and jog'
    """
    document = Document()
    for name, motion in BUILT_IN.items():
        document = AddItem(name=name, recipe=MotionRecipe(motion=motion, options={})).apply(document)
    ids = {item.name: item.id for item in document.items}
    blend = BlendRecipe(sources=tuple(ids[name] for name in BLENDED), weights=(0.5, 0.5))
    document = AddItem(name=" and ".join(BLENDED), recipe=blend).apply(document)
    for name in BUILT_IN:
        document = ShowItem(item=ids[name], visible=name in SHOWN).apply(document)
    return document


def with_file(document: Document, folder: ProjectFolder, path: Path) -> Document:
    """Copy a file into the project and add a clip of it, unless the document has it already."""
    for skeleton in skeletons_beside(path):
        store_file(folder, skeleton.name, _content(skeleton))
    recipe = FileRecipe(path=store_file(folder, path.name, _content(path)))
    if any(item.recipe == recipe for item in document.items):
        return document
    return AddItem(name=path.stem, recipe=recipe).apply(document)


def _check_file(path: Path) -> None:
    from motionloom.files.formats import find_formats

    if not path.is_file():
        raise ParameterError("there is no such file", subject=str(path))
    find_formats(path, "opened", lambda format: format.read is not None)


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise MotionloomError(f"{path} cannot be copied into the project: {reason}") from error

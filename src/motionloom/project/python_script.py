"""A clip of a project as a Python script."""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath
from typing import get_args

from motionloom.files.formats import formats_of
from motionloom.project.clip_edits import check_own_frames
from motionloom.project.document import ClipEdit, Document, Item
from motionloom.project.export_settings import AS_IT_IS, ExportSettings
from motionloom.project.folder import DRAWN, file_stems, printable_name, script_path
from motionloom.project.python_code import (
    ENSURE_ANNOTATED,
    PythonStatements,
    write_call,
    write_string,
    write_value,
)
from motionloom.project.recipes import Recipe, sources_of

IMPORTS = (
    "dataclasses.replace",
    "motionloom.project.clip_edits.apply_marks",
    "motionloom.project.document.EventMark",
    "motionloom.project.document.Marks",
    "motionloom.project.document.PlantMark",
    ENSURE_ANNOTATED,
)
"""Names that edits, marks and files use besides those of ``ml``."""

HOMES = {
    name: home
    for path in (*IMPORTS, *(path for kind in get_args(Recipe) for path in kind.IMPORTS))
    for home, _, name in [path.rpartition(".")]
}
"""Names that scripts use besides those of the package itself, and where they are imported from."""

TAKEN = frozenset(
    [
        *keyword.kwlist,
        *dir(builtins),
        *HOMES,
        "ml",
        *(name for kind in get_args(Recipe) for name in kind.VARIABLES),
    ]
)
"""Names that no clip of a script may have."""


def write_python(document: Document, id: str, output: str, settings: ExportSettings = AS_IT_IS) -> str:
    """Write a Python script that makes the clip of an item and saves it to a file.

    It runs in the folder of the project.

    >>> from motionloom.project.edits import AddItem
    >>> from motionloom.project.recipes import FileRecipe
    >>> walk = AddItem(name="walk", recipe=FileRecipe(path="clips/walk.bvh")).apply(Document())
    >>> print(write_python(walk, "c1", "walk.bvh"))
    # Makes walk.bvh. Run it in the folder of the project.
    <BLANKLINE>
    import motionloom as ml
    from motionloom.workflows import ensure_annotated
    <BLANKLINE>
    # walk
    walk = ml.load("clips/walk.bvh")
    walk = ensure_annotated(walk)
    <BLANKLINE>
    ml.save(walk, "walk.bvh", overwrite=True)
    <BLANKLINE>
    """
    names = _choose_variables(document.items)
    blocks = [
        "\n".join([f"# {printable_name(item.name)}", *_write_item(item, names)])
        for item in document.with_sources(id)
    ]
    blocks.append("\n".join(_saving(names[id], file_stems(document)[id], output, settings)))
    head = f"# Makes {printable_name(output)}. Run it in the folder of the project.\n\n{_imports(blocks)}"
    return "\n\n".join([head, *blocks]) + "\n"


def _imports(blocks: Sequence[str]) -> str:
    """Write the imports of all names that the statements mention."""
    names_in_code = {word for block in blocks for word in re.findall(r"\w+", _without_texts(block))}
    homes: dict[str, list[str]] = {}
    for name, home in HOMES.items():
        if name in names_in_code:
            homes.setdefault(home, []).append(name)
    lines = [f"from {home} import {', '.join(sorted(homes[home]))}" for home in sorted(homes)]
    first = [f"{line}\n" for line in lines if line.startswith("from dataclasses")]
    rest = [line for line in lines if line.startswith("from motionloom")]
    return "\n".join([*first, "import motionloom as ml", *rest])


def _without_texts(block: str) -> str:
    """Return statements without comments and strings, which may hold any word."""
    code = "\n".join(line for line in block.splitlines() if not line.startswith("#"))
    return re.sub(r"\"(\\.|[^\"\\])*\"|'(\\.|[^'\\])*'", "", code)


def _saving(name: str, stem: str, output: str, settings: ExportSettings) -> list[str]:
    ending = PurePath(output).suffix.lower()
    part = "" if settings.frames is None else f"[{settings.frames[0]}:{settings.frames[1] + 1}]"
    is_resampled = settings.fps is not None and ending not in DRAWN
    part += f".resampled({settings.fps!r})" if is_resampled else ""
    cut = [f"{name} = {name}{part}"] if part else []
    given = settings.save_options(ending)
    if ending in DRAWN:
        return [*cut, write_call("ml.render", name, write_string(output), **given, overwrite=True)]
    if any("animation" in format.write_options for format in formats_of(ending)):
        named = write_call("ml.save", name, write_string(output), **given, animation=stem, overwrite=True)
        return [*cut, named]
    saved = write_call("ml.save", name, write_string(output), **given, overwrite=True)
    if ending != ".npz":
        return [*cut, saved]
    # The format remembers where a clip came from: the file in which commands keep it.
    origin = f"replace({name}.source, path={write_string(script_path(stem))})"
    return [*cut, f"{name} = replace({name}, source={origin})", saved]


def _write_item(item: Item, names: Mapping[str, str]) -> list[str]:
    """Write the statements that make one item of those before it."""
    script = PythonStatements(names[item.id], names)
    item.recipe.write_python(script)
    _edit(script, item)
    _mark(script, item)
    return script.lines


def _edit(script: PythonStatements, item: Item) -> None:
    edit = item.edit
    if edit.repair:
        script.set_clip_of(write_call("ml.repair", script.name))
    if edit.smooth is not None:
        script.set_clip_of(write_call("ml.smooth", script.name, cutoff=edit.smooth))
    if edit != ClipEdit():
        trim = "" if edit.trim is None else f"[{edit.trim[0]}:{edit.trim[1] + 1}]"
        speed = "" if edit.speed is None else f".sped_up({edit.speed!r})"
        turned = ".reversed()" if edit.reverse else ""
        script.set(f"{script.name}{trim}{speed}{turned}{'.mirrored()' if edit.mirror else ''}")
    if edit.root_motion is not None:
        script.set(write_call("ml.move_root_motion", script.name, repr(edit.root_motion)))
    if edit.travel is not None:
        function = "ml.recover_travel" if edit.travel == "recover" else "ml.put_in_place"
        script.set_clip_of(write_call(function, script.name))


def _mark(script: PythonStatements, item: Item) -> None:
    if item.marks is not None:
        check_own_frames(item.marks)
        script.set(write_call("apply_marks", script.name, write_value(item.marks)))
    elif not sources_of(item.recipe):
        script.set(script.ensure_annotated(item.id))


def _choose_variables(items: Iterable[Item]) -> dict[str, str]:
    """Choose a variable name for each item, by id."""
    taken, found = set(TAKEN), dict[str, str]()
    for item in items:
        name = re.sub(r"[^a-z0-9]+", "_", item.name.lower()).strip("_")
        if not name or name[0].isdigit():
            name = f"clip_{name}".rstrip("_")
        while name in taken:
            name = f"{name}_{item.id}"
        taken.add(name)
        found[item.id] = name
    return found

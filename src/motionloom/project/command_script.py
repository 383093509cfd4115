"""A clip of a project as a shell script of motionloom commands."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath

from motionloom.project.clip_edits import annotations_of
from motionloom.project.document import ClipEdit, Document, Item
from motionloom.project.export_settings import AS_IT_IS, ExportSettings
from motionloom.project.folder import DRAWN, SCRIPT_OUTPUT_FOLDER, printable_name, script_paths
from motionloom.project.recipes import sources_of
from motionloom.project.shell_code import OUTPUT, ShellCalls, write_call, write_options


def write_commands(document: Document, id: str, output: str, settings: ExportSettings = AS_IT_IS) -> str:
    """Write a POSIX shell script that makes the clip of an item and saves it to a file.

    It runs in the folder of the project, and keeps what it makes on the way in ``made/``.

    >>> from motionloom.project.edits import AddItem
    >>> from motionloom.project.recipes import FileRecipe
    >>> walk = AddItem(name="walk", recipe=FileRecipe(path="clips/walk.bvh")).apply(Document())
    >>> print(write_commands(walk, "c1", "walk.glb"))
    #!/bin/sh
    # Makes walk.glb. Run it in the folder of the project.
    set -e
    mkdir -p made
    <BLANKLINE>
    # walk
    motionloom edit clips/walk.bvh -o made/walk.npz --force --annotate
    <BLANKLINE>
    motionloom convert made/walk.npz -o walk.glb --force
    <BLANKLINE>
    """
    kept = script_paths(document)
    blocks = [
        "\n".join([f"# {printable_name(item.name)}", *_write_item(item, kept)])
        for item in document.with_sources(id)
    ]
    command = "render" if PurePath(output).suffix.lower() in DRAWN else "convert"
    given = {"fps": settings.fps, "to_unit": settings.unit, "to_up": settings.up}
    last = write_call(command, kept[id], OUTPUT, output, "--force", *write_options(given))
    if settings.frames is not None:
        trim = f"--trim={settings.frames[0]}f:{settings.frames[1]}f"
        last = "\n".join([write_call("edit", kept[id], OUTPUT, kept[id], "--force", trim), last])
    return "\n\n".join([_head(output), *blocks, last]) + "\n"


def _head(output: str) -> str:
    lines = [
        "#!/bin/sh",
        f"# Makes {printable_name(output)}. Run it in the folder of the project.",
        "set -e",
        f"mkdir -p {SCRIPT_OUTPUT_FOLDER}",
    ]
    return "\n".join(lines)


def _write_item(item: Item, paths: Mapping[str, str]) -> list[str]:
    """Write the calls that make one item of those before it."""
    script = ShellCalls(paths[item.id], paths)
    item.recipe.write_commands(script)
    if not sources_of(item.recipe):
        _edit(script, item, annotate=item.marks is None)
    elif item.edit != ClipEdit() or item.marks is not None:
        _edit(script, item)
    return script.lines


def _edit(script: ShellCalls, item: Item, annotate: bool = False) -> None:
    edit, marks = item.edit, item.marks
    words = [script.edited, OUTPUT, script.path, "--force"]
    if edit.trim is not None:
        words.append(f"--trim={edit.trim[0]}f:{edit.trim[1]}f")
    words += write_options(
        {
            "repair": edit.repair,
            "smooth": edit.smooth,
            "speed": edit.speed,
            "reverse": edit.reverse,
            "mirror": edit.mirror,
            "root-motion": edit.root_motion,
            "travel": edit.travel,
        }
    )
    if marks is not None:
        words.append(f"--annotations={script.write_file('.marks.json', annotations_of(marks))}")
    script.call("edit", *words, *(["--annotate"] if annotate else []))

"""Options of every command that reads motion files."""

from __future__ import annotations

from functools import wraps
from pathlib import Path
from typing import Any

import click

from motionloom.cli.output import ANY_PATH, Command
from motionloom.files import Layout, load
from motionloom.files.formats import annotated_suffixes, recognize_format
from motionloom.motion import Clip, PointClip

KEEPS_ALL = ".npz"
"""Ending of the format that stores everything a clip holds."""

NOT_ANNOTATED = "the file has no constraints, so its foot plants were looked for first"

_OPTIONS = (
    click.option(
        "--read-fps", type=float, metavar="FPS", help="Frame rate, in place of what the file states."
    ),
    click.option(
        "--unit",
        metavar="UNIT",
        help="Length unit of the file: m, dm, cm, mm, inch, cmu, or metres per unit.",
    ),
    click.option("--up", type=click.Choice(["x", "y", "z"]), help="Vertical axis of the file."),
    click.option(
        "--root-offset",
        type=click.Choice(["absolute", "relative"]),
        help="BVH: root positions replace the root's OFFSET, or add to it.",
    ),
    click.option(
        "--keep-rest-rows", is_flag=True, help="Keep rest-pose rows that a converter put before the motion."
    ),
    click.option(
        "--all-rows", is_flag=True, help="BVH: read rows beyond the number that the file announces."
    ),
    click.option("--root", metavar="NAME", help="BVH, glTF: which root to read when there are several."),
    click.option(
        "--skeleton",
        type=ANY_PATH,
        metavar="FILE",
        help="AMC: the .asf file to use. CSV: a file whose skeleton to use.",
    ),
    click.option(
        "--animation",
        metavar="NAME",
        help="glTF, USD, FBX: which animation to read when there are several, by name or number from 0.",
    ),
)

_ARGUMENTS = {
    "read_fps": "fps",
    "unit": "unit",
    "up": "up",
    "root_offset": "root_offset",
    "keep_rest_rows": "keep_rest_rows",
    "all_rows": "all_rows",
    "root": "root",
    "skeleton": "skeleton",
    "animation": "animation",
}


class Reader:
    """Reads files with the options the user gave, and collects what there is to say about each."""

    def __init__(self, choices: dict[str, Any]) -> None:
        self.choices = choices
        self.notes: dict[str, list[str]] = {}

    def read(self, path: Path, quiet: bool = False) -> Clip:
        """Load a clip and say on standard error what reading found, repaired or left out."""
        clip = load(path, **self.choices)
        # Our own format keeps what was said when the clip was first read, which is not said again.
        again = recognize_format(path).id == "npz"
        if not (quiet or again):
            for note in clip.source.notes:
                self._note(path, note)
        return clip

    def note_losses(self, clip: Clip, target: Path) -> None:
        """Say when a file was written in a format that does not keep all the clip has."""
        for note in note_losses(clip, target):
            self.notes.setdefault(str(target), []).append(note)

    def _note(self, path: Path, note: str) -> None:
        self.notes.setdefault(str(path), []).append(note)
        click.echo(f"{path}: {note}", err=True)


def note_losses(clip: Clip, target: Path) -> list[str]:
    """Say on standard error when a file was written in a format that does not keep all the clip has.

    Returns what was said.
    """
    notes = losses(clip, target)
    for note in notes:
        click.echo(f"{target}: {note}", err=True)
    return notes


def losses(clip: Clip | PointClip, target: Path, layout: Layout | None = None) -> list[str]:
    """What to say about a file in a format, or a layout of it, that does not keep all the clip has."""
    annotated = annotated_suffixes()
    keeps = target.suffix.lower() in annotated and layout is None
    if keeps or not (clip.constraints or clip.events):
        return []
    return [f"constraints and events are left out: only {', '.join(annotated)} files keep them"]


def annotated(clip: Clip, file: Path) -> Clip:
    """The clip of a file with its foot plants: found where it has no constraints, which is said."""
    from motionloom.workflows import ensure_annotated

    ready = ensure_annotated(clip)
    if ready is not clip:
        click.echo(f"{file}: {NOT_ANNOTATED}", err=True)
    return ready


def reading_options(command: Command) -> Command:
    """Give a command the reading options; it receives them as one argument ``reader``."""

    @wraps(command)
    def with_reader(**arguments: Any) -> Any:
        choices = {name: arguments.pop(option) for option, name in _ARGUMENTS.items()}
        return command(reader=Reader(choices), **arguments)

    for option in reversed(_OPTIONS):
        with_reader = option(with_reader)
    return with_reader

"""Options of every command that reads motion files."""

from __future__ import annotations

from functools import wraps
from pathlib import Path
from typing import Any

import click

from motionloom.cli.output import ANY_PATH, Command
from motionloom.files import load
from motionloom.motion import Clip

KEEPS_ALL = ".npz"
"""Ending of the format that stores everything a clip holds."""

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
    click.option("--root", metavar="NAME", help="BVH: which ROOT to read when there are several."),
    click.option("--skeleton", type=ANY_PATH, metavar="ASF", help="AMC: the skeleton file to use."),
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
}


class Reader:
    """Reads files with the options the user gave, and collects what there is to say about each."""

    def __init__(self, choices: dict[str, Any]) -> None:
        self.choices = choices
        self.notes: dict[str, list[str]] = {}

    def read(self, path: Path, quiet: bool = False) -> Clip:
        """Load a clip and say on standard error what reading found, repaired or left out."""
        clip = load(path, **self.choices)
        if not quiet:
            for note in clip.source.notes:
                self._note(path, note)
        return clip

    def note_losses(self, clip: Clip, target: Path) -> None:
        """Say when a file was written in a format that does not keep all the clip has."""
        if target.suffix.lower() != KEEPS_ALL and (clip.constraints or clip.events):
            self._note(target, f"constraints and events are left out: only {KEEPS_ALL} keeps them")

    def _note(self, path: Path, note: str) -> None:
        self.notes.setdefault(str(path), []).append(note)
        click.echo(f"{path}: {note}", err=True)


def reading_options(command: Command) -> Command:
    """Give a command the reading options; it receives them as one argument ``reader``."""

    @wraps(command)
    def with_reader(**arguments: Any) -> Any:
        choices = {name: arguments.pop(option) for option, name in _ARGUMENTS.items()}
        return command(reader=Reader(choices), **arguments)

    for option in reversed(_OPTIONS):
        with_reader = option(with_reader)
    return with_reader

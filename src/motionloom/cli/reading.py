"""Reading motion files for commands: the reading options, and notes that are printed once per run."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial, wraps
from pathlib import Path
from typing import Any

import click

from motionloom.cli.options import ANY_PATH, READING, GroupedOption, apply_options, option
from motionloom.cli.output import BRIEF, NOTES, print_line
from motionloom.cli.words import words_here
from motionloom.errors import NoSkeletonError, ParameterError
from motionloom.files import load_clip, load_points
from motionloom.files.formats import all_formats, points_only, recognize_format
from motionloom.files.losses import find_losses
from motionloom.files.options import WriteOptions
from motionloom.jobs.budget import MEGABYTE
from motionloom.messages import render
from motionloom.motion import Clip, PointClip

KEEPS_ALL = ".npz"
"""Suffix of the format that stores everything a clip has."""

POINT_OPTIONS = ("fps", "unit", "up", "forces", "max_memory")
"""Reading options that apply to files of points."""

PLANTS_DETECTED = "foot plants were detected first, because the file has no constraints"


def _show_help(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted:
        context.meta[READING] = True
        click.echo(context.get_help())
        context.exit()


class ReadingOption(GroupedOption):
    """An option of the group "Reading options"; its help names the formats that it applies to."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """Return option and help; formats are listed only when the reading options are shown."""
        record = super().get_help_record(ctx)
        if record is None or not ctx.meta.get(READING):
            return record
        names, text = record
        applying = [format.name for format in all_formats() if self.name in format.read_options]
        if 0 < len(applying) < len(all_formats()) / 2:
            text = f"{', '.join(applying)}: {text[0].lower()}{text[1:]}"
        return names, text


_reading_option = partial(click.option, cls=ReadingOption, group=READING)

_OPTIONS = (
    _reading_option(
        "--read-fps",
        type=float,
        metavar="FPS",
        show_default="as the file states",
        help="Frame rate of the file.",
    ),
    _reading_option(
        "--unit",
        metavar="UNIT",
        show_default="detected",
        help="Length unit of the file: m, dm, cm, mm, inch, cmu, or metres per unit.",
    ),
    _reading_option(
        "--up",
        type=click.Choice(["x", "y", "z"]),
        show_default="detected",
        help="Up axis of the file.",
    ),
    _reading_option(
        "--root-offset",
        type=click.Choice(["absolute", "relative"]),
        show_default="detected",
        help="Whether root positions replace the root's OFFSET or are added to it.",
    ),
    _reading_option(
        "--keep-rest-rows",
        is_flag=True,
        help="Keep a rest pose that a converter put before the motion; the default is to drop it.",
    ),
    _reading_option(
        "--all-rows",
        is_flag=True,
        help="Read all rows, also beyond the number of frames that the file states.",
    ),
    _reading_option("--root", metavar="NAME", help="Root joint to read, if there are several."),
    _reading_option(
        "--skeleton",
        type=ANY_PATH,
        metavar="FILE",
        help="Skeleton file: an .asf, or any motion file for CSV.",
    ),
    _reading_option(
        "--animation",
        metavar="NAME",
        help="Animation to read, by name or by number from 0, if there are several.",
    ),
    _reading_option(
        "--forces",
        type=ANY_PATH,
        metavar="FILE",
        show_default="the one beside the file",
        help="Table of ground forces (.mot, .sto) of a file of markers.",
    ),
    _reading_option(
        "--cyclic/--not-cyclic",
        default=None,
        show_default="detected",
        help="Whether the last frame continues into the first.",
    ),
    _reading_option(
        "--max-memory",
        type=click.IntRange(min=1),
        metavar="MB",
        show_default="20 times the file and 50 MB",
        help="Memory that reading a file may take, in megabytes.",
    ),
    option(
        "--help-reading",
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=_show_help,
        help="Show this message with the options for reading files (--unit, --up, …) and exit.",
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
    "forces": "forces",
    "cyclic": "cyclic",
    "max_memory": "max_memory",
}
"""Reading option -> argument of :func:`motionloom.load`."""


class Reader:
    """Reads files with the options that the user gave, and collects notes about them."""

    def __init__(self, options: dict[str, Any]) -> None:
        self.options = options
        self.notes: dict[str, list[str]] = {}
        self._pending: dict[str, list[tuple[Path, str]]] = {}

    def read(self, path: Path, *, quiet: bool = False) -> Clip:
        """Load a clip; unless ``quiet``, note what reading detected, repaired or dropped."""
        clip = self.load(path)
        # Our own format keeps the notes of the file that the clip was first read from: they are not repeated.
        if not quiet and recognize_format(path).id != "npz":
            for note in clip.source.notes:
                self.note(path, note)
        return clip

    def load(self, path: Path) -> Clip:
        """Load a clip without keeping its notes; options that say something about points are refused."""
        if self.options["forces"] is not None:
            raise ParameterError(
                f"does not apply to {path.suffix} files of motion with a skeleton", parameter="forces"
            )
        return load_clip(path, **{name: value for name, value in self.options.items() if name != "forces"})

    def read_annotated(self, path: Path) -> Clip:
        """Load a clip and detect its foot plants if it has no constraints, with a note."""
        from motionloom.workflows import ensure_annotated

        clip = self.read(path)
        annotated = ensure_annotated(clip)
        if annotated is not clip:
            self.note(path, PLANTS_DETECTED)
        return annotated

    def read_any(self, path: Path, *, annotate: bool = False) -> Clip | PointClip:
        """Load a clip, or points without a skeleton; ``annotate`` detects missing foot plants."""
        if points_only(path.suffix.lower()):
            return self.read_points(path)
        try:
            return self.read_annotated(path) if annotate else self.read(path)
        except NoSkeletonError:
            # Tables and our own files hold either.
            return self.read_points(path)

    def read_points(self, path: Path) -> PointClip:
        """Load points without a skeleton; options that say something about a skeleton are refused."""
        for name, value in self.options.items():
            is_given = value is not None and (value is not False or name == "cyclic")  # --not-cyclic
            if is_given and name not in POINT_OPTIONS:
                raise ParameterError(f"does not apply to {path.suffix} files of points", parameter=name)
        return load_points(path, **{name: self.options[name] for name in POINT_OPTIONS})

    def note(self, path: Path, note: str, *, each: bool = False) -> None:
        """Keep a note about a file for :meth:`print_notes` and for JSON.

        Notes on several files that differ only in their numbers are printed as one, unless ``each`` is set.
        """
        self.notes.setdefault(str(path), []).append(render(note, words_here()))
        kind = f"{path}: {note}" if each else re.sub(r"\d[\d.]*", "#", note)
        self._pending.setdefault(kind, []).append((path, note))

    def note_losses(
        self, clip: Clip | PointClip, target: Path, *, options: WriteOptions | None = None
    ) -> None:
        """Note what of a clip a file does not keep that was written with these options."""
        for note in find_losses(clip, target, options=options):
            self.note(target, note)

    def count_pending(self) -> int:
        """Return how many lines the notes take that were not printed yet."""
        return len(self._pending)

    def print_notes(self) -> None:
        """Print the notes that were not printed yet on standard error, one line for each kind.

        Where the result was printed in brief, they are left out.
        """
        context = click.get_current_context(silent=True)
        if context is not None and context.meta.get(BRIEF):
            self._pending.clear()
            return
        for (path, note), *others in self._pending.values():
            more = len({other for other, _ in others} - {path})
            which = f"{path} and {more} more file{'s' if more > 1 else ''}" if more else path
            print_line(f"{which}: {render(note, words_here())}", err=True)
        self._pending.clear()


def refuse_for_points(path: Path, options: Mapping[str, object]) -> None:
    """Refuse options that were given for a file of points and need a skeleton; by name."""
    for name, value in options.items():
        if value:
            raise ParameterError(f"{name} does not apply to {path}: it holds points without a skeleton")


def print_losses(clip: Clip, target: Path) -> None:
    """Print what of a clip the format of a written file does not keep."""
    for note in find_losses(clip, target):
        print_line(f"{target}: {note}", err=True)


def reading_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the reading options; it receives them as one argument ``reader``."""

    @wraps(command)
    def with_reader(**arguments: Any) -> Any:
        options = {name: arguments.pop(given) for given, name in _ARGUMENTS.items()}
        if options["max_memory"] is not None:
            options["max_memory"] *= MEGABYTE
        reader = Reader(options)
        context = click.get_current_context(silent=True)
        if context is not None:
            context.meta[NOTES] = reader.count_pending
        try:
            return command(reader=reader, **arguments)
        finally:
            reader.print_notes()

    return apply_options(with_reader, _OPTIONS)

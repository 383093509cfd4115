"""What commands share: printing facts, progress, folders and refusing to overwrite."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import click

from motionloom.atomic_write import make_folder
from motionloom.errors import FileExistsRefusal, MotionloomError, ParameterError

Command = Callable[..., Any]

ANY_PATH = click.Path(path_type=Path, readable=False)
"""A path as it was typed; what is wrong with a file, the library says."""

as_json = click.option("--json", "as_json", is_flag=True, help="Print the facts as JSON on standard output.")
output_file = click.option("-o", "--output", required=True, type=ANY_PATH, help="The file to write.")
blend_plot = click.option(
    "--plot", type=ANY_PATH, help="Draw what each frame is made of into this .png, .svg or .pdf."
)
force = click.option("--force", is_flag=True, help="Replace files that are already there.")
markers = click.option(
    "--markers", type=ANY_PATH, metavar="FILE", help="Write sync markers for game engines into this .json."
)
allow_unfit = click.option("--allow-unfit", is_flag=True, help="Blend also clips that hardly correspond.")
easing = click.option(
    "--easing",
    type=click.Choice(["smooth", "linear", "hold"]),
    default="smooth",
    show_default=True,
    help="How to go from one key to the next.",
)
UNFIT_OVERRIDE = "--allow-unfit"
"""What a refusal of clips that hardly correspond tells somebody at the command line to add."""


def print_json(facts: object) -> None:
    """Print facts as JSON on standard output, in ASCII so that every terminal and pipe can carry it."""
    click.echo(json.dumps(facts, indent=2))


def print_facts(title: str, facts: Mapping[str, object]) -> None:
    """Print facts as an aligned two-column table on standard output."""
    click.secho(title, bold=True)
    names = {name: name.replace("_", " ") for name in facts}
    width = max(map(len, names.values()))
    for name, value in facts.items():
        click.echo(f"{click.style(f'{names[name]:<{width}}', fg='cyan')}  {spoken(value)}")


def print_result(title: str, facts: Mapping[str, object], notes: Sequence[str], json_wanted: bool) -> None:
    """Print facts and notes on what was made: as a table for people, or as JSON."""
    if json_wanted:
        print_json({**facts, "notes": list(notes)})
        return
    print_facts(title, facts)
    print_notes(notes)


def print_notes(notes: Sequence[str]) -> None:
    """Print notes below a table of facts."""
    for note in notes:
        click.echo(f"  note: {note}")


def spoken(value: object) -> str:
    """A fact as a person reads it."""
    if value is None:
        return "unknown"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(spoken(entry) for entry in value) or "none"
    return str(value)


def sentence(error: MotionloomError) -> str:
    """What an error of the library says to somebody at the command line."""
    if isinstance(error, FileExistsRefusal):
        return f"{error.path} already exists: choose another name, or replace it with --force"
    return str(error)


def refuse_existing(paths: Iterable[Path], overwrite: bool) -> None:
    """Fail before the work starts when a file that it would write is already there."""
    for path in paths:
        if not overwrite and path.is_file():
            raise FileExistsRefusal(path)


def check_markers(path: Path | None) -> None:
    """Fail before the work starts when sync markers would go into a file that is not called JSON."""
    if path is not None and path.suffix.lower() != ".json":
        raise ParameterError(f"{path}: sync markers are saved as .json")


def check_plot(path: Path | None) -> None:
    """Fail before the work starts when a plot would go into a file that is no picture, or cannot be drawn."""
    if path is not None:
        from motionloom.display.plot import check_plot_file

        check_plot_file(path)


def print_written(paths: Sequence[Path], json_wanted: bool, **facts: object) -> None:
    """Say which files were written."""
    written = [file for path in paths for file in _files(path)]
    if json_wanted:
        print_json({"written": [str(file) for file in written], **facts})
        return
    for file in written:
        click.echo(f"wrote {file}")


def _files(path: Path) -> list[Path]:
    """The files that saving to a path writes: motion in ``.amc`` has its skeleton beside it."""
    return [path, path.with_suffix(".asf")] if path.suffix.lower() == ".amc" else [path]


@contextmanager
def progress(description: str, quiet: bool = False) -> Iterator[Callable[[int, int], None]]:
    """A progress bar on standard error that is fed with (done, total); shown only to a person who waits."""
    # FORCE_COLOR makes rich take anything for a terminal, so the stream itself is asked.
    if quiet or not sys.stderr.isatty():
        yield lambda done, total: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(description, total=None)

        def update(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total)

        yield update


@contextmanager
def all_or_nothing(paths: Sequence[Path]) -> Iterator[None]:
    """Make the folders of the files; when the block fails, remove the files and folders that are new."""
    above = {folder for path in paths for folder in path.parents}
    new_files = [path for path in paths if not path.exists()]
    new_folders = sorted((folder for folder in above if not folder.exists()), reverse=True)
    try:
        for path in paths:
            make_folder(path.parent)
        yield
    except BaseException:
        for path in new_files:
            with suppress(OSError):
                path.unlink(missing_ok=True)
        for folder in new_folders:
            with suppress(OSError):
                folder.rmdir()
        raise

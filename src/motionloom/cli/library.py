"""`motionloom library`: make, fill and search libraries of takes."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from motionloom.cli.library_contents import compact, export, summary, web
from motionloom.cli.library_options import connect, folder, jobs, open_library, scheduler
from motionloom.cli.library_search import search
from motionloom.cli.options import ANY_PATH, Command, as_json, option
from motionloom.cli.output import print_json, print_line, progress
from motionloom.errors import MotionloomError

if TYPE_CHECKING:
    from motionloom.library.add_files import AddReport
    from motionloom.library.library import Library
    from motionloom.library.take import Take


@click.group()
def library() -> None:
    """Make, fill and search libraries of takes.

    A library is a folder. `add` reads motion files once, `search` finds where else somebody does the same.
    """


for _command in (search, web, summary, compact, export):
    library.add_command(_command)


@library.command(cls=Command)
@folder
def create(library: Path) -> None:
    """Make an empty library."""
    from motionloom.library.library import Library

    print_line(repr(Library(library)))


@library.command(cls=Command)
@folder
@click.argument("files", nargs=-1, required=True, type=ANY_PATH, metavar="FILE...")
@option("--tag", "tags", multiple=True, metavar="WORD", help="Word for all of these takes; can be repeated.")
@option(
    "--descriptions",
    type=ANY_PATH,
    metavar="CSV",
    help="Table with the columns take (a file's name without suffix), description and subject, or some.",
)
@jobs
@scheduler
@as_json
def add(
    library: Path,
    files: Sequence[Path],
    tags: tuple[str, ...],
    descriptions: Path | None,
    jobs: int,
    scheduler: str | None,
    as_json: bool,
) -> None:
    """Read motion files, folders or patterns, and add their takes to LIBRARY.

    LIBRARY is made where there is none. Files that were added before and have not changed are left alone, so
    an interrupted call goes on where it stopped; where their motion in the library is damaged, it is mended.
    """
    from motionloom.library.library import Library

    table = _read_descriptions(descriptions) if descriptions is not None else []
    opened = Library(library)
    with connect(scheduler) as executor, progress("add", quiet=as_json) as show:
        report = opened.add(
            files,
            tags=tags,
            descriptions={row["take"]: row["description"] for row in table if row.get("description")},
            subjects={row["take"]: row["subject"] for row in table if row.get("subject")},
            jobs=jobs,
            executor=executor,
            progress=show,
        )
    _print_report(opened, report, as_json)


@library.command(cls=Command)
@folder
@jobs
@scheduler
@as_json
def update(library: Path, jobs: int, scheduler: str | None, as_json: bool) -> None:
    """Read files again that changed since they were added, or that could not be read."""
    opened = open_library(library)
    with connect(scheduler) as executor, progress("update", quiet=as_json) as show:
        report = opened.update(jobs=jobs, executor=executor, progress=show)
    _print_report(opened, report, as_json)


@library.command("list", cls=Command)
@folder
@click.argument("words", nargs=-1, metavar="[WORD...]")
@as_json
def list_takes(library: Path, words: Sequence[str], as_json: bool) -> None:
    """List the takes that have one of the words as a tag, in their name or description; or all."""
    takes = [take for take in open_library(library).takes if not words or any(map(take.has_word, words))]
    if as_json:
        print_json([_facts(take) for take in takes])
        return
    for take in takes:
        more = ", ".join(filter(None, [take.description, *take.tags]))
        mark = "" if take.not_searchable is None else f" (not searchable: {take.not_searchable})"
        print_line(f"{take.name:<24} {take.duration:7.2f} s {take.fps:6.1f} fps  {more}{mark}")


@library.command(cls=Command)
@folder
@as_json
def info(library: Path, as_json: bool) -> None:
    """Show how much a library holds, and which files could not be read."""
    opened = open_library(library)
    failed = {file.path: file.reason for file in opened.files if file.reason is not None}
    unsearchable = [take for take in opened.takes if take.not_searchable is not None]
    minutes = sum(take.duration for take in opened.takes) / 60.0
    size = sum(path.stat().st_size for path in opened.path.iterdir() if path.is_file())
    if as_json:
        facts = {"takes": len(opened.takes), "minutes": minutes, "bytes": size, "failed": failed}
        print_json(facts | {"not_searchable": {take.name: take.not_searchable for take in unsearchable}})
        return
    print_line(f"{len(opened.takes)} takes, {minutes:.1f} minutes, {size / 1e6:.1f} MB")
    for take in unsearchable:
        print_line(f"{take.name}: not searchable: {take.not_searchable}")
    for path, reason in failed.items():
        print_line(f"{path}: {reason}")


@library.command(cls=Command)
@folder
@click.argument("takes", nargs=-1, required=True, metavar="TAKE...")
def remove(library: Path, takes: Sequence[str]) -> None:
    """Forget takes, by their names or files; the files stay as they are."""
    open_library(library).remove(takes)
    print_line(f"removed {len(takes)} takes")


@library.command(cls=Command)
@folder
@as_json
def check(library: Path, as_json: bool) -> None:
    """Check that a library is whole: every array as it was written, every file where it was."""
    faults = open_library(library).check()
    if as_json:
        print_json(faults)
    else:
        print_line("\n".join(faults) or "everything is as it was written")
    if any(fault.endswith("add its file again") for fault in faults):
        raise MotionloomError(f"{library} is damaged: see above")


def _read_descriptions(path: Path) -> list[dict[str, str]]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise MotionloomError(f"cannot be read ({error})", subject=str(path)) from None
    if not rows or "take" not in rows[0] or not {"description", "subject"} & set(rows[0]):
        raise MotionloomError(
            "needs the columns take and description, or take and subject", subject=str(path)
        )
    return [row for row in rows if row["take"]]


def _print_report(library: Library, report: AddReport, json_wanted: bool) -> None:
    failed = {str(path): reason for path, reason in report.failed.items()}
    if json_wanted:
        print_json(report.counts() | {"failed": failed})
    else:
        for path, reason in [*report.failed.items(), *report.not_searchable.items()]:
            print_line(f"motionloom: {path}: {reason}", err=True)
        print_line(f"{report}: {library!r}")
    if failed:
        files = "1 file" if len(failed) == 1 else f"{len(failed)} files"
        raise MotionloomError(f"{files} could not be read; all others are in the library")


def _facts(take: Take) -> dict[str, object]:
    return {
        "name": take.name,
        "files": take.files,
        "frames": take.n_frames,
        "fps": take.fps,
        "description": take.description,
        "tags": take.tags,
        "notes": take.notes,
        "not_searchable": take.not_searchable,
    }

"""`motionloom library web|summary|compact|export`: what a library holds as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from motionloom.cli.library_options import connect, folder, jobs, open_library, scheduler
from motionloom.cli.options import ANY_PATH, Command, as_json, force, option
from motionloom.cli.output import print_json, print_line, progress, refuse_existing

SHOWN_LINKS = 20
"""Links of a match web that are printed; --json prints all."""

words_argument = click.argument("words", nargs=-1, metavar="[WORD...]")


@click.command(cls=Command)
@folder
@words_argument
@option("--max-distance", type=float, default=0.08, metavar="METRES", help="Distance of poses at most.")
@option("--min-duration", type=float, default=0.5, metavar="SECONDS", help="Shortest link.")
@option("--rate", type=click.Choice(["10", "30"]), default="10", help="Samples per second.")
@option("--file", type=ANY_PATH, metavar="WEB", help="Keep the web in this file, not in memory.")
@force
@jobs
@scheduler
@as_json
def web(
    library: Path,
    words: Sequence[str],
    max_distance: float,
    min_duration: float,
    rate: str,
    file: Path | None,
    force: bool,
    jobs: int,
    scheduler: str | None,
    as_json: bool,
) -> None:
    """Compare takes all with all, and list the segments that run alongside each other, nearest first.

    With words, only takes that have one of them as a tag, in their name or description.
    """
    refuse_existing([file], force)
    opened = open_library(library)
    with connect(scheduler) as executor, progress("web", quiet=as_json) as show:
        found = opened.match_web(
            *words,
            max_distance=max_distance,
            min_duration=min_duration,
            rate=30 if rate == "30" else 10,
            file=file,
            overwrite=force,
            jobs=jobs,
            executor=executor,
            progress=show,
        )
    if as_json:
        print_json(
            [
                {
                    "takes": [link.a.take.name, link.b.take.name],
                    "frames": [[link.a.start, link.a.end], [link.b.start, link.b.end]],
                    "distance": link.distance,
                    "path": link.path.tolist(),
                }
                for link in found
            ]
        )
        return
    for n in range(min(SHOWN_LINKS, len(found))):
        link = found[n]
        print_line(f"{100 * link.distance:6.1f} cm  {link.a}  and  {link.b}")
    print_line(f"{len(found)} links between {len(found.takes)} takes; --json prints all")


@click.command(cls=Command)
@folder
@option("--near-duplicates", is_flag=True, help="Also look for takes with almost the same motion.")
@option("--page", type=ANY_PATH, metavar="HTML", help="Also write the summary to this page.")
@force
@as_json
def summary(library: Path, near_duplicates: bool, page: Path | None, force: bool, as_json: bool) -> None:
    """Show what a library holds.

    Hours, skeletons, strides by speed and turn, starts, stops, turns and loops, takes with faults of capture
    or doubtful frame rates.
    """
    from motionloom.atomic_write import atomic_output
    from motionloom.library.summary_page import make_summary_page

    refuse_existing([page], force)
    opened = open_library(library)
    with progress("summary", quiet=as_json) as show:
        found = opened.summary(near_duplicates=near_duplicates, progress=show)
    if page is not None:
        with atomic_output(page, force) as path:
            path.write_text(make_summary_page(found, opened.path.name), encoding="utf-8")
    if as_json:
        print_json(found.facts())
        return
    print_line(str(found))
    if page is not None:
        print_line(f"wrote {page}")


@click.command(cls=Command)
@folder
@as_json
def compact(library: Path, as_json: bool) -> None:
    """Give back the space of takes that were removed, and of older versions' larger files."""
    freed = open_library(library).compact()
    if as_json:
        print_json({"freed": freed})
    else:
        print_line(f"{freed / 1e6:.1f} MB fewer")


@click.command(cls=Command)
@folder
@click.argument("output", type=ANY_PATH, metavar="FOLDER")
@words_argument
@option("--suffix", default=".bvh", metavar=".SUFFIX", help="Format of the files.")
@force
@as_json
def export(
    library: Path, output: Path, words: Sequence[str], suffix: str, force: bool, as_json: bool
) -> None:
    """Write the motion of takes to files in FOLDER, with a table of their descriptions and tags.

    With words, only takes that have one of them as a tag, in their name or description.
    """
    opened = open_library(library)
    with progress("export", quiet=as_json) as show:
        paths = opened.export(output, *words, suffix=suffix, overwrite=force, progress=show)
    if as_json:
        print_json([str(path) for path in paths])
    else:
        print_line(f"wrote {len(paths)} files into {output}")

"""`motionloom view`: clips as an interactive page in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from motionloom.cli.options import ANY_PATH, as_json, command, force, option
from motionloom.cli.output import print_written, refuse_existing
from motionloom.cli.reading import Reader, reading_options
from motionloom.errors import ParameterError

if TYPE_CHECKING:
    from motionloom.viewer.page_data import Layout


@command()
@click.argument("files", nargs=-1, required=True, type=ANY_PATH)
@option(
    "-o",
    "--output",
    type=ANY_PATH,
    metavar="FILE",
    show_default="a temporary file",
    help="Page to write: an .html file.",
)
@option(
    "--layout",
    type=click.Choice(["side", "start", "placed", "wipe"]),
    show_default="side",
    help="Where several clips stand: side by side, on each other, where their motion is, or left and right "
    "of a line.",
)
@option("--sheet", is_flag=True, help="Lay the clips out as a grid of small moving figures.")
@option("--plants", is_flag=True, help="Detect foot plants in files that have none.")
@option("--title", show_default="names of the files", help="Title of the page.")
@option("--no-browser", is_flag=True, help="Only write the page; open no browser.")
@force
@as_json
@reading_options
def view(
    files: tuple[Path, ...],
    output: Path | None,
    layout: Layout | None,
    sheet: bool,
    plants: bool,
    title: str | None,
    no_browser: bool,
    force: bool,
    as_json: bool,
    reader: Reader,
) -> None:
    """Show the clips in FILES as an interactive page in the browser.

    The page is one file that needs no network: pass it on, or open it again later. It plays, scrubs and
    orbits bodies, with plants, paths and earlier and later poses; press ? for its keys. Files of points work,
    too.
    """
    from motionloom.viewer import open_page, sheet_page, view_page

    if sheet and layout is not None:
        raise ParameterError("--sheet has a layout of its own", remedy="leave --layout out")
    if output is not None and output.suffix.lower() != ".html":
        raise ParameterError("a page ends in .html", subject=str(output))
    if output is None and no_browser:
        raise ParameterError("--no-browser needs -o: else nobody would see the page")
    refuse_existing([output], force)
    clips = [reader.read_any(path, annotate=plants) for path in files]
    names = [path.stem for path in files]
    if sheet:
        page = sheet_page(clips, names=names, title=title)
    else:
        page = view_page(clips, names=names, layout=layout, title=title)
    if output is not None:
        page.save(output, overwrite=force)
    written = output if no_browser and output is not None else open_page(page, output)
    print_written([written], as_json, notes=reader.notes)

"""`motionloom compare`: the measures of clips side by side, and a page with their figures and curves."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from motionloom.cli.measure import measuring_options, note_detection
from motionloom.cli.options import ANY_PATH, as_json, command, force, option
from motionloom.cli.output import print_json, print_line, print_written, refuse_existing
from motionloom.cli.reading import Reader, reading_options
from motionloom.errors import ParameterError

if TYPE_CHECKING:
    from motionloom.quality import Comparison


@command()
@click.argument("first", type=ANY_PATH)
@click.argument("second", type=ANY_PATH)
@click.argument("others", nargs=-1, type=ANY_PATH)
@option(
    "-o",
    "--output",
    type=ANY_PATH,
    metavar="FILE",
    help="Page to write, an .html file: the clips as moving figures, curves over time and the measures.",
)
@option("--open", "open_browser", is_flag=True, help="Open the page in the browser.")
@measuring_options
@force
@as_json
@reading_options
def compare(
    first: Path,
    second: Path,
    others: tuple[Path, ...],
    output: Path | None,
    open_browser: bool,
    sources: tuple[Path, ...],
    ground: float | None,
    force: bool,
    as_json: bool,
    reader: Reader,
) -> None:
    """Measure the clips in FIRST, SECOND and OTHERS and show them side by side.

    Of two clips, the difference is shown, too. Foot plants are detected first in files without constraints.
    With -o or --open, figures, curves and measures go onto a page for the browser.
    """
    from motionloom.quality import compare as compare_clips
    from motionloom.workflows import ensure_annotated

    if output is not None and output.suffix.lower() != ".html":
        raise ParameterError("a page ends in .html", subject=str(output))
    refuse_existing([output], force)
    paths = (first, second, *others)
    origins = [reader.read(path) for path in sources]
    clips = [reader.read(path) for path in paths]
    annotated = [ensure_annotated(clip) for clip in clips]
    names = [path.name for path in paths]
    comparison = compare_clips(*annotated, sources=origins, ground=ground, names=names)
    noted = (
        measures if one is other else note_detection(measures)
        for measures, one, other in zip(comparison.measures, clips, annotated, strict=True)
    )
    comparison = replace(comparison, measures=tuple(noted))
    written = _write_page(comparison, output, open_browser, force) if output or open_browser else []
    if as_json:
        files = {"files": [str(path) for path in paths], "written": [str(path) for path in written]}
        print_json({**files, **comparison.as_dict()})
        return
    print_line(str(comparison))
    if written:
        print_written(written, json_wanted=False)


def _write_page(comparison: Comparison, output: Path | None, open_browser: bool, force: bool) -> list[Path]:
    """Write a comparison as a page, into a temporary file if none is named, and open it if asked to."""
    from motionloom.viewer import open_page, view_page

    page = view_page(comparison)
    if output is not None:
        page.save(output, overwrite=force)
    if open_browser:
        return [open_page(page, output)]
    return [] if output is None else [output]

"""`motionloom measure`: figures that say how good the motion in files is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from motionloom.cli.failures import Failures
from motionloom.cli.output import ANY_PATH, Command, as_json, print_json
from motionloom.cli.reading import NOT_ANNOTATED, Reader, reading_options
from motionloom.motion import Clip

if TYPE_CHECKING:
    from motionloom.quality import Measures

_sources = click.option(
    "--source",
    "sources",
    type=ANY_PATH,
    multiple=True,
    metavar="FILE",
    help="A clip that the motion was made of; repeat it for each.",
)
_ground = click.option(
    "--ground",
    type=float,
    metavar="METRES",
    help="Height of the floor; estimated from standing feet if not given.",
)


def measuring_options(command: Command) -> Command:
    """Give a command the options --source and --ground."""
    return _sources(_ground(command))


@click.command()
@click.argument("files", nargs=-1, required=True, type=ANY_PATH)
@measuring_options
@click.option(
    "--seam",
    "seams",
    type=float,
    multiple=True,
    metavar="FRAME",
    help="A frame at which motions were joined; repeat it for each.",
)
@as_json
@reading_options
def measure(
    files: tuple[Path, ...],
    sources: tuple[Path, ...],
    ground: float | None,
    seams: tuple[float, ...],
    as_json: bool,
    reader: Reader,
) -> None:
    """Measure how good the motion in FILES is: feet, path, smoothness, limbs, gravity.

    With --source it is compared with the clips it was made of, and with --seam where they were joined. Foot
    plants are found first where a file has none.
    """
    origins = [reader.read(path) for path in sources]
    found: list[dict[str, object]] = []
    failures = Failures(len(files))
    for path in files:
        with failures.kept(path):
            taken = measured(reader.read(path), origins, ground, seams)
            found.append({"file": str(path), **taken.as_dict()})
            if not as_json:
                click.secho(str(path), bold=True)
                click.echo(f"{taken}\n")
    if as_json:
        print_json([*found, *failures.facts()])
    failures.finish("measured")


def measured(
    clip: Clip, sources: Sequence[Clip], ground: float | None, seams: Sequence[float] = ()
) -> Measures:
    """The measures of a clip, which is annotated first where it has no constraints; a note then says so."""
    from motionloom.quality import measure as taken
    from motionloom.workflows import ensure_annotated

    ready = ensure_annotated(clip)
    measures = taken(ready, sources, seams, ground=ground)
    return measures if ready is clip else replace(measures, notes=(*measures.notes, NOT_ANNOTATED))

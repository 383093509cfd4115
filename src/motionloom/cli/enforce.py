"""`motionloom enforce`: feet and hands that stay where they are planted."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from motionloom.cli.output import (
    ANY_PATH,
    all_or_nothing,
    as_json,
    force,
    output_file,
    print_json,
    refuse_existing,
)
from motionloom.cli.reading import Reader, annotated, reading_options
from motionloom.errors import MotionloomError


@click.command()
@click.argument("file", type=ANY_PATH)
@output_file
@click.option(
    "--ground",
    type=float,
    metavar="METRES",
    help="Height of a level floor; found in the motion by default.",
)
@click.option(
    "--stretch",
    type=float,
    default=0.026,
    show_default=True,
    metavar="SHARE",
    help="Largest change of a bone's length as a share of it; 0 for rigid bones.",
)
@force
@as_json
@reading_options
def enforce(
    file: Path,
    output: Path,
    ground: float | None,
    stretch: float,
    force: bool,
    as_json: bool,
    reader: Reader,
) -> None:
    """Keep what is planted in the clip in FILE in its place.

    A clip without constraints has its foot plants found first.
    """
    from motionloom.enforcement import enforce as enforced
    from motionloom.files import save

    refuse_existing([output], force)
    read = reader.read(file)
    ready = annotated(read, file)
    if not ready.constraints:
        raise MotionloomError(f"{file}: no foot plants were found, so there is nothing to enforce")
    clip = enforced(ready, ground=ground, stretch=stretch)
    with all_or_nothing([output]):
        save(clip, output, overwrite=force)
    reader.note_losses(clip, output)
    if as_json:
        facts = {
            "file": str(file),
            "written": str(output),
            "annotated": ready is not read,
            **asdict(clip.report),
        }
        print_json({**facts, "notes": [*clip.source.notes, *clip.report.notes]})
        return
    click.echo(str(clip.report))
    click.echo(f"wrote {output}")

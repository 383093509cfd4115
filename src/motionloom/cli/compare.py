"""`motionloom compare`: the figures of two clips side by side."""

from __future__ import annotations

from pathlib import Path

import click

from motionloom.cli.measure import measured, measuring_options
from motionloom.cli.output import ANY_PATH, as_json, print_json
from motionloom.cli.reading import Reader, reading_options


@click.command()
@click.argument("first", type=ANY_PATH)
@click.argument("second", type=ANY_PATH)
@measuring_options
@as_json
@reading_options
def compare(
    first: Path,
    second: Path,
    sources: tuple[Path, ...],
    ground: float | None,
    as_json: bool,
    reader: Reader,
) -> None:
    """Measure the clips in FIRST and SECOND, and show both beside each other with the difference.

    Foot plants are found first where a file has none.
    """
    from motionloom.quality import Comparison

    origins = [reader.read(path) for path in sources]
    one, two = (measured(reader.read(path), origins, ground) for path in (first, second))
    comparison = Comparison(one, two, (first.name, second.name))
    if as_json:
        print_json({"files": [str(first), str(second)], **comparison.as_dict()})
        return
    click.echo(str(comparison))

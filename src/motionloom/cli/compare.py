"""`motionloom compare`: the measures of two clips side by side."""

from __future__ import annotations

from pathlib import Path

import click

from motionloom.cli.measure import measure_annotated, measuring_options
from motionloom.cli.options import ANY_PATH, as_json, command
from motionloom.cli.output import print_json, print_line
from motionloom.cli.reading import Reader, reading_options


@command()
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
    """Measure the clips in FIRST and SECOND and show both with their difference.

    Foot plants are detected first in files without constraints.
    """
    from motionloom.quality import Comparison

    origins = [reader.read(path) for path in sources]
    one, two = (measure_annotated(reader.read(path), origins, ground) for path in (first, second))
    comparison = Comparison(one, two, (first.name, second.name))
    if as_json:
        print_json({"files": [str(first), str(second)], **comparison.as_dict()})
        return
    print_line(str(comparison))

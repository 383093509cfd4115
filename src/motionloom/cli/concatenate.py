"""`motionloom concatenate`: clips in a row, with transitions between them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from motionloom.cli.options import (
    ANY_PATH,
    as_json,
    command,
    derive_options,
    force,
    output_file,
    parse_options,
)
from motionloom.cli.output import check_motion_file, refuse_existing
from motionloom.cli.reading import Reader, reading_options
from motionloom.cli.transition import (
    check_overlap,
    close_loops,
    frames_in_loops,
    library_messages,
    write_result,
)
from motionloom.options.transitions import CONCATENATE


@command()
@click.argument("files", nargs=-1, required=True, type=ANY_PATH)
@output_file
@derive_options(CONCATENATE)
@force
@as_json
@reading_options
def concatenate(
    files: tuple[Path, ...],
    output: Path,
    force: bool,
    as_json: bool,
    reader: Reader,
    **options: Any,
) -> None:
    """Play the clips in FILES in a row, with a transition from each to the next."""
    from motionloom.transitions import concatenate as concatenate_clips
    from motionloom.workflows import plant_transition

    given = parse_options(CONCATENATE, options)
    check_overlap(given)
    check_motion_file(output)
    refuse_existing([output], force)
    clips = [reader.read_annotated(file) for file in files]
    loops = close_loops(clips, files, reader) if "loop" in given else clips
    plant = given.pop("plant", False)
    if "at" in given:
        pairs = [(pair, slice(n, n + 2)) for n, pair in enumerate(given["at"])]
        given["at"] = [frames_in_loops(pair, clips[two], loops[two], files[two]) for pair, two in pairs]
    with library_messages():
        result = concatenate_clips(loops, **given)
    if plant:
        result = plant_transition(result)
    write_result(result, files, output, reader, force=force, as_json=as_json)

"""`motionloom concatenate`: clips in a row, with transitions between them, as one clip."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from motionloom.cli.output import ANY_PATH, as_json, force, output_file, refuse_existing
from motionloom.cli.reading import Reader, annotated, reading_options
from motionloom.cli.transition import (
    frames_in_cycles,
    repeating,
    spoken_here,
    transition_options,
    write_result,
)


@click.command()
@click.argument("files", nargs=-1, required=True, type=ANY_PATH)
@output_file
@click.option(
    "--at",
    type=int,
    nargs=2,
    multiple=True,
    metavar="F1 F2",
    help="Frames that meet in a transition, once for each in turn; all are found unless stated.",
)
@transition_options
@force
@as_json
@reading_options
def concatenate(
    files: tuple[Path, ...],
    output: Path,
    at: tuple[tuple[int, int], ...],
    force: bool,
    as_json: bool,
    reader: Reader,
    **choices: Any,
) -> None:
    """Play the clips in FILES in a row, with a transition from each to the next."""
    from motionloom.transitions import concatenate as made

    refuse_existing([output], force)
    clips = [annotated(reader.read(file), file) for file in files]
    used = repeating(clips, files) if choices["loop"] else clips
    pairs = [(pair, slice(n, n + 2)) for n, pair in enumerate(at)]
    ats = [frames_in_cycles(pair, clips[two], used[two], files[two]) for pair, two in pairs]
    with spoken_here():
        result = made(used, at=ats or None, **choices)
    write_result(result, files, output, reader, force=force, as_json=as_json)

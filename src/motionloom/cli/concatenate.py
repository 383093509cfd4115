"""`motionloom concatenate`: clips in a row, with transitions between them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from motionloom.cli.options import ANY_PATH, as_json, command, force, option, output_file
from motionloom.cli.output import check_motion_file, refuse_existing
from motionloom.cli.reading import Reader, reading_options
from motionloom.cli.transition import (
    FRAMES,
    METHODS,
    OVERLAP,
    check_overlap,
    close_loops,
    frames_in_loops,
    library_messages,
    transition_options,
    write_result,
)


@command()
@click.argument("files", nargs=-1, required=True, type=ANY_PATH)
@output_file
@option(
    "--at",
    callback=FRAMES,
    multiple=True,
    metavar="F1,F2",
    show_default="similar frames, late in each clip and early in the next",
    help="Frames of two neighbours at the centre of their transition; repeat for each transition in order.",
)
@option(
    "--method",
    type=click.Choice([*METHODS, "overlap"]),
    default="registration",
    help="How to make transitions: along a registration curve, by cross-fade, by inertialization, by dead "
    "blending, or by laying the end of each clip over the start of the next.",
)
@option(
    "--overlap",
    callback=OVERLAP,
    metavar="S1,S2",
    help="For --method overlap: seconds at the end of each clip and at the start of the next.",
)
@transition_options
@option("--plant", is_flag=True, help="Keep planted feet in place.")
@force
@as_json
@reading_options
def concatenate(
    files: tuple[Path, ...],
    output: Path,
    at: tuple[tuple[float, float], ...],
    plant: bool,
    force: bool,
    as_json: bool,
    reader: Reader,
    **options: Any,
) -> None:
    """Play the clips in FILES in a row, with a transition from each to the next."""
    from motionloom.transitions import concatenate as concatenate_clips
    from motionloom.workflows import plant_transition

    check_overlap(at or None, False, {**options, "correspondences": ()})
    check_motion_file(output)
    refuse_existing([output], force)
    clips = [reader.read_annotated(file) for file in files]
    loops = close_loops(clips, files, reader) if options["loop"] else clips
    pairs = [(pair, slice(n, n + 2)) for n, pair in enumerate(at)]
    ats = [frames_in_loops(pair, clips[two], loops[two], files[two]) for pair, two in pairs]
    with library_messages():
        result = concatenate_clips(loops, at=ats or None, **options)
    if plant:
        result = plant_transition(result)
    write_result(result, files, output, reader, force=force, as_json=as_json)

"""`motionloom transition`: from one clip to another, as one clip."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from motionloom.cli.output import (
    ANY_PATH,
    Command,
    all_or_nothing,
    as_json,
    force,
    print_facts,
    print_json,
    refuse_existing,
)
from motionloom.cli.reading import Reader, reading_options

if TYPE_CHECKING:
    from motionloom.blending import BlendResult
    from motionloom.motion import Clip

_OPTIONS = (
    click.option(
        "--half-width",
        type=float,
        metavar="S",
        help="Seconds to either side of the middle; chosen from the gait unless stated.",
    ),
    click.option(
        "--method",
        type=click.Choice(["registration", "linear", "inertialize", "dead"]),
        default="registration",
        show_default=True,
        help="How to get across; the others are there to compare with.",
    ),
    click.option("--loop", is_flag=True, help="Let cyclic clips repeat where they are too short."),
)


def transition_options(command: Command) -> Command:
    """Give a command the options that all transitions have."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@click.command()
@click.argument("first", type=ANY_PATH)
@click.argument("second", type=ANY_PATH)
@click.option("-o", "--output", required=True, type=ANY_PATH, help="The file to write.")
@click.option(
    "--at",
    type=int,
    nargs=2,
    metavar="F1 F2",
    help="Frames of both clips that meet in the middle; found where the clips are most alike unless stated.",
)
@click.option("--no-snap", is_flag=True, help="Sample head and tail between frames, not at whole ones.")
@transition_options
@force
@as_json
@reading_options
def transition(
    first: Path,
    second: Path,
    output: Path,
    at: tuple[int, int] | None,
    no_snap: bool,
    force: bool,
    as_json: bool,
    reader: Reader,
    **choices: Any,
) -> None:
    """Go over from the clip in FIRST to the clip in SECOND.

    The result is the beginning of the first clip, a transition, and the end of the second clip moved into
    place.
    """
    from motionloom.blending.transitions import transition as made

    refuse_existing([output], force)
    clips = annotated_clips([first, second], reader)
    result = made(*clips, at=at, snap=not no_snap, **choices)
    write_result(result, [first, second], output, reader, force=force, as_json=as_json)


def annotated_clips(files: Sequence[Path], reader: Reader) -> list[Clip]:
    """The clips of files; those without constraints are annotated, which is said on standard error."""
    from motionloom.annotation import annotate

    clips = [reader.read(file) for file in files]
    for n, (file, clip) in enumerate(zip(files, clips, strict=True)):
        if not clip.constraints:
            clips[n] = annotate(clip)
            click.echo(f"{file}: it has no constraints: foot plants and events were found", err=True)
    return clips


def write_result(
    result: BlendResult, files: Sequence[Path], output: Path, reader: Reader, *, force: bool, as_json: bool
) -> None:
    """Save what was made of some files and say what it is."""
    from motionloom.files import save

    with all_or_nothing([output]):
        save(result.clip, output, overwrite=force)
    reader.note_losses(result.clip, output)
    clip = result.clip
    facts = {
        "written": str(output),
        "method": result.report.method,
        "frames": clip.n_frames,
        "fps": clip.fps,
        "seconds": clip.duration,
        "seams": list(result.report.seams),
        "constraints": len(clip.constraints),
    }
    if as_json:
        print_json({**facts, "notes": [*result.report.notes]})
        return
    print_facts(" → ".join(file.stem for file in files), facts)
    for note in result.report.notes:
        click.echo(f"  note: {note}")

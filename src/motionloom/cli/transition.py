"""`motionloom transition`: from one clip to another, as one clip."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from motionloom.cli.output import (
    ANY_PATH,
    Command,
    all_or_nothing,
    as_json,
    force,
    output_file,
    print_result,
    refuse_existing,
)
from motionloom.cli.reading import Reader, annotated, reading_options
from motionloom.errors import RegistrationWarning

if TYPE_CHECKING:
    from motionloom.blending import BlendResult
    from motionloom.motion import Clip

WORDS = ("--half-width", "--at", "--loop")
"""What the library's half_width, at and loop are called here."""

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
    click.option(
        "--loop",
        is_flag=True,
        help="Let clips repeat where they are too short; those that are not cyclic are closed first.",
    ),
)


def transition_options(command: Command) -> Command:
    """Give a command the options that all transitions have."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command


@click.command()
@click.argument("first", type=ANY_PATH)
@click.argument("second", type=ANY_PATH)
@output_file
@click.option(
    "--at",
    type=int,
    nargs=2,
    metavar="F1 F2",
    help="Frames of both clips that meet in the middle; found where the clips are most alike unless stated.",
)
@click.option("--no-snap", is_flag=True, help="Sample head and tail between frames, not at whole ones.")
@click.option("--plant", is_flag=True, help="Make planted feet stay put.")
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
    plant: bool,
    force: bool,
    as_json: bool,
    reader: Reader,
    **choices: Any,
) -> None:
    """Go over from the clip in FIRST to the clip in SECOND.

    The result is the beginning of the first clip, a transition, and the end of the second clip moved into
    place.
    """
    from motionloom.transitions import transition as made
    from motionloom.workflows import plant_transition

    refuse_existing([output], force)
    files = [first, second]
    clips = [annotated(reader.read(file), file) for file in files]
    one, two = repeating(clips, files) if choices["loop"] else clips
    centre = None if at is None else frames_in_cycles(at, clips, [one, two], files)
    with spoken_here():
        result = made(one, two, at=centre, snap=not no_snap, **choices)
    if plant:
        result = plant_transition(result)
    write_result(result, files, output, reader, force=force, as_json=as_json)


@contextmanager
def spoken_here() -> Iterator[None]:
    """Make transitions in a block: what the library says of them is said as at the command line."""
    from motionloom.transitions.plan import TooShortError

    with warnings.catch_warnings():
        # The notes that are printed say it too.
        warnings.simplefilter("ignore", RegistrationWarning)
        try:
            yield
        except TooShortError as error:
            raise TooShortError(error.seconds, error.missing, WORDS) from None


def repeating(clips: Sequence[Clip], files: Sequence[Path]) -> list[Clip]:
    """The clips of files as cycles: those that are not cyclic are closed, which is said."""
    return [_closed(clip, file) for clip, file in zip(clips, files, strict=True)]


def _closed(clip: Clip, file: Path) -> Clip:
    """The longest cycle of a clip, or the clip itself where no cycle closes well."""
    from motionloom.cycles.cyclify import try_cyclify

    cycle = try_cyclify(clip)
    if cycle.cyclic and cycle is not clip:
        found = cycle.report
        kept = f"frames {found.start} to {found.end:.0f}, {found.duration:.2f} s"
        click.echo(f"{file}: it is not cyclic, so a part of it was closed to a cycle ({kept})", err=True)
    elif not cycle.cyclic:
        click.echo(f"{file}: no part of it closes to a cycle, so it is played once", err=True)
    return cycle


def frames_in_cycles(
    frames: Sequence[int], clips: Sequence[Clip], cycles: Sequence[Clip], files: Sequence[Path]
) -> list[int]:
    """What frames of files are called in their clips, which may be parts that were closed to cycles."""
    from motionloom.cycles.cyclify import frame_in_cycle

    return [
        frame_in_cycle(frame, clip, cycle, f"--at names frame {frame} of {file}")
        for frame, clip, cycle, file in zip(frames, clips, cycles, files, strict=False)
    ]


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
    print_result(" → ".join(file.stem for file in files), facts, result.report.notes, as_json)

"""`motionloom edit`: cut, mirror, retime and place a clip."""

from __future__ import annotations

from math import isfinite, radians
from pathlib import Path

import click

from motionloom.cli.output import ANY_PATH, as_json, force, output_file, print_written, refuse_existing
from motionloom.cli.reading import Reader, reading_options
from motionloom.errors import ParameterError
from motionloom.files import load_annotations, save
from motionloom.geometry import GroundTransform
from motionloom.motion import Clip
from motionloom.motion.anatomy import facing
from motionloom.project.clip_edits import apply_edit
from motionloom.project.document import ClipEdit


@click.command()
@click.argument("file", type=ANY_PATH)
@output_file
@click.option(
    "--trim",
    metavar="START:END",
    help="Keep this part, in seconds, or in frames with an f: 0.5:2, 10f:200f, 1.5:",
)
@click.option(
    "--speed", type=float, metavar="FACTOR", help="Play this many times as fast, at the same frame rate."
)
@click.option("--reverse", is_flag=True, help="Run backwards.")
@click.option("--mirror", is_flag=True, help="Exchange left and right.")
@click.option(
    "--place",
    metavar="YAW,X,Z",
    help="Turn by YAW degrees (left positive) and shift by X, Z metres; or 'origin'.",
)
@click.option("--fps", type=float, help="Frame rate of the result.")
@click.option(
    "--marks",
    type=ANY_PATH,
    metavar="FILE",
    help="Put the plants and events of this .json, as annotate writes it, in place of the clip's own.",
)
@click.option("--find-plants", is_flag=True, help="Find foot plants where the clip has none.")
@force
@as_json
@reading_options
def edit(
    file: Path,
    output: Path,
    trim: str | None,
    speed: float | None,
    reverse: bool,
    mirror: bool,
    place: str | None,
    fps: float | None,
    marks: Path | None,
    find_plants: bool,
    force: bool,
    as_json: bool,
    reader: Reader,
) -> None:
    """Cut, retime, turn around, mirror, place and mark the clip in FILE.

    What is asked for happens in the order in which the options are listed below.
    """
    from motionloom.workflows import ensure_annotated

    refuse_existing([output], force)
    clip = reader.read(file)
    if trim is not None:
        clip = trimmed(clip, trim)
    clip = apply_edit(clip, ClipEdit(speed=speed, reverse=reverse, mirror=mirror))
    if place is not None:
        clip = clip.placed(placement(clip, place))
    if fps is not None:
        clip = clip.resampled(fps)
    if marks is not None:
        clip = load_annotations(marks, clip)
    if find_plants:
        clip = ensure_annotated(clip)
    save(clip, output, overwrite=force)
    reader.note_losses(clip, output)
    print_written(
        [output],
        as_json,
        frames=clip.n_frames,
        fps=clip.fps,
        duration_s=clip.duration,
        notes=reader.notes,
    )


def trimmed(clip: Clip, span: str) -> Clip:
    """The part of a clip that ``START:END`` names: both ends included, either may be left out."""
    start, colon, end = span.partition(":")
    if not colon:
        raise ParameterError(f"--trim needs START:END, such as 0.5:2 or 10f:200f, not {span!r}")
    first = _frame(clip, start, 0)
    last = _frame(clip, end, clip.n_frames - 1)
    if not 0 <= first <= last < clip.n_frames:
        raise ParameterError(
            f"--trim {span} asks for frames {first} to {last}: the clip has frames 0 to {clip.n_frames - 1} "
            f"({clip.duration:.3f} s)"
        )
    return apply_edit(clip, ClipEdit(trim=(first, last)))


def _frame(clip: Clip, word: str, default: int) -> int:
    """The frame nearest to a time in seconds, or the frame itself when marked with an f."""
    word = word.strip()
    if not word:
        return default
    try:
        return int(word[:-1]) if word.endswith("f") else round(float(word) / clip.frame_time)
    except (ValueError, OverflowError):
        raise ParameterError(
            f"--trim: {word!r} is neither a time in seconds nor a frame such as 12f"
        ) from None


def placement(clip: Clip, words: str) -> GroundTransform:
    """The transform that ``YAW,X,Z`` names, or the one that starts a clip at the origin facing +Z."""
    if words.strip().lower() == "origin":
        return _to_origin(clip)
    try:
        yaw, x, z = (_finite(word) for word in words.split(","))
    except ValueError:
        raise ParameterError(f"--place needs YAW,X,Z (degrees, metres) or 'origin', not {words!r}") from None
    return GroundTransform(radians(yaw), x, z)


def _finite(word: str) -> float:
    number = float(word)
    if not isfinite(number):
        raise ValueError(word)
    return number


def _to_origin(clip: Clip) -> GroundTransform:
    if clip.n_frames == 0:
        raise ParameterError("--place origin: the clip has no first frame to put there")
    x, _, z = clip.root_positions[0]
    return GroundTransform(float(facing(clip[:1])[0]), float(x), float(z)).inverse()

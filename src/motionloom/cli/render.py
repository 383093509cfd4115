"""`motionloom render`: a picture or a movie of motion."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from motionloom.cli.output import ANY_PATH, as_json, force, print_written, progress, refuse_existing
from motionloom.cli.reading import Reader, reading_options
from motionloom.errors import ParameterError

if TYPE_CHECKING:
    from motionloom.display.camera import View


@click.command()
@click.argument("files", nargs=-1, required=True, type=ANY_PATH)
@click.option(
    "-o",
    "--output",
    required=True,
    type=ANY_PATH,
    help="A .png (poses), .gif or .mp4 (moving).",
)
@click.option(
    "--view", type=click.Choice(["auto", "side", "front", "top"]), default="auto", help="From where to look."
)
@click.option("--size", metavar="WIDTHxHEIGHT", help="Size of the picture in pixels.")
@click.option("--poses", type=int, default=8, show_default=True, help="How many poses a .png shows.")
@click.option("--fps", type=float, help="Frames per second of a movie.")
@click.option("--title", default="", help="A line of text in the corner.")
@force
@as_json
@reading_options
def render(
    files: tuple[Path, ...],
    output: Path,
    view: View,
    size: str | None,
    poses: int,
    fps: float | None,
    title: str,
    force: bool,
    as_json: bool,
    reader: Reader,
) -> None:
    """Draw the clips in FILES in one scene, as a picture or a movie.

    Bodies are stick figures on a ground; the paths of root and feet show where they went.
    """
    from motionloom.display import render as draw

    width, height = _size(size)
    refuse_existing([output], force)
    clips = [reader.read(path) for path in files]
    with progress(f"drawing {output.name}") as update:
        draw(
            clips,
            output,
            width=width,
            height=height,
            fps=fps,
            view=view,
            n_poses=poses,
            title=title,
            overwrite=force,
            progress=update,
        )
    print_written([output], as_json, notes=reader.notes)


def _size(words: str | None) -> tuple[int | None, int | None]:
    if words is None:
        return None, None
    match = re.fullmatch(r"(\d+)[x×](\d+)", words)
    if match is None:
        raise ParameterError(f"--size needs WIDTHxHEIGHT, such as 1280x720, not {words!r}")
    return int(match[1]), int(match[2])

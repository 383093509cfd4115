"""`motionloom render`: an image or a movie of clips."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from motionloom.cli.options import ANY_PATH, as_json, command, force, fps, option
from motionloom.cli.output import print_written, progress, refuse_existing
from motionloom.cli.reading import Reader, reading_options
from motionloom.errors import ParameterError

if TYPE_CHECKING:
    from motionloom.display.camera import View


@command()
@click.argument("files", nargs=-1, required=True, type=ANY_PATH)
@option(
    "-o",
    "--output",
    required=True,
    type=ANY_PATH,
    metavar="FILE",
    help="File to write: .png (poses), .gif or .mp4 (animated).",
)
@option(
    "--view",
    type=click.Choice(["auto", "side", "front", "top"]),
    default="auto",
    help="Camera; auto is a three-quarter view.",
)
@option(
    "--size",
    metavar="WIDTHxHEIGHT",
    show_default="1600 wide for .png, 640x360 for .gif, 1280x720 for .mp4",
    help="Size of the image in pixels.",
)
@option("--poses", type=int, default=8, metavar="N", help="Number of poses in a .png.")
@fps(show_default="25 for .gif, 30 for .mp4", help="Frame rate of a movie.")
@option("--title", default="", show_default=False, help="Text in the upper left corner.")
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
    """Render the clips in FILES in one scene, as an image or a movie.

    Bodies are stick figures on a floor that shows the paths of root and feet.
    """
    from motionloom.display import render as render_clips

    width, height = _parse_size(size)
    refuse_existing([output], force)
    clips = [reader.read(path) for path in files]
    with progress(f"rendering {output.name}") as update:
        render_clips(
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


def _parse_size(words: str | None) -> tuple[int | None, int | None]:
    if words is None:
        return None, None
    match = re.fullmatch(r"(\d+)[x×](\d+)", words)
    if match is None:
        raise ParameterError(f"--size needs WIDTHxHEIGHT, such as 1280x720, not {words!r}")
    return int(match[1]), int(match[2])

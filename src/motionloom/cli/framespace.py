"""`motionloom framespace`: cyclic motions mixed along a drawn curve."""

from __future__ import annotations

from math import degrees
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from motionloom.cli.output import (
    ANY_PATH,
    all_or_nothing,
    as_json,
    check_plot,
    force,
    output_file,
    print_result,
    refuse_existing,
)
from motionloom.cli.reading import Reader, reading_options
from motionloom.errors import ParameterError

if TYPE_CHECKING:
    from motionloom.blending import BlendResult
    from motionloom.framespace import Framespace, Interpolant

CURVE = "X:V X:V …"


@click.command()
@click.argument("files", nargs=-1, required=True, type=ANY_PATH)
@click.option(
    "--curve",
    required=True,
    metavar=CURVE,
    help="Vertices: X along the time axis and V between the clips, both 0 to 1; X:V:W in a box of four.",
)
@click.option("--upper", metavar=CURVE, help="A curve of its own for a decoupled upper body.")
@click.option("--cycles", type=float, default=6.0, show_default=True, help="Cycles along the time axis.")
@output_file
@click.option("--polyline", is_flag=True, help="Go straight from vertex to vertex, not by a B-spline.")
@click.option("--decoupled", is_flag=True, help="Give the upper body its own states and time.")
@click.option("--line", is_flag=True, help="Put four clips on a line, not at the corners of a box.")
@click.option("--acyclic", type=int, metavar="N", help="Clip N (from 0) does not repeat: play it once.")
@click.option("--loop", is_flag=True, help="Close the result to a cycle.")
@click.option("--fps", type=float, help="Bring all clips to this frame rate first.")
@click.option(
    "--warp",
    type=click.Choice(["smooth", "linear"]),
    default="smooth",
    show_default=True,
    help="How time passes between states.",
)
@click.option(
    "--plot", type=ANY_PATH, help="Draw states, curve, pelvis and hips into this .png, .svg or .pdf."
)
@force
@as_json
@reading_options
def framespace(
    files: tuple[Path, ...],
    curve: str,
    upper: str | None,
    cycles: float,
    output: Path,
    polyline: bool,
    line: bool,
    loop: bool,
    fps: float | None,
    plot: Path | None,
    force: bool,
    as_json: bool,
    reader: Reader,
    **choices: Any,
) -> None:
    """Mix the cyclic motions in FILES along a curve: two span a rectangle, four a box, others a line.

    A capture is cut to one cycle and closed. The timing follows from the cycles and the curve.
    """
    from motionloom.files import save
    from motionloom.framespace import Framespace

    drawn = _interpolant(curve, "--curve", polyline)
    above = None if upper is None else _interpolant(upper, "--upper", polyline)
    check_plot(plot)
    written = [output, *([plot] if plot else [])]
    refuse_existing(written, force)
    clips = [reader.read(path) for path in files]
    clips = [clip if fps is None else clip.resampled(fps) for clip in clips]
    space = Framespace(clips, shape="line" if line else None, **choices)
    result = space.blend(drawn, cycles=cycles, upper=above, loop=loop)
    with all_or_nothing(written):
        save(result.clip, output, overwrite=force)
        if plot is not None:
            from motionloom.display import plot as plots

            plots.framespace(space, result, plot, names=[path.stem for path in files], overwrite=force)
    reader.note_losses(result.clip, output)
    facts = {"written": [str(path) for path in written], **framespace_facts(space, result)}
    notes = [*space.notes, *result.report.notes]
    print_result(f"{len(space.clips)} clips mixed in a {space.shape}", facts, notes, as_json)


def framespace_facts(space: Framespace, result: BlendResult) -> dict[str, Any]:
    """What a blend in a framespace came to."""
    from motionloom.framespace import FramespaceReport
    from motionloom.quality.paths import path_measures

    clip, report = result.clip, result.report
    assert isinstance(report, FramespaceReport)
    path = path_measures(clip)
    return {
        "frames": clip.n_frames,
        "fps": clip.fps,
        "seconds": clip.duration,
        "cyclic": clip.cyclic,
        "periods_s": space.periods.tolist(),
        "cycle_s": report.cycle_durations.tolist(),
        "states": [", ".join(state.labels) for state in space.correspondence.matched],
        "path_length_m": path.length,
        "heading_change_deg": degrees(path.heading_change),
        "constraints": len(clip.constraints),
    }


def _interpolant(words: str, option: str, polyline: bool) -> Interpolant:
    """The curve that vertices written as ``X:V`` or ``X:V:W`` make."""
    from motionloom.framespace import PolylineInterpolant, SplineInterpolant

    rows = [word.split(":") for word in words.replace(",", " ").split()]
    try:
        vertices = [[float(part) for part in row] for row in rows]
        return PolylineInterpolant(vertices) if polyline else SplineInterpolant(vertices)
    except ValueError as error:
        raise ParameterError(
            f"{option} needs vertices like '0:0 0.5:1 1:0.3', not {words!r}: {error}"
        ) from None

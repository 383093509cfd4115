"""`motionloom space`: make motion by parameters instead of blend weights."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from motionloom.cli.options import (
    ANY_PATH,
    Command,
    as_json,
    force,
    option,
    output_file,
    parse_named,
    parse_numbers,
)
from motionloom.cli.output import (
    all_or_nothing,
    check_motion_file,
    check_plot,
    print_result,
    print_written,
    progress,
    refuse_existing,
)
from motionloom.cli.reading import Reader, print_losses, reading_options
from motionloom.errors import ParameterError

if TYPE_CHECKING:
    from motionloom.engines.save_blend_space import Engine
    from motionloom.retargeting.root_motion import RootMotion
    from motionloom.spaces.sample_grid import Outside, Timing
    from motionloom.spaces.space import MotionSpace

ENGINES, ROOT_MOTION = ("unreal", "unity", "godot"), ("root", "hips", "nowhere")
TIMINGS, OUTSIDE = ("own", "shared"), ("nearest", "drop")
"""Choices of `export`, as in the library, which takes a while to import; a test compares both."""


@click.group()
def space() -> None:
    """Make motion by parameters: where a kick hits, how far a turn goes, how fast a walk is.

    `make` builds a motion space from clips of one action; `blend` makes the motion that you ask for.
    """


@space.command(cls=Command)
@click.argument("files", nargs=-1, required=True, type=ANY_PATH)
@output_file
@option(
    "--parameter",
    "parameters",
    multiple=True,
    required=True,
    metavar="NAME=KIND…",
    help="What to ask for, such as 'foot=position RightFoot at apex axes xy'; can be repeated.",
)
@option("--extrapolation", type=float, default=0.15, metavar="X", help="How far weights may leave 0 to 1.")
@option(
    "--accuracy",
    type=float,
    default=0.01,
    metavar="X",
    help="Error of interpolated weights, as a fraction of the clips' range.",
)
@option("--max-blends", type=int, default=1000, metavar="N", help="Blends from which sampling stops.")
@reading_options
@force
@as_json
def make(
    files: Sequence[Path],
    output: Path,
    parameters: tuple[str, ...],
    extrapolation: float,
    accuracy: float,
    max_blends: int,
    force: bool,
    as_json: bool,
    reader: Reader,
) -> None:
    """Build a motion space from clips of one action and save it as .npz.

    KIND is one of: position JOINT [at MOMENT] [axes xyz], height JOINT [at MOMENT], direction JOINT [at
    MOMENT], speed [JOINT [at MOMENT]], clearance JOINT ahead METRES [over METRES], step place N, step length
    N, turn, turn rate, duration, end place. MOMENT is apex, highest, lowest, fastest, seconds, or words such
    as 'left strike 2' and '50 %'.
    """
    from motionloom.cli.space_parameters import parse_parameter
    from motionloom.files import save
    from motionloom.spaces.space import MotionSpace

    refuse_existing([output], force)
    if output.suffix.lower() != ".npz":
        raise ParameterError("a motion space is saved as .npz", subject=str(output))
    measures = dict(map(parse_parameter, parameters))
    if len(measures) < len(parameters):
        raise ParameterError("two parameters have the same name", remedy="give each its own")
    clips = [reader.read(path) for path in files]
    with progress("blends", quiet=as_json) as show:
        result = MotionSpace(
            clips,
            measures,
            extrapolation=extrapolation,
            accuracy=accuracy,
            max_blends=max_blends,
            progress=show,
        )
    with all_or_nothing([output]):
        save(result, output, overwrite=force)
    print_result(
        f"motion space of {len(clips)} clips", {"wrote": str(output)} | _facts(result), result.notes, as_json
    )


@space.command(cls=Command)
@click.argument("space", type=ANY_PATH)
@option(
    "--requests", "n_requests", type=int, default=0, metavar="N", help="Random requests to make and measure."
)
@as_json
def info(space: Path, n_requests: int, as_json: bool) -> None:
    """Show what a motion space can be asked for and, with --requests, how exactly it answers."""
    from motionloom.files import load_space
    from motionloom.spaces.accuracy import measure_accuracy

    opened = load_space(space)
    facts = _facts(opened)
    if n_requests:
        with progress("requests", quiet=as_json) as show:
            found = measure_accuracy(opened, n_requests, progress=show)
        facts["interpolated_error_percent"] = _percentiles(found.interpolated)
        facts["corrected_error_percent"] = _percentiles(found.corrected)
    print_result(str(space), facts, opened.notes, as_json)


@space.command(cls=Command)
@click.argument("space", type=ANY_PATH)
@output_file
@option(
    "--at",
    "requests",
    multiple=True,
    required=True,
    metavar="NAME=X[,Y,Z]",
    help="What to ask for; once for each parameter of the space.",
)
@option("--ik/--no-ik", default=True, help="Close what is left of positions by inverse kinematics.")
@option("--plant/--no-plant", default=True, help="Keep planted feet in place.")
@force
@as_json
def blend(
    space: Path,
    output: Path,
    requests: tuple[str, ...],
    ik: bool,
    plant: bool,
    force: bool,
    as_json: bool,
) -> None:
    """Make the motion of SPACE that does what --at asks for."""
    from motionloom.files import load_space, save
    from motionloom.spaces.report import SpaceReport

    check_motion_file(output)
    refuse_existing([output], force)
    wanted = dict(_parse_request(text) for text in requests)
    if len(wanted) < len(requests):
        raise ParameterError("--at asks for one parameter twice", remedy="give each once")
    result = load_space(space).blend(wanted, ik=ik, plant=plant)
    report = result.report
    assert isinstance(report, SpaceReport)
    with all_or_nothing([output]):
        save(result.clip, output, overwrite=force)
    print_losses(result.clip, output)
    facts = {
        "wrote": str(output),
        "frames": result.clip.n_frames,
        "weights": result.weights[0].round(4).tolist(),
        "asked_for": dict(zip(report.names, report.request.round(4).tolist(), strict=True)),
        "got": dict(zip(report.names, report.measured.round(4).tolist(), strict=True)),
        "outside": round(report.outside, 4),
    }
    notes = list(report.notes)
    if report.outside > 0.0:
        notes.append(
            f"the clips do not reach what was asked for, by {100 * report.outside:.0f} % of their range: the "
            "nearest that they reach was made"
        )
    print_result("motion by its parameters", facts, notes, as_json)


@space.command("map", cls=Command)
@click.argument("space", type=ANY_PATH)
@output_file
@option(
    "--requests",
    "n_requests",
    type=int,
    default=200,
    metavar="N",
    help="Random requests to make and measure.",
)
@force
@as_json
def draw_map(space: Path, output: Path, n_requests: int, force: bool, as_json: bool) -> None:
    """Plot SPACE: its clips, the measured blends, and how exactly requests are met."""
    from motionloom.display import plot
    from motionloom.files import load_space

    check_plot(output)
    refuse_existing([output], force)
    plot.space(load_space(space), output, n_requests=n_requests, overwrite=force)
    print_written([output], as_json)


@space.command(cls=Command)
@click.argument("space", type=ANY_PATH)
@click.argument("folder", type=ANY_PATH)
@option(
    "--engine",
    type=click.Choice(ENGINES),
    required=True,
    help="What to write the blend space for.",
)
@option("--grid", default="5", metavar="N[xN]", help="Points along each axis, such as 5 or 5x3.")
@option("--name", default=None, metavar="NAME", help="Name of the blend space.  [default: that of FOLDER]")
@option("--format", default=None, metavar="SUFFIX", help="Format of the clips.  [default: fbx; Godot: glb]")
@option(
    "--root-motion",
    type=click.Choice(ROOT_MOTION),
    default="root",
    help="What carries the travel: a bone at the ground, the hips, or nothing (clips in place).",
)
@option(
    "--timing",
    type=click.Choice(TIMINGS),
    default=None,
    help="Keep each clip's timing, or share one to be in sync.  [default: own for Unreal, else shared]",
)
@option(
    "--outside",
    type=click.Choice(OUTSIDE),
    default="nearest",
    help="Move points that the space does not reach to the nearest that it does, or drop them.",
)
@force
@as_json
def export(
    space: Path,
    folder: Path,
    engine: Engine,
    grid: str,
    name: str | None,
    format: str | None,
    root_motion: RootMotion,
    timing: Timing | None,
    outside: Outside,
    force: bool,
    as_json: bool,
) -> None:
    """Write SPACE to FOLDER as a blend space for a game engine.

    The motions at the points of a grid are written with a table of where they lie, their speeds and sync
    markers, and a scene for Godot, or a script for the editor of Unity or Unreal that makes the asset.
    """
    from motionloom.engines.save_blend_space import save_blend_space
    from motionloom.files import load_space

    counts = _parse_grid(grid)
    opened = load_space(space)
    with progress("clips", quiet=as_json) as show:
        written = save_blend_space(
            opened,
            folder,
            engine=engine,
            grid=counts[0] if len(counts) == 1 else counts,
            name=name,
            format=format,
            root_motion=root_motion,
            timing=timing,
            outside=outside,
            overwrite=force,
            progress=show,
        )
    print_written(written, as_json)


def _parse_grid(text: str) -> list[int]:
    """Read 5 or 5x3."""
    parts = text.lower().split("x")
    if not all(part.strip().isdecimal() for part in parts):
        raise ParameterError(f"--grid {text!r} must be a number of points, or one for each axis such as 5x3")
    return [int(part) for part in parts]


def _facts(space: MotionSpace) -> dict[str, Any]:
    """Return what a space can be asked for, and what it was made of."""
    low, high = space.range
    ranges = {
        name: f"{a:.3g} to {b:.3g} {unit}".strip()
        for name, a, b, unit in zip(space.names, low, high, space.units, strict=True)
    }
    return ranges | {
        "clips": space.curve.n_clips,
        "blends_measured": space.sampled.n_blends,
        "verdict": space.curve.report.verdict.name.lower(),
    }


def _percentiles(errors: Any) -> dict[str, float]:
    import numpy as np

    values = (100.0 * np.percentile(errors, [50, 95, 100])).round(4).tolist()
    return dict(zip(("median", "p95", "largest"), values, strict=True))


def _parse_request(text: str) -> tuple[str, list[float]]:
    """Read NAME=X or NAME=X,Y,Z."""
    form = "NAME=X or NAME=X,Y,Z, such as foot=0.2,1.1,0.7"
    name, values = parse_named("--at", text, form)
    return name, parse_numbers("--at", values, None, form, text)

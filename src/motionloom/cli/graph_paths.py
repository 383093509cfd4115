"""`motionloom graph follow` and `graph goto`: motion along a drawn line, and to a place."""

from __future__ import annotations

from math import degrees, radians
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from motionloom.cli.options import ANY_PATH, Command, as_json, force, option, output_file
from motionloom.cli.output import (
    all_or_nothing,
    check_motion_file,
    check_plot,
    print_result,
    refuse_existing,
)
from motionloom.cli.reading import print_losses

if TYPE_CHECKING:
    from motionloom.blending import BlendResult

graph_file = click.argument("graph", type=ANY_PATH, metavar="GRAPH")
plant = option("--plant/--no-plant", default=True, help="Keep planted feet in place.")


@click.command(cls=Command)
@graph_file
@click.argument("path", type=ANY_PATH, metavar="PATH")
@output_file
@option("--scale", type=float, metavar="X", show_default="1", help="Metres per unit of PATH.")
@option("--length", type=float, metavar="M", help="Metres that PATH is scaled to.")
@option("--line", metavar="ID", help="Line of a drawing that has several.")
@option("--join", is_flag=True, help="Join strokes and jumps by straight lines.")
@option("--bend/--no-bend", default=True, help="Bend the motion to the path.")
@plant
@option("--plot", "picture", type=ANY_PATH, metavar="FILE", help="Also plot the motion from above.")
@force
@as_json
def follow(
    graph: Path,
    path: Path,
    output: Path,
    scale: float | None,
    length: float | None,
    line: str | None,
    join: bool,
    bend: bool,
    plant: bool,
    picture: Path | None,
    force: bool,
    as_json: bool,
) -> None:
    """Make motion of GRAPH along PATH.

    PATH is an .svg drawing, seen from above, or a .csv table with the columns x and z in metres and, where
    wanted, yaw (degrees), speed (m/s), time (seconds), action and tag.
    """
    from motionloom.display import plot
    from motionloom.files.load_line import load_line
    from motionloom.graphs.graph_file import load_graph

    _check_outputs(output, picture, force)
    drawn = load_line(path, scale=scale, length=length, name=line, join=join)
    result = load_graph(graph).follow(drawn, bend=bend, plant=plant)
    with all_or_nothing([output] if picture is None else [output, picture]):
        _save(result, output, force)
        if picture is not None:
            plot.path(result, drawn, picture, overwrite=force)
    _print(f"motion along {path}", result, output, as_json)


@click.command(cls=Command)
@graph_file
@click.argument("x", type=float)
@click.argument("z", type=float)
@output_file
@option("--yaw", type=float, metavar="DEG", show_default="any", help="Facing at the end; 0 is along +Z.")
@option("--start-yaw", type=float, default=0.0, metavar="DEG", help="Facing at the start, at x 0 and z 0.")
@plant
@force
@as_json
def goto(
    graph: Path,
    x: float,
    z: float,
    output: Path,
    yaw: float | None,
    start_yaw: float,
    plant: bool,
    force: bool,
    as_json: bool,
) -> None:
    """Make motion of GRAPH from the origin to X, Z, in metres. Put -- before negative numbers."""
    from motionloom.graphs.graph_file import load_graph

    _check_outputs(output, None, force)
    facing = None if yaw is None else radians(yaw)
    result = load_graph(graph).go_to(x, z, facing, origin=(0.0, 0.0, radians(start_yaw)), plant=plant)
    with all_or_nothing([output]):
        _save(result, output, force)
    _print(f"motion to ({x:g}, {z:g})", result, output, as_json)


def _check_outputs(output: Path, picture: Path | None, force: bool) -> None:
    check_motion_file(output)
    if picture is not None:
        check_plot(picture)
    refuse_existing([output] if picture is None else [output, picture], force)


def _save(result: BlendResult, output: Path, force: bool) -> None:
    from motionloom.files import save

    save(result.clip, output, overwrite=force)
    print_losses(result.clip, output)


def _print(title: str, result: BlendResult, output: Path, as_json: bool) -> None:
    from motionloom.paths.path_report import PathReport

    report = result.report
    assert isinstance(report, PathReport)
    facts: dict[str, Any] = {
        "wrote": str(output),
        "frames": result.clip.n_frames,
        "seconds": round(result.clip.duration, 2),
        "path_m": round(report.path_length, 2),
        "deviation_cm": round(100.0 * report.deviation, 1),
        "max_deviation_cm": round(100.0 * report.max_deviation, 1),
        "speed_error_m_s": round(report.speed_error, 2),
        "end_distance_cm": round(100.0 * report.end_distance, 1),
        "transitions": len(report.centres),
    }
    if report.end_turn == report.end_turn:
        facts["end_turn_deg"] = round(degrees(report.end_turn), 1)
    if report.actions:
        facts["actions_cm"] = {
            f"{action.tag} at frame {action.frame}": round(100.0 * action.distance, 1)
            for action in report.actions
        }
    print_result(title, facts, report.notes, as_json)

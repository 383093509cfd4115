"""`motionloom reach`: make a hand or foot hit a target."""

from __future__ import annotations

from pathlib import Path

import click

from motionloom.cli.options import ANY_PATH, as_json, command, force, numbers, option, output_file
from motionloom.cli.output import all_or_nothing, print_json, print_line, refuse_existing
from motionloom.cli.reading import Reader, reading_options
from motionloom.cli.warp import warp_facts


@command()
@click.argument("files", nargs=-1, required=True, type=ANY_PATH)
@output_file
@option("--joint", required=True, metavar="NAME", help="Joint that hits the target, such as RightHand.")
@option(
    "--target",
    required=True,
    callback=numbers(3, "X,Y,Z in metres, such as 0.2,1.2,0.5"),
    metavar="X,Y,Z",
    help="Position of the target in metres, Y up.",
)
@option(
    "--time",
    type=float,
    metavar="SECONDS",
    show_default="when the clip reaches farthest",
    help="Time of the hit in the result.",
)
@option(
    "--point",
    callback=numbers(3, "X,Y,Z in metres, such as 0,0.1,0"),
    metavar="X,Y,Z",
    show_default="the joint itself",
    help="Point that hits, in metres in the joint's own frame, such as the tip of a racket.",
)
@option("--keep-plants", is_flag=True, help="Keep planted feet and hands in place.")
@force
@as_json
@reading_options
def reach(
    files: tuple[Path, ...],
    output: Path,
    joint: str,
    target: tuple[float, float, float],
    time: float | None,
    point: tuple[float, float, float] | None,
    keep_plants: bool,
    force: bool,
    as_json: bool,
    reader: Reader,
) -> None:
    """Make a joint hit a target, with the clip of FILES that needs the smallest change.

    Every clip is warped at the time at which the joint reaches farthest; the one with the smallest warp is
    written.
    """
    from motionloom.files import save
    from motionloom.warping import ReachReport
    from motionloom.warping import reach as reach_target

    refuse_existing([output], force)
    clips = [reader.read(file) for file in files]
    result = reach_target(clips, joint, target, time, point=point, keep_plants=keep_plants)
    report = result.report
    assert isinstance(report, ReachReport)
    with all_or_nothing([output]):
        save(result, output, overwrite=force)
    reader.note_losses(result.clip, output)
    if as_json:
        facts = {
            "file": str(files[report.chosen]),
            "written": str(output),
            "warp_sizes_rad": [size if size < float("inf") else None for size in report.sizes],
            "time_s": report.moment,
            "distance_m": report.distance,
        }
        print_json(
            facts | warp_facts(report.warp) | {"notes": [*result.clip.source.notes, *report.warp.notes]}
        )
        return
    print_line(f"{files[report.chosen]}: {report}")
    print_line(f"wrote {output}")

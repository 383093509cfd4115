"""`motionloom cyclify`: close a clip to a loop."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from motionloom.cli.edit import parse_frame
from motionloom.cli.many_files import many_files
from motionloom.cli.options import as_json, command, force, option, output_file
from motionloom.cli.output import all_or_nothing, clip_facts, print_json, print_line, refuse_existing
from motionloom.cli.reading import Reader, reading_options

if TYPE_CHECKING:
    from motionloom.cycles import CycleReport
    from motionloom.motion import PointClip, Result

HIDDEN = ("travel", "was_cyclic")
"""What of a report is not printed as JSON."""


@command()
@many_files()
@output_file
@option(
    "--cycles",
    type=int,
    metavar="N",
    show_default="as many as possible",
    help="Number of strides or repetitions to keep.",
)
@option(
    "--near",
    metavar="TIME",
    show_default="a cycle that goes and turns as the clip does",
    help="Where the middle of the cycle is to lie: 1.5 in seconds, or 180f in frames.",
)
@option(
    "--seam-limit",
    type=float,
    metavar="METRES",
    show_default="a tenth of the body's radius",
    help="Maximum distance between the poses at both ends before the loop is closed.",
)
@option(
    "--ease",
    type=float,
    metavar="SECONDS",
    default=0.5,
    help="How long the correction takes to fade out on either side of the seam.",
)
@force
@as_json
@reading_options
def cyclify(
    file: Path,
    output: Path,
    cycles: int | None,
    near: str | None,
    seam_limit: float | None,
    ease: float,
    force: bool,
    as_json: bool,
    reader: Reader,
) -> None:
    """Find the best loop in the clip in FILE and close it, so that it repeats without a jump.

    Gaits are cut to whole strides; of points without a skeleton, repetitions are counted. A file that is a
    loop already is written as it is.
    """
    from motionloom.cycles import cyclify as cyclify_clip
    from motionloom.cycles.cyclify_points import cyclify_points
    from motionloom.files import save
    from motionloom.motion import PointClip

    refuse_existing([output], force)
    clip = reader.read_any(file)
    frame = None if near is None else parse_frame(clip, near, "--near")
    result: Result[CycleReport] | Result[CycleReport, PointClip]
    if isinstance(clip, PointClip):
        result = cyclify_points(clip, cycles=cycles, near=frame, seam_limit=seam_limit, ease=ease)
    else:
        result = cyclify_clip(clip, cycles=cycles, near=frame, seam_limit=seam_limit, ease=ease)
    loop = result.clip
    with all_or_nothing([output]):
        save(loop, output, overwrite=force)
    reader.note_losses(loop, output)
    # A file that is a loop already is written as it is, and nothing is reported about closing it.
    report = {} if clip.cyclic else {k: v for k, v in asdict(result.report).items() if k not in HIDDEN}
    if as_json:
        print_json({"file": str(file), "written": str(output), **clip_facts(loop), **report})
        return
    print_line(str(result.report) if report else f"{file}: the clip is a loop already")
    print_line(f"wrote {output}")

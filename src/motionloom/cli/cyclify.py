"""`motionloom cyclify`: close a clip to a loop."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from motionloom.cli.edit import parse_frame
from motionloom.cli.many_files import many_files
from motionloom.cli.options import (
    as_json,
    command,
    derive_options,
    force,
    option,
    output_file,
    parse_options,
)
from motionloom.cli.output import all_or_nothing, clip_facts, print_json, print_line, refuse_existing
from motionloom.cli.reading import Reader, reading_options, refuse_for_points
from motionloom.options import choose
from motionloom.options.cycles import CYCLIFY

if TYPE_CHECKING:
    from motionloom.cycles import CycleReport
    from motionloom.motion import PointClip, Result

HIDDEN = ("travel", "was_cyclic")
"""What of a report is not printed as JSON."""


(NEAR,) = choose(CYCLIFY, "near")


@command()
@many_files()
@output_file
@derive_options(choose(CYCLIFY, "cycles"))
@option(
    NEAR.option,
    metavar="TIME",
    show_default=NEAR.usual,
    help=f"{NEAR.help.removesuffix('.')}: 1.5 in seconds, or 180f in frames.",
)
@derive_options(choose(CYCLIFY, "seam_limit", "window", "ease"))
@force
@as_json
@reading_options
def cyclify(
    file: Path,
    output: Path,
    near: str | None,
    force: bool,
    as_json: bool,
    reader: Reader,
    **options: Any,
) -> None:
    """Find the best loop in the clip in FILE and close it, so that it repeats without a jump.

    Gaits are cut to whole strides; of points without a skeleton, repetitions are counted. A file that is a
    loop already is written as it is.
    """
    from motionloom.cycles import cyclify as cyclify_clip
    from motionloom.files import save
    from motionloom.motion import PointClip

    refuse_existing([output], force)
    given = parse_options(CYCLIFY, options)
    clip = reader.read_any(file)
    frame = None if near is None else parse_frame(clip, near, "--near")
    result: Result[CycleReport] | Result[CycleReport, PointClip]
    if isinstance(clip, PointClip):
        refuse_for_points(file, {"--window": "window" in given})
    result = cyclify_clip(clip, near=frame, **given)
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

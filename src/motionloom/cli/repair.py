"""`motionloom repair`: mend faults of capture, and smooth with a stated cut-off."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from motionloom.cli.many_files import many_files
from motionloom.cli.options import ANY_PATH, as_json, command, force, option
from motionloom.cli.output import all_or_nothing, clip_facts, print_json, print_line, refuse_existing
from motionloom.cli.reading import Reader, reading_options
from motionloom.errors import ParameterError
from motionloom.repair.fault import MENDED_KINDS, Fault, FaultKind


def _check_arguments(arguments: dict[str, Any]) -> None:
    if arguments["output"] is None and not arguments["preview"]:
        raise ParameterError("repair needs a file to write (-o FILE), or --preview to only look")


@command()
@many_files(check=_check_arguments)
@option(
    "-o",
    "--output",
    type=ANY_PATH,
    metavar="FILE",
    help="File to write; its suffix decides the format. Not needed with --preview.",
)
@option(
    "--kind",
    "kinds",
    multiple=True,
    type=click.Choice(MENDED_KINDS),
    show_default="all",
    help="Mend only these faults; can be given several times.",
)
@option(
    "--max-frames",
    type=int,
    metavar="N",
    show_default="0.1 s",
    help="Longest fault to mend, in frames; longer ones are only listed.",
)
@option(
    "--smooth",
    type=float,
    metavar="HZ",
    show_default="off",
    help="Also smooth the whole clip with this cut-off, such as 6 for walking or 12 for kicks.",
)
@option("--preview", is_flag=True, help="List what would be mended and write nothing.")
@force
@as_json
@reading_options
def repair(
    file: Path,
    output: Path | None,
    kinds: tuple[FaultKind, ...],
    max_frames: int | None,
    smooth: float | None,
    preview: bool,
    force: bool,
    as_json: bool,
    reader: Reader,
) -> None:
    """Mend faults of capture in FILE: joints that spike, flip, freeze or are swapped for a few frames.

    Only wrong frames of wrong joints change. Jumps that stay, and longer faults, are listed and left.
    """
    from motionloom.files import save
    from motionloom.repair import repair as repair_clip

    if output is not None and not preview:
        refuse_existing([output], force)
    clip = reader.read(file, quiet=True)
    mended = repair_clip(clip, kinds=kinds or MENDED_KINDS, max_frames=max_frames, smooth=smooth)
    written: list[str] = []
    if output is not None and not preview:
        with all_or_nothing([output]):
            save(mended, output, overwrite=force)
        reader.note_losses(mended.clip, output)
        written = [str(output)]
    report = mended.report
    if as_json:
        print_json({"file": str(file), "written": written, **clip_facts(mended.clip), **asdict(report)})
        return
    _print_faults("would be mended" if preview else "mended", report.mended)
    _print_faults("left as it is", report.left)
    if not report.mended and not report.left:
        print_line("no faults of capture found")
    if smooth is not None and not preview:
        print_line(f"smoothed at {smooth:g} Hz")
    for path in written:
        print_line(f"wrote {path}")


def _print_faults(what: str, faults: tuple[Fault, ...]) -> None:
    for fault in faults:
        print_line(f"{what}: {fault}")

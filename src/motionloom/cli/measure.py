"""`motionloom measure`: the quality of motions in numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from motionloom.cli.options import ANY_PATH, apply_options, as_json, command, option
from motionloom.cli.output import Failures, print_json, print_line
from motionloom.cli.reading import PLANTS_DETECTED, Reader, reading_options
from motionloom.motion import Clip

if TYPE_CHECKING:
    from collections.abc import Callable

    from motionloom.quality import Measures

_OPTIONS = (
    option(
        "--source",
        "sources",
        type=ANY_PATH,
        multiple=True,
        metavar="FILE",
        help="A clip that the motion was made from, to relate measures to; repeatable.",
    ),
    option(
        "--ground",
        type=float,
        metavar="METRES",
        show_default="detected",
        help="Height of the floor.",
    ),
)


def measuring_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options --source and --ground."""
    return apply_options(command, _OPTIONS)


@command()
@click.argument("files", nargs=-1, required=True, type=ANY_PATH)
@measuring_options
@option(
    "--seam",
    "seams",
    type=float,
    multiple=True,
    metavar="FRAME",
    help="A frame at which clips were joined; repeatable.",
)
@option(
    "--before",
    type=ANY_PATH,
    metavar="FILE",
    help="The same motion before an edit, such as planting: show what one sees of the edit.",
)
@as_json
@reading_options
def measure(
    files: tuple[Path, ...],
    sources: tuple[Path, ...],
    ground: float | None,
    seams: tuple[float, ...],
    before: Path | None,
    as_json: bool,
    reader: Reader,
) -> None:
    """Measure the quality of the motion in FILES: feet, stances, posture, path, smoothness, limbs, gravity.

    Give --source and --seam to compare a blend with its sources and to measure its seams, and --before to see
    what an edit did to feet, hips and knees. Foot plants are detected first in files without constraints.
    """
    origins = [reader.read(path) for path in sources]
    unedited = None if before is None else reader.read(before)
    found: list[dict[str, object]] = []
    failures = Failures(len(files))
    for path in files:
        with failures.collect(path):
            measures = measure_annotated(reader.read(path), origins, ground, seams, unedited)
            found.append({"file": str(path), **measures.as_dict()})
            if not as_json:
                print_line(str(path), bold=True)
                print_line(f"{measures}\n")
    if as_json:
        print_json([*found, *failures.facts()])
    failures.finish("measured")


def measure_annotated(
    clip: Clip,
    sources: Sequence[Clip],
    ground: float | None,
    seams: Sequence[float] = (),
    before: Clip | None = None,
) -> Measures:
    """Measure a clip; if it has no constraints, detect its foot plants first and add a note."""
    from motionloom.quality import measure as measure_clip
    from motionloom.workflows import ensure_annotated

    annotated = ensure_annotated(clip)
    measures = measure_clip(annotated, sources, seams, ground=ground, before=before)
    return measures if annotated is clip else note_detection(measures)


def note_detection(measures: Measures) -> Measures:
    """Add the note that foot plants were detected first."""
    return replace(measures, notes=(*measures.notes, PLANTS_DETECTED))

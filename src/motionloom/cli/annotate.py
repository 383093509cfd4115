"""`motionloom annotate`: detect foot plants and gait events, into a sidecar or an .npz file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from motionloom.cli.many_files import many_files
from motionloom.cli.options import ANY_PATH, as_json, command, force, markers, option
from motionloom.cli.output import (
    all_or_nothing,
    check_markers,
    print_facts,
    print_json,
    print_line,
    print_notes,
    refuse_existing,
)
from motionloom.cli.reading import Reader, reading_options, refuse_for_points
from motionloom.errors import ParameterError

if TYPE_CHECKING:
    from motionloom.annotation.weight_bearing import Contacts
    from motionloom.motion import Clip, PointClip

Method = Literal["thresholds", "zero-crossing"]


@command()
@many_files(default_format=lambda _: "json")
@option(
    "-o",
    "--output",
    type=ANY_PATH,
    metavar="FILE",
    show_default="none: only print them",
    help="File to write: a .json to edit by hand, an .npz with the whole clip, or events as .c3d.",
)
@option(
    "--annotations",
    type=ANY_PATH,
    metavar="FILE",
    help="Keep the plants and events of this .json file, and detect what it lacks.",
)
@option(
    "--method",
    type=click.Choice(["thresholds", "zero-crossing"]),
    default="thresholds",
    help="Detect foot plants by height and speed, or by zero crossings of the acceleration.",
)
@option(
    "--parts",
    metavar="NAMES",
    default="feet",
    help="What is planted: feet, hands, knees, elbows, seat, separated by commas; or all.",
)
@option(
    "--points",
    metavar="NAMES",
    show_default="those that come near the ground",
    help="Of a file of points without a skeleton: which may be planted, separated by commas.",
)
@option(
    "--contacts",
    type=click.Choice(["planted", "weight_bearing"]),
    default="planted",
    help="Find points that do not slide, or when feet carry weight (events only).",
)
@markers
@force
@as_json
@reading_options
def annotate(
    file: Path,
    output: Path | None,
    annotations: Path | None,
    method: Method,
    parts: str,
    points: str | None,
    contacts: Contacts,
    markers: Path | None,
    force: bool,
    as_json: bool,
    reader: Reader,
) -> None:
    """Detect the foot plants and gait events of the clip in FILE, and where hands and more rest.

    Of a file of points without a skeleton, plants of points are detected.
    """
    from motionloom.annotation import (
        AnnotationSettings,
        annotate_and_report,
        annotate_points_and_report,
    )
    from motionloom.annotation.foot_plants import PlantSettings
    from motionloom.annotation.resting_parts import check_parts
    from motionloom.engines.markers import save_sync_events
    from motionloom.files import load_annotations, save, save_annotations
    from motionloom.motion import PointClip

    keeps_events = contacts == "weight_bearing" and output is not None and output.suffix.lower() == ".c3d"
    if output is not None and output.suffix.lower() not in (".json", ".npz") and not keeps_events:
        raise ParameterError("annotations are saved as .json, or with the clip as .npz", subject=str(output))
    check_markers(markers)
    wanted = check_parts("all" if parts == "all" else [name.strip() for name in parts.split(",")])
    if markers is not None and markers == output:
        raise ParameterError("annotations and sync markers need a file each", subject=str(output))
    written = [path for path in (output, markers) if path is not None]
    refuse_existing(written, force)
    clip = reader.read_any(file)
    if isinstance(clip, PointClip):
        unfit = {"--annotations": annotations, "--markers": markers, "--parts": parts != "feet"}
        refuse_for_points(file, unfit)
        if output is not None and output.suffix.lower() != ".npz" and not keeps_events:
            raise ParameterError("plants of points without a skeleton are saved as .npz", subject=str(output))
        names = None if points is None else [name.strip() for name in points.split(",")]
        settings = PlantSettings(method=method)
        found = annotate_points_and_report(clip, names, settings=settings, contacts=contacts)
        clip, notes = found.clip, getattr(found.report, "notes", ())
    elif points is not None:
        raise ParameterError("--points is for files of points without a skeleton", remedy="use --parts")
    else:
        if annotations is not None:
            clip = load_annotations(annotations, clip)
        annotated = annotate_and_report(
            clip, AnnotationSettings(method=method, parts=wanted), contacts=contacts
        )
        clip, notes = annotated.clip, annotated.report.notes
    with all_or_nothing(written):
        if output is not None and (output.suffix.lower() == ".npz" or isinstance(clip, PointClip)):
            save(clip, output, overwrite=force)
        elif output is not None and not isinstance(clip, PointClip):
            save_annotations(clip, output, overwrite=force)
        if markers is not None and not isinstance(clip, PointClip):
            save_sync_events(clip, markers, overwrite=force)
    if as_json:
        print_json({"file": str(file), "written": [str(path) for path in written], **_facts(clip, notes)})
    else:
        _print_annotations(file, clip, notes)
        for path in written:
            print_line(f"wrote {path}")


def _facts(clip: Clip | PointClip, notes: Sequence[str]) -> dict[str, Any]:
    return {
        "plants": [
            {"joint": c.joint, "kind": c.kind, "start": c.start, "end": c.end} for c in clip.constraints
        ],
        "events": [{"label": e.label, "joint": e.joint, "frame": e.frame} for e in clip.events],
        "notes": [*clip.source.notes, *notes],
    }


def _print_annotations(file: Path, clip: Clip | PointClip, notes: Sequence[str]) -> None:
    """Print the plants of each joint as intervals, and the number of events of each kind."""
    rows: dict[str, object] = {}
    for constraint in clip.constraints:
        name = f"{constraint.joint} {constraint.kind}"
        rows[name] = f"{rows.get(name, '')} {constraint.start:.1f}–{constraint.end:.1f}".strip()
    labels = sorted({event.label for event in clip.events})
    rows |= {f"{label} events": sum(e.label == label for e in clip.events) for label in labels}
    print_facts(f"{file}: plants in frames, and events" if rows else f"{file}: no plants and no events", rows)
    print_notes(notes)

"""`motionloom annotate`: foot plants and events of a clip, into a sidecar or a native file."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import click

from motionloom.cli.output import ANY_PATH, as_json, force, print_facts, print_json, refuse_existing
from motionloom.cli.reading import Reader, reading_options
from motionloom.errors import ParameterError

Method = Literal["thresholds", "zero-crossing"]


@click.command()
@click.argument("file", type=ANY_PATH)
@click.option(
    "-o",
    "--output",
    type=ANY_PATH,
    help="A .json to edit by hand, or a .npz with the whole clip; none only shows.",
)
@click.option(
    "--sidecar",
    type=ANY_PATH,
    help="Take the plants and events of this .json first; what it has is kept as it is.",
)
@click.option(
    "--method",
    type=click.Choice(["thresholds", "zero-crossing"]),
    default="thresholds",
    show_default=True,
    help="How foot plants are found.",
)
@force
@as_json
@reading_options
def annotate(
    file: Path,
    output: Path | None,
    sidecar: Path | None,
    method: Method,
    force: bool,
    as_json: bool,
    reader: Reader,
) -> None:
    """Find foot plants and events of the clip in FILE."""
    from motionloom.annotation import AnnotationSettings
    from motionloom.annotation import annotate as annotated
    from motionloom.files import load_annotations, save, save_annotations

    if output is not None:
        if output.suffix.lower() not in (".json", ".npz"):
            raise ParameterError(f"{output}: annotations are saved as .json, or with the clip as .npz")
        refuse_existing([output], force)
    clip = reader.read(file)
    if sidecar is not None:
        clip = load_annotations(sidecar, clip)
    clip = annotated(clip, AnnotationSettings(method=method))
    if output is not None and output.suffix.lower() == ".json":
        save_annotations(clip, output, overwrite=force)
    elif output is not None:
        save(clip, output, overwrite=force)
    facts = {
        "file": str(file),
        "written": None if output is None else str(output),
        "plants": [
            {"joint": c.joint, "kind": c.kind, "start": c.start, "end": c.end} for c in clip.constraints
        ],
        "events": [{"label": e.label, "joint": e.joint, "frame": e.frame} for e in clip.events],
        "notes": [*clip.source.notes, *clip.report.notes],
    }
    if as_json:
        print_json(facts)
        return
    counts: dict[str, object] = {}
    for constraint in clip.constraints:
        name = f"{constraint.joint} {constraint.kind}"
        counts[name] = f"{counts.get(name, '')} {constraint.start:.1f}–{constraint.end:.1f}".strip()
    labels = sorted({event.label for event in clip.events})
    counts |= {f"{label} events": sum(e.label == label for e in clip.events) for label in labels}
    print_facts(f"{file}: plants in frames, and events", counts)
    for note in clip.report.notes:
        click.echo(f"  note: {note}")
    if output is not None:
        click.echo(f"wrote {output}")

"""`motionloom retarget`: transfer a motion to another skeleton."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from motionloom.cli.options import ANY_PATH, as_json, command, force, option, template_options
from motionloom.cli.output import print_json, refuse_existing
from motionloom.cli.reading import PLANTS_DETECTED, Reader, reading_options
from motionloom.errors import ParameterError
from motionloom.files.formats import Template, WriteOptions

if TYPE_CHECKING:
    from motionloom.motion import Clip
    from motionloom.retargeting import JointMapping


@command()
@click.argument("file", type=ANY_PATH)
@option(
    "--to",
    "target",
    required=True,
    type=ANY_PATH,
    metavar="FILE",
    help="Any motion file of the target skeleton.",
)
@option("-o", "--output", type=ANY_PATH, metavar="FILE", help="File to write; its suffix decides the format.")
@option(
    "--map",
    "corrections",
    multiple=True,
    metavar="SRC=DST",
    help="Let joint SRC of FILE drive joint DST; SRC= drives none; repeatable.",
)
@option("--no-plant", is_flag=True, help="Turn planting off; feet may slide.")
@option("--show", is_flag=True, help="Print which joints correspond.")
@template_options
@force
@as_json
@reading_options
def retarget(
    file: Path,
    target: Path,
    output: Path | None,
    corrections: tuple[str, ...],
    no_plant: bool,
    show: bool,
    template: Template,
    force: bool,
    as_json: bool,
    reader: Reader,
) -> None:
    """Transfer the motion in FILE to the skeleton of another file.

    The target keeps its bone lengths; travel and heights are scaled by leg length, and planted feet are put
    on the floor. A target with a mesh keeps it where the output has the same format. Reading options apply to
    FILE. With --show and no -o, nothing is written.
    """
    from motionloom.files import load, save
    from motionloom.retargeting import joint_mapping
    from motionloom.workflows import ensure_annotated
    from motionloom.workflows.retarget import retarget as retarget_clip

    if output is None and not show:
        raise ParameterError("name the file to write with -o, or print the joint mapping with --show")
    refuse_existing([output], force)
    changes = dict(map(_parse_correction, corrections))
    clip, example = reader.read(file), load(target)
    mapping = joint_mapping(clip.skeleton, example.skeleton).replaced(changes)
    facts: dict[str, Any] = {"file": str(file), "to": str(target), **_mapping_facts(mapping)}
    if show and not as_json:
        click.echo(str(mapping))
    if output is not None:
        annotated = ensure_annotated(clip)
        if annotated is not clip:
            reader.note(file, PLANTS_DETECTED)
        result = retarget_clip(annotated, example, mapping=mapping if changes else None, plant=not no_plant)
        save(result, output, template=template, overwrite=force)
        reader.note_losses(result, output, options=WriteOptions(template=template))
        facts |= {"written": str(output), **_report_facts(result)}
        if not as_json:
            _print_report(result)
            click.echo(f"wrote {output}")
    if as_json:
        print_json(facts)


def _parse_correction(words: str) -> tuple[str, str | None]:
    source, equals, target = words.partition("=")
    if not equals or not source:
        raise ParameterError(f"--map needs SRC=DST, two joint names, not {words!r}")
    return source, target or None


def _mapping_facts(mapping: JointMapping) -> dict[str, Any]:
    return {
        "pairs": [asdict(pair) for pair in mapping.pairs],
        "unmapped_targets": list(mapping.unmapped_targets),
        "unmapped_sources": list(mapping.unmapped_sources),
    }


def _report_facts(result: Clip) -> dict[str, Any]:
    from motionloom.workflows.retarget import RetargetReport

    if not isinstance(result.report, RetargetReport):
        return {"scale": 1.0, "floor": None, "notes": [], "enforcement": None}
    transfer, enforcement = result.report.transfer, result.report.enforcement
    return {
        "scale": transfer.scale,
        "floor": transfer.floor,
        "notes": list(transfer.notes),
        "enforcement": None if enforcement is None else asdict(enforcement),
    }


def _print_report(result: Clip) -> None:
    from motionloom.workflows.retarget import RetargetReport

    same = "the file has this skeleton already: the motion is unchanged"
    click.echo(str(result.report) if isinstance(result.report, RetargetReport) else same)

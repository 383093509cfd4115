"""`motionloom retarget`: a motion for another skeleton."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from motionloom.cli.output import ANY_PATH, as_json, force, print_json, refuse_existing
from motionloom.cli.reading import Reader, annotated, reading_options
from motionloom.errors import ParameterError

if TYPE_CHECKING:
    from motionloom.motion import Clip
    from motionloom.retargeting import JointMapping


@click.command()
@click.argument("file", type=ANY_PATH)
@click.option("--to", "other", required=True, type=ANY_PATH, help="A motion file with the skeleton to move.")
@click.option("-o", "--output", type=ANY_PATH, help="The file to write.")
@click.option(
    "--map",
    "corrections",
    multiple=True,
    metavar="SRC=DST",
    help="Let joint SRC of FILE move joint DST; SRC= for none. May be given several times.",
)
@click.option("--show", is_flag=True, help="Print which joints correspond.")
@force
@as_json
@reading_options
def retarget(
    file: Path,
    other: Path,
    output: Path | None,
    corrections: tuple[str, ...],
    show: bool,
    force: bool,
    as_json: bool,
    reader: Reader,
) -> None:
    """Map the motion in FILE onto the skeleton of another file.

    Bones keep the lengths of that skeleton, travel and heights are scaled by the length of its legs, and
    planted feet are put on the floor. The reading options say how to read FILE. With --show and no output
    nothing is written.
    """
    from motionloom.files import load, save
    from motionloom.retargeting import joint_mapping
    from motionloom.workflows.retarget import retarget as retarget_clip

    if output is None and not show:
        raise ParameterError("say where to write with -o, or ask for the mapping alone with --show")
    refuse_existing([] if output is None else [output], force)
    changes = dict(map(_correction, corrections))
    clip, example = reader.read(file), load(other)
    mapping = joint_mapping(clip.skeleton, example.skeleton).replaced(changes)
    facts: dict[str, Any] = {"file": str(file), "to": str(other), **_mapping_facts(mapping)}
    if show and not as_json:
        click.echo(str(mapping))
    if output is not None:
        made = retarget_clip(annotated(clip, file), example, mapping=mapping if changes else None)
        save(made, output, overwrite=force)
        reader.note_losses(made, output)
        facts |= {"written": str(output), **_report_facts(made)}
        if not as_json:
            _print_report(made)
            click.echo(f"wrote {output}")
    if as_json:
        print_json(facts)


def _correction(words: str) -> tuple[str, str | None]:
    source, equals, target = words.partition("=")
    if not equals or not source:
        raise ParameterError(f"--map takes SRC=DST, two joint names, not {words!r}")
    return source, target or None


def _mapping_facts(mapping: JointMapping) -> dict[str, Any]:
    return {
        "pairs": [asdict(pair) for pair in mapping.pairs],
        "unmapped_targets": list(mapping.unmapped_targets),
        "unmapped_sources": list(mapping.unmapped_sources),
    }


def _report_facts(made: Clip) -> dict[str, Any]:
    from motionloom.workflows.retarget import RetargetReport

    if not isinstance(made.report, RetargetReport):
        return {"scale": 1.0, "floor": None, "notes": [], "enforcement": None}
    transfer, held = made.report.transfer, made.report.enforcement
    return {
        "scale": transfer.scale,
        "floor": transfer.floor,
        "notes": list(transfer.notes),
        "enforcement": None if held is None else asdict(held),
    }


def _print_report(made: Clip) -> None:
    from motionloom.workflows.retarget import RetargetReport

    same = "the file has this skeleton already: the motion is unchanged"
    click.echo(str(made.report) if isinstance(made.report, RetargetReport) else same)

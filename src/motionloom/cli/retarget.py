"""`motionloom retarget`: transfer a motion to another skeleton."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from motionloom.cli.enforce import planting_facts
from motionloom.cli.many_files import many_files
from motionloom.cli.options import (
    ANY_PATH,
    as_json,
    check_template,
    command,
    force,
    option,
    template_options,
)
from motionloom.cli.output import print_json, print_line, refuse_existing
from motionloom.cli.reading import PLANTS_DETECTED, Reader, reading_options
from motionloom.errors import FileFormatError, MotionloomError, ParameterError
from motionloom.files.options import Template, WriteOptions
from motionloom.jobs.batch import check_folder

if TYPE_CHECKING:
    from motionloom.motion import Clip
    from motionloom.retargeting import JointMapping
    from motionloom.workflows.retarget import RetargetReport


MIN_LOOP = 0.4
"""Seconds that a loop must take for --loop to keep it: a stride of the fastest run takes 0.45 s."""


def _check_arguments(arguments: dict[str, Any]) -> None:
    if arguments["output"] is None and not arguments["show"]:
        raise ParameterError("name the file to write with -o, or print the joint mapping with --show")
    target, map_file = arguments["target"], arguments["map_file"]
    if not target.exists():
        raise ParameterError(f"--to {target}: there is no such file")
    check_template(arguments["template"], arguments["no_template"])
    if map_file is not None:
        check_folder(map_file)


def _check_shared_files(arguments: dict[str, Any]) -> None:
    from motionloom.files import load_clip
    from motionloom.retargeting.joint_map_file import load_joint_map

    map_file = arguments["map_file"]
    try:
        target = load_clip(arguments["target"])
    except MotionloomError as error:
        raise ParameterError(f"--to {error}") from None
    if map_file is not None and map_file.exists():
        try:
            load_joint_map(map_file, target, target)
        except FileFormatError as error:
            raise ParameterError(f"--map-file {error}") from None


@command()
@many_files(
    default_format=lambda arguments: str(arguments["target"].suffix.lower()[1:]) or None,
    check=_check_arguments,
    check_shared=_check_shared_files,
)
@option(
    "--to",
    "target",
    required=True,
    type=ANY_PATH,
    metavar="FILE",
    help="Any motion file of the target skeleton.",
)
@option(
    "-o",
    "--output",
    type=ANY_PATH,
    metavar="FILE",
    help="File to write; its suffix decides the format. A folder where there are several files.",
)
@option(
    "--map",
    "corrections",
    multiple=True,
    metavar="SRC=DST",
    help="Let joint SRC of FILE drive joint DST; SRC= drives none; repeatable.",
)
@option(
    "--map-file",
    type=ANY_PATH,
    metavar="JSON",
    help="Joint maps: used where the file has one for the two rigs, else the map found is added to it.",
)
@option("--repair", is_flag=True, help="Mend faults of capture first (see `motionloom repair`).")
@option("--loop", is_flag=True, help="Close clips to a loop first, where they have one.")
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
    map_file: Path | None,
    repair: bool,
    loop: bool,
    no_plant: bool,
    show: bool,
    template: Template,
    force: bool,
    as_json: bool,
    reader: Reader,
) -> None:
    """Transfer the motion in FILE to the skeleton of another file.

    The target keeps its bone lengths; travel and heights are scaled by leg length, and planted feet are put
    on the floor. A target with a mesh keeps it where the output has the same format, or where --template
    names it. Reading options apply to FILE. With --show and no -o, nothing is written.
    """
    from motionloom.files import load_clip, save
    from motionloom.retargeting import joint_mapping
    from motionloom.retargeting.joint_map_file import load_joint_map, save_joint_map
    from motionloom.workflows import ensure_annotated
    from motionloom.workflows.retarget import retarget as retarget_clip

    refuse_existing([output], force)
    changes = dict(map(_parse_correction, corrections))
    clip, example = reader.read(file), load_clip(target)
    stored = None
    if map_file is not None and map_file.exists():
        stored = load_joint_map(map_file, clip, example)
    mapping = (stored or joint_mapping(clip.skeleton, example.skeleton)).replaced(changes)
    facts: dict[str, Any] = {"file": str(file), "to": str(target), **_mapping_facts(mapping)}
    if show and not as_json:
        print_line(str(mapping))
    if output is not None:
        clip = _prepare(clip, file, repair, loop, reader)
        annotated = ensure_annotated(clip)
        if annotated is not clip:
            reader.note(file, PLANTS_DETECTED)
        given = mapping if changes or stored is not None else None
        result = retarget_clip(annotated, example, mapping=given, plant=not no_plant)
        if map_file is not None and (changes or stored is None):
            save_joint_map(mapping, map_file)
        save(result, output, template=template, overwrite=force)
        reader.note_losses(result.clip, output, options=WriteOptions(template=template))
        facts |= {"written": str(output), **_report_facts(result.report)}
        if not as_json:
            _print_report(result.report)
            print_line(f"wrote {output}")
    if as_json:
        print_json(facts)


def _prepare(clip: Clip, file: Path, repair: bool, loop: bool, reader: Reader) -> Clip:
    """Mend a clip and close it to a loop, where asked for and possible, and note what was done."""
    from motionloom.cycles import cyclify
    from motionloom.repair import repair as repair_clip

    if repair:
        mended = repair_clip(clip)
        n_faults = len(mended.report.mended)
        if n_faults:
            reader.note(file, f"{n_faults} fault{'s' if n_faults > 1 else ''} of capture mended")
        clip = mended.clip if n_faults else clip
    if loop and not clip.cyclic:
        try:
            closed = cyclify(clip)
        except MotionloomError as error:
            reader.note(file, f"not closed to a loop: {error}")
            return clip
        if closed.clip.n_frames * closed.clip.frame_time < MIN_LOOP:
            reader.note(file, f"not closed to a loop: the best one takes only {closed.clip.duration:.2f} s")
            return clip
        reader.note(file, f"closed to a loop of {closed.clip.duration:.2f} s")
        clip = closed.clip
    return clip


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


def _report_facts(report: RetargetReport) -> dict[str, Any]:
    transfer, enforcement = report.transfer, report.enforcement
    if transfer is None:
        return {"scale": 1.0, "floor": None, "notes": [], "enforcement": None}
    return {
        "scale": transfer.scale,
        "floor": transfer.floor,
        "notes": list(transfer.notes),
        "enforcement": None if enforcement is None else planting_facts(enforcement),
    }


def _print_report(report: RetargetReport) -> None:
    same = "the file has this skeleton already: the motion is unchanged"
    print_line(same if report.transfer is None else str(report))

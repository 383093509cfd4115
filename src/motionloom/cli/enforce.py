"""`motionloom enforce`: plant feet and hands where constraints hold."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from motionloom.cli.many_files import many_files
from motionloom.cli.options import as_json, command, derive_options, force, output_file, parse_options
from motionloom.cli.output import all_or_nothing, clip_facts, print_json, print_result, refuse_existing
from motionloom.cli.reading import PLANTS_DETECTED, Reader, reading_options, refuse_for_points
from motionloom.errors import MotionloomError
from motionloom.messages import Message
from motionloom.options.enforcement import ENFORCE

if TYPE_CHECKING:
    from motionloom.enforcement import EnforcementReport, PointEnforcementReport
    from motionloom.motion import PointClip, Result


@command()
@many_files()
@output_file
@derive_options(ENFORCE)
@force
@as_json
@reading_options
def enforce(
    file: Path,
    output: Path,
    force: bool,
    as_json: bool,
    reader: Reader,
    **options: Any,
) -> None:
    """Plant the feet and hands of the clip in FILE: constrained points stay in place.

    Foot plants are detected first if the clip has no constraints. Of a file of points without a skeleton,
    planted points stay in place and the others go along. The report says what one sees of it: feet that dart
    over the floor, hips that sink, knees that snap.
    """
    from motionloom.annotation import annotate
    from motionloom.enforcement import EnforcementReport
    from motionloom.enforcement import enforce as enforce_clip
    from motionloom.files import save
    from motionloom.motion import PointClip

    given = parse_options(ENFORCE, options)
    refuse_existing([output], force)
    annotated = reader.read_any(file, annotate=True)
    if isinstance(annotated, PointClip):
        refuse_for_points(file, {option.option: option.name in given for option in ENFORCE})
        if not annotated.constraints:
            annotated = annotate(annotated)
            reader.note(file, PLANTS_DETECTED)
    if not annotated.constraints:
        raise MotionloomError(f"{file}: no foot plants were detected, so there is nothing to enforce")
    result: Result[PointEnforcementReport, PointClip] | Result[EnforcementReport]
    result = enforce_clip(annotated) if isinstance(annotated, PointClip) else enforce_clip(annotated, **given)
    clip, report = result.clip, result.report
    with all_or_nothing([output]):
        save(clip, output, overwrite=force)
    reader.note_losses(clip, output)
    if as_json:
        facts = {
            "file": str(file),
            "written": str(output),
            "annotated": PLANTS_DETECTED in reader.notes.get(str(file), []),
            **(planting_facts(report) if isinstance(report, EnforcementReport) else asdict(report)),
        }
        print_json({**facts, "notes": [*clip.source.notes, *getattr(report, "notes", ())]})
        return
    facts = {"written": str(output), **clip_facts(clip)}
    if isinstance(report, EnforcementReport):
        outcome = report.outcome
        facts |= {"verdict": outcome.problem[0], "remedy": Message(outcome.remedy)}
    print_result(f"{file} planted", facts, str(report).splitlines(), json_wanted=False)


def planting_facts(report: EnforcementReport) -> dict[str, Any]:
    """Return what planting did, as commands report it, with what one sees of it."""
    changes = report.changes
    return {**asdict(report), "changes": None if changes is None else changes.as_dict()}

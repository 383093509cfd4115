"""`motionloom transition`: a transition from one clip to another."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from motionloom.cli.options import (
    ANY_PATH,
    as_json,
    command,
    command_option,
    derive_options,
    force,
    output_file,
    parse_options,
)
from motionloom.cli.output import (
    all_or_nothing,
    check_motion_file,
    clip_facts,
    print_result,
    refuse_existing,
)
from motionloom.cli.reading import Reader, reading_options, refuse_for_points
from motionloom.errors import ParameterError, RegistrationWarning
from motionloom.messages import Argument, Message
from motionloom.options import choose
from motionloom.options.transitions import TRANSITION

if TYPE_CHECKING:
    from motionloom.blending import BlendReport, BlendResult
    from motionloom.motion import Clip, PointClip, Result


@command()
@click.argument("first", type=ANY_PATH)
@click.argument("second", type=ANY_PATH)
@output_file
@derive_options(TRANSITION)
@force
@as_json
@reading_options
def transition(
    first: Path,
    second: Path,
    output: Path,
    force: bool,
    as_json: bool,
    reader: Reader,
    **options: Any,
) -> None:
    """Make a transition from the clip in FIRST to the clip in SECOND.

    The result is the start of the first clip, the transition, and the end of the second clip moved into
    place. Files of points without a skeleton work if both have the same points.
    """
    from motionloom.motion import PointClip
    from motionloom.transitions import transition as make_transition
    from motionloom.workflows import plant_transition

    given = parse_options(TRANSITION, options)
    check_overlap(given)
    check_motion_file(output)
    refuse_existing([output], force)
    files = [first, second]
    found = [reader.read_any(file, annotate=True) for file in files]
    plant = given.pop("plant", False)
    if any(isinstance(clip, PointClip) for clip in found):
        joined = _join_points(found, files, given, plant=plant)
        _write_points(joined, files, output, reader, force=force, as_json=as_json)
        return
    clips = cast("list[Clip]", found)
    one, two = close_loops(clips, files, reader) if "loop" in given else clips
    if "at" in given:
        given["at"] = frames_in_loops(given["at"], clips, [one, two], files)
    with library_messages():
        result = make_transition(one, two, **given)
    if plant:
        result = plant_transition(result)
    write_result(result, files, output, reader, force=force, as_json=as_json)


def _join_points(
    clips: Sequence[Clip | PointClip],
    files: Sequence[Path],
    given: dict[str, Any],
    *,
    plant: bool,
) -> Result[BlendReport, PointClip]:
    """Make a transition between two clips of points without a skeleton."""
    from motionloom.annotation import annotate
    from motionloom.enforcement import enforce
    from motionloom.motion import PointClip
    from motionloom.transitions import transition

    points = [clip for clip in clips if isinstance(clip, PointClip)]
    if len(points) < len(clips):
        raise ParameterError(
            "one file holds points without a skeleton and the other a skeleton", remedy="use two alike"
        )
    if given.get("method") == "overlap":
        raise ParameterError(
            "--method overlap does not apply to points without a skeleton", remedy="use another one"
        )
    unfit = choose(TRANSITION, "loop", "keep", "snap", "alignment")
    refuse_for_points(files[0], {command_option(option): option.name in given for option in unfit})
    one, two = (clip if clip.constraints or not plant else annotate(clip) for clip in points)
    with library_messages():
        joined = transition(one, two, **given)
    if not plant or not joined.clip.constraints:
        return joined
    return replace(joined, clip=enforce(joined).clip)


def _write_points(
    joined: Result[BlendReport, PointClip],
    files: Sequence[Path],
    output: Path,
    reader: Reader,
    *,
    force: bool,
    as_json: bool,
) -> None:
    """Save joined points and print facts about them."""
    from motionloom.files import save

    clip, report = joined.clip, joined.report
    with all_or_nothing([output]):
        save(clip, output, overwrite=force)
    reader.note_losses(clip, output)
    facts = {"written": str(output), "method": report.method, **clip_facts(clip)}
    facts |= {"seams": list(report.seams), "constraints": len(clip.constraints)}
    print_result(" → ".join(file.stem for file in files), facts, report.notes, as_json)


def check_overlap(given: dict[str, Any]) -> None:
    """Refuse options that do not belong together: an overlap has no centre and no width."""
    overlaps = given.get("method") == "overlap"
    if overlaps and "overlap" not in given:
        raise ParameterError("--method overlap needs --overlap S1,S2: seconds of both clips")
    unfit = choose(TRANSITION, "at", "keep", "half_width", "loop", "snap")
    wrong = [command_option(option) for option in unfit if option.name in given]
    if overlaps and wrong:
        raise ParameterError(f"{wrong[0]} does not apply to --method overlap", remedy="leave it out")
    if not overlaps and ("overlap" in given or "correspondences" in given):
        raise ParameterError("--overlap and --correspond need --method overlap")


@contextmanager
def library_messages() -> Iterator[None]:
    """Make transitions in a block; what warnings say is left to notes."""
    with warnings.catch_warnings():
        # The notes that are printed repeat the warning.
        warnings.simplefilter("ignore", RegistrationWarning)
        yield


def close_loops(clips: Sequence[Clip], files: Sequence[Path], reader: Reader) -> list[Clip]:
    """Close clips to loops, with a note; a clip that does not close well is returned as it is."""
    from motionloom.cycles.cyclify import try_cyclify

    loops = []
    for clip, file in zip(clips, files, strict=True):
        closed = try_cyclify(clip)
        loop, report = closed.clip, closed.report
        if report is not None:
            kept = f"frames {report.start} to {report.end:.0f}, {report.duration:.2f} s"
            reader.note(file, f"not cyclic, so a part of it was closed to a loop ({kept})", each=True)
        elif not loop.cyclic:
            reader.note(file, "no part of it closes to a loop, so it is played once")
        loops.append(loop)
    return loops


def frames_in_loops(
    frames: Sequence[float], clips: Sequence[Clip], loops: Sequence[Clip], files: Sequence[Path]
) -> list[float]:
    """Convert frames of clips to frames of the loops that they were closed to."""
    from motionloom.cycles.cyclify import frame_in_cycle

    return [
        frame_in_cycle(frame, clip, loop, f"--at names frame {frame:g} of {file}")
        for frame, clip, loop, file in zip(frames, clips, loops, files, strict=False)
    ]


def _judge(report: BlendReport) -> dict[str, Any]:
    """Return whether transitions look right, as commands report it."""
    doubts = [doubt for doubt in report.doubts if doubt]
    n_transitions = len(report.doubts)
    if not n_transitions:
        return {}
    if not doubts:
        return {"verdict": "good transition" if n_transitions == 1 else "good transitions"}
    which = "" if n_transitions == 1 else f"{len(doubts)} of {n_transitions} "
    return {
        "verdict": f"{which}doubtful transition{'s' if n_transitions > 1 else ''}",
        "reason": doubts[0],
        "remedy": Message(("look at it, or choose another place with ", Argument("at"))),
    }


def write_result(
    result: BlendResult, files: Sequence[Path], output: Path, reader: Reader, *, force: bool, as_json: bool
) -> None:
    """Save the motion that was made from files and print facts about it."""
    from motionloom.files import save

    with all_or_nothing([output]):
        save(result.clip, output, overwrite=force)
    reader.note_losses(result.clip, output)
    facts = {
        "written": str(output),
        "method": result.report.method,
        **clip_facts(result.clip),
        **_judge(result.report),
        "seams": list(result.report.seams),
        "kept": [round(fraction, 3) for fraction in result.report.kept],
        "alone": [round(fraction, 3) for fraction in result.report.alone],
        "constraints": len(result.clip.constraints),
    }
    print_result(" → ".join(file.stem for file in files), facts, result.report.notes, as_json)

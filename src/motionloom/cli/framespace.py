"""`motionloom framespace`: cyclic motions mixed along a drawn curve."""

from __future__ import annotations

import json
from collections.abc import Sequence
from math import degrees
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from motionloom.cli.blend import ground_place, report_removed_travel
from motionloom.cli.options import (
    ANY_PATH,
    as_json,
    average,
    command,
    force,
    fps,
    in_place,
    option,
    output_file,
    parse_named,
    place,
)
from motionloom.cli.output import (
    all_or_nothing,
    check_plot,
    clip_facts,
    print_result,
    refuse_existing,
)
from motionloom.cli.reading import Reader, reading_options
from motionloom.errors import FileFormatError, ParameterError

if TYPE_CHECKING:
    from motionloom.blending import BlendResult
    from motionloom.framespace import Framespace, Interpolant
    from motionloom.framespace.states import BodyStates

CURVE = "X:V X:V …"

STATES = "States"
"""Group of the options about states."""

MAX_STATES_SIZE = 1 << 20
"""Bytes of a file of states."""


@command()
@click.argument("files", nargs=-1, required=True, type=ANY_PATH)
@output_file
@option(
    "--curve",
    required=True,
    metavar=CURVE,
    help="Vertices of the curve: X along the time axis and V between the clips, both from 0 to 1; X:V:W for "
    "four clips.",
)
@option("--upper", metavar=CURVE, help="Curve of the upper body, with --decoupled.")
@option("--cycles", type=float, default=6.0, metavar="N", help="Number of cycles along the curve.")
@option("--polyline", is_flag=True, help="Connect vertices with straight lines, not with a B-spline.")
@option("--decoupled", is_flag=True, help="Give the upper body its own states and timing.")
@option("--line", is_flag=True, help="Put four clips on a line, not at the corners of a box.")
@option(
    "--acyclic",
    type=int,
    metavar="N",
    show_default="none",
    help="Clip that is played once instead of repeated, counted from 0.",
)
@option("--loop", is_flag=True, help="Close the result to a loop.")
@in_place
@fps(show_default="the lowest of the clips", help="Resample all clips to this frame rate first.")
@option(
    "--warp",
    type=click.Choice(["smooth", "linear"]),
    default="smooth",
    help="Vary speed smoothly between states, or keep it constant.",
)
@average
@place
@option(
    "--states",
    type=ANY_PATH,
    metavar="FILE",
    group=STATES,
    show_default="detected",
    help="A .json file with the states of each clip, as --save-states writes it; null: detect them.",
)
@option(
    "--save-states",
    type=ANY_PATH,
    metavar="FILE",
    group=STATES,
    help="Also save the states of the clips to this .json file.",
)
@option(
    "--label",
    "labels",
    multiple=True,
    metavar="LABEL",
    group=STATES,
    show_default="et, H gnd, mt, HI flex, S flex, S ext, S msw",
    help="Detect states with this label; repeatable.",
)
@option(
    "--equivalent",
    "equivalences",
    multiple=True,
    metavar="LABEL=LABEL",
    group=STATES,
    show_default="H gnd=et",
    help="Treat the first label as the second; repeatable.",
)
@option(
    "--without",
    "dropped",
    multiple=True,
    metavar="LABEL",
    group=STATES,
    help="Ignore matched states with this label; repeatable.",
)
@option(
    "--plot",
    type=ANY_PATH,
    metavar="FILE",
    help="Also plot states, curve, pelvis and hips to this .png, .svg or .pdf file.",
)
@option("--allow-unfit", is_flag=True, help="Mix clips even if their cycles do not fit together.")
@force
@as_json
@reading_options
def framespace(
    files: tuple[Path, ...],
    curve: str,
    upper: str | None,
    cycles: float,
    output: Path,
    polyline: bool,
    line: bool,
    loop: bool,
    in_place: bool,
    fps: float | None,
    average: Any,
    place: tuple[float, float, float] | None,
    states: Path | None,
    save_states: Path | None,
    dropped: tuple[str, ...],
    plot: Path | None,
    force: bool,
    as_json: bool,
    reader: Reader,
    **options: Any,
) -> None:
    """Mix the cyclic motions in FILES along a curve.

    Two clips span a rectangle, four a box, other numbers a line. Clips that are not cyclic are cut to one
    cycle and closed. The timing follows from the clips and the curve. States are moments of a cycle at which
    the clips correspond, such as foot strikes.
    """
    from motionloom.blending.result import put_blend_in_place
    from motionloom.files import save
    from motionloom.framespace import Framespace

    lower_curve = _parse_curve(curve, "--curve", polyline)
    upper_curve = None if upper is None else _parse_curve(upper, "--upper", polyline)
    check_plot(plot)
    written = [path for path in (output, plot, save_states) if path]
    refuse_existing(written, force)
    settings = _parse_states(states, options)
    clips = [reader.read(path) for path in files]
    clips = [clip if fps is None else clip.resampled(fps) for clip in clips]
    space = Framespace(clips, shape="line" if line else None, **settings)
    for label in dropped:
        space = space.without(label)
    result = space.blend(
        lower_curve,
        cycles=cycles,
        upper=upper_curve,
        place=ground_place(place),
        average=average,
        loop=loop,
    )
    travelling = result.clip
    if in_place:
        result = put_blend_in_place(result)
    with all_or_nothing(written):
        save(result.clip, output, overwrite=force)
        if plot is not None:
            from motionloom.display import plot as plots

            plots.framespace(space, result, plot, names=[path.stem for path in files], overwrite=force)
        if save_states is not None:
            _save_states(space.states, save_states, force)
    reader.note_losses(result.clip, output)
    facts = {"written": [str(path) for path in written], **_facts(space, result)}
    facts |= report_removed_travel(travelling) if in_place else {}
    notes = [*space.notes, *result.report.notes]
    print_result(f"{len(space.clips)} clips mixed in a {space.shape}", facts, notes, as_json)


def _facts(space: Framespace, result: BlendResult) -> dict[str, Any]:
    from motionloom.framespace import FramespaceReport
    from motionloom.quality.paths import path_measures

    clip, report = result.clip, result.report
    assert isinstance(report, FramespaceReport)
    path = path_measures(clip)
    return {
        **clip_facts(clip),
        "cyclic": clip.cyclic,
        "periods_s": space.periods.tolist(),
        "cycle_s": report.cycle_durations.tolist(),
        "states": [", ".join(state.labels) for state in space.correspondence.matched],
        "verdict": space.verdict.value,
        "reason": space.reason,
        "path_length_m": path.length,
        "heading_change_deg": degrees(path.heading_change),
        "constraints": len(clip.constraints),
    }


def _parse_curve(words: str, option: str, polyline: bool) -> Interpolant:
    """Return the curve through vertices written as ``X:V`` or ``X:V:W``."""
    from motionloom.framespace import PolylineInterpolant, SplineInterpolant

    rows = [word.split(":") for word in words.replace(",", " ").split()]
    try:
        vertices = [[float(part) for part in row] for row in rows]
        return PolylineInterpolant(vertices) if polyline else SplineInterpolant(vertices)
    except ValueError as error:
        raise ParameterError(
            f"{option} needs vertices like '0:0 0.5:1 1:0.3', not {words!r}: {error}"
        ) from None


def _parse_states(path: Path | None, options: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of a framespace: states from a file, labels and equivalences."""
    from motionloom.framespace.labels import EQUIVALENT

    labels, equivalences = options.pop("labels"), options.pop("equivalences")
    if labels:
        options["labels"] = labels
    if equivalences:
        given = [parse_named("--equivalent", words, "LABEL=LABEL") for words in equivalences]
        options["equivalences"] = {**EQUIVALENT, **dict(given)}
    if path is not None:
        options["states"] = _load_states(path)
    return options


def _load_states(path: Path) -> list[BodyStates | None]:
    """Read the states of each clip: a list whose entries are null or objects with "lower" and "upper"."""
    from motionloom.framespace.states import as_body_states
    from motionloom.json_files import read_json

    data = read_json(path, "the states of clips", MAX_STATES_SIZE)
    if not isinstance(data, list):
        raise FileFormatError(path, "must be a list with the states of each clip, or null to detect them")
    states: list[BodyStates | None] = []
    for n, entry in enumerate(data):
        try:
            states.append(None if entry is None else as_body_states(entry))
        except (ParameterError, TypeError) as error:
            raise FileFormatError(path, f"states of clip {n}: {error}") from None
    return states


def _save_states(states: Sequence[BodyStates], path: Path, overwrite: bool) -> None:
    from motionloom.atomic_write import atomic_output

    data = [
        {
            half: [[round(state.phase, 9), list(state.labels)] for state in own.of(half)]
            for half in ("lower", "upper")
        }
        for own in states
    ]
    with atomic_output(path, overwrite=overwrite) as temporary:
        temporary.write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")

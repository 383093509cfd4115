"""`motionloom register`: find how clips correspond, as a saved curve and a plot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from motionloom.cli.options import (
    ANY_PATH,
    REGISTRATION,
    apply_options,
    as_json,
    command,
    force,
    fps,
    markers,
    option,
    parse_named,
    parse_numbers,
)
from motionloom.cli.output import (
    all_or_nothing,
    check_markers,
    check_plot,
    print_result,
    progress,
    refuse_existing,
    verdict_facts,
)
from motionloom.cli.reading import Reader, reading_options
from motionloom.errors import ParameterError

if TYPE_CHECKING:
    from motionloom.cycles.match_strides import StrideCut
    from motionloom.registration import RegistrationCurve
    from motionloom.workflows import Cut, PartCut

ENDS = ("auto", "corners", "free")

NAMES = (
    *("profile", "slope_limit", "window", "start", "end", "pins", "reference", "joint_weights"),
    *("points", "speed_weight", "events", "alignment", "stiffness", "min_rate", "knot_spacing", "smoothing"),
)
"""The registration options as arguments."""

_OPTIONS = (
    option(
        "--profile",
        type=click.Choice(["default", "paper", "thesis"]),
        default="default",
        group=REGISTRATION,
        help="Start from Motionloom's settings, or from those of the paper or the thesis.",
    ),
    option(
        "--slope-limit",
        type=int,
        metavar="N",
        group=REGISTRATION,
        show_default="3",
        help="Maximum number of frames of one clip that correspond to one frame of another.",
    ),
    option(
        "--window",
        type=float,
        metavar="SECONDS",
        group=REGISTRATION,
        show_default="1/15",
        help="Motion before and after a frame that is compared together with it.",
    ),
    option(
        "--start",
        metavar="F,F,…",
        group=REGISTRATION,
        show_default="auto",
        help="Frame of each clip at which they start to correspond; corners: the first ones; free: anywhere.",
    ),
    option(
        "--end",
        metavar="F,F,…",
        group=REGISTRATION,
        show_default="auto",
        help="Frame of each clip at which they stop corresponding; corners and free as for --start.",
    ),
    option(
        "--pin",
        "pins",
        multiple=True,
        metavar="F,F,…",
        group=REGISTRATION,
        help="Frame of each clip that correspond exactly, counted in FILES (at --fps if given); repeatable.",
    ),
    option(
        "--alignment",
        type=click.Choice(["auto", "windowed"]),
        group=REGISTRATION,
        show_default="auto",
        help="Align times as well as possible from end to end, or in windows, for clips that agree in parts.",
    ),
    option(
        "--reference",
        type=int,
        metavar="N",
        group=REGISTRATION,
        show_default="the clip closest to all others",
        help="Clip that the others are registered to, counted from 0.",
    ),
    option(
        "--joint-weight",
        "joint_weights",
        multiple=True,
        metavar="NAME=W",
        group=REGISTRATION,
        show_default="1",
        help="Joint weight in the pose distance; repeatable.",
    ),
    option(
        "--points",
        type=int,
        metavar="N",
        group=REGISTRATION,
        show_default="all joints",
        help="Number of points, spread over the body, whose positions are compared.",
    ),
    option(
        "--speed-weight",
        type=float,
        metavar="W",
        group=REGISTRATION,
        show_default="1",
        help="Weight of speeds against poses in the distance; 0 compares poses only.",
    ),
    option(
        "--events",
        metavar="LABEL,…",
        group=REGISTRATION,
        show_default="strike",
        help="Events that must correspond if all clips have the same sequence of them; '' for none. Beside "
        "--start, --end and --pin only events that are named here count.",
    ),
    option(
        "--stiffness",
        type=float,
        metavar="W",
        group=REGISTRATION,
        show_default="5",
        help="Resistance to rate changes where many frames look alike; 0 follows the raw path.",
    ),
    option(
        "--min-rate",
        type=float,
        metavar="RATE",
        group=REGISTRATION,
        show_default="1 / (2 * slope limit)",
        help="Minimum playback rate of a clip relative to another.",
    ),
    option(
        "--knot-spacing",
        type=float,
        metavar="SECONDS",
        group=REGISTRATION,
        show_default="0.1",
        help="Distance between the knots of the fitted curves.",
    ),
    option(
        "--smoothing",
        type=int,
        metavar="N",
        group=REGISTRATION,
        show_default="1, none",
        help="Width of the median filter on the alignment, in samples.",
    ),
)


def registration_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the registration options; :func:`parse_registration` turns them into arguments."""
    return apply_options(command, _OPTIONS)


def parse_registration(options: dict[str, Any]) -> dict[str, Any]:
    """Take the registration options out of ``options`` and return those that were given, as arguments.

    >>> given = {"pins": ("30,42",), "start": "free", "joint_weights": (), "plant": True}
    >>> parse_registration(given), given
    ({'start': 'free', 'pins': [[30.0, 42.0]]}, {'plant': True})
    """
    given = {name: options.pop(name, None) for name in NAMES}
    given["start"] = _parse_end("--start", given["start"])
    given["end"] = _parse_end("--end", given["end"])
    given["pins"] = [_parse_frames("--pin", pin) for pin in given["pins"] or ()] or None
    given["joint_weights"] = dict(map(_parse_joint_weight, given["joint_weights"] or ())) or None
    if given["events"] is not None:
        given["events"] = [label.strip() for label in given["events"].split(",") if label.strip()]
    if given["profile"] == "default":
        given["profile"] = None
    return {name: value for name, value in given.items() if value is not None}


def _parse_end(option: str, words: str | None) -> str | list[float] | None:
    return words if words is None or words in ENDS else _parse_frames(option, words)


def _parse_frames(option: str, words: str) -> list[float]:
    form = "a frame of each clip, such as 30,42"
    numbers = parse_numbers(option, words, None, form)
    return numbers if len(numbers) > 1 else parse_numbers(option, words, 2, form)


def _parse_joint_weight(words: str) -> tuple[str, float]:
    form = "NAME=W, such as LeftHand=0.5"
    name, number = parse_named("--joint-weight", words, form)
    return name, parse_numbers("--joint-weight", number, 1, form, words)[0]


@command()
@click.argument("files", nargs=-1, required=True, type=ANY_PATH)
@option(
    "-o",
    "--output",
    required=True,
    type=ANY_PATH,
    metavar="FILE",
    help="File to write: an .npz with the registration curve.",
)
@option(
    "--cut",
    type=click.Choice(["auto", "strides", "loops", "parts", "whole"]),
    default="whole",
    help="Cut the clips first: to the same strides, to one closed loop each, to the part they have in "
    "common, or not at all; auto cuts steady gaits to strides and takes other clips whole, or by parts where "
    "whole clips do not fit.",
)
@fps(show_default="the lowest of the clips", help="Resample all clips to this frame rate first.")
@registration_options
@option(
    "--plot",
    type=ANY_PATH,
    metavar="FILE",
    help="Also plot distance grids, curve and constraints to this .png, .svg or .pdf file.",
)
@markers
@force
@as_json
@reading_options
def register(
    files: tuple[Path, ...],
    output: Path,
    cut: Cut,
    fps: float | None,
    plot: Path | None,
    markers: Path | None,
    force: bool,
    as_json: bool,
    reader: Reader,
    **options: Any,
) -> None:
    """Find how the clips in FILES correspond in time, in space and in their foot plants.

    The registered clips (annotated, cut, resampled) are saved in a folder beside the curve, which refers to
    them.
    """
    from motionloom.engines.markers import save_markers
    from motionloom.files import save_with_clips
    from motionloom.workflows import prepare_and_register

    if output.suffix.lower() != ".npz":
        raise ParameterError("a registration is saved as .npz", subject=str(output))
    check_markers(markers)
    check_plot(plot)
    folder = output.with_name(f"{output.stem}-clips")
    clip_files = [folder / f"{n:02d}-{path.stem}.npz" for n, path in enumerate(files)]
    written = [output, *clip_files, *(path for path in (plot, markers) if path)]
    refuse_existing(written, force)
    settings = parse_registration(options)
    clips = [clip if fps is None else clip.resampled(fps) for clip in map(reader.read, files)]
    with progress("registering", quiet=len(files) < 3) as update:
        prepared, curve = prepare_and_register(clips, cut=cut, progress=update, **settings)
    with all_or_nothing(written):
        save_with_clips(curve, output, clip_files, overwrite=force)
        if plot is not None:
            from motionloom.display import plot as plots

            plots.registration(curve, plot, overwrite=force)
        if markers is not None:
            save_markers(curve, markers, overwrite=force)
    facts = {"written": [str(path) for path in written], **_facts(curve, files)}
    kept: tuple[StrideCut | PartCut, ...] = prepared.stride_cuts or prepared.part_cuts
    cuts = list(zip(files, kept, strict=True)) if kept else []
    notes = list(curve.report.notes)
    if as_json:
        facts["cuts"] = [_cut_facts(file, part) for file, part in cuts]
    else:
        notes = [*(f"{file}: {part}" for file, part in cuts), *notes]
    print_result(f"{len(files)} clips registered", facts, notes, as_json)


def _facts(curve: RegistrationCurve, files: Sequence[Path]) -> dict[str, Any]:
    """Return how good the registration is."""
    report = curve.report
    return {
        "duration_s": curve.clips[curve.reference].duration,
        **verdict_facts(report),
        "reference": str(files[curve.reference]),
        "mean_distance_m": report.mean_distance,
        "max_distance_m": report.max_distance,
        "saturation": report.saturation,
        "cycle_error_frames": report.cycle_error,
        "matches": report.n_matches,
        "unmatched": len(report.unmatched),
        "splits": len(report.splits),
    }


def _cut_facts(file: Path, cut: StrideCut | PartCut) -> dict[str, Any]:
    """Return what was kept of the clip in a file, and what was cut off."""
    names = ("event", "strides", "start_seconds", "end_seconds", "seconds_before", "seconds_after")
    return {"file": str(file), **{name: getattr(cut, name) for name in names if hasattr(cut, name)}}

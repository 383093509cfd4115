"""`motionloom register`: how clips correspond, as a saved curve and a plot."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite, nan
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from motionloom.cli.output import (
    ANY_PATH,
    all_or_nothing,
    as_json,
    check_markers,
    check_plot,
    force,
    markers,
    print_facts,
    print_json,
    print_notes,
    progress,
    refuse_existing,
)
from motionloom.cli.reading import Reader, reading_options
from motionloom.errors import ParameterError

if TYPE_CHECKING:
    from motionloom.cycles import StrideCut
    from motionloom.registration import RegistrationCurve
    from motionloom.workflows import Cut


@click.command()
@click.argument("files", nargs=-1, required=True, type=ANY_PATH)
@click.option("-o", "--output", required=True, type=ANY_PATH, help="The .npz file for the curve.")
@click.option("--strides", is_flag=True, help="Cut locomotion to the same whole strides first.")
@click.option("--loops", is_flag=True, help="Close one cycle of each clip first; they then go on for ever.")
@click.option(
    "--auto", is_flag=True, help="Cut gaits to the same strides and take others whole, as blend does."
)
@click.option("--fps", type=float, help="Bring all clips to this frame rate first.")
@click.option(
    "--profile", type=click.Choice(["default", "paper", "thesis"]), default="default", show_default=True
)
@click.option("--slope-limit", type=int, help="How many frames of one clip a frame of another may meet.")
@click.option(
    "--window", type=float, metavar="S", help="Seconds to either side that are compared with a frame."
)
@click.option(
    "--pin",
    "pins",
    multiple=True,
    metavar="F,F",
    help="Frames of two FILES, counted at --fps, that are to correspond; repeat it for more.",
)
@click.option("--start", metavar="F,F", help="Frames of two FILES, counted at --fps, from which on they do.")
@click.option(
    "--joint-weight",
    "joint_weights",
    multiple=True,
    metavar="NAME=W",
    help="What a joint counts when poses are compared, 1 unless stated; repeat it for more.",
)
@click.option("--plot", type=ANY_PATH, help="Draw grids, curve and constraints into this .png, .svg or .pdf.")
@markers
@force
@as_json
@reading_options
def register(
    files: tuple[Path, ...],
    output: Path,
    strides: bool,
    loops: bool,
    auto: bool,
    fps: float | None,
    pins: tuple[str, ...],
    start: str | None,
    joint_weights: tuple[str, ...],
    plot: Path | None,
    markers: Path | None,
    force: bool,
    as_json: bool,
    reader: Reader,
    **choices: Any,
) -> None:
    """Find how the clips in FILES correspond in time, place and foot plants.

    The clips as they were registered (annotated, cut, resampled) are written beside the curve, which refers
    to them.
    """
    from motionloom.files import save_markers, save_with_clips
    from motionloom.workflows import prepare

    cut = _cut_of(strides, loops, auto)
    if output.suffix.lower() != ".npz":
        raise ParameterError(f"{output}: a registration is saved as .npz")
    check_markers(markers)
    check_plot(plot)
    folder = output.with_name(f"{output.stem}-clips")
    places = [folder / f"{n:02d}-{path.stem}.npz" for n, path in enumerate(files)]
    written = [output, *places, *(path for path in (plot, markers) if path)]
    refuse_existing(written, force)
    choices |= {
        "pins": [_frames("--pin", pin) for pin in pins],
        "start": None if start is None else _frames("--start", start),
        "joint_weights": dict(map(_joint_weight, joint_weights)) or None,
    }
    stated = {name: value for name, value in choices.items() if value is not None}
    clips = [clip if fps is None else clip.resampled(fps) for clip in map(reader.read, files)]
    prepared = prepare(clips, cut=cut)
    with progress("registering", quiet=len(files) < 3) as update:
        curve = prepared.register(progress=update, **stated)
    with all_or_nothing(written):
        save_with_clips(curve, output, places, overwrite=force)
        if plot is not None:
            from motionloom.display import plot as plots

            plots.registration(curve, plot, overwrite=force)
        if markers is not None:
            save_markers(curve, markers, overwrite=force)
    facts = {"written": [str(path) for path in written], **_facts(curve, files)}
    cuts = prepared.stride_cuts
    kept = list(zip(files, cuts, strict=True)) if cuts else []
    if as_json:
        facts["cuts"] = [_cut_facts(file, part) for file, part in kept]
        print_json({**facts, "notes": list(curve.report.notes)})
        return
    print_facts(f"{len(files)} clips registered", facts)
    for file, part in kept:
        click.echo(f"  {file}: {part}")
    print_notes(curve.report.notes)


def _cut_of(strides: bool, loops: bool, auto: bool) -> Cut:
    if strides and loops:
        raise ParameterError("--strides and --loops exclude each other: clips are cut open or closed")
    if auto and (strides or loops):
        raise ParameterError("--auto decides how clips are cut: leave out --strides and --loops")
    return "strides" if strides else "loops" if loops else "auto" if auto else "whole"


def _frames(option: str, words: str) -> list[float]:
    """The frames of two clips that ``F,F`` names."""
    try:
        frames = [float(word) for word in words.split(",")]
    except ValueError:
        frames = []
    if len(frames) != 2 or not all(map(isfinite, frames)):
        raise ParameterError(f"{option} needs a frame of each of two clips, such as 30,42, not {words!r}")
    return frames


def _joint_weight(words: str) -> tuple[str, float]:
    """The joint and what it counts that ``NAME=W`` names."""
    name, equals, number = words.rpartition("=")
    try:
        weight = float(number)
    except ValueError:
        weight = nan
    if not equals or not name.strip() or not isfinite(weight):
        raise ParameterError(f"--joint-weight needs NAME=W, such as LeftHand=0.5, not {words!r}")
    return name.strip(), weight


def _facts(curve: RegistrationCurve, files: Sequence[Path]) -> dict[str, Any]:
    """How good the registration is."""
    report = curve.report
    return {
        "reference": str(files[curve.reference]),
        "verdict": report.verdict.value,
        "reason": report.reason,
        "mean_distance_m": report.mean_distance,
        "max_distance_m": report.max_distance,
        "saturation": report.saturation,
        "cycle_error_frames": report.cycle_error,
        "matches": report.n_matches,
        "unmatched": len(report.unmatched),
        "splits": len(report.splits),
    }


def _cut_facts(file: Path, cut: StrideCut) -> dict[str, Any]:
    """What was kept of the clip in a file, and what was not."""
    return {
        "file": str(file),
        "event": cut.event,
        "n_strides": cut.strides,
        "seconds_before": cut.seconds_before,
        "seconds_after": cut.seconds_after,
    }

"""`motionloom warp`: edit a clip with a few keys."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from motionloom.cli.options import (
    ANY_PATH,
    as_json,
    command,
    force,
    option,
    output_file,
    parse_numbers,
)
from motionloom.cli.output import all_or_nothing, check_plot, print_json, print_line, refuse_existing
from motionloom.cli.reading import Reader, reading_options
from motionloom.cli.warp_keys import KEY_FORM, TIME_FORM, parse_key, parse_time_keys
from motionloom.errors import ParameterError

if TYPE_CHECKING:
    from motionloom.annotation.ground import Surface
    from motionloom.motion import Clip
    from motionloom.warping import WarpReport

GROUND_NOT_SAVED = "ground and obstacles are not saved: only --preset makes them again"
"""What is noted about the keys of a preset with a ground, which is not part of a warp."""


@command()
@click.argument("file", type=ANY_PATH)
@output_file
@option("--key", "keys", multiple=True, metavar="KEY", help=f"A key, such as {KEY_FORM}; repeatable.")
@option(
    "--keys",
    "key_file",
    type=ANY_PATH,
    metavar="FILE",
    help="File with all keys of a warp, as --save-keys writes it.",
)
@option(
    "--tension",
    type=float,
    default=0.0,
    metavar="TENSION",
    help="Tension of the splines through the keys: 0 is Catmull–Rom, 1 stops at every key.",
)
@option(
    "--time",
    "times",
    multiple=True,
    metavar="OLD=NEW",
    help=f"A time of FILE and when it happens in the result, such as {TIME_FORM}; repeatable.",
)
@option(
    "--time-curve",
    type=click.Choice(["pchip", "cardinal"]),
    default="pchip",
    help="Curve through the time keys; pchip never runs backwards.",
)
@option(
    "--time-tension", type=float, default=0.0, metavar="TENSION", help="Tension of a cardinal time curve."
)
@option("--allow-reverse", is_flag=True, help="Let time keys run time backwards.")
@option("--preset", metavar="NAME", help="Apply a preset to a walk: doorway, stairs, limp, tiptoe, …")
@option(
    "--stone",
    "stones",
    multiple=True,
    metavar="X,Z",
    help="Where a foot of a walk lands, in metres; repeat for each step in order.",
)
@option(
    "--amount",
    type=float,
    default=1.0,
    metavar="FACTOR",
    help="Strength of the warp; 0.5 is half of it.",
)
@option("--keep-plants", is_flag=True, help="Keep planted feet and hands in place.")
@option(
    "--ground",
    type=float,
    metavar="METRES",
    show_default="detected",
    help="Height of the floor, for --keep-plants and --stone.",
)
@option(
    "--save-keys",
    type=ANY_PATH,
    metavar="FILE",
    help="Also save all keys, with reaches solved, to a .json.",
)
@option(
    "--plot",
    type=ANY_PATH,
    metavar="FILE",
    help="Also plot original and warped curves and poses to this .png, .svg or .pdf file.",
)
@force
@as_json
@reading_options
def warp(
    file: Path,
    output: Path,
    preset: str | None,
    stones: tuple[str, ...],
    amount: float,
    ground: float | None,
    save_keys: Path | None,
    plot: Path | None,
    force: bool,
    as_json: bool,
    reader: Reader,
    **options: Any,
) -> None:
    """Edit the clip in FILE with keys or a preset, and keep the details of its motion.

    Times are those of FILE: 0.6 or 0.6s is in seconds, 72f is a frame. The joint 'root' is the root of the
    skeleton, whatever its name.
    """
    from motionloom.files import save

    written = [path for path in (output, save_keys, plot) if path is not None]
    if len({path.resolve() for path in written}) < len(written):
        raise ParameterError(f"{output}: the motion, its keys and the plot need a file each")
    refuse_existing(written, force)
    check_plot(plot)
    _check_one_kind(preset, stones, options)
    clip = reader.read(file)
    surface = None
    if preset is not None:
        result, surface = _apply_preset(clip, preset, amount)
    elif stones:
        result = _step_on_stones(clip, stones, ground)
    else:
        result = _warp_with_keys(clip, amount, ground, **options)
    with all_or_nothing(written):
        save(result, output, overwrite=force)
        if save_keys is not None:
            _warp_report(result).warp.save(save_keys, overwrite=force)
        if plot is not None:
            from motionloom.display import plot as plots

            plots.warp(clip, result, plot, ground=surface, overwrite=force)
    reader.note_losses(result, output)
    if save_keys is not None and surface is not None:
        reader.note(save_keys, GROUND_NOT_SAVED)
    _print_report(result, file, written, as_json)


def _check_one_kind(preset: str | None, stones: Sequence[str], options: dict[str, Any]) -> None:
    keys = options["keys"] or options["key_file"] or options["times"]
    if preset is not None and (keys or stones):
        raise ParameterError("--preset is a whole warp: leave out keys, times and stones")
    if stones and keys:
        raise ParameterError("--stone moves the feet of a walk by itself: leave out keys and times")
    if not (preset or stones or keys):
        raise ParameterError("nothing to do: give --key, --time, --keys, --preset or --stone")


def _warp_with_keys(
    clip: Clip,
    amount: float,
    ground: float | None,
    *,
    keys: Sequence[str],
    key_file: Path | None,
    tension: float,
    times: Sequence[str],
    time_curve: Any,
    time_tension: float,
    allow_reverse: bool,
    keep_plants: bool,
) -> Clip:
    from motionloom.warping import Warp, scale_warp
    from motionloom.warping import warp as warp_clip

    time_keys = parse_time_keys(times, clip, curve=time_curve, tension=time_tension, reverse=allow_reverse)
    whole = Warp() if key_file is None else Warp.load(key_file)
    whole += Warp.of([parse_key(line, clip) for line in keys], time_keys, tension=tension)
    return warp_clip(clip, scale_warp(clip, whole, amount), keep_plants=keep_plants, ground=ground)


def _apply_preset(clip: Clip, name: str, amount: float) -> tuple[Clip, Surface | None]:
    from motionloom.warping import preset_edit, warp_preset

    edit = preset_edit(clip, name)
    return warp_preset(clip, name, amount), edit.ground or edit.hurdle


def _step_on_stones(clip: Clip, stones: Sequence[str], ground: float | None) -> Clip:
    from motionloom.warping import stepping_stones

    positions = [parse_numbers("--stone", stone, 2, "X,Z in metres, such as 0.1,1.5") for stone in stones]
    return stepping_stones(clip, positions, ground)


def _warp_report(result: Clip) -> WarpReport:
    from motionloom.warping import WarpReport

    assert isinstance(result.report, WarpReport)
    return result.report


def _print_report(result: Clip, file: Path, written: Sequence[Path], json_wanted: bool) -> None:
    report = _warp_report(result)
    if not json_wanted:
        print_line(str(report))
        for path in written:
            print_line(f"wrote {path}")
        return
    print_json(
        {
            "file": str(file),
            "written": [str(path) for path in written],
            **warp_facts(report),
            "notes": [*result.source.notes, *report.notes],
        }
    )


def warp_facts(report: WarpReport) -> dict[str, Any]:
    """Return what a warp changed and how well it met its keys, for JSON."""
    return {
        "keys": report.n_keys,
        "moments": report.n_moments,
        "duration_s": report.duration,
        "min_rate": report.min_rate,
        "max_rate": report.max_rate,
        "outcomes": [
            {
                "joint": outcome.key.joint,
                "time": outcome.time,
                "distance": outcome.distance,
                "angle": outcome.angle,
                "reached": outcome.is_reached,
            }
            for outcome in report.outcomes
        ],
        "plants_kept": None if report.plants is None else report.plants.all_kept,
    }

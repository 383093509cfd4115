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
from motionloom.cli.warp_keys import (
    KEY_FORM,
    MOMENT_FORM,
    OBSTACLE_FORM,
    STRETCH_FORM,
    TIME_FORM,
    parse_key,
    parse_obstacle,
    parse_stretch,
    parse_time_keys,
)
from motionloom.errors import ParameterError

if TYPE_CHECKING:
    from motionloom.annotation.ground import Surface
    from motionloom.motion import Clip, Result
    from motionloom.warping import Warp, WarpReport


@command()
@click.argument("file", type=ANY_PATH)
@output_file
@option(
    "--key",
    "keys",
    multiple=True,
    metavar="KEY",
    help=f"A key, such as {KEY_FORM}, or {MOMENT_FORM}; repeatable.",
)
@option(
    "--keys",
    "key_file",
    type=ANY_PATH,
    metavar="FILE",
    help="File with all keys of a warp, as --save-keys writes it.",
)
@option(
    "--carry-from",
    type=ANY_PATH,
    metavar="FILE",
    help="Clip that the file of --keys was made for; its times are carried over by registering the clips.",
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
    "--stretch",
    "stretches",
    multiple=True,
    metavar="START,END,FACTOR",
    help=f"Let the part between two moments take FACTOR times as long, such as {STRETCH_FORM}; repeatable.",
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
@option(
    "--obstacle",
    metavar="KIND[,AT[,HEIGHT]]",
    help=f"Put a hurdle, a block or stairs on the path, such as {OBSTACLE_FORM} (fraction of the steps, body "
    "heights); keys can be at 'crossing 1' and 'crossing 2'.",
)
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
    "--portable",
    is_flag=True,
    help="Save keys for other clips and rigs: at events and phases, for joints by role, in axes of the body.",
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
    portable: bool,
    plot: Path | None,
    force: bool,
    as_json: bool,
    reader: Reader,
    **options: Any,
) -> None:
    """Edit the clip in FILE with keys or a preset, and keep the details of its motion.

    Times are those of FILE: 0.6 or 0.6s is in seconds, 72f is a frame, and 'left strike 2', 'phase 0.25' or
    '50 %' are found in it. The joint 'root' is the root of the skeleton, whatever its name; 'left knee' is
    that joint on any rig.
    """
    from motionloom.files import save

    written = [path for path in (output, save_keys, plot) if path is not None]
    if len({path.resolve() for path in written}) < len(written):
        raise ParameterError("the motion, its keys and the plot need a file each", subject=str(output))
    refuse_existing(written, force)
    check_plot(plot)
    _check_one_kind(preset, stones, options)
    if portable and (save_keys is None or stones):
        raise ParameterError("--portable is for the keys of --save-keys, and not for stones")
    keep_plants, carry_from = options.pop("keep_plants"), options.pop("carry_from")
    clip = reader.read(file)
    if stones:
        result, given, surface = _step_on_stones(clip, stones, ground), None, None
    else:
        if preset is not None:
            given, keep_plants = _preset_keys(clip, preset), True
        else:
            source = None if carry_from is None else reader.read(carry_from)
            given = _gather_keys(clip, source, **options)
        result, surface = _apply_keys(clip, given, amount, ground, keep_plants)
    with all_or_nothing(written):
        save(result, output, overwrite=force)
        if save_keys is not None:
            _keys_to_save(result.report, clip, given if portable else None, amount).save(
                save_keys, overwrite=force
            )
        if plot is not None:
            from motionloom.display import plot as plots

            plots.warp(clip, result, plot, ground=surface, overwrite=force)
    reader.note_losses(result.clip, output)
    _print_report(result, file, written, as_json)


def _check_one_kind(preset: str | None, stones: Sequence[str], options: dict[str, Any]) -> None:
    names = ("keys", "key_file", "times", "stretches", "obstacle")
    keys = next((options[name] for name in names if options[name]), None)
    if preset is not None and (keys or stones):
        raise ParameterError("--preset is a whole warp", remedy="leave out keys, times and stones")
    if stones and keys:
        raise ParameterError("--stone moves the feet of a walk by itself", remedy="leave out keys and times")
    if options["carry_from"] is not None and options["key_file"] is None:
        raise ParameterError("--carry-from says which clip the file of --keys is for", remedy="give --keys")
    if not (preset or stones or keys):
        raise ParameterError(
            "nothing to do", remedy="give --key, --time, --stretch, --keys, --preset or --stone"
        )


def _gather_keys(
    clip: Clip,
    carry_from: Clip | None,
    *,
    keys: Sequence[str],
    key_file: Path | None,
    tension: float,
    times: Sequence[str],
    stretches: Sequence[str],
    time_curve: Any,
    time_tension: float,
    allow_reverse: bool,
    obstacle: str | None,
) -> Warp:
    """Return the keys of all options as one warp."""
    from motionloom.warping import TimeKeys, Warp

    time_keys = parse_time_keys(times, clip, curve=time_curve, tension=time_tension, reverse=allow_reverse)
    if stretches:
        parts = [parse_stretch(text, clip) for text in stretches]
        time_keys.append(TimeKeys(stretches=parts, curve=time_curve, tension=time_tension))
    whole = Warp() if key_file is None else Warp.load(key_file)
    if carry_from is not None:
        whole = _carry_keys(whole, carry_from, clip)
    hurdle = None if obstacle is None else parse_obstacle(obstacle)
    own = [parse_key(line, clip) for line in keys]
    return whole + Warp.of(own, time_keys, tension=tension, obstacle=hurdle)


def _carry_keys(warp: Warp, carry_from: Clip, clip: Clip) -> Warp:
    """Carry keys over from the clip that they were made for, by a registration of both."""
    from motionloom.warping import carry_warp
    from motionloom.workflows import prepare_and_register

    _, curve = prepare_and_register([carry_from, clip])
    return carry_warp(warp, curve, takes=[carry_from, clip])


def _preset_keys(clip: Clip, name: str) -> Warp:
    from motionloom.warping import preset_edit, preset_keys

    preset_edit(clip, name)  # refuses clips that do not show a walk of a body
    return preset_keys(name)


def _apply_keys(
    clip: Clip, warp: Warp, amount: float, ground: float | None, keep_plants: bool
) -> tuple[Result[WarpReport], Surface | None]:
    """Return the warped clip with its report, and the ground or hurdle of its obstacle."""
    from motionloom.warping import resolve_warp, scale_warp
    from motionloom.warping import warp as warp_clip

    scaled = scale_warp(clip, warp, amount)
    result = warp_clip(clip, scaled, keep_plants=keep_plants, ground=ground)
    if warp.obstacle is None:
        return result, None
    resolved = resolve_warp(clip.body, warp)
    return result, resolved.ground or resolved.hurdle


def _keys_to_save(report: WarpReport, clip: Clip, given: Warp | None, amount: float) -> Warp:
    """Return the keys with reaches solved or, of the given ones, for other clips."""
    from motionloom.warping import generalize_warp, scale_warp

    if given is None:
        return report.warp
    if given.is_portable and amount != 1.0:
        return given.scaled(amount)
    return generalize_warp(clip, scale_warp(clip, given, amount))


def _step_on_stones(clip: Clip, stones: Sequence[str], ground: float | None) -> Result[WarpReport]:
    from motionloom.warping import stepping_stones

    positions = [parse_numbers("--stone", stone, 2, "X,Z in metres, such as 0.1,1.5") for stone in stones]
    return stepping_stones(clip, positions, ground)


def _print_report(result: Result[WarpReport], file: Path, written: Sequence[Path], json_wanted: bool) -> None:
    report = result.report
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
            "notes": [*result.clip.source.notes, *report.notes],
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
        "found": {text: list(times) for text, times in report.moments},
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

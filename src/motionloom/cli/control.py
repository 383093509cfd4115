"""`motionloom control`: control a blend with keys for weights, or for speed, turn and style."""

from __future__ import annotations

from math import degrees
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from motionloom.cli.blend import report_removed_travel, save_blend
from motionloom.cli.options import (
    ANY_PATH,
    allow_unfit,
    as_json,
    blend_plot,
    command,
    duration,
    easing,
    force,
    in_place,
    option,
    output_file,
)
from motionloom.cli.output import check_plot, print_result, refuse_existing
from motionloom.cli.reading import print_losses
from motionloom.errors import ParameterError

if TYPE_CHECKING:
    from motionloom.blending.weights import Easing, WeightFunction
    from motionloom.cli.control_keys import Keys
    from motionloom.registration import RegistrationCurve


@command()
@click.argument("curve", type=ANY_PATH)
@click.argument("keys", type=ANY_PATH)
@output_file
@duration(show_default="up to the last key", help="Duration of the motion.")
@option(
    "--styles",
    metavar="NAME,NAME,…",
    help="Style of each clip of the curve, for keys that name styles.",
)
@easing
@option("--plant", is_flag=True, help="Keep planted feet in place.")
@in_place
@blend_plot
@allow_unfit
@force
@as_json
def control(
    curve: Path,
    keys: Path,
    output: Path,
    duration: float | None,
    styles: str | None,
    easing: Easing,
    plant: bool,
    in_place: bool,
    plot: Path | None,
    allow_unfit: bool,
    force: bool,
    as_json: bool,
) -> None:
    """Control the clips of a registration curve with the keys in the file KEYS.

    CURVE is an .npz file that `motionloom register` wrote. KEYS is a .csv with one row per key. It has the
    columns time, w0, w1, … (weights of the clips), or time, speed, turn and style: seconds, m/s, degrees per
    second (left is positive), and a name or a mix such as walk:0.3 sneak:0.7. Without turn, the path is as
    straight as those of the clips at that speed. A .json file holds a list of objects with the same fields.
    """
    from motionloom.blending import blend
    from motionloom.blending.blend import collect_blend_warnings
    from motionloom.blending.result import put_blend_in_place
    from motionloom.cli.control_keys import read_keys
    from motionloom.files import load_registration
    from motionloom.workflows import check_fit, plant_blend

    check_plot(plot)
    refuse_existing([output, plot], force)
    registered = load_registration(curve)
    if not allow_unfit:
        check_fit(registered)
    given = read_keys(keys, registered.n_clips)
    weights = _weight_function(registered, given, styles, easing)
    length = weights.duration if duration is None else duration
    if length is None and registered.timewarp.periods is not None:
        raise ParameterError(
            f"{keys} has one key only, and cyclic clips repeat forever", remedy="add --duration"
        )
    with collect_blend_warnings() as warned:
        result = blend(registered, weights, duration=length)
    if plant:
        result = plant_blend(result, registered)
    travelling = result.clip
    if in_place:
        result = put_blend_in_place(result)
    facts = save_blend(result, registered, output, plot, overwrite=force)
    facts |= report_removed_travel(travelling) if in_place else {}
    print_losses(result.clip, output)
    facts |= {"keys": len(given.weights) + len(given.controls), **_clip_speeds(weights)}
    print_result(f"{registered.n_clips} clips controlled", facts, [*warned, *result.report.notes], as_json)


def _weight_function(
    curve: RegistrationCurve, keys: Keys, styles: str | None, easing: Easing
) -> WeightFunction:
    from motionloom.blending.controls import Controls
    from motionloom.blending.keyed_controls import KeyedControls
    from motionloom.blending.weights import KeyedWeights

    if keys.weights:
        return KeyedWeights(keys.weights, easing)
    if styles is None and any(key.style is not None for key in keys.controls.values()):
        raise ParameterError("the keys name styles", remedy="give the style of each clip with --styles")
    names = None if styles is None else [name.strip() for name in styles.split(",")]
    return KeyedControls(Controls(curve, names), keys.controls, easing)


def _clip_speeds(weights: WeightFunction) -> dict[str, Any]:
    """Return speed and turn of each clip, which keys can ask for, and what every key asked for and gets."""
    from motionloom.blending.keyed_controls import KeyedControls

    if not isinstance(weights, KeyedControls):
        return {}
    clips = weights.controls.clips
    return {
        "clip_speeds_m_per_s": [round(clip.speed, 3) for clip in clips],
        "clip_turns_deg_per_s": [round(degrees(clip.turn), 1) for clip in clips],
        "asked": [_describe_key(key.speed, key.turn) for key in weights.keys.values()],
        "got": [_describe_key(*weights.controls.speed_and_turn(weights([time])[0])) for time in weights.keys],
    }


def _describe_key(speed: float, turn: float | None) -> str:
    """Return speed and turn of a key in one string."""
    return f"{speed:.2f} m/s" + ("" if turn is None else f", {degrees(turn):.0f}°/s")

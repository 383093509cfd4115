"""`motionloom blend`: blend clips, or the clips of a saved registration curve."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import degrees, radians
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from motionloom.cli.options import (
    ANY_PATH,
    REGISTRATION_GROUP,
    Command,
    allow_unfit,
    as_json,
    blend_plot,
    command,
    derive_options,
    easing,
    force,
    in_place,
    option,
    output_file,
    parse_numbers,
    parse_options,
    parse_row,
)
from motionloom.cli.output import (
    all_or_nothing,
    check_motion_file,
    check_plot,
    clip_facts,
    print_result,
    progress,
    refuse_existing,
    verdict_facts,
)
from motionloom.cli.reading import Reader, reading_options
from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform
from motionloom.options.blending import BLEND
from motionloom.options.registration import CUT, REGISTRATION
from motionloom.validation import check_positive

if TYPE_CHECKING:
    from motionloom.blending import BlendResult, WeightFunction
    from motionloom.blending.weights import Easing, WeightsLike
    from motionloom.motion import Clip
    from motionloom.registration import RegistrationCurve
    from motionloom.workflows import Cut, Prepared

WEIGHTS = ("-w", "--weights")


class WeightsCommand(Command):
    """A command whose option -w takes as many numbers as follow it: ``-w 0.3 0.7`` and ``-w 0.3,0.7``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Join the numbers after -w and parse the words of the call."""
        return super().parse_args(ctx, join_weights(args))


def join_weights(words: Sequence[str]) -> list[str]:
    """Return the words of a call, with the numbers after -w joined into one word.

    >>> join_weights(["curve.npz", "-w", "1.5", "-0.5", "-o", "out.bvh"])
    ['curve.npz', '--weights=1.5,-0.5', '-o', 'out.bvh']
    """
    result: list[str] = []
    numbers: list[str] | None = None
    for word in words:
        if numbers is not None and _is_number(word):
            numbers.append(word)
            result[-1] = f"{WEIGHTS[-1]}={','.join(numbers)}"
            continue
        numbers = [] if word in WEIGHTS else None
        result.append(word)
    return result


@command(cls=WeightsCommand)
@click.argument("files", nargs=-1, required=True, type=ANY_PATH, metavar="FILES")
@output_file
@option(*WEIGHTS, metavar="W W …", help="Weight of each clip; the weights are divided by their sum.")
@option(
    "--keys",
    type=ANY_PATH,
    metavar="FILE",
    help="File with weights over time: a .csv with the columns time, w0, w1, …, or a .json.",
)
@easing
@option(
    "--plant/--no-plant",
    default=None,
    show_default="plant for clips, no-plant for a saved curve",
    help="Keep planted feet in place.",
)
@allow_unfit
@option(
    "--part",
    "parts",
    multiple=True,
    metavar="PART=W,W,…",
    help="Weights of a body part, such as 'upper body' or 'left arm'; repeatable.",
)
@derive_options(BLEND)
@derive_options((replace(CUT, default=None, unset="auto"),))
@in_place
@derive_options(REGISTRATION, REGISTRATION_GROUP)
@blend_plot
@force
@as_json
@reading_options
def blend(
    files: tuple[Path, ...],
    weights: str | None,
    keys: Path | None,
    easing: Easing,
    output: Path,
    plant: bool | None,
    allow_unfit: bool,
    reader: Reader,
    parts: tuple[str, ...],
    cut: Cut | None,
    in_place: bool,
    plot: Path | None,
    force: bool,
    as_json: bool,
    **options: Any,
) -> None:
    """Blend the clips in FILES, or the clips of one registration curve.

    Clips are annotated, cut to the same strides if they are gaits, registered and blended, and planted feet
    are kept in place. A registration curve is an .npz file that `motionloom register` wrote; its clips are
    registered already, so that --cut and the registration options do not apply.
    """
    from motionloom.blending import blend as blend_curve
    from motionloom.blending.blend import collect_blend_warnings
    from motionloom.blending.layers import part_weights
    from motionloom.blending.linear import collect_linear_settings
    from motionloom.blending.result import put_blend_in_place
    from motionloom.files import load_registration
    from motionloom.workflows import check_fit, plant_blend

    constant = _parse_weights(weights, keys)
    settings, given = parse_options(REGISTRATION, options), parse_options(BLEND, options)
    check_plot(plot)
    check_motion_file(output)
    refuse_existing([output, plot], force)
    if "duration" in given:
        check_positive("--duration", given["duration"])
    if len(files) == 1 and files[0].suffix.lower() != ".npz":
        raise ParameterError(
            f"{files[0]} is one clip", remedy="name two or more, or a registration curve (.npz)"
        )
    saved = load_registration(files[0]) if len(files) == 1 else None
    if saved is not None and (cut or settings):
        wrong = ", ".join(f"--{name.replace('_', '-')}" for name in (["cut"] if cut else [*settings]))
        raise ParameterError(f"{files[0]} is a registered curve already", remedy=f"leave out {wrong}")
    function: WeightsLike = constant
    if keys is not None:
        function = _read_weight_keys(keys, len(files) if saved is None else saved.n_clips, easing)
    prepared = None
    if saved is None:
        curve, prepared = _prepare_and_register(files, cut or "auto", settings, reader, as_json)
    else:
        curve = saved
    if not allow_unfit:
        check_fit(curve)
    layers = part_weights(
        curve.clips[curve.reference].skeleton,
        dict(parse_row("--part", entry) for entry in parts),
        given.pop("joint_weights", {}),
    )
    given["place"] = ground_place(given.get("place"))
    with collect_blend_warnings() as warned:
        result = blend_curve(curve, function, joint_weights=layers, **collect_linear_settings(given))
    if saved is None if plant is None else plant:
        result = plant_blend(result, curve, prepared)
    travelling = result.clip
    if in_place:
        result = put_blend_in_place(result)
    facts = save_blend(result, curve, output, plot, overwrite=force)
    facts |= report_removed_travel(travelling) if in_place else {}
    reader.note_losses(result.clip, output)
    kept = () if prepared is None else prepared.part_cuts
    taken = [f"{file}: {part}" for file, part in zip(files, kept, strict=bool(kept))]
    notes = [*taken, *warned, *result.report.notes, *_note_planting(result)]
    notes += _note_unreached_keys(function, result.clip)
    print_result(f"{curve.n_clips} clips blended", facts, notes, as_json)


def _prepare_and_register(
    files: Sequence[Path], cut: Cut, settings: dict[str, Any], reader: Reader, quiet: bool
) -> tuple[RegistrationCurve, Prepared]:
    """Return how the clips of files correspond, and how they were prepared."""
    from motionloom.workflows import prepare_and_register

    clips = [reader.read(file) for file in files]
    with progress("registering", quiet=quiet) as update:
        prepared, curve = prepare_and_register(clips, cut=cut, progress=update, **settings)
    return curve, prepared


def save_blend(
    result: BlendResult, curve: RegistrationCurve, output: Path, plot: Path | None, *, overwrite: bool
) -> dict[str, Any]:
    """Save a blend, and a plot of it if one is wanted; returns the facts about it."""
    from motionloom.files import save

    written = [output, *([plot] if plot else [])]
    with all_or_nothing(written):
        save(result.clip, output, overwrite=overwrite)
        if plot is not None:
            from motionloom.display import plot as plots

            names = [Path(clip.source.path).stem for clip in curve.clips]
            plots.blend(result, plot, names=names, overwrite=overwrite)
    return {"written": [str(path) for path in written], **_facts(result, curve)}


def report_removed_travel(clip: Clip) -> dict[str, Any]:
    """Return the mean speed and turn of a clip, which were taken out of it to put it in place."""
    from motionloom.blending.controls import measure_path

    path = measure_path(clip)
    return {
        "removed_speed_m_per_s": round(path.speed, 4),
        "removed_turn_deg_per_s": round(degrees(path.turn_rate), 3),
    }


def _facts(result: BlendResult, curve: RegistrationCurve) -> dict[str, Any]:
    from motionloom.quality.paths import path_measures

    clip = result.clip
    path = path_measures(clip)
    return {
        **clip_facts(clip),
        "cyclic": clip.cyclic,
        "path_length_m": path.length,
        "heading_change_deg": degrees(path.heading_change),
        "constraints": len(clip.constraints),
        "flights": len(result.report.flights),
        "gravity_in_flight_m_per_s2": [round(flight.gravity, 2) for flight in result.report.flights],
        "method": result.report.method,
        **verdict_facts(curve.report),
    }


def _parse_weights(weights: str | None, keys: Path | None) -> tuple[float, ...]:
    """Return the constant weights; none if a file of keys has them."""
    if weights is not None and keys is not None:
        raise ParameterError("--weights and --keys both give the weights", remedy="leave one out")
    if weights is None and keys is None:
        raise ParameterError("give the weight of each clip: -w 0.3 0.7, or --keys for weights over time")
    return () if weights is None else _parse_row("--weights", weights)


def _read_weight_keys(path: Path, n_clips: int, easing: Easing) -> WeightFunction:
    from motionloom.blending import KeyedWeights
    from motionloom.cli.control_keys import read_keys

    keys = read_keys(path, n_clips)
    if keys.controls:
        raise ParameterError("the keys have speeds, which only `motionloom control` takes", subject=str(path))
    return KeyedWeights(keys.weights, easing)


def _note_planting(result: BlendResult) -> list[str]:
    """Return sentences on plants of a blend that were shortened or dropped, and on what planting shows."""
    from motionloom.workflows.mix import MixReport

    enforcement = result.report.enforcement if isinstance(result.report, MixReport) else None
    return [] if enforcement is None else [*map(str, enforcement.released), *enforcement.seen]


def _note_unreached_keys(weights: WeightsLike, clip: Clip) -> list[str]:
    """Return a note if keys lie beyond the end of the blend."""
    from motionloom.blending import KeyedWeights

    last = weights.duration if isinstance(weights, KeyedWeights) else None
    if last is None or last < clip.duration + clip.frame_time:
        return []
    return [f"the last key, at {last:g} s, is not reached: the blend lasts {clip.duration:.2f} s"]


def _parse_row(option: str, words: str) -> tuple[float, ...]:
    return tuple(parse_numbers(option, words, None, "numbers, one for each clip"))


def _is_number(word: str) -> bool:
    """Whether a word reads as numbers; nan and inf too, so that they are refused as weights, not as files."""
    try:
        [float(part) for part in word.split(",")]
    except ValueError:
        return False
    return True


def ground_place(place: tuple[float, float, float] | None) -> GroundTransform | None:
    """Return where a motion starts, from YAW,X,Z in degrees and metres."""
    if place is None:
        return None
    yaw, x, z = place
    return GroundTransform(radians(yaw), x, z)

"""`motionloom blend`: new motion from clips, or from a registration curve, and weights."""

from __future__ import annotations

from collections.abc import Sequence
from math import degrees, isfinite, nan, radians
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from motionloom.cli.output import (
    ANY_PATH,
    UNFIT_OVERRIDE,
    all_or_nothing,
    allow_unfit,
    as_json,
    blend_plot,
    check_plot,
    easing,
    force,
    output_file,
    print_result,
    progress,
    refuse_existing,
)
from motionloom.cli.reading import Reader, reading_options
from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform

if TYPE_CHECKING:
    from motionloom.blending import BlendResult, WeightFunction
    from motionloom.blending.weights import Easing, WeightsLike
    from motionloom.motion import Clip
    from motionloom.registration import RegistrationCurve
    from motionloom.workflows import Prepared

WEIGHTS = ("-w", "--weights")


class WeightsCommand(click.Command):
    """A command whose option -w takes as many numbers as follow it: ``-w 0.3 0.7`` and ``-w 0.3,0.7``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words of the call."""
        return super().parse_args(ctx, joined_weights(args))


def joined_weights(words: Sequence[str]) -> list[str]:
    """The words of a call, with the numbers after -w put together into one.

    >>> joined_weights(["curve.npz", "-w", "1.5", "-0.5", "-o", "out.bvh"])
    ['curve.npz', '--weights=1.5,-0.5', '-o', 'out.bvh']
    """
    made: list[str] = []
    numbers: list[str] | None = None
    for word in words:
        if numbers is not None and _is_number(word):
            numbers.append(word)
            made[-1] = f"{WEIGHTS[-1]}={','.join(numbers)}"
            continue
        numbers = [] if word in WEIGHTS else None
        made.append(word)
    return made


@click.command(cls=WeightsCommand)
@click.argument("files", nargs=-1, required=True, type=ANY_PATH, metavar="FILES")
@click.option(*WEIGHTS, metavar="W W …", help="How much each clip counts; divided by their sum.")
@click.option(
    "--keys",
    type=ANY_PATH,
    metavar="FILE",
    help="Weights that change: a .csv with the columns time, w0, w1, …, or a .json as for control.",
)
@easing
@output_file
@click.option("--duration", type=float, help="Maximum length in seconds.")
@click.option(
    "--plant/--no-plant",
    default=None,
    help="Make planted feet stay put; done to blends of clips, not of a curve, unless stated.",
)
@allow_unfit
@click.option(
    "--place",
    type=float,
    nargs=3,
    metavar="YAW X Z",
    help="Start above X, Z metres, facing YAW degrees (left positive).",
)
@click.option(
    "--joint",
    "joints",
    multiple=True,
    metavar="NAME=W,W,…",
    help="Weights of one joint alone; repeat it for more.",
)
@click.option(
    "--part",
    "parts",
    multiple=True,
    metavar="PART=W,W,…",
    help="Weights of a part of the body, such as 'upper body' or 'left arm'; repeat it for more.",
)
@click.option(
    "--rate",
    type=click.Choice(["frequency", "duration"]),
    default="frequency",
    show_default=True,
    help="What is averaged: how fast the clips pass, or how long they take.",
)
@click.option(
    "--average",
    type=click.Choice(["nlerp", "karcher", "park"]),
    default="nlerp",
    show_default=True,
    help="How rotations are averaged.",
)
@click.option(
    "--method",
    type=click.Choice(["registration", "linear"]),
    default="registration",
    show_default=True,
    help="Linear blends frame by frame without the curve, to compare against.",
)
@blend_plot
@reading_options
@force
@as_json
def blend(
    files: tuple[Path, ...],
    weights: str | None,
    keys: Path | None,
    easing: Easing,
    output: Path,
    plant: bool | None,
    allow_unfit: bool,
    reader: Reader,
    joints: tuple[str, ...],
    parts: tuple[str, ...],
    place: tuple[float, float, float] | None,
    plot: Path | None,
    force: bool,
    as_json: bool,
    **choices: Any,
) -> None:
    """Blend the clips in FILES in one call, or those of one curve that `motionloom register` wrote.

    Clips are annotated, cut to the same strides where they show a gait, registered, blended, and their feet
    are planted.
    """
    from motionloom.blending import blend as blended
    from motionloom.blending.blend import collect_blend_warnings
    from motionloom.blending.layers import part_weights
    from motionloom.files import load_registration
    from motionloom.workflows import check_fit, plant_blend

    numbers = _constant(weights, keys)
    where = _ground_place(place)
    check_plot(plot)
    refuse_existing(filter(None, [output, plot]), force)
    saved = load_registration(files[0]) if len(files) == 1 else None
    wanted: WeightsLike = numbers
    if keys is not None:
        wanted = _keyed(keys, len(files) if saved is None else saved.n_clips, easing)
    curve, prepared = _prepare_and_register(files, reader, as_json) if saved is None else (saved, None)
    if not allow_unfit:
        check_fit(curve, UNFIT_OVERRIDE)
    layers = part_weights(
        curve.clips[curve.reference].skeleton,
        dict(_named(entry, "--part") for entry in parts),
        dict(_named(entry, "--joint") for entry in joints),
    )
    with collect_blend_warnings() as said:
        result = blended(curve, wanted, place=where, joint_weights=layers, **choices)
    if saved is None if plant is None else plant:
        result = plant_blend(result, curve, prepared)
    facts = save_blend(result, curve, output, plot, overwrite=force)
    reader.note_losses(result.clip, output)
    notes = [*said, *result.report.notes, *_unreached(wanted, result.clip)]
    print_result(f"{curve.n_clips} clips blended", facts, notes, as_json)


def _prepare_and_register(
    files: Sequence[Path], reader: Reader, quiet: bool
) -> tuple[RegistrationCurve, Prepared]:
    """Return how the clips of files correspond, and how they were prepared."""
    from motionloom.workflows import prepare

    prepared = prepare([reader.read(file) for file in files])
    with progress("registering", quiet=quiet) as update:
        return prepared.register(progress=update), prepared


def save_blend(
    result: BlendResult, curve: RegistrationCurve, output: Path, plot: Path | None, *, overwrite: bool
) -> dict[str, Any]:
    """Write a blend, and a plot of it if one is wanted; returns what is to be said of it."""
    from motionloom.files import save

    written = [output, *([plot] if plot else [])]
    with all_or_nothing(written):
        save(result.clip, output, overwrite=overwrite)
        if plot is not None:
            from motionloom.display import plot as plots

            names = [Path(clip.source.path).stem for clip in curve.clips]
            plots.blend(result, plot, names=names, overwrite=overwrite)
    return {"written": [str(path) for path in written], **_facts(result, curve)}


def _facts(result: BlendResult, curve: RegistrationCurve) -> dict[str, Any]:
    """What a blend came to."""
    from motionloom.quality.paths import path_measures

    clip = result.clip
    path = path_measures(clip)
    return {
        "frames": clip.n_frames,
        "fps": clip.fps,
        "seconds": clip.duration,
        "cyclic": clip.cyclic,
        "path_length_m": path.length,
        "heading_change_deg": degrees(path.heading_change),
        "constraints": len(clip.constraints),
        "method": result.report.method,
        "verdict": curve.report.verdict.value,
    }


def _constant(weights: str | None, keys: Path | None) -> tuple[float, ...]:
    """The weights that were given as numbers; none where a file of keys has them."""
    if weights is not None and keys is not None:
        raise ParameterError("--weights and --keys both say how much each clip counts: leave one out")
    if weights is None and keys is None:
        raise ParameterError("say how much each clip counts: -w 0.3 0.7, or --keys for weights that change")
    return () if weights is None else _numbers(weights, "--weights")


def _keyed(path: Path, n_clips: int, easing: Easing) -> WeightFunction:
    from motionloom.blending import KeyedWeights
    from motionloom.cli.control_keys import read_keys

    keys = read_keys(path, n_clips)
    if keys.controls:
        raise ParameterError(f"{path}: the keys have speeds: blend takes keys of weights, control takes both")
    return KeyedWeights(keys.weights, easing)


def _unreached(weights: WeightsLike, clip: Clip) -> list[str]:
    """What to say of keys that lie beyond the end of a blend."""
    from motionloom.blending import KeyedWeights

    last = weights.duration if isinstance(weights, KeyedWeights) else None
    if last is None or last < clip.duration + clip.frame_time:
        return []
    return [f"the last key, at {last:g} s, is not reached: the blend lasts {clip.duration:.2f} s"]


def _named(entry: str, option: str) -> tuple[str, tuple[float, ...]]:
    name, equals, words = entry.rpartition("=")
    if not equals or not name.strip():
        raise ParameterError(f"{option} needs NAME=W,W,…, not {entry!r}")
    return name.strip(), _numbers(words, option)


def _numbers(words: str, option: str) -> tuple[float, ...]:
    try:
        numbers = tuple(float(word) for word in words.split(","))
    except ValueError:
        numbers = (nan,)
    if not all(map(isfinite, numbers)):
        raise ParameterError(f"{option} needs numbers, one for each clip, not {words!r}")
    return numbers


def _is_number(word: str) -> bool:
    """Whether a word reads as numbers; nan and inf among them, to be refused as weights and not as files."""
    try:
        [float(part) for part in word.split(",")]
    except ValueError:
        return False
    return True


def _ground_place(place: tuple[float, float, float] | None) -> GroundTransform | None:
    if place is None:
        return None
    yaw, x, z = place
    return GroundTransform(radians(yaw), x, z)

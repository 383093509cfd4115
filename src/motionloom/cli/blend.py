"""`motionloom blend`: new motion from clips, or from a registration curve, and weights."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from math import degrees, isfinite, nan, radians
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from motionloom.cli.output import (
    ANY_PATH,
    UNFIT_WAY_OUT,
    all_or_nothing,
    as_json,
    blend_plot,
    even_if_unfit,
    force,
    output_file,
    print_result,
    progress,
    refuse_existing,
)
from motionloom.cli.reading import Reader, reading_options
from motionloom.errors import BlendWarning, ParameterError
from motionloom.geometry import GroundTransform

if TYPE_CHECKING:
    from motionloom.blending import BlendResult
    from motionloom.cycles.stride_matching import StrideCut
    from motionloom.motion import Skeleton
    from motionloom.registration import RegistrationCurve

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
@click.option(
    *WEIGHTS, required=True, metavar="W W …", help="How much each clip counts; divided by their sum."
)
@output_file
@click.option("--seconds", type=float, help="How long the blend is at most.")
@click.option(
    "--plant/--no-plant",
    default=None,
    help="Make planted feet stay put; done to blends of clips, not of a curve, unless stated.",
)
@even_if_unfit
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
    weights: str,
    output: Path,
    plant: bool | None,
    even_if_unfit: bool,
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
    from motionloom.files import save
    from motionloom.mixing import check_fit, common_floor, planted

    numbers = _numbers(weights, "--weights")
    where = _ground_place(place)
    if plot is not None:
        from motionloom.display.blend_figures import plot_blend
        from motionloom.display.plotting import check_figure

        check_figure(plot)
    written = [output, *([plot] if plot else [])]
    refuse_existing(written, force)
    curve, cuts = _registered(files, reader, as_json)
    if not even_if_unfit:
        check_fit(curve, UNFIT_WAY_OUT)
    layers = _layers(joints, parts, curve.clips[curve.reference].skeleton)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always", BlendWarning)
        result = blended(curve, numbers, place=where, joint_weights=layers, **choices)
    if len(files) > 1 if plant is None else plant:
        result = planted(result, curve.report, cuts, ground=common_floor(curve.clips))
    names = [Path(clip.source.path).stem for clip in curve.clips]
    with all_or_nothing(written):
        save(result.clip, output, overwrite=force)
        if plot is not None:
            plot_blend(result, plot, names=names, overwrite=force)
    reader.note_losses(result.clip, output)
    notes = [*(str(warning.message) for warning in said), *result.report.notes]
    facts = {"written": [str(path) for path in written], **blend_facts(result, curve)}
    print_result(f"{curve.n_clips} clips blended", facts, notes, as_json)


def _registered(
    files: Sequence[Path], reader: Reader, quiet: bool
) -> tuple[RegistrationCurve, tuple[StrideCut, ...]]:
    """The registration to blend, and how clips were cut for it: read from a file, or made."""
    from motionloom.files import load_registration
    from motionloom.mixing import prepared

    if len(files) == 1:
        return load_registration(files[0]), ()
    clips = [reader.read(file) for file in files]
    with progress("registering", quiet=quiet) as update:
        return prepared(clips, update)


def blend_facts(result: BlendResult, curve: RegistrationCurve) -> dict[str, Any]:
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


def _layers(
    joints: Sequence[str], parts: Sequence[str], skeleton: Skeleton
) -> dict[str, tuple[float, ...]] | None:
    """Weights by joint: those of parts first, so that a joint named by itself has its own."""
    from motionloom.blending import body_part

    found: dict[str, tuple[float, ...]] = {}
    for entry in parts:
        part, own = _named(entry, "--part")
        found |= dict.fromkeys(body_part(skeleton, part), own)
    found |= dict(_named(entry, "--joint") for entry in joints)
    return found or None


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

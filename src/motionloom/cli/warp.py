"""`motionloom warp`: reshape one clip with a few keys."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from motionloom.cli.output import (
    ANY_PATH,
    all_or_nothing,
    as_json,
    check_plot,
    force,
    print_json,
    refuse_existing,
)
from motionloom.cli.reading import Reader, reading_options
from motionloom.errors import ParameterError

if TYPE_CHECKING:
    from motionloom.annotation.floor import Surface
    from motionloom.motion import Clip
    from motionloom.warping import Key, WarpReport

KEY_FORM = "'0.6s LeftKnee rotate x=20' (degrees; or move, reach in metres, scale 1.5; ease=0.4 or hold)"
TIME_FORM = "'0.6s=0.9s'"
IN_DEGREES = ("rotate", "orient")
KINDS = (*IN_DEGREES, "move", "reach", "scale")
AXES = ("x", "y", "z")
GROUND_LEFT_OUT = "what is walked on or stepped over is left out: only --preset puts it there again"
"""What is said of keys of a warp preset with a ground, which is no part of a warp."""

_TIME = re.compile(r"([0-9.eE+-]+)(s|f)?")
_VALUE = re.compile(r"([a-z]+)=([^=]+)")


@click.command()
@click.argument("file", type=ANY_PATH)
@click.option(
    "-o", "--output", type=ANY_PATH, required=True, help="File to write; its ending says the format."
)
@click.option("--keys", type=ANY_PATH, help="A .json with a warp, as --save-keys writes it.")
@click.option("--key", "lines", multiple=True, metavar="KEY", help=f"One key, like {KEY_FORM}.")
@click.option("--time", "times", multiple=True, metavar="PAIR", help=f"Source=new time, like {TIME_FORM}.")
@click.option("--preset", metavar="NAME", help="A warp preset of a walk: doorway, stairs, limp, tiptoe, …")
@click.option("--amount", type=float, default=1.0, help="Factor on the whole warp: 0.5 is half of it.")
@click.option("--keep-plants", is_flag=True, help="Keep planted feet and hands in their place.")
@click.option("--save-keys", type=ANY_PATH, help="Write the warp, with reaches solved, to this .json.")
@click.option("--plot", type=ANY_PATH, help="Draw original and warped curves and frames (.png, .svg, .pdf).")
@force
@as_json
@reading_options
def warp(
    file: Path,
    output: Path,
    keys: Path | None,
    lines: tuple[str, ...],
    times: tuple[str, ...],
    preset: str | None,
    amount: float,
    keep_plants: bool,
    save_keys: Path | None,
    plot: Path | None,
    force: bool,
    as_json: bool,
    reader: Reader,
) -> None:
    """Reshape the clip in FILE so that it meets keys, and keep the details of its motion.

    Times count from the start of FILE: 0.6 or 0.6s are seconds, 72f is a frame. The joint 'root' is the
    skeleton's root, whatever its name.
    """
    from motionloom.files import save

    made = [path for path in (output, save_keys, plot) if path is not None]
    if len({path.resolve() for path in made}) < len(made):
        raise ParameterError(f"{output}: the motion, its keys and the plot need a file each")
    refuse_existing(made, force)
    check_plot(plot)
    if preset is not None and (keys or lines or times):
        raise ParameterError("--preset is a whole warp: give either it or keys and times")
    if not (preset or keys or lines or times):
        raise ParameterError("nothing says how to change the clip: give --key, --time, --keys or --preset")
    clip = reader.read(file)
    if preset is None:
        result, ground = _warped(clip, keys, lines, times, amount, keep_plants), None
    else:
        result, ground = _apply_preset(clip, preset, amount)
    with all_or_nothing(made):
        save(result, output, overwrite=force)
        if save_keys is not None:
            _report(result).warp.save(save_keys, overwrite=force)
        if plot is not None:
            from motionloom.display import plot as plots

            plots.warp(clip, result, plot, ground=ground, overwrite=force)
    reader.note_losses(result, output)
    if save_keys is not None and ground is not None:
        click.echo(f"{save_keys}: {GROUND_LEFT_OUT}", err=True)
    _say(result, file, made, as_json)


def _report(result: Clip) -> WarpReport:
    from motionloom.warping import WarpReport

    assert isinstance(result.report, WarpReport)
    return result.report


def _warped(
    clip: Clip,
    keys: Path | None,
    lines: Sequence[str],
    times: Sequence[str],
    amount: float,
    keep_plants: bool,
) -> Clip:
    from motionloom.warping import Warp
    from motionloom.warping import warp as warp_clip
    from motionloom.warping.warp import scale_warp

    made = Warp() if keys is None else Warp.load(keys)
    made += Warp.of([parsed_key(line, clip) for line in lines], [parsed_pair(pair, clip) for pair in times])
    return warp_clip(clip, scale_warp(clip, made, amount), keep_plants=keep_plants)


def _apply_preset(clip: Clip, name: str, amount: float) -> tuple[Clip, Surface | None]:
    from motionloom.warping import preset_edit, warp_preset

    edit = preset_edit(clip, name)
    return warp_preset(clip, name, amount), edit.ground or edit.hurdle


def parsed_key(line: str, clip: Clip) -> Key:
    """A key from one line of text; angles are degrees, lengths metres.

    >>> from motionloom.synthesis import stand
    >>> parsed_key("0.5s Head rotate x=90 ease=0.4", stand(duration=1.0).clip).ease
    0.4
    """
    from motionloom.warping import Key

    words = line.split()
    if len(words) < 4 or words[2] not in KINDS:
        raise ParameterError(f"the key {line!r} must look like {KEY_FORM}")
    time, joint, kind, *rest = words
    held = "hold" in rest
    numbers = _named_numbers(line, kind, [word for word in rest if word != "hold"])
    if kind != "scale" and not numbers.keys() & set(AXES):
        raise ParameterError(f"the key {line!r} says {kind}, but not by x=, y= or z=: write {KEY_FORM}")
    given: dict[str, Any] = {kind: numbers.get("scale")}
    if kind != "scale":
        vector = np.array([numbers.get(axis, 0.0) for axis in AXES])
        given = {kind: np.radians(vector) if kind in IN_DEGREES else vector}
    if held or "ease" in numbers:
        given["ease"] = None if held else numbers["ease"]
    known = joint in clip.skeleton.names or joint != "root"
    return Key(parsed_time(time, clip), joint if known else "", **given)


def _named_numbers(line: str, kind: str, words: Sequence[str]) -> dict[str, float]:
    """The numbers of a key by name; the only one without a name is the factor of a scale."""
    known = ("ease",) if kind == "scale" else (*AXES, "ease")
    numbers: dict[str, float] = {}
    for word in words:
        named = _VALUE.fullmatch(word)
        name, value = (named[1], named[2]) if named else ("scale", word)
        if name not in known and (named or kind != "scale"):
            raise ParameterError(f"the key {line!r} has {word!r}, which means nothing: write {KEY_FORM}")
        if name in numbers:
            raise ParameterError(f"the key {line!r} has {word!r}, but gives {name} before: keep one of them")
        numbers[name] = _number(value, line)
    return numbers


def parsed_pair(text: str, clip: Clip) -> tuple[float, float]:
    """A pair of source and new seconds from text.

    >>> from motionloom.synthesis import stand
    >>> parsed_pair("30f=0.9s", stand(duration=1.0, fps=60).clip)
    (0.5, 0.9)
    """
    source, equals, new = text.partition("=")
    if not equals:
        raise ParameterError(f"the time key {text!r} must look like {TIME_FORM}")
    return parsed_time(source, clip), parsed_time(new, clip)


def parsed_time(text: str, clip: Clip) -> float:
    """Seconds from text: "0.6s", "0.6", or "72f" for a frame.

    >>> from motionloom.synthesis import stand
    >>> parsed_time("30f", stand(duration=1.0, fps=60).clip)
    0.5
    """
    found = _TIME.fullmatch(text.strip())
    if found is None:
        raise ParameterError(f"{text!r} is no time: write seconds like 0.6s, or a frame like 72f")
    number = _number(found[1], text)
    return number * clip.frame_time if found[2] == "f" else number


def _number(text: str, line: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ParameterError(f"{text!r} in {line!r} is no number") from None


def _say(result: Clip, file: Path, written: Sequence[Path], json_wanted: bool) -> None:
    report = _report(result)
    if not json_wanted:
        click.echo(str(report))
        for path in written:
            click.echo(f"wrote {path}")
        return
    print_json(
        {
            "file": str(file),
            "written": [str(path) for path in written],
            "keys": report.n_keys,
            "moments": report.n_moments,
            "duration": report.duration,
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
            "plants_kept": None if report.plants is None else not report.plants.unreached,
            "notes": [*result.source.notes, *report.notes],
        }
    )

"""`motionloom synthesize`: built-in motions as files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from motionloom.cli.options import ANY_PATH, as_json, command, duration, force, fps, option
from motionloom.cli.output import clip_facts, print_json, print_line, print_written, refuse_existing
from motionloom.cli.reading import KEEPS_ALL
from motionloom.errors import ParameterError
from motionloom.files import save


def _complete_motion(_context: click.Context, _parameter: click.Parameter, start: str) -> list[str]:
    """Return the motions whose names start with a word, for shell completion."""
    from motionloom.synthesis import MOTIONS

    return [name for name in MOTIONS if name.startswith(start)]


@command()
@click.argument("motion", required=False, metavar="MOTION", shell_complete=_complete_motion)
@option("-o", "--output", type=ANY_PATH, metavar="FILE", help="File to write: .bvh, .amc or .npz.")
@option("--list", "wants_list", is_flag=True, help="List the motions and their options.")
@duration(help="Duration of the motion.")
@fps(help="Frame rate.")
@option("--speed", type=float, metavar="M/S", help="Speed in metres per second.")
@option("--curvature", type=float, metavar="1/M", help="Curvature of the path; left is positive.")
@option(
    "--turn", type=click.FloatRange(-180, 180), metavar="DEGREES", help="Angle of a turn; left is positive."
)
@option(
    "--phase",
    type=float,
    metavar="CYCLES",
    help="Gait phase of the first frame, from 0 to 1; 0 is a left heel strike.",
)
@option("--side", type=click.Choice(["left", "right"]), help="Side that kicks, punches or reaches.")
@option("--target", metavar="X,Y,Z", help="Target of a reach in metres, Y up.")
@option("--energy", type=float, metavar="FACTOR", help="Liveliness of an idle motion.")
@option("--height", type=float, metavar="METRES", help="Height of a jump.")
@option("--gait", metavar="NAME=VALUE,…", help="Style of a gait, such as arm_swing=1.5,crouch=0.1.")
@option("--plants", is_flag=True, help="Store the exact foot plants as constraints; only in .npz files.")
@force
@as_json
def synthesize(
    motion: str | None,
    output: Path | None,
    wants_list: bool,
    plants: bool,
    force: bool,
    as_json: bool,
    **given: Any,
) -> None:
    """Make the built-in MOTION and write it to a file.

    MOTION is walk, jog, sneak, jump, kick_front, punch_jab, reach, idle or another name that --list prints;
    it also prints which options apply to each.
    """
    if wants_list:
        _print_list(as_json)
        return
    if motion is None or output is None:
        raise ParameterError("name a motion and a file (-o), or use --list")
    if plants and output.suffix.lower() != KEEPS_ALL:
        raise ParameterError(f"--plants needs an {KEEPS_ALL} file: other formats cannot store them")
    refuse_existing([output], force)
    from motionloom.synthesis.motions import make_motion

    result = make_motion(motion, given)
    clip = replace(result.clip, constraints=result.plants) if plants else result.clip
    save(clip, output, overwrite=force)
    print_written([output], as_json, **clip_facts(clip), plants=len(clip.constraints))


def _print_list(json_wanted: bool) -> None:
    from motionloom.synthesis import MOTIONS
    from motionloom.synthesis.motions import option_names

    motions = {name: option_names(name) for name in MOTIONS}
    if json_wanted:
        print_json(motions)
        return
    width = max(map(len, motions))
    for name, options in motions.items():
        print_line(f"{name:<{width}}  {' '.join(f'--{option}' for option in options)}")

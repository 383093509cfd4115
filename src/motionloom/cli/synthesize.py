"""`motionloom synthesize`: the built-in motions as files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from motionloom.cli.output import ANY_PATH, as_json, force, print_json, print_written, refuse_existing
from motionloom.cli.reading import KEEPS_ALL
from motionloom.errors import ParameterError
from motionloom.files import save


def _completed(_context: click.Context, _parameter: click.Parameter, start: str) -> list[str]:
    """The motions that a shell offers for a word that was begun."""
    from motionloom.synthesis import MOTIONS

    return [name for name in MOTIONS if name.startswith(start)]


@click.command()
@click.argument("motion", required=False, metavar="MOTION", shell_complete=_completed)
@click.option("-o", "--output", type=ANY_PATH, help="The file to write: .bvh, .amc or .npz.")
@click.option("--list", "wants_list", is_flag=True, help="List the motions and what each can be given.")
@click.option("--duration", type=float, help="Length in seconds.")
@click.option("--fps", type=float, help="Frames per second.")
@click.option("--speed", type=float, help="Metres per second.")
@click.option("--curvature", type=float, help="Curvature of the path in 1/m, left positive.")
@click.option("--turn", type=click.FloatRange(-180, 180), help="Angle of a turn in degrees, left positive.")
@click.option("--phase", type=float, help="Gait phase of the first frame in cycles; 0 is a left heel strike.")
@click.option("--side", type=click.Choice(["left", "right"]), help="The limb that acts.")
@click.option("--target", metavar="X,Y,Z", help="Where a reach goes, in metres.")
@click.option("--energy", type=float, help="How lively an idle is.")
@click.option("--gait", metavar="NAME=VALUE,...", help="Style of a gait, such as arm_swing=1.5,crouch=0.1.")
@click.option("--plants", is_flag=True, help="Store the true foot plants as constraints; into .npz only.")
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
    """Make the built-in MOTION and write it to a file."""
    if wants_list:
        _print_list(as_json)
        return
    if motion is None or output is None:
        raise ParameterError("name a motion and a file (-o), or ask for --list")
    if plants and output.suffix.lower() != KEEPS_ALL:
        raise ParameterError(
            f"--plants needs an output that ends in {KEEPS_ALL}: other formats cannot keep them"
        )
    refuse_existing([output], force)
    from motionloom.synthesis.options import make_motion

    made = make_motion(motion, given)
    clip = replace(made.clip, constraints=made.plants) if plants else made.clip
    save(clip, output, overwrite=force)
    print_written(
        [output],
        as_json,
        frames=clip.n_frames,
        fps=clip.fps,
        duration_s=clip.duration,
        plants=len(clip.constraints),
    )


def _print_list(json_wanted: bool) -> None:
    from motionloom.synthesis import MOTIONS
    from motionloom.synthesis.options import options_of

    motions = {name: options_of(name) for name in MOTIONS}
    if json_wanted:
        print_json(motions)
        return
    width = max(map(len, motions))
    for name, options in motions.items():
        click.echo(f"{name:<{width}}  {' '.join(f'--{option}' for option in options)}")

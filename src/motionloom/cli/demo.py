"""`motionloom demo`: the main job on the built-in motions."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from shlex import quote

import click
import numpy as np

from motionloom.cli.output import as_json, force, make_folder, print_written, progress, refuse_existing
from motionloom.files import save
from motionloom.geometry import GroundTransform
from motionloom.motion import Clip

PICTURE = "nine-motions.png"

DRAWN_METRES, SIDE_BY_SIDE = 3.6, 4.6
"""How much of each clip the picture shows, and how far apart the three gaits stand, metres."""


@click.command()
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("motionloom-demo"),
    show_default=True,
    help="The folder to write into.",
)
@force
@as_json
def demo(output: Path, force: bool, as_json: bool) -> None:
    """Write nine built-in clips and a picture to start with."""
    from motionloom.synthesis import locomotion_set

    motions = locomotion_set()
    targets = [output / f"{name}.bvh" for name in motions] + [output / PICTURE]
    refuse_existing(targets, force)
    make_folder(output)
    with progress("making motions") as update:
        for n, (motion, target) in enumerate(zip(motions.values(), targets, strict=False)):
            update(n, len(targets))
            save(motion.clip, target, overwrite=force)
        _draw([replace(m.clip, constraints=m.plants) for m in motions.values()], targets[-1], force)
    if as_json:
        print_written(targets, as_json)
        return
    click.echo(f"wrote {len(motions)} clips and {PICTURE} into {output}")
    walk, jog = (quote(str(output / f"{name}.bvh")) for name in ("walk", "jog"))
    click.echo("Next, try:")
    click.echo(f"  motionloom info {walk}")
    click.echo(f"  motionloom render {jog} -o jog.gif")
    click.echo(f"  motionloom edit {walk} --mirror --fps 30 -o mirrored.bvh")


def _draw(clips: list[Clip], path: Path, force: bool) -> None:
    """The first metres of all clips in one scene: jog, walk and sneak side by side, three ways each."""
    from motionloom.display import render

    apart = [
        _first_metres(clip).placed(GroundTransform(x=SIDE_BY_SIDE * (1 - n // 3)))
        for n, clip in enumerate(clips)
    ]
    render(apart, path, n_poses=4, overwrite=force)


def _first_metres(clip: Clip) -> Clip:
    steps = np.linalg.norm(np.diff(clip.root_positions[:, [0, 2]], axis=0), axis=1)
    return clip[: int(np.searchsorted(np.cumsum(steps), DRAWN_METRES)) + 1]

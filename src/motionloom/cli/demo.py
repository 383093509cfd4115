"""`motionloom demo`: the main job on the built-in motions."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from shlex import quote

import click

from motionloom.atomic_write import make_folder
from motionloom.cli.output import as_json, force, print_written, progress, refuse_existing


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
    """Make new motion from nine built-in clips, with pictures and a page that shows it all.

    Nine gaits are registered, two are interpolated, a walk goes over to a jog, and a figure is steered
    through all nine; feet are planted, and report.html tells the story.
    """
    from motionloom.demonstration import demonstrate, files_of_demo

    targets = [output / name for name in files_of_demo()]
    refuse_existing(targets, force)
    make_folder(output)
    with progress("making motions", quiet=as_json) as update:
        demonstrate(output, overwrite=force, progress=update)
    if as_json:
        print_written(targets, as_json)
        return
    click.echo(f"wrote {len(targets)} files into {output}: open {quote(str(output / 'report.html'))}")
    if find_spec("matplotlib") is None:
        click.echo("plots are left out: they need matplotlib (pip install 'motionloom[plot]')")
    walk, jog = (quote(str(output / f"{name}.bvh")) for name in ("walk", "jog"))
    click.echo("Next, try:")
    click.echo(f"  motionloom blend {walk} {jog} -w 0.3 0.7 -o mostly_jog.bvh")
    click.echo(f"  motionloom transition {walk} {jog} -o walk_to_jog.bvh")
    click.echo(f"  motionloom render {jog} -o jog.gif")

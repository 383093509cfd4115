"""`motionloom demo`: new motion from the built-in clips, with images and a report."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from shlex import quote

import click

from motionloom.atomic_write import make_folder
from motionloom.cli.options import as_json, command, force, option
from motionloom.cli.output import print_line, print_written, progress, refuse_existing


@command()
@option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    default=Path("motionloom-demo"),
    help="Folder to write into.",
)
@force
@as_json
def demo(output: Path, force: bool, as_json: bool) -> None:
    """Make new motion from nine built-in clips, with images and a report.

    Registers nine gaits, interpolates two of them, makes a transition from a walk to a jog, and controls
    speed and direction across all nine, with planted feet throughout. Open report.html to see the results.
    """
    from motionloom.cli import demo_report

    targets = [output / name for name in demo_report.demo_files()]
    refuse_existing(targets, force)
    make_folder(output)
    with progress("making motions", quiet=as_json) as update:
        demo_report.run_demo(output, overwrite=force, progress=update)
    if as_json:
        print_written(targets, as_json)
        return
    print_line(f"wrote {len(targets)} files into {output}: open {quote(str(output / 'report.html'))}")
    if find_spec("matplotlib") is None:
        print_line("no plots were made: they need matplotlib (pip install 'motionloom[plot]')")
    walk, jog = (quote(str(output / f"{name}.bvh")) for name in ("walk", "jog"))
    print_line("Next, try:")
    print_line(f"  motionloom blend {walk} {jog} -w 0.3 0.7 -o mostly_jog.bvh")
    print_line(f"  motionloom transition {walk} {jog} -o walk_to_jog.bvh")
    print_line(f"  motionloom render {jog} -o jog.gif")

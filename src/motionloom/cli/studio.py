"""`motionloom studio`: the studio in the browser."""

from __future__ import annotations

from pathlib import Path

import click

from motionloom.cli.options import ANY_PATH, command, option
from motionloom.cli.output import print_line

PROJECT = Path("motionloom-studio")


@command()
@click.argument("files", nargs=-1, type=ANY_PATH)
@option(
    "--project",
    type=click.Path(path_type=Path, file_okay=False),
    default=PROJECT,
    metavar="DIR",
    help="Folder of the project; created if it does not exist.",
)
@option(
    "--port",
    type=click.IntRange(1024, 65535),
    metavar="PORT",
    show_default="a free one",
    help="Port to listen on.",
)
@option("--no-browser", is_flag=True, help="Only print the address; open no browser.")
def studio(files: tuple[Path, ...], project: Path, port: int | None, no_browser: bool) -> None:
    """Open the studio in the browser, with motion FILES if any are given.

    FILES are copied into the project, which is saved automatically. An existing project continues where you
    left it; a new one without FILES starts with built-in motions. Press Ctrl-C to stop. Only this machine can
    open the studio, and only with the address that is printed.
    """
    from motionloom.studio.server import serve

    serve(project, files, port=port, browser=not no_browser, announce=_announce)


def _announce(address: str) -> None:
    print_line(f"the studio is at {address}")
    print_line("press Ctrl-C to stop; the project is saved automatically", err=True)

"""`motionloom studio`: the studio in the browser."""

from __future__ import annotations

from pathlib import Path

import click

from motionloom.cli.output import ANY_PATH

PROJECT = Path("motionloom-studio")


@click.command()
@click.argument("files", nargs=-1, type=ANY_PATH)
@click.option(
    "--project",
    type=click.Path(path_type=Path, file_okay=False),
    default=PROJECT,
    show_default=True,
    metavar="DIR",
    help="The folder of the project; it is made where there is none.",
)
@click.option(
    "--port",
    type=click.IntRange(1024, 65535),
    help="Where to listen on this machine; a free port by default.",
)
@click.option("--no-browser", is_flag=True, help="Only print the address.")
def studio(files: tuple[Path, ...], project: Path, port: int | None, no_browser: bool) -> None:
    """Open the studio in the browser, with motion FILES if any are given.

    FILES are copied into the project, which saves itself. A project that is there already goes on where it
    was left; a new one without FILES begins with built-in motions. Ctrl-C ends the studio. The page is served
    to this machine only, and only to whoever knows the address that is printed.
    """
    from motionloom.studio.server import serve

    serve(project, files, port=port, browser=not no_browser, announce=_announce)


def _announce(address: str) -> None:
    click.echo(f"the studio is at {address}")
    click.echo("Ctrl-C ends it; the project saves itself", err=True)

"""Arguments that the commands of `motionloom library` share."""

from __future__ import annotations

from concurrent.futures import Executor
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click

from motionloom.cli.options import ANY_PATH, option
from motionloom.errors import MotionloomError

if TYPE_CHECKING:
    from motionloom.library.library import Library

folder = click.argument("library", type=ANY_PATH, metavar="LIBRARY")
jobs = option("--jobs", type=int, default=1, metavar="N", help="Processes that work.")
scheduler = option(
    "--scheduler", metavar="ADDRESS", show_default="none", help="Dask scheduler whose workers do the work."
)


def connect(address: str | None) -> AbstractContextManager[Executor | None]:
    """Give the executor of a scheduler, or none."""
    from motionloom.jobs.parallel import connect_scheduler

    return nullcontext() if address is None else connect_scheduler(address)


def open_library(path: Path) -> Library:
    """Open a library that is there; only `create` and `add` make one."""
    from motionloom.library.catalogue import FILE
    from motionloom.library.library import Library

    if not (path / FILE).exists():
        raise MotionloomError(
            f"{path} is no library", remedy=f"make one with `motionloom library add {path} FILES...`"
        )
    return Library(path)

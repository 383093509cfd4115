"""Exports: the clip of an item as a file, made by the functions that the command line calls."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import get_args

from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.project.document import Document
from motionloom.project.naming import stems
from motionloom.studio.aside import aside
from motionloom.studio.heads import ExportFormat
from motionloom.studio.session import Session

MOVIES = ("gif", "mp4")

MOST_AT_ONCE = 2
"""Files that are written at one time; others wait."""

FORMATS: tuple[ExportFormat, ...] = get_args(ExportFormat)


async def export(request: Request) -> Response:
    """A file of the clip of an item."""
    session: Session = request.app.state.session
    turns: asyncio.Semaphore = request.app.state.exports
    item, format = request.path_params["item"], checked_format(request.query_params.get("format", ""))
    name = file_name(session.document, item, format)
    outcome = await session.outcome(item)
    with _new_folder() as folder:
        async with turns:
            path = await aside(partial(written, outcome.clip, folder / name))
    cleanup = BackgroundTask(rmtree, folder, ignore_errors=True)
    return FileResponse(path, filename=path.name, background=cleanup)


def checked_format(wanted: str) -> ExportFormat:
    """A format that clips can be exported in."""
    for format in FORMATS:
        if wanted == format:
            return format
    raise ParameterError(f"clips are exported as {', '.join(FORMATS)}, not as {wanted!r}")


def file_name(document: Document, item: str, format: ExportFormat) -> str:
    """The file name for the clip of an item; commands and scripts use the same one."""
    return f"{stems(document)[document.item(item).id]}.{format}"


def written(clip: Clip, path: Path) -> Path:
    """The file of a clip, which is made at a path."""
    if path.suffix.removeprefix(".") in MOVIES:
        from motionloom.display import render

        return render(clip, path)
    from motionloom.files import save

    return save(clip, path)


@contextmanager
def _new_folder() -> Iterator[Path]:
    """A new folder, which is removed again when the block fails or is cut off."""
    folder = Path(mkdtemp(prefix="motionloom-export-"))
    try:
        yield folder
    except BaseException:
        rmtree(folder, ignore_errors=True)
        raise


routes = [Route("/api/exports/{item}", export, methods=["POST"])]

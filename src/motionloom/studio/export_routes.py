"""HTTP requests about exports: write a clip to a file, tell how far that is, and stop it."""

from __future__ import annotations

import asyncio
import json
from functools import partial
from pathlib import Path
from shutil import rmtree

from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from motionloom.project.folder import DRAWN
from motionloom.project.plain_data import to_plain
from motionloom.studio.background import run_in_background
from motionloom.studio.exports import (
    ExportJobs,
    check_format,
    file_name,
    make_folder,
    pack_files,
    parse_settings,
    write_clip,
)
from motionloom.studio.requests import find_session

MAX_JOB_NAME = 64
"""Characters of the name that a page gives to an export."""

NOTES_HEADER = "X-Motionloom-Notes"
"""Header of an exported file: what of the clip the file does not keep, as a JSON list of sentences."""


async def post_export(request: Request) -> Response:
    """Write the clip of an item to a file and send it; a header says what the file does not keep.

    ``figure`` names what the motion is put on: "source" for the clip's own skeleton, "mannequin", or a
    character.
    """
    session, item = find_session(request), request.path_params["item"]
    document, figure = session.document, request.query_params.get("figure", "source")

    slots: asyncio.Semaphore = request.app.state.exports
    format = check_format(request.query_params.get("format", ""))
    settings = parse_settings(request.query_params)
    job = _jobs(request).begin(request.query_params.get("job", "")[:MAX_JOB_NAME])
    name = await run_in_background(partial(file_name, session.document, item, format))
    evaluated = await session.evaluate(item)

    def write(folder: Path) -> tuple[Path, list[str]]:
        path = folder / name
        if figure == "source" or path.suffix in DRAWN:
            notes = write_clip(evaluated.clip, path, settings, job.note)
        else:
            from motionloom.studio.characters import export_figure

            notes = export_figure(
                evaluated.clip, figure, document, session.characters, path, settings, job.note
            )
        return pack_files(folder, name), notes

    with make_folder() as folder:
        async with slots:
            path, notes = await run_in_background(partial(write, folder))
    cleanup = BackgroundTask(rmtree, folder, ignore_errors=True)
    headers = {NOTES_HEADER: json.dumps(notes)}
    return FileResponse(path, filename=path.name, background=cleanup, headers=headers)


async def get_export_progress(request: Request) -> Response:
    """Return how far an export is that the page named."""
    return JSONResponse(to_plain(_jobs(request).find(request.path_params["job"]).progress))


async def stop_export(request: Request) -> Response:
    """Stop an export that the page named; a movie ends with its next image."""
    _jobs(request).stop(request.path_params["job"][:MAX_JOB_NAME])
    return JSONResponse({})


def _jobs(request: Request) -> ExportJobs:
    jobs: ExportJobs = request.app.state.export_jobs
    return jobs


EXPORT_ROUTES = [
    Route("/api/exports/{item}", post_export, methods=["POST"]),
    Route("/api/export-jobs/{job}", get_export_progress),
    Route("/api/export-jobs/{job}", stop_export, methods=["DELETE"]),
]

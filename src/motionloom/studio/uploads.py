"""Files that are dropped onto the page: read once to check them, and then kept in the project."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from functools import partial

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from motionloom.project.folder import ProjectFolder
from motionloom.studio.aside import aside
from motionloom.studio.keeping import check_content, check_ending, stored
from motionloom.studio.session import Session

MOST_BYTES = 256 * 1024 * 1024
"""Size of the largest file that is taken: hours of motion. Files are held in memory while they come in."""

MOST_AT_ONCE = 2
"""Files that come in and are checked at one time; others wait."""

LONGEST_SILENCE = 20.0
"""Seconds without a byte after which a file is given up: one that never comes would keep others waiting."""

TOO_LARGE, TOO_SLOW = 413, 408


async def upload(request: Request) -> Response:
    """Take a file into the project; the answer is its path there."""
    session: Session = request.app.state.session
    turns: asyncio.Semaphore = request.app.state.uploads
    name = request.query_params.get("name", "")
    check_ending(name)
    async with turns:
        content = await _body(request, name)
        path = await aside(partial(kept, session.folder, name, content))
    return JSONResponse({"path": path})


def kept(folder: ProjectFolder, name: str, content: bytes) -> str:
    """Check a file, put it into the project and return its path there."""
    check_content(folder, name, content)
    return stored(folder, name, content)


async def _body(request: Request, name: str) -> bytes:
    """The whole body of a request, as long as it is not too large."""
    announced = request.headers.get("content-length", "0")
    if announced.isdecimal() and int(announced) > MOST_BYTES:
        raise _too_large(name)
    pieces, size = [], 0
    stream = request.stream()
    while (piece := await _next(stream, name)) is not None:
        size += len(piece)
        if size > MOST_BYTES:
            raise _too_large(name)
        pieces.append(piece)
    return b"".join(pieces)


async def _next(stream: AsyncIterator[bytes], name: str) -> bytes | None:
    """The next piece of a body, or None at its end."""
    try:
        return await asyncio.wait_for(anext(stream, None), LONGEST_SILENCE)
    except TimeoutError:
        raise HTTPException(TOO_SLOW, f"{name} stopped coming in: send it again") from None


def _too_large(name: str) -> HTTPException:
    megabytes = MOST_BYTES // 1024**2
    return HTTPException(TOO_LARGE, f"{name} is larger than {megabytes} MB: cut it into shorter takes first")


routes = [Route("/api/files", upload, methods=["POST"])]

"""The studio's web application: the page, requests and the socket."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from motionloom.errors import MotionloomError
from motionloom.studio import (
    clips,
    exports,
    framespaces,
    motions,
    quality_reports,
    registrations,
    scripts,
    sockets,
    transitions,
    uploads,
    warps,
)
from motionloom.studio.problems import LastResort, http_failed, work_failed
from motionloom.studio.security import Door, Guard
from motionloom.studio.session import Session

PARTS = (
    clips,
    motions,
    uploads,
    exports,
    scripts,
    quality_reports,
    registrations,
    transitions,
    warps,
    framespaces,
    sockets,
)
"""Modules with routes, one per noun."""

UNCHANGING = "private, max-age=31536000, immutable"
"""Files below ``/assets`` carry a hash of their content in their names."""


def studio_app(session: Session, door: Door, page: Path) -> Guard:
    """The application that serves a session to the page in a folder, with the guard before everything."""

    @asynccontextmanager
    async def running(_: Starlette) -> AsyncIterator[None]:
        session.start()
        yield
        await session.stop()

    routes: list[BaseRoute] = [route for part in PARTS for route in part.routes]
    app = Starlette(
        routes=[*routes, Mount("/", _Page(directory=page, html=True))],
        middleware=[Middleware(LastResort)],
        exception_handlers={MotionloomError: work_failed, HTTPException: http_failed},
        lifespan=running,
    )
    app.state.session = session
    app.state.uploads = asyncio.Semaphore(uploads.MOST_AT_ONCE)
    app.state.exports = asyncio.Semaphore(exports.MOST_AT_ONCE)
    return Guard(app, door)


class _Page(StaticFiles):
    """The files of the built page."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        if scope["path"].startswith("/assets/"):
            response.headers["cache-control"] = UNCHANGING
        return response

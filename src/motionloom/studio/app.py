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
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from motionloom.errors import MotionloomError, ParameterError
from motionloom.studio import exports, sockets, uploads
from motionloom.studio.error_responses import ErrorBoundary, respond_to_failure, respond_to_http_error
from motionloom.studio.requests import respond_to_wrong_request
from motionloom.studio.routes import IMMUTABLE, ROUTES
from motionloom.studio.security import Door, Guard
from motionloom.studio.session import Session


def studio_app(session: Session, door: Door, page: Path) -> Guard:
    """Build the application that serves a session to the page in a folder, behind the security guard."""

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        session.start()
        yield
        await session.stop()

    app = Starlette(
        routes=[*ROUTES, *sockets.ROUTES, Mount("/", _Page(directory=page, html=True))],
        middleware=[Middleware(ErrorBoundary)],
        exception_handlers={
            ParameterError: respond_to_wrong_request,
            MotionloomError: respond_to_failure,
            HTTPException: respond_to_http_error,
        },
        lifespan=lifespan,
    )
    app.state.session = session
    app.state.incoming = asyncio.Semaphore(uploads.MAX_INCOMING)
    app.state.uploads = asyncio.Semaphore(uploads.MAX_AT_ONCE)
    app.state.exports = asyncio.Semaphore(exports.MAX_AT_ONCE)
    app.state.export_jobs = exports.ExportJobs()
    return Guard(app, door)


class _Page(StaticFiles):
    """The files of the built page."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        # Files below /assets carry a hash of their content in their names.
        if scope["path"].startswith("/assets/"):
            response.headers["cache-control"] = IMMUTABLE
        return response

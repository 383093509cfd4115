"""Clips: each is fetched once, by its key."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from motionloom.studio.session import Session

FOR_EVER = "private, max-age=31536000, immutable"
"""The same key is the same motion, so a browser need never ask twice."""


async def clip(request: Request) -> Response:
    """The pack of a clip."""
    session: Session = request.app.state.session
    pack = await session.pack(request.path_params["key"])
    return Response(pack, media_type="application/octet-stream", headers={"cache-control": FOR_EVER})


routes = [Route("/api/clips/{key}", clip)]

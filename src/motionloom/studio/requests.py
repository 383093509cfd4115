"""What all HTTP handlers share: the session and the item of a request, and responses."""

from __future__ import annotations

from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from motionloom.project.document import Item
from motionloom.project.plain_data import to_plain
from motionloom.studio.background import run_in_background
from motionloom.studio.session import Session


def find_session(request: Request) -> Session:
    """Return the session of the studio that is asked."""
    session: Session = request.app.state.session
    return session


def find_item(request: Request) -> Item:
    """Return the item that the path of a request names."""
    return find_session(request).document.item(request.path_params["item"])


async def respond_with_json(work: Callable[[], object]) -> Response:
    """Return what a function in the background gives, as JSON."""
    return await run_in_background(lambda: JSONResponse(to_plain(work())))


def respond_with_bytes(content: bytes, headers: dict[str, str] | None = None) -> Response:
    """Return bytes that are no text, such as a pack."""
    return Response(content, media_type="application/octet-stream", headers=headers)

"""What all HTTP handlers share: the session and the item of a request, and responses."""

from __future__ import annotations

from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from motionloom.project.document import Item
from motionloom.project.plain_data import to_plain
from motionloom.studio.background import run_in_background
from motionloom.studio.error_responses import respond_to_failure
from motionloom.studio.outdated import OutdatedError
from motionloom.studio.session import Session

NOTHING_LEFT = 204
"""The status of an answer to a question whose subject is gone."""


def find_session(request: Request) -> Session:
    """Return the session of the studio that is asked."""
    session: Session = request.app.state.session
    return session


def find_item(request: Request) -> Item:
    """Return the item that the path of a request names."""
    return find_session(request).document.item(request.path_params["item"])


def check_present(request: Request, item: Item) -> None:
    """Fail as outdated where an item was removed or changed since it was asked about.

    What was found out meanwhile may be about its absence.
    """
    if all(each is not item for each in find_session(request).document.items):
        raise OutdatedError(f"{item.name} has changed since")


async def respond_to_wrong_request(request: Request, error: Exception) -> Response:
    """Respond to a request that makes no sense.

    A page that asks about a clip while the clip is removed or changed did nothing wrong: it gets an empty
    response, and hears of the change by its socket.
    """
    named = (request.path_params.get(name, "") for name in ("item", "character"))
    removed = any(find_session(request).was_removed(id) for id in named)
    if request.method == "GET" and (removed or isinstance(error, OutdatedError)):
        return Response(status_code=NOTHING_LEFT)
    return await respond_to_failure(request, error)


async def respond_with_json(work: Callable[[], object]) -> Response:
    """Return what a function in the background gives, as JSON."""
    return await run_in_background(lambda: JSONResponse(to_plain(work())))


def respond_with_bytes(content: bytes, headers: dict[str, str] | None = None) -> Response:
    """Return bytes that are no text, such as a pack."""
    return Response(content, media_type="application/octet-stream", headers=headers)

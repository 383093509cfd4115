"""Errors as responses: a status and a sentence in JSON; bugs are logged to the terminal in full."""

from __future__ import annotations

import asyncio
import errno
import logging
from traceback import format_exception

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from motionloom.errors import MotionloomError, ParameterError
from motionloom.project.plain_data import to_plain
from motionloom.studio.page_words import in_page_words
from motionloom.studio.responses import ErrorResponse

ASKED_WRONG, WORK_FAILED, OUR_FAULT, ENDING = 400, 422, 500, 503

NOT_THERE, OTHER_METHOD = 404, 405


def error_response(status: int, sentence: str) -> Response:
    """Return a response that says what went wrong."""
    return JSONResponse(to_plain(ErrorResponse(error=shorten(sentence))), status)


async def respond_to_failure(_: Request, error: Exception) -> Response:
    """Respond to an error that Motionloom raises on purpose."""
    said = error.message if isinstance(error, MotionloomError) else str(error)
    return error_response(ASKED_WRONG if isinstance(error, ParameterError) else WORK_FAILED, said)


async def respond_to_http_error(request: Request, error: Exception) -> Response:
    """Respond to a request that no handler takes, or that one refused with a status."""
    assert isinstance(error, HTTPException)
    path, status = request.url.path, error.status_code
    sentences = {
        NOT_THERE: f"there is nothing at {path}",
        OTHER_METHOD: f"{path} does not answer to {request.method}",
    }
    return error_response(status, sentences.get(status, error.detail))


class ErrorBoundary:
    """Middleware that answers what nothing else did, so that no fault of one request goes any further.

    Faults are told to the terminal once. A request whose sender is gone needs no answer, and one that the
    end of the studio cuts off is told so.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Have a request answered, come what may."""
        if scope["type"] != "http":
            return await self.app(scope, receive, send)
        begun = False

        async def send_noted(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            return await self.app(scope, receive, send_noted)
        except ClientDisconnect:
            return None
        except asyncio.CancelledError:
            answer = error_response(ENDING, "the studio is ending: start it again")
        except Exception as error:
            answer = error_response(OUR_FAULT, describe_unexpected(f"answering {scope['path']}", error))
        # Half an answer cannot be taken back; the server ends the connection, which the page notices.
        return None if begun else await answer(scope, receive, send)


logger = logging.getLogger("motionloom.studio")

MAX_ERROR_LENGTH = 500
"""Characters of a sentence; a wrong value or name that it quotes may be as long as a message."""

UNWRITABLE = (errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM)
"""What a disk that is full, or that may not be written to, says; no fault of the program."""


def describe_unexpected(what: str, error: BaseException) -> str:
    """Describe a bug of the program in a sentence; the terminal shows the traceback.

    ``what`` is what was being done, for the terminal.

    >>> describe_unexpected("making walk", MemoryError())
    'the result does not fit into memory: make a shorter clip'
    """
    if isinstance(error, MemoryError):
        return "the result does not fit into memory: make a shorter clip"
    if isinstance(error, OSError) and error.errno in UNWRITABLE:
        reason = (error.strerror or str(error)).lower()
        return f"a file could not be written ({reason}): make room for it, and try again"
    logger.error("%s failed\n%s", what, "".join(format_exception(error)).rstrip())
    return f"something went wrong inside Motionloom ({type(error).__name__}); see the terminal for details"


def shorten(sentence: str) -> str:
    """Shorten a sentence so that it fits on the page, in the page's words.

    >>> len(shorten("x" * 10_000))
    500
    """
    sentence = in_page_words(sentence)
    return sentence if len(sentence) <= MAX_ERROR_LENGTH else f"{sentence[: MAX_ERROR_LENGTH - 1]}…"

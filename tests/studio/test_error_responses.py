from __future__ import annotations

import asyncio
import json

import pytest
from starlette.requests import ClientDisconnect
from starlette.types import Message, Receive, Scope, Send

from motionloom.studio.error_responses import ErrorBoundary
from tests.studio.running import run_here


def answered(error: BaseException, begun: bool = False) -> list[Message]:
    """What is sent when answering fails."""
    sent: list[Message] = []

    async def failing(_: Scope, __: Receive, send: Send) -> None:
        if begun:
            await send({"type": "http.response.start", "status": 200, "headers": []})
        raise error

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    run_here(ErrorBoundary(failing)({"type": "http", "path": "/api/x"}, receive, send))
    return sent


@pytest.mark.parametrize(
    ("error", "status", "sentence", "terminal"),
    [
        (asyncio.CancelledError(), 503, "the studio is ending: start it again", False),
        (
            KeyError("x"),
            500,
            "something went wrong inside Motionloom (KeyError); see the terminal for details",
            True,
        ),
        (MemoryError(), 500, "the result does not fit into memory: make a shorter clip", False),
    ],
)
def test_every_failure_has_an_answer(
    error: BaseException, status: int, sentence: str, terminal: bool, caplog: pytest.LogCaptureFixture
) -> None:
    start, body = answered(error)
    assert (start["status"], json.loads(body["body"])) == (status, {"error": sentence})
    assert caplog.text.count("answering /api/x failed") == terminal


def test_who_is_gone_gets_no_answer_and_the_terminal_stays_quiet(caplog: pytest.LogCaptureFixture) -> None:
    assert answered(ClientDisconnect()) == []
    assert caplog.text == ""


def test_an_answer_that_has_begun_is_not_begun_again(caplog: pytest.LogCaptureFixture) -> None:
    assert [message["type"] for message in answered(KeyError("x"), begun=True)] == ["http.response.start"]
    assert "answering /api/x failed" in caplog.text

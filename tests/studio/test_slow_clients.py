"""Connections on which nothing comes, or hardly anything: they are closed, and keep nobody waiting."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest
import uvicorn

import motionloom as ml
from motionloom.project.document import Document
from motionloom.project.evaluator import Evaluator
from motionloom.project.folder import ProjectFolder
from motionloom.studio import uploads
from motionloom.studio.app import studio_app
from motionloom.studio.security import Door
from motionloom.studio.server import impatient_protocol, listening
from motionloom.studio.session import Session
from motionloom.synthesis import stand

PATIENCE = 0.5
WAIT = 20.0


class Served:
    """A studio behind a real server in a thread, whose connections tests open by hand."""

    def __init__(self, port: int) -> None:
        self.port = port

    def open(self, sent: bytes = b"") -> socket.socket:
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=WAIT)
        connection.sendall(sent)
        return connection

    def head(self, path: str, length: int = 0) -> bytes:
        method = b"POST" if length else b"GET"
        host = b"Host: 127.0.0.1:%d\r\nX-Motionloom-Token: token\r\n" % self.port
        return b"%s %s HTTP/1.1\r\n%sContent-Length: %d\r\n\r\n" % (method, path.encode(), host, length)


@pytest.fixture
def served(tmp_path: Path, built_page: Path) -> Iterator[Served]:
    folder = ProjectFolder(tmp_path)
    with listening(None) as listener:
        port = listener.getsockname()[1]
        session = Session(folder, Document(), lambda: Evaluator(folder))
        app = studio_app(session, Door(port=port, token="token"), built_page)
        config = uvicorn.Config(
            app, log_level="error", http=impatient_protocol(PATIENCE), timeout_graceful_shutdown=1
        )
        server = uvicorn.Server(config)
        thread = Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        yield Served(port)
        server.should_exit = True
        thread.join(WAIT)


def test_connections_without_a_request_are_closed(served: Served) -> None:
    for sent in (b"", b"GET /api/mot", b"GET / HTTP/1.1\r\nHost: 127.0"):
        with served.open(sent) as connection:
            start = time.monotonic()
            assert connection.recv(1) == b"", "the server closes it"
            assert PATIENCE * 0.9 < time.monotonic() - start < WAIT / 2


def test_the_head_of_a_second_request_must_come_too(served: Served) -> None:
    with served.open(served.head("/api/formats")) as connection:
        assert connection.recv(9) == b"HTTP/1.1 "
        connection.sendall(b"GET /api/")
        while connection.recv(4096):
            pass


def test_a_request_that_takes_long_is_answered(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    from motionloom.studio import routes

    def wait() -> list[str]:
        time.sleep(4 * PATIENCE)
        return []

    monkeypatch.setattr(routes, "list_formats", wait)
    with served.open(served.head("/api/formats")) as connection:
        assert connection.recv(15) == b"HTTP/1.1 200 OK"


def test_uploads_that_stall_or_drip_do_not_hold_the_slots(
    served: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "MAX_SILENCE", PATIENCE)
    content = ml.save(stand(duration=0.2, fps=30).clip, tmp_path / "stand.bvh").read_bytes()
    stalled = [served.open(served.head(f"/api/files?name={n}.bvh", 10**6) + b"x") for n in range(3)]
    dripping = [served.open(served.head(f"/api/files?name={n}.bvh", 10**6)) for n in range(3)]
    ends = time.monotonic() + WAIT

    def drip() -> None:
        while dripping and time.monotonic() < ends:
            for connection in list(dripping):
                try:
                    connection.sendall(b"x")
                except OSError:
                    dripping.remove(connection)
                    connection.close()
            time.sleep(PATIENCE / 10)

    thread = Thread(target=drip, daemon=True)
    thread.start()
    with served.open(served.head("/api/files?name=stand.bvh", len(content)) + content) as connection:
        assert connection.recv(15) == b"HTTP/1.1 200 OK"
    for connection in stalled:
        assert connection.recv(12) == b"HTTP/1.1 408"
        connection.close()
    thread.join(WAIT)
    assert dripping == []

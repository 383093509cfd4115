from __future__ import annotations

import asyncio
import errno
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from motionloom.cli.main import main
from motionloom.errors import MissingPackageError, MotionloomError
from motionloom.project.document import Document
from motionloom.project.folder import ProjectFolder
from motionloom.studio import server
from motionloom.studio.limits import MAX_CHARACTERS

WAIT = 30.0
POSIX = pytest.mark.skipif(os.name != "posix", reason="signals are sent as POSIX systems do")


class Running:
    """A studio in a process of its own."""

    def __init__(self, process: subprocess.Popen[str], address: str) -> None:
        self.process = process
        parts = urlsplit(address)
        assert parts.hostname == "127.0.0.1"
        self.host, self.token = parts.netloc, parts.query.removeprefix("token=")

    def status(self, path: str, **headers: str) -> int:
        """The status of a request whose path is sent as it is."""
        connection = http.client.HTTPConnection(self.host, timeout=WAIT)
        connection.putrequest("GET", path, skip_host="Host" in headers)
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.endheaders()
        status = connection.getresponse().status
        connection.close()
        return status

    def socket(self, **headers: str) -> ClientConnection:
        return connect(
            f"ws://{self.host}/ws?token={self.token}", additional_headers=headers, open_timeout=WAIT
        )


def heard(page: ClientConnection, kind: str) -> dict[str, Any]:
    """The next message of a kind."""
    while True:
        message: dict[str, Any] = json.loads(page.recv(timeout=WAIT))
        if message["type"] == kind:
            return message


def closing_code(page: ClientConnection) -> int | None:
    """The code with which the server closes a socket, after whatever it still says."""
    with suppress(ConnectionClosed):
        while True:
            page.recv(timeout=WAIT)
    return page.close_code


def rename(page: ClientConnection, name: str) -> None:
    edit = {"type": "rename", "item": "c1", "name": name}
    page.send(json.dumps({"type": "do", "serial": 1, "edit": edit}))


@contextmanager
def started(project: Path, page: Path, *words: str) -> Iterator[Running]:
    environment = {**os.environ, server.PAGE_VARIABLE: str(page)}
    command = [
        sys.executable,
        "-m",
        "motionloom",
        "studio",
        "--no-browser",
        "--project",
        str(project),
        *words,
    ]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    )
    assert process.stdout is not None
    try:
        said = process.stdout.readline()
        found = re.search(r"http://\S+", said)
        assert found, process.stderr.read() if process.stderr else said
        yield Running(process, found[0])
    finally:
        process.kill()
        process.communicate()


def test_a_page_that_was_not_built_says_how_to_build_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(server.PAGE_VARIABLE, str(tmp_path / "page"))
    with pytest.raises(MotionloomError, match=r"page is not in .*page: build it with `make studio` in a"):
        server.serve(tmp_path / "project")
    assert not (tmp_path / "project").exists()


@pytest.mark.parametrize("package", ["starlette", "uvicorn", "websockets"])
def test_a_missing_package_says_what_to_install(
    tmp_path: Path, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingPackageError) as missing:
        server.serve(tmp_path)
    assert str(missing.value) == (
        f"the studio needs the package {package!r}: install it with `pip install 'motionloom[studio]'`"
    )


def test_a_port_in_use_says_so(
    tmp_path: Path, built_page: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(server.PAGE_VARIABLE, str(built_page))
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(SystemExit) as end:
            main(["studio", "--port", str(port), "--project", str(tmp_path / "project"), "--no-browser"])
    assert end.value.code == 1
    assert capsys.readouterr().err == (
        f"motionloom: port {port} is in use: choose another with --port, or leave it out to have a free one\n"
    )


def test_accepted_connections_send_small_answers_at_once() -> None:
    """Nagle's algorithm and delayed acknowledgements together would make each answer wait for 40 ms."""

    async def is_immediate(listener: socket.socket) -> bool:
        chosen = asyncio.get_running_loop().create_future()

        async def accept(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            taken = writer.get_extra_info("socket")
            chosen.set_result(taken.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            writer.close()

        async with await asyncio.start_server(accept, sock=listener):
            _, client = await asyncio.open_connection(*listener.getsockname())
            found = await asyncio.wait_for(chosen, WAIT)
            client.close()
            await client.wait_closed()
            return bool(found)

    # In a thread of its own: browser tests leave an event loop running in this one.
    with server.listening(None) as listener, ThreadPoolExecutor(1) as thread:
        assert thread.submit(lambda: asyncio.run(is_immediate(listener))).result(WAIT)


def test_a_disk_that_is_full_at_the_start_says_so(
    tmp_path: Path, built_page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> Document:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setenv(server.PAGE_VARIABLE, str(built_page))
    monkeypatch.setattr(server, "open_document", fail)
    with pytest.raises(MotionloomError, match=r"folder .*project: no space left on device; make room there"):
        server.serve(tmp_path / "project")


def test_the_page_is_opened_in_the_browser(
    tmp_path: Path, built_page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []
    announced: list[str] = []
    monkeypatch.setenv(server.PAGE_VARIABLE, str(built_page))
    monkeypatch.setattr("uvicorn.Server.run", lambda *_, **__: None)
    monkeypatch.setattr("webbrowser.open", opened.append)
    server.serve(tmp_path / "project", announce=announced.append)
    for _ in range(100):
        if opened:
            break
        time.sleep(0.02)
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\?token=[\w-]{32}", announced[0])
    # The browser's own command line is for everybody to see: it has no token.
    assert re.fullmatch(r"http://127\.0\.0\.1:\d+/open\?ticket=[\w-]{32}", opened[0])
    assert announced[0].partition("token=")[2] not in opened[0]


@pytest.mark.slow
@POSIX
def test_strangers_are_kept_out_and_the_page_is_served(
    tmp_path: Path, built_page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(server.PAGE_VARIABLE, str(built_page))
    with started(tmp_path / "project", built_page) as studio:
        good = {"X-Motionloom-Token": studio.token}
        assert studio.status(f"/?token={studio.token}") == 200
        assert studio.status("/icon.svg") == 200
        assert studio.status("/") == 200
        assert studio.status("/?token=guess") == 403
        assert studio.status("/api/clips/x", **good) == 400
        assert studio.status("/api/clips/x") == 403
        assert studio.status("/api/clips/x", **good, Host="evil.example") == 403
        assert studio.status("/api/clips/x", **good, Origin="http://evil.example") == 403
        for path in ("/../server.py", "/assets/../../secret", "/assets/..%2f..%2fsecret", "//etc/passwd"):
            assert studio.status(f"{path}?token={studio.token}") in (403, 404)
        with pytest.raises(InvalidStatus) as refused, studio.socket(Origin="http://evil.example"):
            pass
        assert refused.value.response.status_code == 403
        with pytest.raises(MotionloomError, match="open in another studio"):
            server.serve(tmp_path / "project")
        for message, code in ((b"binary", 1003), ("garbage", 1007), ("x" * (MAX_CHARACTERS + 1), 1009)):
            with studio.socket() as page:
                page.send(message)
                assert closing_code(page) == code
        with studio.socket() as page:
            assert heard(page, "state")["revision"] == 0


@pytest.mark.slow
@POSIX
def test_ctrl_c_ends_quietly_with_everything_saved(tmp_path: Path, built_page: Path) -> None:
    project = tmp_path / "project"
    with started(project, built_page) as studio:
        with studio.socket() as page:
            heard(page, "state")
            rename(page, "stroll")
            heard(page, "state")
            studio.process.send_signal(signal.SIGINT)
            assert studio.process.wait(WAIT) == 0
        assert studio.process.stderr is not None
        assert studio.process.stderr.read() == "press Ctrl-C to stop; the project is saved automatically\n"
    assert ProjectFolder(project).load().items[0].name == "stroll"
    with started(project, built_page) as studio, studio.socket() as page:
        assert heard(page, "state")["document"]["items"][0]["name"] == "stroll"


@pytest.mark.slow
@POSIX
def test_changes_that_cannot_be_saved_at_the_end_are_an_error(tmp_path: Path, built_page: Path) -> None:
    project = tmp_path / "project"
    with started(project, built_page) as studio:
        with studio.socket() as page:
            heard(page, "state")
            (project / "project.json").unlink()
            (project / "project.json").mkdir()
            rename(page, "stroll")
            assert "the project could not be saved (trying again)" in heard(page, "refused")["error"]
            studio.process.send_signal(signal.SIGINT)
            assert studio.process.wait(WAIT) == 1
        assert studio.process.stderr is not None
        assert "motionloom: the last changes are not saved" in studio.process.stderr.read()


@pytest.mark.slow
@POSIX
def test_ctrl_c_does_not_wait_for_a_movie(tmp_path: Path, built_page: Path) -> None:
    with started(tmp_path / "project", built_page) as studio:
        connection = http.client.HTTPConnection(studio.host, timeout=WAIT)
        headers = {"X-Motionloom-Token": studio.token}
        with studio.socket() as page:
            heard(page, "state")
            options = {"duration": 300.0, "fps": 30.0}
            recipe = {"type": "motion", "motion": "stand", "options": options}
            edit = {"type": "add", "name": "long", "recipe": recipe}
            page.send(json.dumps({"type": "do", "serial": 1, "edit": edit}))
            while heard(page, "finished")["item"] != "c8":
                pass
            connection.request("POST", "/api/exports/c8?format=gif", headers=headers)
            time.sleep(0.5)
            studio.process.send_signal(signal.SIGINT)
            # Rendering takes minutes; what is open has seconds.
            assert studio.process.wait(WAIT) == 0
        connection.close()


@pytest.mark.slow
@POSIX
@pytest.mark.parametrize("pause", [0.0, 0.31])
def test_a_killed_studio_loses_only_what_was_not_saved_yet(
    tmp_path: Path, built_page: Path, pause: float
) -> None:
    """What a page was told to be saved is there; what came after it may be, and nothing else."""
    project = tmp_path / "project"
    with started(project, built_page) as studio, studio.socket() as page:
        names = [heard(page, "state")["document"]["items"][0]["name"]]
        saved: list[int] = []
        while len(saved) < 2:
            rename(page, f"take {len(names)}")
            while (message := json.loads(page.recv(timeout=WAIT)))["type"] != "state":
                saved += [message["revision"]] if message["type"] == "saved" else []
            names.append(message["document"]["items"][0]["name"])
        time.sleep(pause)
        studio.process.kill()
        studio.process.wait(WAIT)
    kept = ProjectFolder(project).load().items[0].name
    assert names.index(kept) >= saved[-1]


if sys.platform == "linux":
    import resource

    import numpy as np

    from motionloom.studio.server import limit_memory, total_memory

    @pytest.mark.parametrize("content", [None, "max\n", "nonsense"])
    def test_without_a_container_all_memory_counts(tmp_path: Path, content: str | None) -> None:
        container = tmp_path / "memory.max"
        if content is not None:
            container.write_text(content)
        with open("/proc/meminfo") as facts:
            total = int(facts.readline().split()[1]) * 1024
        assert total_memory(container) == pytest.approx(total, rel=0.01)

    def test_a_container_has_what_it_is_given(tmp_path: Path) -> None:
        (tmp_path / "memory.max").write_text("123456789\n")
        assert total_memory(tmp_path / "memory.max") == 123456789

    def test_what_is_too_large_fails_and_the_bound_goes_again() -> None:
        before = resource.getrlimit(resource.RLIMIT_DATA)
        with limit_memory(0.5), pytest.raises(MemoryError):
            np.zeros(total_memory() // 8)
        assert resource.getrlimit(resource.RLIMIT_DATA) == before

    def test_a_bound_that_is_there_already_is_not_widened() -> None:
        before = resource.getrlimit(resource.RLIMIT_DATA)
        narrow = total_memory() // 2
        resource.setrlimit(resource.RLIMIT_DATA, (narrow, before[1]))
        try:
            with limit_memory(0.9):
                assert resource.getrlimit(resource.RLIMIT_DATA)[0] == narrow
        finally:
            resource.setrlimit(resource.RLIMIT_DATA, before)

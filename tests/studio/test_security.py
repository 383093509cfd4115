from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.testclient import TestClient
from starlette.websockets import WebSocket, WebSocketDisconnect

from motionloom.studio.security import Door, Guard, new_token
from tests.studio.conftest import DOOR, HEADERS, TOKEN, Studio

HOST = DOOR.hosts[0]
ENTRY_PATH = "open the address that `motionloom studio` printed"


async def _page(_: Request) -> Response:
    return PlainTextResponse("in")


async def _socket(socket: WebSocket) -> None:
    await socket.accept()
    await socket.send_text("in")
    await socket.close()


@pytest.fixture
def client() -> TestClient:
    app = Starlette(
        routes=[
            Route("/", _page),
            Route("/api/x", _page),
            Route("/assets/a.js", _page),
            WebSocketRoute("/ws", _socket),
        ],
        middleware=[Middleware(Guard, door=DOOR)],
    )
    return TestClient(app, base_url=f"http://{HOST}")


@pytest.mark.parametrize(
    "query", ["?token=", "?token=guess", f"?token={TOKEN}x", f"?Token={TOKEN}", "?token=%00"]
)
def test_a_wrong_token_opens_no_page_and_no_socket(client: TestClient, query: str) -> None:
    answer = client.get(f"/{query}")
    assert answer.status_code == 403
    assert "open the address that motionloom studio printed" in answer.text
    with pytest.raises(WebSocketDisconnect) as denied, client.websocket_connect(f"ws://{HOST}/ws{query}"):
        pass
    assert denied.value.code == 1008


def test_a_page_that_is_reloaded_needs_no_token_but_its_requests_do(client: TestClient) -> None:
    assert client.get("/").text == "in"
    assert client.get("/", headers={"Host": "evil.example"}).status_code == 403
    assert client.get("/api/x").status_code == 403
    with pytest.raises(WebSocketDisconnect), client.websocket_connect(f"ws://{HOST}/ws"):
        pass


def test_a_ticket_is_good_for_one_visit(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    address = DOOR.issue_ticket()
    assert TOKEN not in address
    stranger = client.get(address, headers={"Host": "evil.example"}, follow_redirects=False)
    assert stranger.status_code == 403
    visit = client.get(address, follow_redirects=False)
    assert (visit.status_code, unquote(visit.headers["location"])) == (303, DOOR.address)
    assert client.get(address, follow_redirects=False).status_code == 403
    late = DOOR.issue_ticket()
    monkeypatch.setattr("time.monotonic", lambda: 1e12)
    assert client.get(late, follow_redirects=False).status_code == 403


@pytest.mark.parametrize("headers", [{}, {"X-Motionloom-Token": "guess"}, {"Authorization": TOKEN}])
def test_requests_need_the_token_in_their_header(client: TestClient, headers: dict[str, str]) -> None:
    answer = client.get(f"/api/x?token={TOKEN}", headers=headers)
    assert answer.status_code == 403
    assert answer.json() == {"error": f"the token is missing or of another run: {ENTRY_PATH}"}


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        f"evil.example:{DOOR.port}",
        "127.0.0.1",
        "127.0.0.1:9",
        f"127.0.0.1:{DOOR.port}.evil.example",
        f"0.0.0.0:{DOOR.port}",
        "",
    ],
)
def test_another_host_is_refused_whatever_it_knows(client: TestClient, host: str) -> None:
    answer = client.get("/api/x", headers={**HEADERS, "Host": host})
    assert answer.status_code == 403
    assert answer.json() == {"error": f"this server is {HOST} and nothing else: {ENTRY_PATH}"}
    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect(f"ws://{HOST}/ws?token={TOKEN}", headers={"Host": host}),
    ):
        pass


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", f"https://{HOST}", "http://127.0.0.1:9", f"http://{HOST}.evil"]
)
def test_pages_from_elsewhere_are_refused_whatever_they_know(client: TestClient, origin: str) -> None:
    answer = client.get("/api/x", headers={**HEADERS, "Origin": origin})
    assert answer.status_code == 403
    assert answer.json() == {"error": f"pages from elsewhere may not use the studio: {ENTRY_PATH}"}
    with (
        pytest.raises(WebSocketDisconnect),
        client.websocket_connect(f"ws://{HOST}/ws?token={TOKEN}", headers={"Origin": origin}),
    ):
        pass


def test_who_knows_the_token_is_let_in(client: TestClient) -> None:
    assert client.get(f"/?token={TOKEN}").text == "in"
    assert client.get("/api/x", headers={**HEADERS, "Origin": f"http://{HOST}"}).text == "in"
    assert client.get("/api/x", headers={**HEADERS, "Host": f"localhost:{DOOR.port}"}).text == "in"
    with client.websocket_connect(
        f"ws://{HOST}/ws?token={TOKEN}", headers={"Origin": f"http://{HOST}"}
    ) as socket:
        assert socket.receive_text() == "in"


def test_files_of_the_program_need_no_token_but_the_right_host(client: TestClient) -> None:
    assert client.get("/assets/a.js").status_code == 200
    assert client.get("/assets/a.js", headers={"Host": "evil.example"}).status_code == 403


@pytest.mark.parametrize(
    "path", ["/assets/../index.html", "/assets/", "/icon.svg/../api/x", "/icon.svg2", "/favicon.ico/x"]
)
@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "OPTIONS", "PUT"])
def test_what_only_begins_like_a_file_of_the_program_needs_the_token(
    client: TestClient, method: str, path: str
) -> None:
    # The client of the tests would tidy the path up: the guard is asked what a socket can send.
    scope = {"type": "http", "method": method, "path": path, "query_string": b""}
    headers = [(b"host", HOST.encode())]
    assert "token is missing" in str(DOOR.refusal({**scope, "headers": headers}))


def test_browsers_are_told_to_keep_the_page_to_itself(client: TestClient) -> None:
    for answer in (client.get(f"/?token={TOKEN}"), client.get("/")):
        policy = answer.headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "script-src 'self' 'wasm-unsafe-eval';" in policy
        assert "'unsafe-eval'" not in policy
        assert f"connect-src 'self' ws://{HOST} ws://localhost:{DOOR.port}" in policy
        assert "frame-ancestors 'none'" in policy
        assert "http://" not in policy.replace(f"http://{HOST}", "")
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cache-control"] == "no-store"


def test_tokens_are_long_and_new() -> None:
    tokens = {new_token() for _ in range(100)}
    assert len(tokens) == 100
    assert min(map(len, tokens)) >= 32
    assert Door(port=8000, token="t").address == "http://127.0.0.1:8000/?token=t"


@pytest.mark.slow
@pytest.mark.parametrize(
    "path",
    [
        "/../server.py",
        "/assets/../../secret",
        "/assets/%2e%2e/%2e%2e/secret",
        "/assets/..%2f..%2fsecret",
        "/%2e%2e/secret",
        "//etc/passwd",
        "/assets//etc/passwd",
        "/assets/..\\..\\secret",
        "/assets/link",
    ],
)
def test_nothing_outside_of_the_page_is_served(studio: Studio, built_page: Path, path: str) -> None:
    secret = built_page.parent / "secret"
    secret.write_text("what nobody may read")
    link = built_page / "assets" / "link"
    if not link.is_symlink():
        link.symlink_to(secret)
    answer = studio.client.get(f"{path}?token={TOKEN}")
    assert answer.status_code in (403, 404), answer.text
    assert "nobody" not in answer.text

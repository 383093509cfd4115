"""Who may talk to the studio: only pages that it served itself, with the token that it printed.

Other pages in the browser can send requests to 127.0.0.1 as well, and a name on the internet can be made to
lead there. So every request must name this server as its host, must not come from a page of somebody else,
and must know a token that is new for every run.
"""

from __future__ import annotations

import json
import re
import secrets
import time
from dataclasses import dataclass, field
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from motionloom.project.plain_data import to_plain
from motionloom.studio.responses import ErrorResponse

TOKEN_HEADER = "x-motionloom-token"

PUBLIC_FILE = re.compile(r"/assets/[\w.-]*\w|/icon\.svg|/favicon\.ico")
"""Paths that need no token: files of the program itself, the same for everybody. No path that leads on from
such a file, or out of its folder, is one of them."""

PAGE = "/"
"""The page itself needs no token when none is given: a tab that is reloaded keeps its own, and the page holds
nothing without it."""

TICKET_PATH = "/open"
"""Where a browser is sent that the studio opens: programs see the addresses that others are started with, so
that one carries a ticket, which is good for one visit, in place of the token."""

TICKET_SECONDS = 60.0
"""How long a ticket is good; a browser takes a few seconds to start."""

API = "/api/"

ENTRY_PATH = "open the address that `motionloom studio` printed"

FORBIDDEN_PAGE = f"""<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Motionloom studio</title>
<p>This address is not complete: {ENTRY_PATH.replace("`", "")}.</p>
</html>
"""


def new_token() -> str:
    """Return a random token that cannot be guessed."""
    return secrets.token_urlsafe(24)


@dataclass(frozen=True)
class Door:
    """Where the studio listens, and what a caller must know."""

    port: int
    token: str
    _tickets: dict[str, float] = field(default_factory=dict, repr=False, compare=False)

    @property
    def hosts(self) -> tuple[str, ...]:
        """What browsers call this server."""
        return (f"127.0.0.1:{self.port}", f"localhost:{self.port}")

    @property
    def address(self) -> str:
        """What to open in the browser."""
        return f"http://{self.hosts[0]}/?token={self.token}"

    def issue_ticket(self) -> str:
        """Return an address for one visit, which leads to the page; it expires after a minute."""
        ticket = new_token()
        self._tickets[ticket] = time.monotonic() + TICKET_SECONDS
        return f"http://{self.hosts[0]}{TICKET_PATH}?ticket={ticket}"

    def take_ticket(self, scope: Scope) -> bool:
        """Return whether a request shows a ticket that is still good, and cancel it."""
        if scope["type"] != "http" or scope["path"] != TICKET_PATH:
            return False
        given = parse_qs(scope["query_string"].decode("latin-1")).get("ticket", [""])[0]
        return time.monotonic() < self._tickets.pop(given, 0.0)

    def refusal(self, scope: Scope) -> str | None:
        """Return why a request is refused, as a sentence, or None where it is allowed."""
        headers = Headers(scope=scope)
        if headers.getlist("host") not in [[host] for host in self.hosts]:
            return f"this server is {self.hosts[0]} and nothing else: {ENTRY_PATH}"
        if any(origin not in self._origins for origin in headers.getlist("origin")):
            return f"pages from elsewhere may not use the studio: {ENTRY_PATH}"
        is_page = scope["type"] == "http" and scope["path"] == PAGE and not scope["query_string"]
        if is_page or PUBLIC_FILE.fullmatch(scope["path"]) or self._knows_token(scope, headers):
            return None
        return f"the token is missing or of another run: {ENTRY_PATH}"

    @property
    def _origins(self) -> tuple[str, ...]:
        return tuple(f"http://{host}" for host in self.hosts)

    def _knows_token(self, scope: Scope, headers: Headers) -> bool:
        if scope["path"].startswith(API):
            given = headers.get(TOKEN_HEADER, "")
        else:
            query = parse_qs(scope["query_string"].decode("latin-1"))
            given = query.get("token", [""])[0]
        # Comparing in constant time tells nothing about how much of a guess was right.
        return secrets.compare_digest(given.encode(), self.token.encode())


class Guard:
    """Middleware that turns strangers away and tells browsers to keep the page to itself."""

    def __init__(self, app: ASGIApp, door: Door) -> None:
        self.app = app
        self.door = door
        self._headers = _page_headers(door)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or answer it."""
        if scope["type"] == "lifespan":
            return await self.app(scope, receive, send)
        refusal = self.door.refusal(scope)
        host_known = Headers(scope=scope).get("host") in self.door.hosts
        if host_known and self.door.take_ticket(scope):
            return await RedirectResponse(self.door.address, status_code=303)(scope, receive, send)
        if scope["type"] == "websocket":
            if refusal is None:
                return await self.app(scope, receive, send)
            return await _refuse_socket(receive, send)

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
            await send(message)

        if refusal is None:
            return await self.app(scope, receive, send_guarded)
        return await _refuse(scope, send_guarded, refusal)


def _page_headers(door: Door) -> dict[str, str]:
    sockets = " ".join(f"ws://{host}" for host in door.hosts)
    policy = (
        "default-src 'self'",
        "script-src 'self' 'wasm-unsafe-eval'",  # WebAssembly simplifies large meshes; eval stays forbidden
        f"connect-src 'self' {sockets}",
        "img-src 'self' data: blob:",
        "style-src 'self' 'unsafe-inline'",
        "object-src 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
    return {
        "content-security-policy": "; ".join(policy),
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "cache-control": "no-store",
    }


async def _refuse(scope: Scope, send: Send, reason: str) -> None:
    if scope["path"].startswith(API):
        kind, body = "application/json", json.dumps(to_plain(ErrorResponse(error=reason)))
    else:
        kind, body = "text/html; charset=utf-8", FORBIDDEN_PAGE
    headers = [(b"content-type", kind.encode()), (b"content-length", str(len(body.encode())).encode())]
    await send({"type": "http.response.start", "status": 403, "headers": headers})
    await send({"type": "http.response.body", "body": body.encode()})


async def _refuse_socket(receive: Receive, send: Send) -> None:
    """Close a socket before it is open, which its caller sees as status 403."""
    await receive()
    await send({"type": "websocket.close", "code": 1008, "reason": ENTRY_PATH})

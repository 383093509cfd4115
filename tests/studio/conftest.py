"""A studio inside the test process, over a project of small built-in motions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketTestSession

from motionloom.project.document import Document
from motionloom.project.edits import AddItem
from motionloom.project.evaluator import Evaluator
from motionloom.project.folder import ProjectFolder
from motionloom.project.recipes import BlendRecipe, MotionRecipe
from motionloom.studio.app import studio_app
from motionloom.studio.security import Door
from motionloom.studio.session import Session

TOKEN = "the token of these tests"
DOOR = Door(port=8123, token=TOKEN)
HEADERS = {"X-Motionloom-Token": TOKEN}


def small_document() -> Document:
    """A walk, a jog and a blend of the two, at 30 frames per second."""
    document = Document()
    for motion in ("walk", "jog"):
        recipe = MotionRecipe(motion=motion, options={"fps": 30.0, "duration": 2.5})
        document = AddItem(name=motion, recipe=recipe).apply(document)
    blend = BlendRecipe(sources=("c1", "c2"), weights=(0.5, 0.5))
    return AddItem(name="both", recipe=blend).apply(document)


class Page:
    """What a page of the studio does: talk over a socket, and fetch."""

    def __init__(self, client: TestClient, socket: WebSocketTestSession) -> None:
        self.client, self.socket = client, socket
        self.made: dict[str, str] = {}
        self.failed: dict[str, str] = {}
        self.state: dict[str, Any] = self.expect("state")

    def say(self, **message: Any) -> None:
        self.socket.send_text(json.dumps(message))

    def do(self, serial: int = 1, **edit: Any) -> None:
        self.say(type="do", serial=serial, edit=edit)

    def next(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(self.socket.receive_text())
        if message["type"] == "state":
            self.state = message
        if message["type"] == "finished":
            self.made[message["item"]] = message["key"]
            self.failed.pop(message["item"], None)
        if message["type"] == "failed":
            self.failed[message["item"]] = message["error"]
        return message

    def expect(self, kind: str, **fields: Any) -> dict[str, Any]:
        """The next message of a kind with these fields; others before it are passed over, but no refusal."""
        while True:
            message = self.next()
            assert message["type"] != "refused" or kind == "refused", message["error"]
            if message["type"] == kind and all(message[name] == value for name, value in fields.items()):
                return message

    def wait_for_all(self) -> None:
        """Wait until every clip was made or failed."""
        while not {item["id"] for item in self.state["document"]["items"]} <= {*self.made, *self.failed}:
            self.next()

    @property
    def names(self) -> list[str]:
        return [item["name"] for item in self.state["document"]["items"]]


class Studio:
    """A studio that serves a folder to pages of this process."""

    def __init__(self, session: Session, client: TestClient) -> None:
        self.session, self.client = session, client
        self.folder = folder = session.folder
        self.evaluator = Evaluator(folder)

    def page(self) -> WebSocketTestSession:
        return self.client.websocket_connect(f"ws://{DOOR.hosts[0]}/ws?token={TOKEN}")

    def get(self, path: str) -> Any:
        return self.client.get(path, headers=HEADERS)

    def post(self, path: str, content: bytes = b"") -> Any:
        return self.client.post(path, headers=HEADERS, content=content)


@pytest.fixture(scope="session")
def built_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page that was built, as far as the server can tell."""
    folder = tmp_path_factory.mktemp("page")
    (folder / "index.html").write_text("<!doctype html><title>studio</title>")
    (folder / "icon.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    (folder / "assets").mkdir()
    (folder / "assets" / "index-1a2b.js").write_text("export {};")
    return folder


@pytest.fixture
def studio(tmp_path: Path, built_page: Path) -> Iterator[Studio]:
    """A studio with a walk (c1), a jog (c2) and their blend (c3)."""
    folder = ProjectFolder(tmp_path / "project")
    document = small_document()
    folder.save(document)
    session = Session(folder, document, lambda: Evaluator(folder))
    app = studio_app(session, DOOR, built_page)
    with TestClient(app, base_url=f"http://{DOOR.hosts[0]}", raise_server_exceptions=False) as client:
        yield Studio(session, client)

"""Nothing computes on the event loop: the longest that any message or request takes there."""

from __future__ import annotations

import asyncio
import gc
import json
import time
from collections.abc import Generator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

from motionloom.project.document import Document
from motionloom.project.edits import AddItem
from motionloom.project.evaluator import Evaluator
from motionloom.project.folder import ProjectFolder
from motionloom.project.recipes import FramespaceRecipe, JointKey, LoopRecipe, TransitionRecipe, WarpRecipe
from motionloom.studio.app import studio_app
from motionloom.studio.session import Session
from tests.studio.conftest import DOOR, Page, Studio, small_document

MAX_BLOCK = 0.1
"""Seconds of processor time that one callback may take: what a page does not notice even while it steers.
Measured: 0.018 s with one clip of every kind, 0.007 s with 3,000 clips."""


class Blocks:
    """The longest that any callback of an event loop took, and what it was."""

    def __init__(self) -> None:
        self.longest, self.what = 0.0, ""

    def note(self, seconds: float, handle: object) -> None:
        if seconds > self.longest:
            self.longest, self.what = seconds, repr(handle)


@pytest.fixture
def blocks(monkeypatch: pytest.MonkeyPatch) -> Generator[Blocks, None, None]:
    """Measure all callbacks of all event loops; time that other threads take is not counted.

    What earlier tests left in memory is not searched for garbage meanwhile: a collection falls into whatever
    callback allocates, and takes the longer the more tests ran before (0.04 s after 300 of them).
    """
    found, run = Blocks(), asyncio.Handle._run

    def run_measured(handle: asyncio.Handle) -> None:
        start = time.thread_time()
        run(handle)
        found.note(time.thread_time() - start, handle)

    monkeypatch.setattr(asyncio.Handle, "_run", run_measured)
    gc.collect()
    gc.freeze()
    yield found
    gc.unfreeze()


def every_kind() -> Document:
    """One item of every kind, c1 to c7."""
    document = small_document()
    for recipe in (
        TransitionRecipe(first="c1", second="c2"),
        LoopRecipe(source="c1"),
        WarpRecipe(source="c1", keys=(JointKey(time=0.5, joint="", kind="move", value=(0.1, 0.0, 0.0)),)),
        FramespaceRecipe(sources=("c1", "c2"), curve=((0.0, 0.0), (1.0, 1.0)), cycles=2.0),
    ):
        document = AddItem(name=recipe.type, recipe=recipe).apply(document)
    return document


def open_studio(folder: Path, document: Document, page: Path) -> Generator[Studio, None, None]:
    place = ProjectFolder(folder)
    place.save(document)
    session = Session(place, document, lambda: Evaluator(place))
    app = studio_app(session, DOOR, page)
    with TestClient(app, base_url=f"http://{DOOR.hosts[0]}", raise_server_exceptions=False) as client:
        yield Studio(session, client)


@pytest.mark.slow
def test_no_message_and_no_request_holds_up_the_loop(
    tmp_path: Path, built_page: Path, blocks: Blocks
) -> None:
    opened = open_studio(tmp_path / "project", every_kind(), built_page)
    studio = next(opened)
    with studio.page() as socket:
        page = Page(studio.client, socket)
        page.wait_for_all()
        assert page.failed == {}
        drive_requests(studio, page)
        drive_messages(page)
    opened.close()
    print(f"longest block {blocks.longest:.3f} s: {blocks.what[:200]}")
    assert blocks.longest < MAX_BLOCK, blocks.what


def drive_requests(studio: Studio, page: Page) -> None:
    """Make every request that there is."""
    vertices = quote(json.dumps([[n / 999, 0.5] for n in range(1000)], separators=(",", ":")))
    for path in (
        *(f"/api/clips/{key}" for key in page.made.values()),
        *("/api/motions", "/api/formats", "/api/warp-presets", "/api/quality/c3", "/api/registration/c3"),
        *("/api/transitions/c4", "/api/warp/c6", "/api/framespace/c7", "/api/scripts/c7"),
        *("/api/scripts/c3?language=commands", f"/api/framespace-curve?vertices={vertices}"),
    ):
        assert studio.get(path).status_code == 200, path
    exported = studio.post("/api/exports/c1?format=bvh")
    assert exported.status_code == 200
    assert studio.post("/api/files?name=again.bvh", exported.content).status_code == 200


def drive_messages(page: Page) -> None:
    """Send every message that there is, some as long as they may be."""
    keys = [{"time": 0.5, "joint": "", "kind": "move", "value": [0.1, 0, 0]}] * 5000
    events = [{"frame": 1.0, "label": "x"}] * 20_000
    edits: list[dict[str, Any]] = [
        {"type": "add", "name": "stand", "recipe": {"type": "motion", "motion": "stand", "options": {}}},
        {"type": "rename", "item": "c1", "name": "first"},
        {"type": "show", "item": "c1", "visible": False},
        {"type": "set_edit", "item": "c1", "edit": {"speed": 1.5}},
        {"type": "set_marks", "item": "c1", "marks": {"events": events}},
        {"type": "set_recipe", "item": "c6", "recipe": {"type": "warp", "source": "c1", "keys": keys}},
        {"type": "remove", "item": "c8"},
    ]
    for serial, edit in enumerate(edits):
        page.do(serial, **edit)
        page.expect("state")
    for _ in edits:
        page.say(type="undo")
        page.expect("state")
    page.say(type="redo")
    page.expect("state")
    page.say(type="live_start", item="c3", weights=[0.5, 0.5])
    page.expect("live_started")
    for serial in range(20):
        page.say(type="live_step", serial=serial, dt=0.02, weights=[0.5, 0.5])
        assert "bytes" in next_pose(page)
    page.say(type="live_stop")
    page.say(type="stop", item="c99")  # nobody makes it; on a busy machine, somebody may still make c1
    page.expect("refused")
    page.say(type="make_again", item="c1")
    page.say(type="do", serial=99, edit={"type": "nonsense", "x": ["y" * 100] * 9000})
    page.expect("refused", serial=99)


def next_pose(page: Page) -> dict[str, Any]:
    """The next message that is a pose."""
    while "bytes" not in (message := page.socket.receive()):
        pass
    return dict(message)


N_ITEMS = 3000


@pytest.mark.slow
def test_a_project_of_thousands_of_clips_opens_and_is_edited(
    tmp_path: Path, built_page: Path, blocks: Blocks
) -> None:
    item = replace(small_document().items[0], visible=False)
    items = tuple(replace(item, id=f"c{n}", name=f"walk {n}") for n in range(1, N_ITEMS + 1))
    opened = open_studio(tmp_path / "project", Document(items=items, next_number=N_ITEMS + 1), built_page)
    studio = next(opened)
    with studio.page() as socket:
        page = Page(studio.client, socket)
        assert len(page.names) == N_ITEMS
        page.wait_for_all()
        assert len(page.made) == N_ITEMS
        page.do(type="rename", item="c7", name="seven")
        assert page.expect("state")["document"]["items"][6]["name"] == "seven"
        page.expect("saved")
    with studio.page() as socket:  # a tab that comes later is told everything at once
        again = Page(studio.client, socket)
        again.wait_for_all()
        assert len(again.made) == N_ITEMS
    opened.close()
    assert len(ProjectFolder(tmp_path / "project").load().items) == N_ITEMS
    print(f"longest block {blocks.longest:.3f} s: {blocks.what[:200]}")
    assert blocks.longest < MAX_BLOCK, blocks.what

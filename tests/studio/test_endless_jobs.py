"""A clip that never ends, as transitions at 15 frames per second did in version 0.1: it can be stopped."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from starlette.testclient import TestClient

from motionloom.project.document import Document
from motionloom.project.evaluator import EvaluatedClip, Evaluator
from motionloom.project.folder import DOCUMENT, ProjectFolder
from motionloom.studio import job_threads
from motionloom.studio.app import studio_app
from motionloom.studio.opening import open_document
from motionloom.studio.session import Session
from tests.studio.conftest import DOOR, Page, Studio

SAVED_BY_0_1 = {
    "type": "motionloom project",
    "version": 1,
    "next_number": 5,
    "items": [
        {
            "id": "c1",
            "name": "walk",
            "recipe": {"type": "motion", "motion": "walk", "options": {"fps": 15.0}},
        },
        {"id": "c2", "name": "jog", "recipe": {"type": "motion", "motion": "jog", "options": {"fps": 15.0}}},
        {"id": "c3", "name": "endless", "recipe": {"type": "transition", "first": "c1", "second": "c2"}},
        {
            "id": "c4",
            "name": "both",
            "recipe": {
                "type": "blend",
                "sources": ["c1", "c2"],
                "weights": [0.5, 0.5],
                "seconds": 1.0,
                "rate": "auto",
                "even_if_unfit": True,
            },
        },
    ],
}
"""A project as version 0.1 saved it, with a clip that was being made when it was killed."""


class Stuck(Evaluator):
    """An evaluator that never comes back from clips that are called endless."""

    go_on = False

    def evaluate(self, document: Document, id: str, progress: Any = None) -> EvaluatedClip:
        while document.item(id).name == "endless" and not Stuck.go_on:
            time.sleep(0.001)
        return super().evaluate(document, id, progress)


@pytest.fixture
def stuck(tmp_path: Path, built_page: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Studio]:
    monkeypatch.setattr(job_threads, "PATIENCE", 0.2)
    monkeypatch.setattr(job_threads, "SHUTDOWN_TIMEOUT", 0.1)
    monkeypatch.setattr(Stuck, "go_on", False)
    (tmp_path / DOCUMENT).write_text(json.dumps(SAVED_BY_0_1))
    folder = ProjectFolder(tmp_path)
    session = Session(folder, open_document(folder), lambda: Stuck(folder))
    app = studio_app(session, DOOR, built_page)
    with TestClient(app, base_url=f"http://{DOOR.hosts[0]}", raise_server_exceptions=False) as client:
        yield Studio(session, client)


def test_a_project_with_an_endless_clip_opens_and_the_clip_is_stopped(stuck: Studio) -> None:
    with stuck.page() as socket:
        page = Page(stuck.client, socket)
        page.expect("finished", item="c4")
        assert stuck.get("/api/quality/c1").status_code == 200, "questions are answered meanwhile"
        page.do(type="rename", item="c1", name="slow walk")
        page.expect("state")
        page.say(type="stop", item="c3")
        failed = page.expect("failed", item="c3")
        assert failed["error"] == "it was stopped: change the clip, or make it again"
        Stuck.go_on = True
        page.say(type="make_again", item="c3")
        while (message := page.next()).get("item") != "c3" or message["type"] == "working":
            pass
        assert message["type"] == "finished", message


def test_an_endless_clip_fails_at_its_deadline(stuck: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_threads, "MAX_SECONDS", 1.0)
    with stuck.page() as socket:
        page = Page(stuck.client, socket)
        failed = page.expect("failed", item="c3")
        assert failed["error"].startswith("it took longer than 1 s and was stopped")
        monkeypatch.setattr(job_threads, "MAX_SECONDS", 600.0)  # so that a busy machine begins in time
        page.do(type="set_edit", item="c3", edit={"speed": 2.0})
        page.expect("working", item="c3")


def test_a_question_about_an_endless_clip_is_stopped_with_it(stuck: Studio) -> None:
    answers: list[int] = []
    with stuck.page() as socket:
        page = Page(stuck.client, socket)
        page.expect("finished", item="c4")
        page.say(type="stop", item="c3")
        page.expect("failed", item="c3")
        asking = Thread(target=lambda: answers.append(stuck.get("/api/quality/c3").status_code))
        asking.start()
        while asking.is_alive():
            time.sleep(0.05)
            page.say(type="stop", item="c3")
        assert answers == [422]

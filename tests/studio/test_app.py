from __future__ import annotations

import pytest

from tests.studio.conftest import TOKEN, Studio


@pytest.mark.parametrize(
    ("method", "path", "status", "error"),
    [
        ("GET", "/api/nothing", 404, "there is nothing at /api/nothing"),
        ("GET", "/api/files", 404, "there is nothing at /api/files"),
        ("POST", "/api/clips/x", 405, "/api/clips/x does not answer to POST"),
        ("GET", f"/none.html?token={TOKEN}", 404, "there is nothing at /none.html"),
    ],
)
def test_what_is_not_there_is_an_error_in_json(
    studio: Studio, method: str, path: str, status: int, error: str
) -> None:
    answer = studio.client.request(method, path, headers={"X-Motionloom-Token": TOKEN})
    assert answer.status_code == status
    assert answer.json() == {"error": error}


def test_a_fault_of_the_program_is_told_in_a_sentence_and_the_server_goes_on(
    studio: Studio, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(_: str) -> bytes:
        raise ZeroDivisionError("a fault")

    with monkeypatch.context() as broken:
        broken.setattr(studio.session, "pack", fail)
        answer = studio.get("/api/clips/x")
    assert answer.status_code == 500
    assert answer.json() == {
        "error": "something went wrong inside Motionloom (ZeroDivisionError); see the terminal for details"
    }
    assert "content-security-policy" in answer.headers
    assert "answering /api/clips/x failed" in caplog.text
    assert "ZeroDivisionError: a fault" in caplog.text
    assert studio.get("/api/clips/x").status_code == 400


def test_the_page_and_its_files_are_served(studio: Studio) -> None:
    page = studio.client.get(f"/?token={TOKEN}")
    assert page.status_code == 200
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.headers["cache-control"] == "no-store"
    script = studio.client.get("/assets/index-1a2b.js")
    assert script.headers["content-type"].startswith("text/javascript")
    assert script.headers["cache-control"] == "private, max-age=31536000, immutable"
    assert studio.client.get("/icon.svg").headers["content-type"] == "image/svg+xml"

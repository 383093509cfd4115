"""Two tabs, a lost connection and a killed server: the project stays whole and everybody sees the same."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.studio.browser.running_studio import OpenStudio, RunningStudio

pytestmark = pytest.mark.browser

NAMES = "window.studio.document.items.map(({ name }) => name)"

UNREACHABLE = ("net::ERR_CONNECTION_REFUSED", "net::ERR_CONNECTION_RESET", "net::ERR_EMPTY_RESPONSE")
"""What Chromium logs about a server that is gone, or goes while it answers; no page can prevent it."""


def names(page: Page) -> list[str]:
    """The clips that a tab shows."""
    found: list[str] = page.evaluate(NAMES)
    return found


def rename(studio: RunningStudio, name: str) -> None:
    """Give the first clip another name."""
    studio.do({"type": "rename", "item": studio.items()[0]["id"], "name": name})


def wait_name(page: Page, name: str) -> None:
    """Wait until a tab lists a clip."""
    expect(page.get_by_role("button", name=name, exact=True).first).to_be_visible()


def test_a_second_tab_and_a_lost_connection_see_the_same_project(built_in: RunningStudio) -> None:
    first, second = built_in.page, built_in.open_page()
    assert names(second) == names(first)
    rename(built_in, "seen by both")
    wait_name(second, "seen by both")
    second.keyboard.press("Control+z")
    wait_name(first, "walk")
    second.close()

    # The page that lost its connection says so, refuses edits, and goes on by itself.
    first.evaluate("window.studio.connection.wait = 2500; window.studio.connection.socket.close()")
    expect(first.get_by_text("Not connected")).to_be_visible()
    expect(first.get_by_text("Connection to the server lost; reconnecting.")).to_be_visible()
    first.evaluate("window.studio.do({ type: 'rename', item: 'c1', name: 'lost' })")
    expect(first.get_by_role("alert")).to_contain_text("so nothing was changed")
    first.get_by_role("button", name="Dismiss").click()
    expect(first.get_by_text("Connection to the server lost; reconnecting.")).to_be_hidden()
    assert "lost" not in names(first)
    rename(built_in, "after the break")
    wait_name(first, "after the break")
    expect(first.locator(".save-state")).to_have_text("Saved")
    first.keyboard.press("Control+z")


def test_a_killed_server_loses_at_most_a_second(open_studio: OpenStudio, tmp_path: Path) -> None:
    project = tmp_path / "project"
    studio = open_studio(project=project)
    rename(studio, "old")
    expect(studio.page.locator(".save-state")).to_have_text("Saved")
    rename(studio, "new")
    studio.process.send_signal(signal.SIGKILL)
    studio.process.wait()
    expect(studio.page.get_by_text("Not connected")).to_be_visible()
    assert names(studio.page)[0] == "new"
    studio.page.close()
    assert all(any(words in complaint for words in UNREACHABLE) for complaint in studio.errors)
    studio.errors.clear()

    again = open_studio(project=project)
    assert names(again.page)[0] in ("old", "new")
    assert names(again.page)[1:] == [
        "jog",
        "walk left",
        "walk right",
        "turn left",
        "front kick",
        "walk and jog",
    ]
    again.wait_computed(again.item("walk and jog")["id"])
    rename(again, "newer")
    wait_name(again.page, "newer")

"""A clip that never ends is stopped, and made again, by its button in the list of clips."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from motionloom.project.document import Document
from motionloom.project.edits import AddItem
from motionloom.project.folder import ProjectFolder
from motionloom.project.recipes import MotionRecipe
from tests.studio.browser.running_studio import RunningStudio

pytestmark = pytest.mark.browser

STOP, AGAIN = "Stop computing endless", "Compute endless again"


@pytest.fixture
def studio(browser: Browser, built_page: None, tmp_path: Path) -> Iterator[RunningStudio]:
    """A studio with a clip that is made at once and one that is made when the file "go on" is there."""
    document = Document()
    for name in ("walk", "endless"):
        recipe = MotionRecipe(motion="walk", options={"fps": 20.0, "duration": 1.0})
        document = AddItem(name=name, recipe=recipe).apply(document)
    ProjectFolder(tmp_path / "project").save(document)
    program = (sys.executable, str(Path(__file__).with_name("endless_studio.py")), str(tmp_path / "go on"))
    running = RunningStudio(browser, [], tmp_path / "project", program)
    yield running
    assert running.close() == []


def test_an_endless_clip_is_stopped_and_made_again(studio: RunningStudio, tmp_path: Path) -> None:
    page, walk, endless = studio.page, studio.item("walk")["id"], studio.item("endless")["id"]
    stop, again = (page.get_by_role("button", name=name, exact=True) for name in (STOP, AGAIN))
    studio.wait_computed(walk)
    expect(page.get_by_role("button", name="Stop computing walk")).to_be_hidden()

    stop.click()
    error = page.locator(".clip-error:visible")
    expect(error).to_have_text("It was stopped: change the clip, or make it again")
    expect(stop).to_have_count(0)

    again.click()
    expect(stop).to_be_visible()
    expect(error).to_have_count(0)
    # By the keyboard too: it is made again once nothing holds it up.
    stop.press("Enter")
    expect(again).to_be_visible()
    (tmp_path / "go on").touch()
    again.press("Enter")
    expect(again).to_have_count(0)
    studio.wait_computed(endless)
    expect(stop).to_be_hidden()
    assert studio.header(endless)["n_frames"] == studio.header(walk)["n_frames"]

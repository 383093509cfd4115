"""The list of clips with fifty of them: search, folders, several at once, and what New makes of one clip."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser, expect

from motionloom.project.document import Document
from motionloom.project.edits import AddItem, ShowItem
from motionloom.project.folder import ProjectFolder
from motionloom.project.recipes import CopyRecipe, MotionRecipe
from motionloom.synthesis import walk
from tests.studio.browser.library_checks import COUNT_REQUESTS, DRAW_STICKS_ONLY, undo_afterwards
from tests.studio.browser.page_checks import find_cut_off
from tests.studio.browser.running_studio import RunningStudio

pytestmark = pytest.mark.browser

SHORT: dict[str, float | str] = {"fps": 30.0, "duration": 1.0}


@pytest.fixture(scope="module")
def fifty_clips(
    browser: Browser, built_page: None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RunningStudio]:
    """A studio with one built-in motion and 49 copies of it, most of them with long names."""
    project = tmp_path_factory.mktemp("fifty") / "project"
    document = AddItem(name="walk", recipe=MotionRecipe(motion="walk", options=SHORT)).apply(Document())
    for n in range(49):
        name = f"take_{n:02d}_walk_straight_subject16_cleaned_final_version" if n % 3 else f"take {n}"
        document = AddItem(name=name, recipe=CopyRecipe(source="c1")).apply(document)
    for item in document.items[1:]:
        document = ShowItem(item=item.id, visible=False).apply(document)
    ProjectFolder(project).save(document)
    studio = RunningStudio(browser, [], project)
    studio.page.evaluate(COUNT_REQUESTS)
    studio.page.evaluate(DRAW_STICKS_ONLY)
    studio.wait_all()
    yield studio
    assert studio.close() == []


@pytest.fixture
def fifty(fifty_clips: RunningStudio) -> Iterator[RunningStudio]:
    """The same, whose project is afterwards as it was before."""
    with undo_afterwards(fifty_clips):
        yield fifty_clips


def test_panels_propose_two_checked_clips_in_the_order_of_checking(fifty: RunningStudio) -> None:
    page = fifty.page
    fifty.tab("Blend")
    fields = [page.locator(".blend-panel").get_by_label(label) for label in ("First clip", "Second clip")]
    before = [field.input_value() for field in fields]
    for name in ("take 6", "take 3"):
        page.get_by_role("checkbox", name=f"Check {name}", exact=True).check()
    for field, name in zip(fields, ("take 6", "take 3"), strict=True):
        expect(field).to_have_value(fifty.item(name)["id"])
    page.get_by_role("checkbox", name="Check take 6", exact=True).uncheck()
    page.get_by_role("checkbox", name="Check take 3", exact=True).uncheck()
    for field, value in zip(fields, before, strict=True):
        expect(field).to_have_value(value)


def test_clips_are_searched_filed_and_removed_together(fifty: RunningStudio, shots: Path) -> None:
    page = fifty.page
    assert page.locator(".clip").count() == 50
    assert find_cut_off(page) == []
    page.screenshot(path=shots / "work-list.png")
    page.get_by_role("searchbox", name="Search clips").fill("take 1")
    expect(page.locator(".clip")).to_have_count(3)  # take 12, 15 and 18
    names = page.locator(".clip .clip-name")
    names.first.click()
    names.last.click(modifiers=["Shift"])
    page.get_by_role("button", name="Folder…").click()
    page.get_by_label("Folder", exact=True).fill("Good takes")
    fifty.wait_for_edit(page.get_by_role("button", name="Move", exact=True).click)
    page.get_by_role("searchbox", name="Search clips").fill("")
    head = page.get_by_role("button", name="Folder Good takes, 3 clips")
    head.click()
    expect(page.locator(".clip")).to_have_count(47)
    head.click()
    page.get_by_role("checkbox", name="Check take 12", exact=True).check()
    page.get_by_role("checkbox", name="Check take 15", exact=True).check()
    fifty.wait_for_edit(
        page.get_by_role("group", name="Checked clips").get_by_role("button", name="Remove").click
    )
    expect(page.locator(".clip")).to_have_count(48)
    fifty.wait_for_edit(lambda: page.keyboard.press("Control+z"))
    assert fifty.item("take 15")["folder"] == "Good takes"


def test_new_makes_versions_of_a_clip(fifty: RunningStudio) -> None:
    page = fifty.page
    source = fifty.item("walk")["id"]
    truth = walk(duration=1.0, fps=30).clip
    page.evaluate("window.studio.checked.replace([])")
    fifty.wait_all()
    for entry, made in (
        ("Reverse", truth.reversed()),
        ("Mirror", truth.mirrored()),
        ("Resample…", truth.resampled(15)),
        ("Speed…", truth.sped_up(2)),
    ):
        fifty.select(source)
        page.get_by_role("button", name="New", exact=True).click()
        page.get_by_role("menuitem", name=entry).click()
        if entry == "Resample…":
            page.get_by_label("Frames per second").fill("15")
        if entry.endswith("…"):
            page.get_by_role("button", name="Add", exact=True).click()
        fifty.wait("source => window.studio.selected.id !== source", source)
        item = page.evaluate("window.studio.selected.id")
        fifty.wait_computed(item)
        np.testing.assert_allclose(fifty.motion(item), made.world_positions(), atol=1e-3)

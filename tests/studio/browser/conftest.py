"""A real studio in a real browser: Chromium from the system, driven by Playwright."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

import motionloom
from motionloom.files import load_clip, save
from motionloom.project.document import Document
from motionloom.project.edits import AddItem, ShowItem
from motionloom.project.folder import ProjectFolder
from motionloom.project.recipes import FileRecipe, MotionRecipe
from tests.conftest import captured
from tests.studio.browser.library_checks import COUNT_REQUESTS, DRAW_STICKS_ONLY
from tests.studio.browser.running_studio import TIMEOUT_MS, OpenStudio, RunningStudio

expect.set_options(timeout=TIMEOUT_MS)  # 5 s otherwise, which a busy machine exceeds

NO_PAGE = "the studio's page is not built: run 'python studio/build_page.py'"

FPS = 30.0
"""Frames per second of the clips that panels are tried on: enough to see a step, and quickly compared."""

BUILT_IN_GAITS = {"walk": "walk", "jog": "jog", "walk left": "walk_left", "walk right": "walk_right"}
"""Built-in motions that panels are tried on, by the names they get."""

CAPTURED_GAITS = ("walk_straight_16_15", "run_straight_16_45")
"""Captured clips that panels are tried on, where they are there."""


@pytest.fixture(scope="session")
def built_page() -> None:
    """Skip where there is no page to open."""
    page = Path(motionloom.__file__).parent / "studio" / "page" / "index.html"
    if not page.exists() and "MOTIONLOOM_STUDIO_PAGE" not in os.environ:
        pytest.skip(NO_PAGE)


@pytest.fixture
def open_studio(browser: Browser, built_page: None, tmp_path: Path) -> Iterator[OpenStudio]:
    """Start a studio on some files and open its page; everything ends with the test.

    The page must log no error and ask nobody but the studio's own server.
    """
    running: list[RunningStudio] = []

    def start(*files: Path, project: Path | None = None) -> RunningStudio:
        studio = RunningStudio(browser, files, project or tmp_path / "project")
        running.append(studio)
        return studio

    yield start
    assert [complaint for studio in running for complaint in studio.close()] == []


@pytest.fixture(scope="module")
def built_in(
    browser: Browser, built_page: None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RunningStudio]:
    """One studio on the built-in motions for all tests of a module; each selects what it needs."""
    studio = RunningStudio(browser, [], tmp_path_factory.mktemp("studio") / "project")
    studio.wait_all()
    yield studio
    assert studio.close() == []


def gaits_project(project: Path, scratch: Path) -> None:
    """Write a project of short gaits; only the first is shown, so that the page is soon drawn."""
    document, folder = Document(), ProjectFolder(project)
    for name, motion in BUILT_IN_GAITS.items():
        made = MotionRecipe(motion=motion, options={"fps": FPS, "duration": 4.0})
        document = AddItem(name=name, recipe=made).apply(document)
    for path in (path for name in CAPTURED_GAITS for path in captured(f"locomotion/s16/{name}.bvh")):
        save(load_clip(path).resampled(FPS), scratch / path.name)
        read = FileRecipe(path=folder.add(path.name, (scratch / path.name).read_bytes()))
        document = AddItem(name=path.stem, recipe=read).apply(document)
    for item in document.items[1:]:
        document = ShowItem(item=item.id, visible=False).apply(document)
    folder.save(document)


@pytest.fixture(scope="session")
def gaits(
    browser: Browser, built_page: None, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RunningStudio]:
    """One studio on built-in and captured gaits for all panels; each test takes back what it did.

    Tests of captured clips also ask for ``mocap``, which skips them where there are none.
    """
    folder = tmp_path_factory.mktemp("gaits")
    gaits_project(folder / "project", folder)
    studio = RunningStudio(browser, [], folder / "project")
    studio.page.evaluate(COUNT_REQUESTS)
    studio.page.evaluate(DRAW_STICKS_ONLY)
    studio.wait_all()
    yield studio
    assert studio.close() == []

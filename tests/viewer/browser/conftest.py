"""Viewer pages in a real browser: Chromium from the system, offline, driven by Playwright."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page

from motionloom.arrays import FloatArray
from motionloom.viewer import ViewerPage, is_built
from tests.studio.browser.running_studio import FUNCTION, REPAINTED, TIMEOUT_MS, WAIT

NO_PAGE = "the viewer's page is not built: run 'python studio/build_page.py'"

DRAWN = "() => window.viewer !== undefined && window.viewer.firstFrame !== null"
"""Whether a figure was drawn."""


class OpenPage:
    """A viewer page in a tab of its own; it must log no error and ask the network for nothing."""

    def __init__(self, browser: Browser, path: Path, **options: Any) -> None:
        self.errors: list[str] = []
        self._context = browser.new_context(viewport={"width": 900, "height": 600}, offline=True, **options)
        self.page: Page = self._context.new_page()
        self.page.set_default_timeout(TIMEOUT_MS)
        self.page.on("console", self._record)
        self.page.on("pageerror", lambda error: self.errors.append(f"error in the page: {error}"))
        self.page.on("request", lambda request: self._record_request(request.url, path))
        self.page.goto(path.as_uri())

    def _record(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.errors.append(f"the page logged: {message.text}")

    def _record_request(self, url: str, path: Path) -> None:
        if url != path.as_uri() and not url.startswith(("data:", "blob:")):
            self.errors.append(f"the page asked for {url}")

    def wait(self, expression: str, arg: object = None) -> None:
        """Wait until an expression, or a function of ``arg``, holds in the page."""
        check = expression if FUNCTION.match(expression) else f"() => ({expression})"
        self.page.evaluate(WAIT % (check, TIMEOUT_MS), arg)

    def wait_drawn(self) -> None:
        """Wait until all clips are there and a figure was drawn."""
        self.wait(DRAWN)
        self.wait("document.documentElement.dataset.ready === 'true' || viewer.nDrawn > 0")

    def wait_repainted(self) -> None:
        """Wait until the page has reacted to what was just done."""
        self.page.evaluate(REPAINTED)

    def seek(self, seconds: float) -> None:
        """Pause, and put the playhead at a time."""
        self.page.evaluate("(time) => { player.playback.pause(); player.playback.seek(time); }", seconds)

    def joints(self, clip: int) -> FloatArray:
        """Where the joints of a clip are drawn (J, 3)."""
        return np.array(self.page.evaluate("(n) => viewer.jointPositions(n)", clip), dtype=float)

    def close(self) -> list[str]:
        """Close the tab and return what went wrong in it."""
        self._context.close()
        return self.errors


Open = Callable[..., OpenPage]


@pytest.fixture
def open_page(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    """Open a viewer page; it ends with the test, and must log no error."""
    if not is_built():
        pytest.skip(NO_PAGE)
    opened: list[OpenPage] = []

    def start(page: ViewerPage, **options: Any) -> OpenPage:
        path = page.save(tmp_path / f"page{len(opened)}.html")
        opened.append(OpenPage(browser, path, **options))
        return opened[-1]

    yield start
    assert [error for page in opened for error in page.close()] == []

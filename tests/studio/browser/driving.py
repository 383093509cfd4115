"""Starting a studio for a test and doing in its page what a user does."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Browser, ConsoleMessage, Page

from motionloom.arrays import FloatArray

FLAGS = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"),
]
"""How Chromium draws WebGL without a graphics card, and asks the network for nothing."""

ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+/\S*")

GONE = re.compile(r"/api/(quality|registration|transitions|warp|framespace)/")
"""What panels ask about clips. A clip may be gone when the question arrives, by a fast undo; the page keeps
quiet then, but Chromium logs that the answer was no."""

PATIENCE = 60_000
"""Milliseconds to wait for something that has to happen; the first kernels may have to be compiled."""


class RunningStudio:
    """A studio process with one page open."""

    def __init__(
        self, browser: Browser, files: Sequence[Path], project: Path, python: Path | str = sys.executable
    ) -> None:
        self.project = project
        self.complaints: list[str] = []
        call = [str(python), "-m", "motionloom", "studio", *map(str, files), "--no-browser"]
        self.process = subprocess.Popen(
            [*call, "--project", str(project)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self.address = self._address()
        self._context = browser.new_context(viewport={"width": 1280, "height": 720})
        self._context.grant_permissions(["clipboard-read", "clipboard-write"])
        self.page = self.open_page()

    def _address(self) -> str:
        said = []
        assert self.process.stdout is not None
        for line in self.process.stdout:
            said.append(line)
            if found := ADDRESS.search(line):
                return found[0]
        raise AssertionError(f"the studio did not start: {''.join(said)}")

    def open_page(self, *, tour: bool = False) -> Page:
        """One more tab, whose errors and strange requests are complained of."""
        page = self._context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", self._note_message)
        page.on("pageerror", lambda error: self.complaints.append(f"error in the page: {error}"))
        page.on("request", lambda request: self._note_address(request.url))
        page.on("websocket", lambda socket: self._note_address(socket.url.replace("ws:", "http:", 1)))
        if not tour:  # it is for people; a test of its own takes it
            page.add_init_script("localStorage.setItem('motionloom.tour', 'true')")
        page.goto(self.address)
        page.wait_for_selector(".clip-name")
        return page

    def _note_message(self, message: ConsoleMessage) -> None:
        gone = "status of 400" in message.text and GONE.search(message.location["url"])
        if message.type == "error" and not gone:
            self.complaints.append(f"the page logged: {message.text}")

    def _note_address(self, url: str) -> None:
        if not url.startswith((self.address.split("?")[0], "data:", "blob:")):
            self.complaints.append(f"the page asked for {url}")

    def wait(self, expression: str, arg: object = None) -> None:
        """Wait until a function of the page holds. Playwright's own waiting needs eval, which it forbids."""
        end = time.monotonic() + PATIENCE / 1000
        while not self.page.evaluate(expression, arg):
            assert time.monotonic() < end, f"waited in vain for {expression}"
            time.sleep(0.05)

    def items(self) -> list[dict[str, Any]]:
        """The clips of the document as the page has them."""
        found: list[dict[str, Any]] = self.page.evaluate("window.studio.document.items")
        return found

    def item(self, name: str) -> dict[str, Any]:
        """The clip of this name."""
        return next(item for item in self.items() if item["name"] == name)

    def do(self, edit: dict[str, Any]) -> None:
        """Send an edit as a panel would, and wait for the new document."""
        self.changed(lambda: self.page.evaluate("edit => window.studio.do(edit)", edit))

    def changed(self, act: Callable[[], object]) -> None:
        """Do something that edits the document, and wait for the new one."""
        before = self.page.evaluate("window.studio.state.revision")
        act()
        self.wait("before => window.studio.state.revision > before", before)

    def remade(self, item: str, act: Callable[[], object]) -> None:
        """Do something that changes the motion of a clip, and wait for the new one."""
        before = self.page.evaluate("id => window.studio.motion(id).key", item)
        act()
        self.wait("([id, before]) => window.studio.motion(id).key !== before", [item, before])
        self.wait_made(item)

    def wait_made(self, item: str) -> None:
        """Wait until the motion of a clip is there and up to date."""
        self.wait(
            """id => { const { error, working } = window.studio.progressOf(id);
                       if (error) throw new Error(error);
                       return window.studio.motion(id) !== null && !working; }""",
            item,
        )

    def wait_all(self) -> None:
        """Wait until every clip of the document has its motion."""
        for item in self.items():
            self.wait_made(item["id"])

    def select(self, item: str) -> None:
        """Select a clip."""
        self.page.evaluate("id => window.studio.select(id)", item)

    def seek(self, seconds: float) -> None:
        """Put the playhead at a time, and let the picture follow."""
        self.page.evaluate(
            "t => { window.studio.playback.pause(); window.studio.playback.seek(t); }", seconds
        )
        self.page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def joints(self, item: str) -> FloatArray:
        """Positions (J, 3) of the joints of a figure, read back from the scene."""
        return np.array(self.page.evaluate("id => window.viewport.jointPositions(id)", item))

    def motion(self, item: str) -> FloatArray:
        """Positions (T, J, 3) of the joints of a clip in all frames, as the page has them."""
        flat, joints = self.page.evaluate(
            "id => { const m = window.studio.motion(id); return [Array.from(m.positions), m.nJoints]; }", item
        )
        return np.array(flat).reshape(-1, joints, 3)

    def head(self, item: str) -> dict[str, Any]:
        """What came with the motion of a clip: its frames, plants and events."""
        found: dict[str, Any] = self.page.evaluate("id => window.studio.motion(id).head", item)
        return found

    def tab(self, title: str) -> None:
        """Open a panel on the right."""
        self.page.get_by_role("tab", name=title, exact=True).click()

    def close(self) -> list[str]:
        """End it; what there was to complain of."""
        self._context.close()
        self.process.terminate()
        self.process.wait(timeout=10)
        if self.process.stdout is not None:
            self.process.stdout.close()
        return self.complaints


OpenStudio = Callable[..., RunningStudio]

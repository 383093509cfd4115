"""Start a studio for a test, and use its page like a user."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Browser, ConsoleMessage, Page

from motionloom.arrays import FloatArray
from motionloom.project.document import Document
from motionloom.project.evaluator import Evaluator
from motionloom.project.folder import ProjectFolder
from motionloom.project.plain_data import from_plain

FLAGS = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    *("--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"),
]
"""Chromium renders WebGL without a graphics card and makes no network requests of its own."""

FUNCTION = re.compile(r"\s*(\([^)]*\)|\w+) =>")

ADDRESS = re.compile(r"http://127\.0\.0\.1:\d+/\S*")

TIMEOUT_MS = 60_000
"""Milliseconds to wait for a condition; kernels may have to be compiled first."""

WAIT = """(arg) => new Promise((resolve, reject) => {
    const check = %s;
    const end = performance.now() + %d;
    const poll = () => {
        try {
            if (check(arg)) resolve(null);
            else if (performance.now() > end) reject(new Error("timed out"));
            else setTimeout(poll, 20);
        } catch (error) {
            reject(error);
        }
    };
    poll();
})"""
"""Polls a condition in the page. Playwright's own waiting needs eval, which the page forbids."""

REPAINTED = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""Two repaints: enough for resize observers to run and for CSS transitions to start."""


class RunningStudio:
    """A studio process with one page open."""

    def __init__(
        self,
        browser: Browser,
        files: Sequence[Path],
        project: Path,
        program: Sequence[str] = (sys.executable, "-m", "motionloom"),
    ) -> None:
        self.project = project
        self.errors: list[str] = []
        self._evaluator = Evaluator(ProjectFolder(project))
        call = [*program, "studio", *map(str, files), "--no-browser"]
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
        """Open one more tab; its errors and requests to other servers are recorded."""
        page = self._context.new_page()
        page.set_default_timeout(TIMEOUT_MS)
        page.on("console", self._record_message)
        page.on("pageerror", lambda error: self.errors.append(f"error in the page: {error}"))
        page.on("request", lambda request: self._record_address(request.url))
        page.on("websocket", lambda socket: self._record_address(socket.url.replace("ws:", "http:", 1)))
        if not tour:  # it would cover the page
            page.add_init_script("localStorage.setItem('motionloom.tour', 'true')")
        page.goto(self.address)
        page.wait_for_selector(".clip-name")
        return page

    def _record_message(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.errors.append(f"the page logged: {message.text} ({message.location['url']})")

    def _record_address(self, url: str) -> None:
        if not url.startswith((self.address.split("?")[0], "data:", "blob:")):
            self.errors.append(f"the page asked for {url}")

    def wait(self, expression: str, arg: object = None) -> None:
        """Wait until an expression, or a function of ``arg``, holds in the page."""
        check = expression if FUNCTION.match(expression) else f"() => ({expression})"
        self.page.evaluate(WAIT % (check, TIMEOUT_MS), arg)

    def wait_repainted(self) -> None:
        """Wait until the page has reacted to what was just done."""
        self.page.evaluate(REPAINTED)

    def wait_still(self) -> None:
        """Wait until CSS transitions, such as fading colours, have ended."""
        self.wait_repainted()
        self.wait("() => !document.getAnimations().some((animation) => animation instanceof CSSTransition)")

    def wait_loaded(self, panel: str) -> None:
        """Wait until a panel shows what it asked the server for."""
        self.wait_repainted()  # panels ask when they come into view
        self.wait("id => document.querySelector(`#panel-${id} [aria-busy=true]`) === null", panel.lower())

    def items(self) -> list[dict[str, Any]]:
        """The clips of the document as the page has them."""
        found: list[dict[str, Any]] = self.page.evaluate("window.studio.document.items")
        return found

    def item(self, name: str) -> dict[str, Any]:
        """The clip of this name."""
        return next(item for item in self.items() if item["name"] == name)

    def do(self, edit: dict[str, Any]) -> None:
        """Send an edit like a panel, and wait for the new document."""
        self.wait_for_edit(lambda: self.page.evaluate("edit => window.studio.do(edit)", edit))

    def wait_for_edit(self, act: Callable[[], object]) -> None:
        """Edit the document by an action, and wait until the server has answered all of its edits.

        The page shows edits at once, so what it shows does not tell whether one before is still under way.
        """
        self.wait("window.studio.isAnswered")
        before = self.page.evaluate("window.studio.state.revision")
        act()
        self.wait("before => window.studio.state.revision > before && window.studio.isAnswered", before)

    def wait_for_motion(self, item: str, act: Callable[[], object]) -> None:
        """Change the motion of a clip by an action, and wait for the new one."""
        before = self.page.evaluate("id => window.studio.motion(id).key", item)
        act()
        self.wait("([id, before]) => window.studio.motion(id).key !== before", [item, before])
        self.wait_computed(item)

    def wait_computed(self, item: str) -> None:
        """Wait until the page has the motion that the document says, and no longer the one before an edit.

        Between an edit and the word that a clip is made again, the page still has its old motion and nothing
        to do; the key that the library gives to the new one tells them apart.
        """
        while True:
            document, revision = self.page.evaluate("[window.studio.document, window.studio.state.revision]")
            key = self._evaluator.key(from_plain(Document, document, "the document"), item)
            self.wait(
                """([id, key, revision]) => {
                    if (window.studio.state.revision !== revision) return true;
                    const { error, working } = window.studio.progressOf(id);
                    if (error) throw new Error(error);
                    return window.studio.motion(id)?.key === key && !working;
                }""",
                [item, key, revision],
            )
            if self.page.evaluate("window.studio.state.revision") == revision:
                return

    def wait_all(self) -> None:
        """Wait until every clip of the document has its motion."""
        for item in self.items():
            self.wait_computed(item["id"])

    def select(self, item: str) -> None:
        """Select a clip."""
        self.page.evaluate("id => window.studio.select(id)", item)

    def seek(self, seconds: float) -> None:
        """Move the playhead to a time, and wait until the viewport shows it."""
        self.page.evaluate(
            "t => { window.studio.playback.pause(); window.studio.playback.seek(t); }", seconds
        )
        self.wait_repainted()

    def joints(self, item: str) -> FloatArray:
        """Positions (J, 3) of the joints of a figure, read back from the scene."""
        return np.array(self.page.evaluate("id => window.viewport.jointPositions(id)", item))

    def motion(self, item: str) -> FloatArray:
        """Positions (T, J, 3) of the joints of a clip in all frames, as the page has them."""
        flat, joints = self.page.evaluate(
            "id => { const m = window.studio.motion(id); return [Array.from(m.positions), m.nJoints]; }", item
        )
        return np.array(flat).reshape(-1, joints, 3)

    def header(self, item: str) -> dict[str, Any]:
        """What came with the motion of a clip: its frames, plants and events."""
        found: dict[str, Any] = self.page.evaluate("id => window.studio.motion(id).header", item)
        return found

    def drop(self, paths: Sequence[Path]) -> None:
        """Drop files onto the page, as if they were dragged from a file manager."""
        chooser = self.page.evaluate_handle(
            "Object.assign(document.createElement('input'), { type: 'file', multiple: true })"
        ).as_element()
        assert chooser is not None
        chooser.set_input_files(paths)
        chooser.evaluate(
            """chooser => { const dataTransfer = new DataTransfer();
                            for (const file of chooser.files) dataTransfer.items.add(file);
                            for (const kind of ["dragover", "drop"])
                                document.body.dispatchEvent(new DragEvent(kind,
                                    { dataTransfer, bubbles: true, cancelable: true })); }"""
        )

    def tab(self, title: str) -> None:
        """Open a panel on the right."""
        self.page.get_by_role("tab", name=title, exact=True).click()

    def close(self) -> list[str]:
        """Stop the studio; returns the errors of its page."""
        self._context.close()
        self.process.terminate()
        self.process.wait(timeout=10)
        if self.process.stdout is not None:
            self.process.stdout.close()
        return self.errors


OpenStudio = Callable[..., RunningStudio]

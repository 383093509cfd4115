"""Waiting until the page shows what the document says, and comparing it with what the library makes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.motion import Clip
from motionloom.project.document import Document
from motionloom.project.evaluator import Evaluator
from motionloom.project.folder import ProjectFolder
from motionloom.project.plain_data import from_plain
from tests.studio.browser.running_studio import RunningStudio

MILLIMETRE = 1e-3

MAX_UNDONE = 60
"""Undo steps that a test may need to take back what it did; more would never lead there."""

COUNT_REQUESTS = """() => {
    const ask = window.fetch;
    window.unanswered = 0;
    window.fetch = async (...what) => {
        window.unanswered += 1;
        try {
            return await ask(...what);
        } finally {
            window.unanswered -= 1;
        }
    };
}"""
"""Makes a page count what it has asked for and not got yet."""

DRAW_STICKS_ONLY = """() => {
    const { settings } = window.viewport;
    settings.set("shape", "sticks");
    for (const extra of ["grid", "path", "plants", "ghosts"]) settings.set(extra, false);
}"""
"""Leaves figures of sticks in the viewport: without a graphics card, most of a test's time would go there."""


class Truth:
    """The library's own results for the project of a studio."""

    def __init__(self, studio: RunningStudio) -> None:
        self.studio = studio
        self.evaluator = Evaluator(ProjectFolder(studio.project))

    def document(self) -> Document:
        """The document as the page has it."""
        data = self.studio.page.evaluate("() => window.studio.document")
        found: Document = from_plain(Document, data, "the document")
        return found

    def clip(self, item: str) -> Clip:
        """What a clip is, once the page has the same."""
        document = self.document()
        self.studio.wait(
            "([id, key]) => window.studio.motion(id)?.key === key && !window.studio.progressOf(id).working",
            [item, self.evaluator.key(document, item)],
        )
        return self.evaluator.evaluate(document, item).clip

    def check(self, item: str, clip: Clip) -> None:
        """The figure in the viewport is where a clip is, amid it and at its end."""
        self.clip(item)
        for frame in (clip.n_frames // 3, clip.n_frames - 1):
            self.studio.seek(frame * clip.frame_time)
            away = np.linalg.norm(self.studio.joints(item) - clip.world_positions()[frame], axis=1)
            assert away.max() < MILLIMETRE, f"{away.max() * 1000:.1f} mm at frame {frame}"

    def recipe(self, item: str) -> dict[str, Any]:
        """The recipe of a clip as the page has it."""
        found: dict[str, Any] = self.studio.page.evaluate("id => window.studio.item(id).recipe", item)
        return found

    def step(self, item: str, act: Callable[[], object]) -> None:
        """Do something to a clip, take it back and do it again.

        After undo and redo the next edit is a step of its own, however soon it comes.
        """
        before = self.recipe(item)
        self.studio.wait_for_edit(act)
        self.check_undo_and_redo(item, before)

    def check_undo_and_redo(self, item: str, before: dict[str, Any]) -> None:
        """Undo leads back to a recipe, and redo to the present one, by the keys that everybody knows."""
        after = self.recipe(item)
        assert after != before
        press = self.studio.page.keyboard.press
        for key, wanted in (("Control+z", before), ("Control+Shift+Z", after)):
            self.studio.page.evaluate("() => document.activeElement?.blur()")
            self.studio.wait_for_edit(partial(press, key))
            assert self.recipe(item) == wanted


@contextmanager
def undo_afterwards(studio: RunningStudio) -> Iterator[None]:
    """Undo at the end what was done meanwhile, so that the next test finds the project as it was.

    The page must count its requests: one for a clip that is undone before it is answered would be refused.
    """
    before = studio.items()
    try:
        yield
    finally:
        for _ in range(MAX_UNDONE):
            studio.wait("() => window.studio.isAnswered && window.unanswered === 0")
            if studio.items() == before:
                break
            assert studio.page.evaluate("() => window.studio.state.undo") is not None
            studio.wait_for_edit(lambda: studio.page.evaluate("() => window.studio.undo()"))
        assert studio.items() == before, f"{MAX_UNDONE} undo steps do not lead back to where the test began"
        studio.page.evaluate("() => { window.studio.playback.pause(); window.studio.playback.seek(0); }")


def on_screen(studio: RunningStudio, place: FloatArray) -> tuple[float, float]:
    """Where a place of the scene is in the page, pixels."""
    x, y = studio.page.evaluate(
        """place => { const { camera, canvas } = window.viewport.stage;
                      const box = canvas.getBoundingClientRect();
                      camera.updateMatrixWorld();
                      const seen = camera.position.clone().fromArray(place).project(camera);
                      return [box.left + (seen.x + 1) / 2 * box.width,
                              box.top + (1 - seen.y) / 2 * box.height]; }""",
        list(place),
    )
    return x, y


def drag(studio: RunningStudio, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Press, move and let go."""
    mouse = studio.page.mouse
    mouse.move(*start)
    mouse.down()
    mouse.move(*end, steps=4)
    mouse.up()

"""The panels of part two by keyboard alone: Tab leads to everything, and keys do what the pointer does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest

from tests.studio.browser.library_checks import undo_afterwards
from tests.studio.browser.page_checks import PANELS, focused
from tests.studio.browser.running_studio import RunningStudio

pytestmark = pytest.mark.browser

MAX_TAB_STOPS = 150
"""Presses of Tab that go round the page for certain."""


class Keys:
    """Somebody without a mouse."""

    def __init__(self, studio: RunningStudio) -> None:
        self.studio, self.page = studio, studio.page

    def press(self, *keys: str) -> None:
        """Press keys one after another."""
        for key in keys:
            self.page.keyboard.press(key)

    def reach(self, name: str) -> None:
        """Press Tab until something whose name begins so has the focus."""
        self.go(lambda found: found["name"].startswith(name), name)

    def go(self, is_wanted: Callable[[dict[str, Any]], bool], what: str) -> None:
        """Press Tab until something that is wanted has the focus, which must show."""
        for _ in range(MAX_TAB_STOPS):
            self.press("Tab")
            found = focused(self.page)
            if is_wanted(found):
                assert found["shows"]
                return
        raise AssertionError(f"Tab does not lead to {what}")

    def open(self, panel: str) -> None:
        """Open a panel by its tab: one of them is on the way, and the arrow keys go to the others."""
        # The transport has a Loop of its own.
        self.go(lambda found: found["part"] == "right" and found["name"] in PANELS, "the tabs")
        steps = PANELS.index(panel) - PANELS.index(focused(self.page)["name"])
        self.press(*["ArrowRight" if steps > 0 else "ArrowLeft"] * abs(steps))
        assert focused(self.page)["name"] == panel
        self.studio.wait_loaded(panel)  # a panel is filled when it comes into view, one frame later

    def select(self, name: str) -> None:
        """Select a clip in the list."""
        self.go(lambda found: found["part"] == "left" and found["name"] == name, name)
        self.press("Enter")
        assert self.page.evaluate("window.studio.selected.name") == name

    def made(self, *keys: str) -> dict[str, Any]:
        """Press keys that add a clip, and wait until it is selected and made; its recipe."""
        self.studio.wait_for_edit(lambda: self.press(*keys))
        self.studio.wait_computed(self.page.evaluate("window.studio.selected.id"))
        return self.recipe

    @property
    def recipe(self) -> dict[str, Any]:
        """The recipe of the selected clip."""
        found: dict[str, Any] = self.page.evaluate("window.studio.selected.recipe")
        return found

    def edit(self, *keys: str) -> dict[str, Any]:
        """Press keys that change the selected clip, undo and redo that; what it is then."""
        before = self.recipe
        self.studio.wait_for_edit(lambda: self.press(*keys))
        after = self.recipe
        assert after != before
        self.studio.wait_for_edit(lambda: self.press("Control+z"))
        assert self.recipe == before
        self.studio.wait_for_edit(lambda: self.press("Control+Shift+Z"))
        assert self.recipe == after
        return after


@pytest.fixture
def keys(gaits: RunningStudio) -> Iterator[Keys]:
    """The page of a studio on gaits, with nothing in focus."""
    with undo_afterwards(gaits):
        gaits.select(gaits.item("jog")["id"])
        gaits.page.evaluate("document.activeElement.blur()")
        yield Keys(gaits)


@pytest.mark.parametrize(
    ("panel", "name"),
    [
        ("Blend", "Create blend"),
        ("Registration", "Register clips"),
        ("Transition", "Create transition"),
        ("Loop", "Create loop"),
        ("Warp", "Warp walk"),
    ],
)
def test_what_has_the_focus_keeps_it_while_clips_are_made(keys: Keys, panel: str, name: str) -> None:
    keys.select("walk")
    keys.open(panel)
    keys.reach(name)
    keys.page.evaluate(
        """() => { const { studio } = window;
                   studio.documentChanged.emit(studio.document);
                   studio.itemChanged.emit(studio.selected.id); }"""
    )
    assert focused(keys.page)["name"] == name


def test_frames_are_pinned(keys: Keys) -> None:
    keys.select("walk")
    keys.open("Registration")
    keys.reach("Register clips")
    keys.made("Enter")
    keys.reach("Frame distances of walk and jog")
    keys.studio.wait(
        "() => document.querySelector('#registration-readout').textContent.includes('Pose distance')"
    )
    pins = keys.edit("ArrowUp", "ArrowRight", "Enter")["registration"]["pins"]
    assert len(pins) == 1
    keys.studio.wait_for_edit(lambda: keys.press("Delete"))
    assert keys.recipe["registration"]["pins"] == []


def test_the_middle_of_a_transition_is_moved(keys: Keys) -> None:
    keys.select("walk")
    keys.open("Transition")
    keys.reach("Create transition")
    assert keys.made("Enter")["at"] is None
    keys.studio.wait("() => !document.querySelector('.transition-panel[aria-busy]')")
    keys.reach("Meeting frame of walk")
    first = keys.edit("ArrowLeft")["at"]
    assert keys.edit("Shift+ArrowLeft")["at"] == [first[0] - 10, first[1]]
    keys.reach("Find best point")
    assert keys.edit("Enter")["at"] is None


def test_a_joint_is_turned(keys: Keys) -> None:
    keys.select("walk")
    keys.open("Warp")
    keys.reach("Warp walk")
    assert keys.made("Enter")["keys"] == []
    keys.studio.wait("() => document.querySelector('.warp-numbers input:not(:disabled)') !== null")
    keys.reach("Rotate by, x")
    keys.press("Control+a", "2", "0")
    keys.studio.wait_for_edit(lambda: keys.press("Enter"))
    (key,) = keys.recipe["keys"]
    assert (key["joint"], key["kind"], key["time"]) == ("Hips", "rotate", 0.0)
    assert key["value"] == pytest.approx([0.349, 0, 0], abs=1e-3)
    keys.reach("0.00 s")
    for pressed, left in (("Control+z", []), ("Control+Shift+Z", [key])):
        keys.studio.wait_for_edit(partial(keys.press, pressed))
        assert keys.recipe["keys"] == left
    keys.reach("0.00 s")
    assert keys.edit("Delete")["keys"] == []


def test_a_curve_is_drawn(keys: Keys) -> None:
    keys.open("Framespace")
    for name in ("walk", "jog"):
        keys.reach(name)
        keys.press("Space")
    keys.reach("Create framespace")
    assert keys.made("Enter")["curve"][1] == [0.25, 0.25]
    keys.reach("Vertex 2 of 4")
    assert keys.edit("Shift+ArrowUp")["curve"][1] == pytest.approx([0.25, 0.35])
    keys.reach("Loop (end where it starts)")
    assert keys.edit("Space")["loop"] is True

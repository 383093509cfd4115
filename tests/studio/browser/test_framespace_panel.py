"""The framespace panel: the space, and the motion along the curve, against what the library makes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Locator, expect

from motionloom.arrays import FloatArray
from motionloom.framespace import Framespace, PolylineInterpolant, SplineInterpolant
from tests.studio.browser.conftest import CAPTURED_GAITS
from tests.studio.browser.library_checks import Truth, drag, undo_afterwards
from tests.studio.browser.page_checks import find_cut_off
from tests.studio.browser.running_studio import RunningStudio

pytestmark = pytest.mark.browser


class Space:
    """The panel, open for a framespace that it made of clips of a studio."""

    def __init__(self, studio: RunningStudio, *names: str) -> None:
        self.studio, self.page, self.truth = studio, studio.page, Truth(studio)
        studio.select(studio.items()[0]["id"])
        studio.tab("Framespace")
        for name in names:
            self.page.locator(".space-clips label").filter(has_text=re.compile(f"^{name}$")).click()
        studio.wait_for_edit(self.page.get_by_role("button", name="Create framespace").click)
        self.id: str = studio.items()[-1]["id"]
        ids = {item["name"]: item["id"] for item in studio.items()}
        self.sources = [self.truth.clip(ids[name]) for name in names]
        self.reopen()

    def reopen(self) -> None:
        """Select the framespace again, and wait until its space is drawn."""
        self.studio.select(self.id)
        self.truth.clip(self.id)
        self.studio.wait("() => document.querySelector('.space-field .state') !== null")

    @property
    def recipe(self) -> dict[str, Any]:
        return self.truth.recipe(self.id)

    @property
    def field(self) -> Locator:
        return self.page.locator(".space-field").first

    @property
    def vertices(self) -> Locator:
        return self.field.locator(".space-vertex")

    def step(self, act: Callable[[], object]) -> None:
        """Change the framespace, undo that and do it again."""
        self.truth.step(self.id, act)

    def press(self, thing: Locator, key: str) -> None:
        """Press a key on something."""
        thing.focus()
        self.step(lambda: self.page.keyboard.press(key))

    def place(self, x: float, v: float) -> tuple[float, float]:
        """A point of the first rectangle in the page, pixels; its border is no part of it."""
        left, top, width, height = self.page.evaluate(
            """() => { const field = document.querySelector('.space-field');
                       const box = field.getBoundingClientRect();
                       return [box.left, box.top, box.width, box.height]; }"""
        )
        return left + x * width, top + (1 - v) * height

    def vertex(self, number: int) -> tuple[float, float]:
        """The middle of a vertex in the page, pixels."""
        self.field.evaluate("field => field.parentElement.scrollIntoView()")
        box = self.vertices.nth(number).bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def drag(self, vertex: int, to: tuple[float, float]) -> None:
        self.step(lambda: drag(self.studio, self.vertex(vertex), self.place(*to)))

    def drawn(self, kind: str) -> FloatArray:
        """Points (S, 2) of a path of the first rectangle, x and v from 0 to 1."""
        path = self.field.locator(kind).first.get_attribute("d")
        assert path is not None
        numbers = np.array(re.findall(r"-?[\d.]+(?:e-?\d+)?", path), dtype=np.float64).reshape(-1, 2) / 100.0
        return np.stack([numbers[:, 0], 1.0 - numbers[:, 1]], axis=1)

    def check(self) -> None:
        """The page shows the curve and the motion that the library makes of the recipe."""
        recipe = self.recipe
        kind = PolylineInterpolant if recipe["polyline"] else SplineInterpolant
        curve, upper = kind(recipe["curve"]), recipe["upper"] and kind(recipe["upper"])
        space = Framespace(self.sources, decoupled=recipe["decoupled"])
        made = space.blend(curve, cycles=recipe["cycles"], upper=upper, loop=recipe["loop"])
        self.truth.check(self.id, made.clip)
        drawn = self.drawn(".curve.curve")
        np.testing.assert_allclose(drawn[:, 1], curve(drawn[:, 0])[:, 0], atol=2e-3)
        frame = made.clip.n_frames // 2
        self.studio.seek(frame * made.clip.frame_time)
        self.studio.wait(
            "x => Math.abs(parseFloat(document.querySelector('.space-playhead').style.left) - x) < 0.5",
            100.0 * made.report.cycles[frame] / recipe["cycles"],
        )
        mark = self.page.evaluate("() => parseFloat(document.querySelector('.space-dot').style.top)")
        assert mark == pytest.approx(100.0 * (1.0 - made.report.points[frame, 0]), abs=0.5)


@pytest.fixture(scope="module")
def walk_and_jog(gaits: RunningStudio) -> Iterator[Space]:
    with undo_afterwards(gaits):
        yield Space(gaits, "walk", "jog")


@pytest.fixture
def space(walk_and_jog: Space) -> Iterator[Space]:
    """The panel for a framespace of the built-in walk and jog, as it is when it was just made."""
    with undo_afterwards(walk_and_jog.studio):
        walk_and_jog.reopen()
        yield walk_and_jog


def test_a_new_framespace_of_chosen_clips(space: Space, shots: Path) -> None:
    assert space.recipe["sources"] == [space.studio.item(name)["id"] for name in ("walk", "jog")]
    space.check()
    library = Framespace(space.sources)
    matched = library.correspondence.matched
    labels = space.page.locator(".space-states tbody code").all_inner_texts()
    assert labels == [", ".join(state.labels) for state in matched]
    for n, state in enumerate(matched):
        line = space.drawn(f".state[data-state='{state.labels[0]}']")
        # Two points per cycle, from one cycle before the field on.
        cycle = line[2:4, 0] * space.recipe["cycles"]
        np.testing.assert_allclose(cycle, library.warp.times(np.eye(2))[:, n], atol=1e-6)
    assert find_cut_off(space.page) == []
    space.page.screenshot(path=shots / "framespace.png")


def test_vertices_are_dragged_added_and_removed(space: Space, shots: Path) -> None:
    space.drag(1, (0.3, 0.9))
    assert space.recipe["curve"][1] == pytest.approx([0.3, 0.9], abs=0.01)
    space.step(lambda: space.page.mouse.dblclick(*space.place(0.5, 0.2)))
    assert space.recipe["curve"][2] == pytest.approx([0.5, 0.2], abs=0.01)
    space.check()
    space.page.screenshot(path=shots / "framespace-curve.png")
    space.step(space.page.get_by_role("button", name="Remove vertex").click)
    assert len(space.recipe["curve"]) == 4


def test_while_dragging_the_curve_is_drawn_and_nothing_is_sent(space: Space) -> None:
    revision = space.page.evaluate("() => window.studio.state.revision")
    mouse = space.page.mouse
    mouse.move(*space.vertex(1))
    mouse.down()
    mouse.move(*space.place(0.25, 0.8))
    mouse.move(*space.place(0.25, 0.81))
    wanted = SplineInterpolant([(0, 0), (0.25, 0.81), (0.75, 0.75), (1, 1)])([0.25])[0, 0]
    space.studio.wait(
        """([row, wanted]) => { const d = document.querySelector('.curve.chosen').getAttribute('d');
             const height = Number(d.slice(1).split('L')[row].split(' ')[1]);
             return Math.abs(100 - 100 * wanted - height) < 0.8; }""",
        [60, wanted],
    )
    space.page.keyboard.press("Escape")
    mouse.up()
    assert space.page.evaluate("() => window.studio.state.revision") == revision


def test_everything_by_keyboard(space: Space) -> None:
    page = space.page
    space.press(space.vertices.nth(1), "Shift+ArrowUp")
    assert space.recipe["curve"][1] == pytest.approx([0.25, 0.35])
    time = page.get_by_label("Time (0–1)")
    time.fill("0.4")
    space.press(time, "Enter")
    assert space.recipe["curve"][1] == pytest.approx([0.4, 0.35])
    space.studio.seek(2.0)
    space.press(page.get_by_role("button", name="Add vertex at playhead"), "Enter")
    assert len(space.recipe["curve"]) == 5
    before = space.recipe
    space.vertices.nth(2).focus()
    space.studio.wait_for_edit(lambda: page.keyboard.press("Delete"))
    assert len(space.recipe["curve"]) == 4
    assert page.evaluate("() => document.activeElement.className").startswith("space-vertex")
    space.truth.check_undo_and_redo(space.id, before)


def test_cycles_loops_and_straight_lines(space: Space) -> None:
    page = space.page
    cycles = page.locator("#panel-framespace").get_by_label("Cycles")
    cycles.fill("3.5")
    space.press(cycles, "Enter")
    space.step(page.get_by_label("Straight segments").click)
    space.step(page.get_by_label("Loop (end where it starts)").click)
    assert (space.recipe["cycles"], space.recipe["curve"][-1]) == (4, [1, 0])
    space.drag(0, (0.0, 0.6))
    assert space.recipe["curve"][0][1] == space.recipe["curve"][-1][1] == pytest.approx(0.6, abs=0.01)
    space.check()


def test_arms_go_their_own_way(space: Space, shots: Path) -> None:
    page = space.page
    space.step(page.get_by_label("Time the arms separately").click)
    space.step(page.get_by_label("Separate curve for the arms").click)
    page.get_by_role("button", name="Arms", exact=True).click()
    expect(page.get_by_role("button", name="Arms", exact=True)).to_have_attribute("aria-pressed", "true")
    space.drag(1, (0.25, 0.95))
    assert space.recipe["upper"][1] == pytest.approx([0.25, 0.95], abs=0.01)
    assert space.recipe["curve"][1] == [0.25, 0.25]
    space.check()
    assert find_cut_off(page) == []
    page.emulate_media(color_scheme="dark")
    page.screenshot(path=shots / "framespace-arms.png")
    page.emulate_media(color_scheme="light")


def test_four_clips_are_a_box(gaits: RunningStudio, shots: Path) -> None:
    with undo_afterwards(gaits):
        space = Space(gaits, "walk", "jog", "walk left", "walk right")
        fields = space.page.locator(".space-field")
        assert fields.count() == 2
        space.press(fields.nth(1).locator(".space-vertex").nth(1), "Shift+ArrowUp")
        assert space.recipe["curve"][1] == pytest.approx([0.25, 0.25, 0.6])
        space.check()
        assert find_cut_off(space.page) == []
        space.page.screenshot(path=shots / "framespace-box.png")


def test_captured_gaits(gaits: RunningStudio, mocap: Path, shots: Path) -> None:
    with undo_afterwards(gaits):
        space = Space(gaits, *CAPTURED_GAITS)
        space.drag(2, (0.6, 0.4))
        space.check()
        space.page.screenshot(path=shots / "framespace-captured.png")

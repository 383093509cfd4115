"""The registration panel: its map, pins and options against what the library computes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Locator, Position, expect

from motionloom.project.recipes import BlendRecipe
from motionloom.registration import RegistrationCurve, distance
from motionloom.workflows import prepare
from tests.studio.browser.conftest import CAPTURED_GAITS
from tests.studio.browser.library_checks import Truth, undo_afterwards
from tests.studio.browser.page_checks import find_cut_off
from tests.studio.browser.running_studio import RunningStudio

pytestmark = pytest.mark.browser

READOUT = re.compile(r"Pose distance of frames (\d+) and (\d+): ([\d.]+) cm")

LEFT, BOTTOM, MARGIN = 44, 34, 6
"""Pixels of the map's canvas that the grid leaves free for its axes."""


@dataclass(frozen=True)
class Registration:
    """The panel as it is open for a blend."""

    studio: RunningStudio
    truth: Truth
    blend: str

    @property
    def map(self) -> Locator:
        return self.studio.page.locator(".distance-map")

    @property
    def panel(self) -> Locator:
        return self.studio.page.locator(".registration-panel")

    @property
    def options(self) -> dict[str, Any]:
        found: dict[str, Any] = self.truth.recipe(self.blend)["registration"]
        return found

    def press(self, *keys: str) -> None:
        for key in keys:
            self.studio.page.keyboard.press(key)

    def under_cursor(self) -> tuple[list[int], float]:
        """The frames under the cursor and how far apart they are, as the page says."""
        said = READOUT.fullmatch(self.studio.page.locator("#registration-readout").inner_text())
        assert said is not None
        return [int(said[1]), int(said[2])], float(said[3]) / 100.0

    def settle(self) -> None:
        """Wait until the map is that of the present clips and options."""
        self.studio.wait("() => !document.querySelector('.registration-panel[aria-busy]')")

    def step(self, act: Callable[[], object]) -> None:
        """Change the blend, undo that and do it again; then the page shows what came of it."""
        self.truth.step(self.blend, act)
        self.settle()

    def library(self) -> tuple[RegistrationCurve, list[int]]:
        """The library's own registration of the blend, and the frames where its clips are cut."""
        document = self.truth.document()
        recipe = document.item(self.blend).recipe
        assert isinstance(recipe, BlendRecipe)
        clips = [self.truth.evaluator.evaluate(document, source).clip for source in recipe.sources]
        options = recipe.registration
        stated: dict[str, Any] = {
            name: getattr(options, name)
            for name in ("slope_limit", "window", "joint_weights")
            if getattr(options, name) is not None
        }
        prepared = prepare(clips, cut=options.cut)
        curve = prepared.register(profile=options.profile, pins=options.pins, start=options.start, **stated)
        return curve, [cut.start for cut in prepared.stride_cuts] or [0] * len(clips)

    def check(self) -> tuple[RegistrationCurve, list[int]]:
        """The page says what the library finds, at the cursor and on the whole; that is returned."""
        curve, cuts = self.library()
        settings = curve.settings
        grid = distance(
            *curve.clips[:2],
            window=settings.window,
            points=settings.points,
            joint_weights=settings.joint_weights,
        )
        (a, b), apart = self.under_cursor()
        assert apart == pytest.approx(np.sqrt(grid.values[a - cuts[0], b - cuts[1]]), abs=6e-4)
        verdict = curve.report.verdict.value
        expect(self.panel.locator(".status")).to_contain_text(verdict[0].upper() + verdict[1:])
        return curve, cuts


def opened(studio: RunningStudio, first: str, second: str) -> Registration:
    """The panel with a blend that it made of two clips."""
    studio.select(studio.items()[0]["id"])
    studio.tab("Registration")
    panel = studio.page.locator(".registration-panel")
    for label, name in (("First clip", first), ("Second clip", second)):
        panel.get_by_label(label).select_option(label=name)
    studio.wait_for_edit(panel.get_by_role("button", name="Register clips").click)
    found = Registration(studio, Truth(studio), studio.items()[-1]["id"])
    expect(studio.page.locator("#registration-readout")).to_contain_text("Pose distance")
    return found


@pytest.fixture(scope="module")
def walk_and_jog(gaits: RunningStudio) -> Iterator[Registration]:
    with undo_afterwards(gaits):
        yield opened(gaits, "walk", "jog")


@pytest.fixture
def built_in(walk_and_jog: Registration) -> Iterator[Registration]:
    """The panel for a blend of the built-in walk and jog, as it is when it was just made."""
    with undo_afterwards(walk_and_jog.studio):
        walk_and_jog.studio.select(walk_and_jog.blend)
        walk_and_jog.settle()
        yield walk_and_jog


def test_the_map_shows_the_librarys_distances(built_in: Registration, shots: Path) -> None:
    curve, _ = built_in.check()
    values = np.sqrt(distance(*curve.clips, window=curve.settings.window).values)
    picture = np.array(
        built_in.map.evaluate(
            """canvas => { const copy = document.createElement("canvas");
                 [copy.width, copy.height] = [canvas.clientWidth, canvas.clientHeight];
                 const pen = copy.getContext("2d");
                 pen.drawImage(canvas, 0, 0, copy.width, copy.height);
                 const { data } = pen.getImageData(0, 0, copy.width, copy.height);
                 return Array.from({ length: copy.height }, (_, y) =>
                   Array.from({ length: copy.width }, (_, x) => data[4 * (y * copy.width + x)])); }"""
        )
    )
    shown = picture[MARGIN : picture.shape[0] - BOTTOM, LEFT : picture.shape[1] - MARGIN][::-1]
    rows = ((np.arange(shown.shape[0]) + 0.5) / shown.shape[0] * values.shape[0]).astype(int)
    columns = ((np.arange(shown.shape[1]) + 0.5) / shown.shape[1] * values.shape[1]).astype(int)
    likeness = np.corrcoef(shown.ravel(), values[np.ix_(rows, columns)].ravel())[0, 1]
    assert abs(likeness) > 0.85  # the curve and the cursor are drawn over it
    built_in.studio.page.screenshot(path=shots / "registration.png")


def test_the_keyboard_alone_pins_and_unpins(built_in: Registration) -> None:
    built_in.map.focus()
    before, _ = built_in.under_cursor()
    built_in.press("ArrowUp", "ArrowRight", "ArrowRight")
    frames, _ = built_in.under_cursor()
    assert frames == [before[0] + 1, before[1] + 2]
    built_in.step(lambda: built_in.press("Enter"))
    assert built_in.options["pins"] == [frames]
    curve, cuts = built_in.check()
    along = curve.timewarp(np.linspace(*curve.domain, 4000)) + cuts
    assert np.abs(along - frames).max(axis=1).min() < 1.0
    built_in.map.focus()
    built_in.step(lambda: built_in.press("Delete"))
    assert built_in.options["pins"] == []


def test_a_click_pins_and_another_removes_the_pin(built_in: Registration, shots: Path) -> None:
    size = built_in.map.bounding_box()
    assert size is not None
    place: Position = {
        "x": LEFT + 0.6 * (size["width"] - LEFT),
        "y": 0.45 * (size["height"] - BOTTOM),
    }
    built_in.step(lambda: built_in.map.click(position=place))
    frames, _ = built_in.under_cursor()
    assert built_in.options["pins"] == [frames]
    row = built_in.panel.locator(".pin-list li")
    expect(row).to_have_text(f"Pin: walk {frames[0]} with jog {frames[1]}")
    built_in.studio.page.screenshot(path=shots / "registration-pinned.png")
    built_in.step(lambda: built_in.map.click(position=place))
    assert built_in.options["pins"] == []
    expect(row).to_have_count(0)


def test_the_start_is_set_and_removed(built_in: Registration) -> None:
    built_in.map.focus()
    built_in.press("Shift+ArrowDown", "Shift+ArrowLeft")
    frames, _ = built_in.under_cursor()
    built_in.step(built_in.panel.get_by_role("button", name="Start here").click)
    assert built_in.options["start"] == frames
    curve, cuts = built_in.check()
    assert (curve.spans[0] + cuts).tolist() == pytest.approx(frames)
    built_in.step(built_in.panel.get_by_role("button", name="Remove start").click)
    assert built_in.options["start"] is None


CHANGES = (
    ("Slope limit", "2", "slope_limit", 2),
    ("Window (s)", "0.15", "window", 0.15),
    ("Profile", "paper", "profile", "paper"),
    ("Clip range", "whole", "cut", "whole"),
)
"""Labels of options, what is typed or chosen, and what becomes of the recipe."""


def test_options_change_the_registration(built_in: Registration) -> None:
    for label, value, field, expected in CHANGES:
        control = built_in.panel.get_by_label(label)
        if control.evaluate("node => node.tagName") == "SELECT":
            built_in.step(partial(control.select_option, value))
        else:
            control.fill(value)
            built_in.step(partial(control.press, "Tab"))
        assert built_in.options[field] == expected
        built_in.check()


def test_a_button_keeps_the_number_that_was_typed_before(built_in: Registration) -> None:
    """Leaving the field changes an option; the button that is pressed then changes another one."""
    curve, cuts = built_in.library()
    recipe = built_in.truth.recipe(built_in.blend)
    middle = [cut + clip.n_frames // 2 for cut, clip in zip(cuts, curve.clips, strict=True)]
    pinned = {**recipe, "registration": {**recipe["registration"], "pins": [middle]}}
    built_in.studio.do({"type": "set_recipe", "item": built_in.blend, "recipe": pinned})
    built_in.settle()
    built_in.panel.get_by_label("Slope limit").fill("5")
    built_in.panel.get_by_role("button", name="Remove pin 1").hover()
    built_in.studio.wait_for_edit(built_in.studio.page.mouse.down)
    built_in.studio.wait_for_edit(built_in.studio.page.mouse.up)
    assert (built_in.options["slope_limit"], built_in.options["pins"]) == (5, [])
    built_in.settle()


def test_joints_count_as_the_sliders_say(built_in: Registration, shots: Path) -> None:
    built_in.panel.get_by_text("Joint weights").click()
    built_in.panel.get_by_label("left arm").focus()
    built_in.step(lambda: built_in.press("Home"))
    weights = built_in.options["joint_weights"]
    assert set(weights.values()) == {0}
    assert all("Left" in name for name in weights)
    built_in.check()
    built_in.studio.page.screenshot(path=shots / "registration-joints.png")
    built_in.step(built_in.panel.get_by_role("button", name="Reset all to 1").click)
    assert built_in.options["joint_weights"] is None


def test_pins_that_cannot_be_met_say_so_and_can_be_taken_back(built_in: Registration) -> None:
    curve, cuts = built_in.library()
    early_and_late = [cuts[0] + 2, cuts[1] + curve.clips[1].n_frames - 2]
    recipe = built_in.truth.recipe(built_in.blend)
    impossible = {**recipe, "registration": {**recipe["registration"], "pins": [early_and_late]}}
    built_in.studio.do({"type": "set_recipe", "item": built_in.blend, "recipe": impossible})
    built_in.settle()
    expect(built_in.panel.locator(".status.bad")).to_contain_text("slope limit")
    built_in.studio.wait_for_edit(built_in.panel.get_by_role("button", name="Remove pin 1").click)
    built_in.settle()
    expect(built_in.panel.locator(".status.good")).to_be_visible()


def test_cycles_are_shown_past_their_end(built_in: Registration) -> None:
    built_in.step(lambda: built_in.panel.get_by_label("Clip range").select_option("loops"))
    expect(built_in.panel.get_by_role("button", name="Start here")).to_be_hidden()
    built_in.map.focus()
    built_in.step(lambda: built_in.press("Enter"))
    frames, _ = built_in.under_cursor()
    assert built_in.options["pins"] == [frames]
    expect(built_in.panel.locator(".status.bad")).to_have_count(0)


def test_two_of_three_clips_are_chosen(built_in: Registration) -> None:
    studio = built_in.studio
    ids = [studio.item(name)["id"] for name in ("walk", "walk left", "walk right")]
    recipe = {**built_in.truth.recipe(built_in.blend), "sources": ids, "weights": [1, 0, 0]}
    studio.do({"type": "set_recipe", "item": built_in.blend, "recipe": recipe})
    expect(built_in.panel.get_by_role("button", name="Pin these frames")).to_be_hidden()
    built_in.panel.get_by_label("First clip").select_option(label="walk right")
    expect(built_in.map).to_have_attribute("aria-label", re.compile("distances of walk right and walk left"))
    built_in.settle()
    curve = built_in.truth.evaluator.curve(built_in.truth.document(), built_in.blend)
    grid = distance(curve.clips[2], curve.clips[1], window=curve.settings.window)
    starts = [round(clip.provenance.start) for clip in curve.clips]
    (a, b), apart = built_in.under_cursor()
    assert apart == pytest.approx(np.sqrt(grid.values[a - starts[2], b - starts[1]]), abs=6e-4)


def test_captured_clips(gaits: RunningStudio, mocap: Path, shots: Path) -> None:
    with undo_afterwards(gaits):
        captured = opened(gaits, *CAPTURED_GAITS)
        captured.check()
        captured.map.focus()
        captured.step(lambda: captured.press("Enter"))
        frames, _ = captured.under_cursor()
        assert captured.options["pins"] == [frames]
        captured.check()
        captured.panel.get_by_text("Report").click()
        captured.panel.get_by_text("Joint weights").click()
        assert find_cut_off(gaits.page) == []
        gaits.page.screenshot(path=shots / "registration-captured.png")

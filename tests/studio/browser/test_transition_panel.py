"""The transition panel: rails, methods and options against what the library computes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
from playwright.sync_api import Locator, expect

from motionloom.errors import MotionloomError
from motionloom.motion import Clip
from motionloom.project.evaluator import EvaluatedClip
from motionloom.project.recipes import TransitionRecipe
from motionloom.quality import measure
from motionloom.studio.page_words import in_page_words
from motionloom.studio.responses import TransitionMethodName
from tests.studio.browser.conftest import CAPTURED_GAITS
from tests.studio.browser.library_checks import Truth, drag, undo_afterwards
from tests.studio.browser.page_checks import find_cut_off
from tests.studio.browser.running_studio import RunningStudio

pytestmark = pytest.mark.browser

METHODS = dict(
    zip(
        get_args(TransitionMethodName),
        ("Registration", "Linear", "Inertialization", "Dead blending"),
        strict=True,
    )
)


@dataclass(frozen=True)
class Transition:
    """The panel as it is open for a transition."""

    studio: RunningStudio
    truth: Truth
    id: str

    @property
    def panel(self) -> Locator:
        return self.studio.page.locator(".transition-panel")

    @property
    def words(self) -> Locator:
        return self.panel.locator(".rails .hint")

    @property
    def recipe(self) -> dict[str, Any]:
        return self.truth.recipe(self.id)

    def slider(self, name: str) -> Locator:
        return self.panel.get_by_role("slider", name=name)

    def settle(self) -> None:
        """Wait until the methods are compared for the present recipe."""
        self.studio.wait("() => !document.querySelector('.transition-panel[aria-busy]')")

    def step(self, act: Callable[[], object]) -> None:
        """Change the transition, undo that and do it again; then the page shows what came of it."""
        self.truth.step(self.id, act)
        self.settle()

    def press(self, handle: Locator, key: str) -> None:
        """Press a key on a handle."""
        handle.focus()
        self.step(lambda: self.studio.page.keyboard.press(key))

    def drag(self, handle: Locator, pixels: float) -> None:
        """Move a handle sideways."""
        box = handle.bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        self.step(lambda: drag(self.studio, (x, y), (x + pixels, y)))

    def library(self, method: TransitionMethodName) -> tuple[EvaluatedClip, list[Clip]]:
        """What the library makes of the transition by a method, and of its clips."""
        document, evaluator = self.truth.document(), self.truth.evaluator
        item = document.item(self.id)
        assert isinstance(item.recipe, TransitionRecipe)
        recipe = replace(item.recipe, method=method)
        items = tuple(replace(item, recipe=recipe) if other is item else other for other in document.items)
        document = replace(document, items=items)
        clips = [evaluator.evaluate(document, id).clip for id in (recipe.first, recipe.second)]
        return evaluator.evaluate(document, self.id), clips

    def check(self) -> None:
        """The table has the figures that the library measures."""
        shown = self.panel.locator(".methods tbody tr").evaluate_all(
            """rows => rows.map((row) => [...row.children].map((cell) => cell.innerText))"""
        )
        assert [cells[0] for cells in shown] == list(METHODS.values())
        for method, (_, *cells) in zip(METHODS, shown, strict=True):
            try:
                expected = figures(*self.library(method))
            except MotionloomError as error:
                refusal = in_page_words(error.message)
                expected = [refusal[0].upper() + refusal[1:]]
            assert cells == expected

    def take(self, method: TransitionMethodName) -> None:
        """Take a method by its button; the viewport shows the clip that the library makes."""
        button = self.panel.get_by_role("button", name=METHODS[method])
        self.step(button.click)
        expect(button).to_have_attribute("aria-pressed", "true")
        assert self.recipe["method"] == method
        self.truth.check(self.id, self.library(method)[0].clip)


def figures(made: EvaluatedClip, clips: list[Clip]) -> list[str]:
    """What the table says of a transition."""
    taken = measure(made.clip, clips, made.seams)
    names = ("seam speed change", "seam acceleration", "seam jerk")
    seconds = float(np.ptp(made.seams)) * made.clip.frame_time
    return [
        *(f"{taken.value(name):.2f}" for name in names),
        f"{taken.value('largest slide'):.1f} cm",
        f"{seconds:.2f} s",
    ]


def opened(studio: RunningStudio, first: str, second: str) -> Transition:
    """The panel with a transition that it made of two clips."""
    studio.select(studio.items()[0]["id"])
    studio.tab("Transition")
    panel = studio.page.locator(".transition-panel")
    for label, name in (("From", first), ("To", second)):
        panel.get_by_label(label).select_option(label=name)
    studio.wait_for_edit(panel.get_by_role("button", name="Create transition").click)
    return Transition(studio, Truth(studio), studio.items()[-1]["id"])


@pytest.fixture(scope="module")
def walk_to_jog(gaits: RunningStudio) -> Iterator[Transition]:
    with undo_afterwards(gaits):
        yield opened(gaits, "walk", "jog")


@pytest.fixture
def built_in(walk_to_jog: Transition) -> Iterator[Transition]:
    """The panel for a transition from the built-in walk to the jog, as it is when it was just made."""
    with undo_afterwards(walk_to_jog.studio):
        walk_to_jog.studio.select(walk_to_jog.id)
        walk_to_jog.truth.clip(walk_to_jog.id)
        walk_to_jog.settle()
        yield walk_to_jog


def test_methods_are_compared_and_taken(built_in: Transition, shots: Path) -> None:
    built_in.check()
    built_in.studio.page.screenshot(path=shots / "transition.png")
    built_in.take("linear")
    built_in.take("inertialize")
    built_in.take("dead")


def test_the_best_place_is_found_and_played(built_in: Transition) -> None:
    made, _ = built_in.library("registration")
    found = next(note for note in made.notes if "meets" in note)
    a, b = (int(word) for word in found.split() if word.isdigit())
    expect(built_in.words).to_contain_text(f"Automatic: frame {a} meets frame {b}, lasting")
    expect(built_in.panel.get_by_role("button", name="Find best point")).to_be_disabled()
    expect(built_in.slider("Meeting frame of walk")).to_have_attribute("aria-valuenow", str(a))
    expect(built_in.slider("Meeting frame of jog")).to_have_attribute("aria-valuenow", str(b))
    built_in.panel.get_by_role("button", name="Play", exact=True).click()
    playing, time = built_in.studio.page.evaluate(
        "() => [window.studio.playback.playing, window.studio.playback.time]"
    )
    assert playing
    assert time >= max(0.0, made.seams[0] * made.clip.frame_time - 1.0) - 0.01


def test_the_keyboard_moves_the_centre_and_the_width(built_in: Transition) -> None:
    centre, other = (built_in.slider(f"Meeting frame of {name}") for name in ("walk", "jog"))
    a, b = (int(rail.get_attribute("aria-valuenow") or "") for rail in (centre, other))
    built_in.press(centre, "ArrowLeft")
    assert built_in.recipe["at"] == [a - 1, b]
    expect(built_in.words).to_contain_text("Manual")
    width = built_in.slider("Transition width on walk")
    before = float(width.get_attribute("aria-valuenow") or "")
    built_in.press(width, "ArrowLeft")
    assert built_in.recipe["half_width"] == pytest.approx(before - 0.02, abs=1e-3)
    built_in.check()
    built_in.step(built_in.panel.get_by_role("button", name="Find best point").click)
    assert (built_in.recipe["at"], built_in.recipe["half_width"]) == (None, None)
    expect(built_in.words).to_contain_text("Automatic")


def test_rails_are_dragged(built_in: Transition, shots: Path) -> None:
    centre = built_in.slider("Meeting frame of jog")
    before = int(centre.get_attribute("aria-valuenow") or "")
    rail = built_in.panel.locator(".rail-track").nth(1).bounding_box()
    assert rail is not None
    _, (walk, jog) = built_in.library("registration")
    built_in.drag(centre, -12)
    moved = before - built_in.recipe["at"][1]
    seconds = max(walk.duration, jog.duration)
    assert moved == pytest.approx(12 / rail["width"] * seconds * jog.fps, abs=1)
    width = built_in.slider("Transition width on walk")
    half = float(width.get_attribute("aria-valuenow") or "")
    built_in.drag(width, -10)
    assert built_in.recipe["half_width"] < half
    built_in.studio.page.screenshot(path=shots / "transition-dragged.png")


def test_loops_plants_and_the_order_are_options(built_in: Transition) -> None:
    for label, field in (("Loop clips that are too short", "loop"), ("Plant feet", "plant")):
        built_in.step(built_in.panel.get_by_label(label).click)
        assert built_in.recipe[field] is True
        expect(built_in.panel.get_by_label(label)).to_be_checked()
    first, second = built_in.recipe["first"], built_in.recipe["second"]
    built_in.step(built_in.panel.get_by_role("button", name="Swap clips").click)
    assert (built_in.recipe["first"], built_in.recipe["second"]) == (second, first)
    expect(built_in.panel.locator(".rail-caption").first).to_contain_text("jog")
    built_in.check()


def test_a_transition_that_does_not_fit_says_so(built_in: Transition) -> None:
    field = built_in.panel.get_by_label("Half width (s)")
    field.fill("9")
    built_in.step(lambda: field.press("Tab"))
    built_in.check()
    refusal = built_in.panel.locator(".status.bad")
    expect(refusal).to_contain_text("does not fit")
    expect(refusal).to_contain_text("use a smaller “Half width”")
    expect(built_in.panel.get_by_role("button", name="Play", exact=True)).to_be_disabled()
    built_in.studio.wait_for_edit(lambda: built_in.studio.page.evaluate("() => window.studio.undo()"))
    expect(built_in.panel.locator(".status.bad")).to_have_count(0)


def test_captured_clips(gaits: RunningStudio, mocap: Path, shots: Path) -> None:
    with undo_afterwards(gaits):
        captured = opened(gaits, *CAPTURED_GAITS)
        captured.settle()
        captured.check()
        captured.take("inertialize")
        assert find_cut_off(gaits.page) == []
        gaits.page.screenshot(path=shots / "transition-captured.png")

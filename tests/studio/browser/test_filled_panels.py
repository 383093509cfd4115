"""How the panels of part two look at 1280×720 with something in them: whole, named and readable."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from motionloom.project.plain_data import to_plain
from motionloom.project.recipes import (
    BlendRecipe,
    FramespaceRecipe,
    JointKey,
    Recipe,
    RegistrationRecipe,
    TransitionRecipe,
    WarpRecipe,
)
from tests.studio.browser.library_checks import undo_afterwards
from tests.studio.browser.page_checks import find_cut_off, find_nameless
from tests.studio.browser.running_studio import RunningStudio

pytestmark = pytest.mark.browser

MIN_CONTRAST = 4.5
"""Least contrast of text that everybody can read."""

FAINT = """(least) => {
    const pen = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    // However a colour is written: red, green, blue and opacity, each 0 to 1.
    const read = (colour) => {
        pen.clearRect(0, 0, 1, 1);
        pen.fillStyle = colour;
        pen.fillRect(0, 0, 1, 1);
        return [...pen.getImageData(0, 0, 1, 1).data].map((value) => value / 255);
    };
    const over = (top, below) => [0, 1, 2].map((n) => top[3] * top[n] + (1 - top[3]) * below[n]);
    const background = (element) => {
        if (!element) return read("white");
        const own = read(getComputedStyle(element).backgroundColor);
        return own[3] === 1 ? own : over(own, background(element.parentElement));
    };
    const luminance = (colour) => {
        const [r, g, b] = colour.map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const opacity = (element) =>
        element ? Number(getComputedStyle(element).opacity) * opacity(element.parentElement) : 1;
    const contrast = (element) => {
        const below = background(element);
        const ink = read(getComputedStyle(element).color);
        ink[3] *= opacity(element);
        const [low, high] = [luminance(over(ink, below)), luminance(below.slice(0, 3))].sort((a, b) => a - b);
        return (high + 0.05) / (low + 0.05);
    };
    const text = (element) => [...element.childNodes]
        .filter((node) => node.nodeType === Node.TEXT_NODE).map((node) => node.textContent.trim()).join("");
    // What cannot be used now may be faint.
    const off = ":disabled, :disabled *, [aria-disabled=true], .hidden-text";
    return [...document.querySelectorAll(".right *, .tour *, .left *")]
        .filter((element) => element.checkVisibility() && !element.closest(off))
        .filter((element) => text(element) || element.matches("select, input[type=number], input[type=text]"))
        .map((element) => [contrast(element), `${element.className || element.tagName}: ${text(element)}`])
        .filter(([found]) => found < least);
}"""


def faint(page: Page) -> list[Any]:
    """Texts in view that stand out too little from what is behind them, with their contrast."""
    found: list[Any] = page.evaluate(FAINT, MIN_CONTRAST)
    return found


def recipes(walk: str, jog: str) -> dict[str, tuple[str, Recipe]]:
    """A clip for every panel, by name: the panel and the recipe."""
    stated = RegistrationRecipe(pins=((40, 30),))
    keys = (
        JointKey(time=0.5, joint="Spine", kind="rotate", value=(0.3, 0.0, 0.0)),
        JointKey(time=1.0, joint="LeftHand", kind="reach", value=(0.4, 2.5, 1.0)),
    )
    curve = ((0.0, 0.0), (0.3, 0.8), (1.0, 0.2))
    pair = (walk, jog)
    return {
        "pinned blend": ("Registration", BlendRecipe(sources=pair, weights=(0.5, 0.5), registration=stated)),
        "joined": ("Transition", TransitionRecipe(first=walk, second=jog)),
        "too wide": ("Transition", TransitionRecipe(first=walk, second=jog, half_width=9.0)),
        "posed": ("Warp", WarpRecipe(source=walk, keys=keys, times=((0.5, 0.6), (1.5, 1.4)))),
        "limping": ("Warp", WarpRecipe(source=walk, preset="limp")),
        "curved": (
            "Framespace",
            FramespaceRecipe(sources=pair, curve=curve, upper=curve, cycles=4, decoupled=True),
        ),
    }


@pytest.fixture(scope="module")
def filled(gaits: RunningStudio) -> Iterator[RunningStudio]:
    """A studio with a clip for every panel, one of which cannot be made."""
    with undo_afterwards(gaits):
        for name, (_, recipe) in recipes(*(gaits.item(name)["id"] for name in ("walk", "jog"))).items():
            gaits.do({"type": "add", "name": name, "recipe": to_plain(recipe)})
        gaits.wait(
            """() => window.studio.document.items.every(({ id }) =>
                 window.studio.motion(id) || window.studio.progressOf(id).error)"""
        )
        yield gaits
        gaits.page.get_by_label("Theme").select_option("system")


@pytest.mark.parametrize(("name", "panel"), [(name, panel) for name, (panel, _) in recipes("", "").items()])
def test_a_filled_panel_is_whole_and_readable(
    filled: RunningStudio, name: str, panel: str, shots: Path
) -> None:
    page = filled.page
    filled.select(filled.item(name)["id"])
    filled.tab(panel)
    filled.wait_loaded(panel)
    for theme in ("dark", "light"):
        page.get_by_label("Theme").select_option(theme)
        filled.wait_still()
        assert find_cut_off(page) == []
        assert find_nameless(page) == []
        assert faint(page) == []
        page.screenshot(path=shots / f"filled-{name.replace(' ', '-')}-{theme}.png")


def test_the_tour_and_offers_are_readable(filled: RunningStudio) -> None:
    page = filled.page
    filled.select(filled.item("walk")["id"])
    page.keyboard.press("?")
    page.get_by_role("button", name="Start the tour").click()
    for theme in ("dark", "light"):
        page.get_by_label("Theme").select_option(theme)
        filled.wait_still()
        for panel in ("Blend", "Registration", "Transition", "Warp", "Framespace"):
            filled.tab(panel)
            filled.wait_loaded(panel)
            assert find_cut_off(page) == []
            assert find_nameless(page) == []
            assert faint(page) == []
    page.get_by_role("button", name="Close the tour").click()

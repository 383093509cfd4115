"""The shell: the list of clips, undo, theme, help, and the whole page by keyboard alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.studio.browser.page_checks import PANELS, focused
from tests.studio.browser.running_studio import RunningStudio

pytestmark = pytest.mark.browser

MAX_TAB_STOPS = 200
"""Presses of Tab that go round the page for certain."""


def names(studio: RunningStudio) -> list[str]:
    """Names of the clips in the order of the list."""
    return [item["name"] for item in studio.items()]


def test_clips_are_renamed_hidden_and_removed(built_in: RunningStudio, shots: Path) -> None:
    studio, page = built_in, built_in.page
    undo, redo = (page.get_by_role("button", name=name) for name in ("Undo", "Redo"))
    page.get_by_role("button", name="front kick", exact=True).click()
    page.keyboard.press("F2")
    page.get_by_label("New name for front kick").fill("kick it")
    studio.wait_for_edit(lambda: page.keyboard.press("Enter"))
    assert focused(page)["name"] == "kick it"
    expect(page.get_by_role("button", name="Undo: rename front kick (Ctrl+Z)")).to_be_enabled()

    item = studio.item("kick it")["id"]
    studio.wait_for_edit(lambda: page.get_by_role("button", name="Show kick it").click())
    assert studio.joints(item).shape[1:] == (3,)
    studio.wait_for_edit(lambda: page.get_by_role("button", name="Hide kick it").click())
    assert studio.joints(item).size == 0

    # A clip that others are made of stays, and the reason is told until it is dismissed.
    page.get_by_role("button", name="Remove walk", exact=True).click()
    sentence = "Walk is used by walk and jog: remove or change that clip first"
    expect(page.get_by_role("alert").get_by_text(sentence)).to_be_visible()
    page.screenshot(path=shots / "shell-refused.png")
    page.get_by_role("button", name="Dismiss").click()
    expect(page.get_by_text(sentence)).to_be_hidden()

    # The neighbour of what is removed is selected, and the keyboard goes on from there.
    before = names(studio)
    page.get_by_role("button", name="kick it", exact=True).click()
    studio.wait_for_edit(lambda: page.keyboard.press("Delete"))
    assert "kick it" not in names(studio)
    assert focused(page)["name"] == page.evaluate("window.studio.selected.name") == "walk and jog"
    expect(undo).to_have_attribute("title", "Undo: remove kick it (Ctrl+Z)")
    studio.wait_for_edit(undo.click)
    assert names(studio) == before
    expect(redo).to_have_attribute("title", "Redo: remove kick it (Ctrl+Shift+Z)")
    for _ in range(3):
        studio.wait_for_edit(lambda: page.keyboard.press("Control+z"))
    expect(page.get_by_role("button", name="Nothing to undo")).to_be_disabled()
    assert "front kick" in names(studio)


def test_a_built_in_motion_is_asked_for(built_in: RunningStudio, shots: Path) -> None:
    studio, page = built_in, built_in.page
    page.get_by_role("button", name="New", exact=True).click()
    page.get_by_role("menuitem", name="Built-in motion").click()
    dialog = page.get_by_role("dialog", name="New built-in motion")
    dialog.get_by_label("Motion").select_option("turn_left")
    assert dialog.get_by_label("Turn (degrees").get_attribute("placeholder") == "90"
    dialog.get_by_label("Turn (degrees").fill("45")
    page.screenshot(path=shots / "shell-new-motion.png")
    studio.wait_for_edit(lambda: page.keyboard.press("Enter"))
    recipe = studio.item("turn left 2")["recipe"]
    assert recipe == {"type": "motion", "motion": "turn_left", "options": {"turn": 45}}
    studio.wait_computed(studio.item("turn left 2")["id"])
    studio.wait_for_edit(lambda: page.keyboard.press("Control+z"))


def test_the_theme_is_chosen_and_remembered(built_in: RunningStudio) -> None:
    page = built_in.page
    grounds = []
    for theme in ("dark", "light"):
        page.get_by_label("Theme").select_option(theme)
        assert page.locator("html").get_attribute("data-theme") == theme
        grounds.append(page.evaluate("getComputedStyle(document.body).backgroundColor"))
    assert grounds[0] != grounds[1]
    page.reload()
    page.wait_for_selector(".clip-name")
    assert page.locator("html").get_attribute("data-theme") == "light"
    built_in.wait_all()
    page.get_by_label("Theme").select_option("system")


def test_help_tells_all_keys_and_the_panel_in_view(built_in: RunningStudio, shots: Path) -> None:
    page = built_in.page
    built_in.tab("Export")
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Help")
    assert dialog.locator("h3").first.inner_text() == "Export"
    listed = page.evaluate(
        """() => [...document.querySelectorAll(".shortcut-list dt")].map((entry) =>
            [[...entry.children].map((key) => key.textContent), entry.nextSibling.textContent])"""
    )
    wanted = page.evaluate("window.studio.shortcuts.all.map(({ keys, label }) => [keys, label])")
    assert len(wanted) > 20
    assert sorted(listed) == sorted(wanted)
    keys = [key for shortcut in wanted for key in shortcut[0]]
    assert len(keys) == len(set(keys))
    page.screenshot(path=shots / "help.png")
    page.keyboard.press("Escape")
    built_in.tab("Blend")


def test_everything_is_reached_and_done_by_keyboard(built_in: RunningStudio) -> None:
    studio, page = built_in, built_in.page
    page.reload()
    page.wait_for_selector(".clip-name")
    studio.wait_all()
    stops = []
    for _ in range(MAX_TAB_STOPS):
        page.keyboard.press("Tab")
        stops.append(focused(page))
        if not stops[-1]["part"]:
            break  # round the page once
    del stops[-1]
    assert [stop for stop in stops if not (stop["name"] and stop["shows"])] == []
    assert list(dict.fromkeys(stop["part"] for stop in stops)) == [
        *("HEADER", "left", "splitter horizontal bar-left", "centre"),
        *("splitter horizontal bar-right", "right", "splitter vertical bar-bottom", "bottom"),
    ]

    # A blend of two clips, by keys: mark both, press New, choose Blend, weigh it, and take it all back.
    for name in ("walk", "walk left"):
        page.get_by_role("checkbox", name=f"Check {name}", exact=True).focus()
        page.keyboard.press("Space")
    page.get_by_role("button", name="New", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("menuitem").first).to_be_focused()
    page.keyboard.press("ArrowDown")
    studio.wait_for_edit(lambda: page.keyboard.press("Enter"))
    item = studio.item("walk + walk left")["id"]
    studio.wait_computed(item)
    page.get_by_role("tab", name="Blend", exact=True).focus()
    for panel in PANELS[1:]:
        page.keyboard.press("ArrowRight")
        assert focused(page)["name"] == panel
        assert page.get_by_role("tabpanel", name=panel).is_visible()
    page.keyboard.press("ArrowRight")
    assert focused(page)["name"] == PANELS[0]  # round the tabs once
    page.get_by_role("slider", name="Weights: walk to walk left").focus()
    studio.wait_for_motion(item, lambda: page.keyboard.press("End"))
    assert studio.item("walk + walk left")["recipe"]["weights"] == [0, 1]
    for _ in range(2):
        studio.wait_for_edit(lambda: page.keyboard.press("Control+z"))
    assert "walk + walk left" not in names(studio)


@pytest.mark.parametrize(
    ("label", "key", "part"),
    [
        ("Width of the clip list", "ArrowRight", ".left"),
        ("Width of the panels", "ArrowLeft", ".right"),
        ("Height of the timeline", "ArrowUp", ".bottom"),
    ],
)
def test_parts_are_resized_by_keyboard(built_in: RunningStudio, label: str, key: str, part: str) -> None:
    page = built_in.page
    bar = page.get_by_role("separator", name=label)
    axis = "height" if part == ".bottom" else "width"
    before = page.locator(part).bounding_box()
    bar.press(key)
    after = page.locator(part).bounding_box()
    assert before is not None
    assert after is not None
    assert after[axis] == before[axis] + 16  # type: ignore[literal-required]
    bar.dblclick()


def test_the_token_leaves_the_address_bar_and_reloading_works(built_in: RunningStudio) -> None:
    page = built_in.page
    assert "token" not in page.url
    page.reload()
    page.wait_for_selector(".clip-name")
    assert "token" not in page.url
    stranger = page.context.browser.new_context().new_page()  # type: ignore[union-attr]
    stranger.goto(page.url)
    assert "This address is not complete" in stranger.inner_text("body")
    stranger.context.close()

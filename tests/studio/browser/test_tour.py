"""The tour, which points at controls and goes on once they were used, and the help that starts it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import FloatRect, Locator, Page, expect

from tests.studio.browser.library_checks import COUNT_REQUESTS, drag, undo_afterwards
from tests.studio.browser.page_checks import PANELS, find_cut_off, find_nameless
from tests.studio.browser.running_studio import TIMEOUT_MS, RunningStudio

pytestmark = pytest.mark.browser

TASKS = [
    *("Play a clip", "Blend two walks and export", "See how clips line up", "Fix a sliding foot"),
    *("Make a transition", "Make a limp", "Draw a framespace curve"),
]


class Tour:
    """The card, and what it says."""

    def __init__(self, studio: RunningStudio) -> None:
        self.studio, self.page = studio, studio.page
        self.card = self.page.get_by_role("dialog", name="Tour")

    @property
    def words(self) -> Locator:
        """The sentence of the step, or about the task that is done."""
        return self.card.locator("[role=status]")

    def start(self, task: str) -> None:
        """Open the tour from the help and begin a task of it."""
        self.page.get_by_role("button", name="Help", exact=True).click()
        self.page.get_by_role("dialog", name="Help").get_by_role("button", name="Start the tour").click()
        self.card.locator(".tour-task").filter(has_text=task).click()
        expect(self.card.locator("h3")).to_contain_text(task)

    def expect_step(self, number: int, words: str) -> None:
        """The step, counted from one, and how its sentence begins."""
        expect(self.words).to_contain_text(words)
        expect(self.card.locator(".tour-progress .muted")).to_contain_text(f"{number} of")
        self.expect_in_view()

    def expect_in_view(self) -> None:
        """The card is within the window and the outline about something; neither hides the other."""
        self.studio.wait_still()  # the card moves to its place
        card, frame = self.card.bounding_box(), self.page.locator(".tour-frame").bounding_box()
        assert card is not None
        assert frame is not None
        assert min(card["x"], card["y"]) >= 0
        assert card["x"] + card["width"] <= 1280
        assert card["y"] + card["height"] <= 720
        assert not overlap(card, frame)

    def expect_done(self) -> None:
        """The task is at its end, and the tour remembers."""
        expect(self.words).to_contain_text("Done. ")

    def close(self) -> None:
        """End it."""
        self.card.get_by_role("button", name="Close the tour").first.click()
        expect(self.card).to_be_hidden()


def overlap(a: FloatRect, b: FloatRect) -> bool:
    """Whether two boxes have something in common."""
    across = a["x"] < b["x"] + b["width"] and b["x"] < a["x"] + a["width"]
    return across and a["y"] < b["y"] + b["height"] and b["y"] < a["y"] + a["height"]


def middle(what: Locator) -> tuple[float, float]:
    """Where something is, pixels."""
    box = what.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def click_clip(page: Page, name: str) -> None:
    """Click a clip in the list; the panel of a blend has buttons of the same names."""
    page.locator(".clips").get_by_role("button", name=name, exact=True).click()


def mark(page: Page, name: str) -> None:
    """Tick a clip in the list."""
    page.get_by_role("checkbox", name=f"Check {name}", exact=True).check()


def choose_new(page: Page, entry: str) -> None:
    """Choose an entry of New."""
    page.get_by_role("button", name="New", exact=True).click()
    page.locator(".menu").get_by_role("menuitem").filter(has_text=entry).first.click()


@pytest.fixture(scope="module")
def counting(built_in: RunningStudio) -> RunningStudio:
    """A studio on the built-in motions whose page counts its requests."""
    built_in.page.evaluate(COUNT_REQUESTS)
    return built_in


@pytest.fixture
def tour(counting: RunningStudio) -> Iterator[Tour]:
    """The tour of a project that is afterwards as it was before."""
    found = Tour(counting)
    with undo_afterwards(counting):
        yield found
        if found.card.is_visible():
            found.close()


def test_it_is_offered_once_and_done_by_enter_alone(built_in: RunningStudio, shots: Path) -> None:
    """A fresh page shows it; pressing Enter lets the tour do every step of every task."""
    original, page = built_in.page, built_in.open_page(tour=True)
    page.evaluate("localStorage.removeItem('motionloom.tour')")
    page.reload()
    page.wait_for_selector(".clip-name")
    page.evaluate(COUNT_REQUESTS)
    built_in.page = page
    built_in.wait_all()
    with undo_afterwards(built_in):
        tour = Tour(built_in)
        expect(tour.card).to_contain_text("Each task takes about a minute")
        assert tour.card.locator(".tour-task span").all_inner_texts() == TASKS
        page.screenshot(path=shots / "tour.png")
        for task in TASKS:
            expect(tour.card.locator(".primary")).to_be_focused()
            page.keyboard.press("Enter")
            expect(tour.card.locator("h3")).to_have_text(task)
            follow(built_in, tour, shots / f"tour-{TASKS.index(task) + 1}.png")
        kinds = [item["recipe"]["type"] for item in built_in.items()[7:]]
        assert kinds == ["blend", "transition", "warp", "framespace"]
        assert tour.card.locator(".tour-task small").all_inner_texts() == ["done"] * len(TASKS)
        page.keyboard.press("Enter")
        expect(tour.card).to_be_hidden()
        page.reload()
        page.wait_for_selector(".clip-name")
        page.evaluate(COUNT_REQUESTS)
        built_in.wait_all()
        assert not tour.card.is_visible()
    page.close()
    built_in.page = original


MAX_STEPS = 40
"""Steps of a task in the tour; the longest has about ten."""


def follow(studio: RunningStudio, tour: Tour, shot: Path) -> None:
    """Let the tour do a task, one press per step; nothing that it shows is cut off or find_nameless."""
    page, steps = studio.page, 0
    while not (words := tour.words.inner_text()).startswith("Done. "):
        steps += 1
        assert steps < MAX_STEPS, f"the tour does not end; it says: {words}"
        if steps == 3:
            assert find_cut_off(page) == []
            assert find_nameless(page) == []
            page.screenshot(path=shot)
        page.keyboard.press("Enter")
        expect(tour.words).not_to_have_text(words, timeout=TIMEOUT_MS)
    assert steps >= 3


def test_marks_a_menu_a_slider_and_a_file_move_it_on(tour: Tour) -> None:
    page = tour.page
    tour.start("Blend two walks")
    tour.expect_step(1, "Check the coloured box of walk")
    mark(page, "walk")
    tour.expect_step(2, "Check walk left")
    mark(page, "walk left")
    tour.expect_step(3, "Press New and choose Blend")
    choose_new(page, "Blend")
    tour.expect_step(4, "Drag the slider")
    page.get_by_role("slider", name="Weights: walk to walk left").press("ArrowRight")
    tour.expect_step(5, "Open the Export tab")
    tour.studio.tab("Export")
    tour.expect_step(6, "Press Export")
    with page.expect_download():
        page.get_by_role("button", name="Export as BVH").click()
    tour.expect_done()


def test_planting_waits_for_the_feet(tour: Tour) -> None:
    page = tour.page
    click_clip(page, "jog")
    tour.start("Fix a sliding foot")
    tour.expect_step(1, "Click walk and jog")
    click_clip(page, "walk and jog")
    tour.studio.tab("Quality")
    tour.expect_step(3, "Press Turn planting off")
    page.get_by_role("button", name="Turn planting off").click()
    tour.expect_step(4, "Play it")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Space")
    tour.expect_step(5, "Press Plant feet")
    page.get_by_role("button", name="Plant feet").click()
    tour.expect_done()
    # Whoever works in the page keeps the focus: the space bar stops now, and starts no other task.
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Space")
    assert page.evaluate("window.studio.playback.playing") is False
    tour.expect_done()


def test_a_curve_is_drawn_and_a_handle_dragged(tour: Tour) -> None:
    page = tour.page
    tour.start("Make a transition")
    mark(page, "walk")
    mark(page, "jog")
    choose_new(page, "Transition")
    tour.expect_step(4, "Press Play here")
    page.locator(".rails .primary").click()
    tour.expect_step(5, "Drag the middle handle")
    x, y = middle(page.locator(".rails .rail-centre").first)
    drag(tour.studio, (x, y), (x - 12, y))
    tour.expect_step(6, "Press Find best point")
    page.get_by_role("button", name="Find best point").click()
    tour.expect_done()

    tour.start("Draw a framespace curve")
    mark(page, "walk")
    mark(page, "jog")
    choose_new(page, "Framespace")
    tour.expect_step(4, "Drag a round vertex")
    x, y = middle(page.locator(".space-field .space-vertex").nth(1))
    drag(tour.studio, (x, y), (x + 10, y - 30))
    tour.expect_step(5, "Play it")


def test_back_skip_and_steps_that_are_done(tour: Tour) -> None:
    page, card = tour.page, tour.card
    click_clip(page, "walk")
    tour.start("Make a limp")
    tour.expect_step(1, "Click walk")
    forward = card.locator(".buttons button").nth(1)
    expect(forward).to_have_text("Next")  # it is selected already: going on is up to the user
    expect(forward).to_be_focused()
    page.keyboard.press("Enter")
    tour.expect_step(2, "Open the Warp tab")
    card.get_by_role("button", name="Back").click()
    tour.expect_step(1, "Click walk")
    expect(forward).to_have_text("Next")
    click_clip(page, "jog")
    expect(forward).to_have_text("Do it for me")
    click_clip(page, "walk")
    tour.expect_step(2, "Open the Warp tab")
    card.get_by_role("button", name="Skip").click()
    expect(card.locator(".tour-task").first).to_be_visible()
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()


def test_the_keyboard_goes_there_and_back(tour: Tour) -> None:
    page = tour.page
    tour.start("Blend two walks")
    page.keyboard.press("g")
    box = page.get_by_role("checkbox", name="Check walk", exact=True)
    expect(box).to_be_focused()
    page.keyboard.press("Space")
    tour.expect_step(2, "Check walk left")
    expect(box).to_be_focused()
    page.keyboard.press("g")
    expect(tour.card.locator(".buttons button").nth(1)).to_be_focused()
    page.keyboard.press("g")
    expect(page.get_by_role("checkbox", name="Check walk left", exact=True)).to_be_focused()
    box.uncheck()


def test_clips_that_a_task_needs_are_added(tour: Tour) -> None:
    studio, page = tour.studio, tour.page
    for name in ("walk and jog", "jog"):
        studio.do({"type": "remove", "item": studio.item(name)["id"]})
    tour.start("Fix a sliding foot")
    expect(tour.words).to_contain_text("This task needs walk and jog, which the project does not have")
    page.keyboard.press("Enter")
    tour.expect_step(2, "Click walk and jog")
    assert {"jog", "walk and jog"} <= {item["name"] for item in studio.items()}


def test_less_motion_where_that_is_asked_for(tour: Tour) -> None:
    page = tour.page
    page.emulate_media(reduced_motion="reduce")
    tour.start("Blend two walks")
    moving = page.evaluate(
        """() => [".tour", ".tour-frame"].map((name) => getComputedStyle(document.querySelector(name)))
                   .map(({ animationName, transitionDuration }) => [animationName, transitionDuration])"""
    )
    assert moving == [["none", "0s"], ["none", "0s"]]
    page.emulate_media(reduced_motion="no-preference")


@pytest.mark.parametrize("panel", PANELS)
def test_help_explains_the_panel_in_view(built_in: RunningStudio, panel: str) -> None:
    page = built_in.page
    built_in.tab(panel)
    page.keyboard.press("F1")
    dialog = page.get_by_role("dialog", name="Help")
    assert dialog.locator("h3").first.inner_text() == panel
    text = dialog.locator("h3 + p").first.inner_text()
    assert len(text.split(". ")) in (2, 3, 4, 5)
    page.keyboard.press("Escape")


def test_help_begins_with_the_part_that_has_the_focus(built_in: RunningStudio) -> None:
    page = built_in.page
    for focus, part in (
        (page.get_by_label("Frame", exact=True), "Timeline"),
        (page.locator(".clip-name").first, "Clips"),
    ):
        focus.focus()
        page.keyboard.press("F1")  # it types nothing, so that it works in fields, too
        help_page = page.get_by_role("dialog", name="Help")
        expect(help_page.locator("h3").first).to_have_text(part)
        page.keyboard.press("Escape")
        expect(help_page).to_be_hidden()

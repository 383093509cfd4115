"""How the page looks at 1280×720: nothing cut off, everything named, readable, and nothing jumps."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.studio.browser.library_checks import COUNT_REQUESTS, undo_afterwards
from tests.studio.browser.page_checks import PANELS, find_cut_off, find_nameless
from tests.studio.browser.running_studio import RunningStudio

pytestmark = pytest.mark.browser

MIN_CONTRAST = 4.5
"""Least contrast of text that everybody can read."""

MAX_SHIFT = 0.1
"""Sum of layout shifts from which on a page is felt to jump."""

SURFACES = ["bg", "panel", "raised", "ground"]
TEXTS = ["text", "muted", "accent", "good", "warn", "bad"]
ON_COLOUR = [("on-accent", "accent"), ("on-bad", "bad")]
CHOSEN = ["chosen", "hover"]
"""What is laid over a surface where something is chosen, or under the pointer."""

SHIFTS = """() => new Promise((done) => {
    const found = [];
    const observer = new PerformanceObserver((list) => {
        for (const { hadRecentInput, value, sources } of list.getEntries()) {
            const what = sources.map(({ node }) => node?.className ?? node?.nodeName);
            if (!hadRecentInput) found.push({ value, what });
        }
    });
    observer.observe({ type: "layout-shift", buffered: true });
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => done(found))));
})"""

TOKEN = """(name) => {
    const probe = document.body.appendChild(document.createElement("i"));
    probe.style.color = `var(--${name})`;
    const colour = getComputedStyle(probe).color;
    probe.remove();
    return colour;
}"""

Colour = tuple[float, float, float, float]


def colour_of(studio: RunningStudio, token: str) -> Colour:
    """A colour of the page as red, green, blue and opacity, each 0 to 1."""
    text: str = studio.page.evaluate(TOKEN, token)
    values = [float(number) for number in re.findall(r"[\d.]+", text)]
    red, green, blue = (value / 255 for value in values[:3])
    return red, green, blue, values[3] if len(values) > 3 else 1.0


def over(top: Colour, below: Colour) -> Colour:
    """A colour that lies over another."""
    share = top[3]
    red, green, blue = (share * a + (1 - share) * b for a, b in zip(top[:3], below[:3], strict=True))
    return red, green, blue, 1.0


def contrast(a: Colour, b: Colour) -> float:
    """Contrast of two colours, 1 to 21, as WCAG defines it."""

    def luminance(colour: Colour) -> float:
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour[:3]]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted([luminance(a), luminance(b)])
    return (high + 0.05) / (low + 0.05)


def assert_whole(page: Page) -> None:
    """Nothing in view is cut off, and every control has a name."""
    assert find_cut_off(page) == []
    assert find_nameless(page) == []


def shifts(studio: RunningStudio) -> list[dict[str, object]]:
    """Everything that moved by itself since the page was opened."""
    found: list[dict[str, object]] = studio.page.evaluate(SHIFTS)
    return found


def test_nothing_jumps_while_the_page_loads(built_in: RunningStudio) -> None:
    moved = {"first": shifts(built_in)}
    for panel in ("Blend", "Quality", "Registration"):
        built_in.tab(panel)
        built_in.page.reload()
        built_in.page.wait_for_selector(".clip-name")
        built_in.wait_all()
        built_in.wait_loaded(panel)
        built_in.wait_still()
        moved[panel] = shifts(built_in)
    sums = {name: sum(float(str(shift["value"])) for shift in found) for name, found in moved.items()}
    assert max(sums.values()) < MAX_SHIFT, moved


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_text_stands_out_from_every_surface(built_in: RunningStudio, theme: str) -> None:
    built_in.page.get_by_label("Theme").select_option(theme)
    surfaces = {name: colour_of(built_in, name) for name in SURFACES}
    for layer in CHOSEN:
        surfaces[f"{layer} panel"] = over(colour_of(built_in, layer), surfaces["panel"])
    pairs = [(text, surface, surfaces[surface]) for text in TEXTS for surface in surfaces]
    pairs += [(text, below, colour_of(built_in, below)) for text, below in ON_COLOUR]
    weak = {
        f"{text} on {surface}": round(found, 2)
        for text, surface, below in pairs
        if (found := contrast(colour_of(built_in, text), below)) < MIN_CONTRAST
    }
    assert weak == {}


@pytest.mark.parametrize("panel", PANELS)
def test_nothing_is_cut_off_or_nameless(built_in: RunningStudio, panel: str, shots: Path) -> None:
    studio, page = built_in, built_in.page
    studio.tab(panel)
    for name in ("walk and jog", "walk"):
        studio.select(studio.item(name)["id"])
        studio.wait_loaded(panel)
        for theme in ("dark", "light"):
            page.get_by_label("Theme").select_option(theme)
            page.screenshot(path=shots / f"panel-{panel.lower()}-{name.replace(' ', '-')}-{theme}.png")
        assert_whole(page)


def test_what_lies_in_front_is_whole_too(built_in: RunningStudio) -> None:
    page = built_in.page
    page.keyboard.press("?")
    page.get_by_role("dialog", name="Help").wait_for()
    assert_whole(page)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="New", exact=True).click()
    page.get_by_role("menuitem", name="Built-in motion").wait_for()
    assert_whole(page)
    page.get_by_role("menuitem", name="Built-in motion").click()
    page.get_by_role("dialog", name="New built-in motion").wait_for()
    assert_whole(page)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Marks", exact=True).click()
    page.get_by_text("Add at the playhead").click()
    assert_whole(page)
    page.get_by_role("button", name="Marks", exact=True).click()


def test_a_page_that_is_made_narrower_keeps_its_words(built_in: RunningStudio) -> None:
    page = built_in.page
    for name, key in (("Width of the panels", "ArrowRight"), ("Width of the clip list", "ArrowLeft")):
        for _ in range(6):
            page.get_by_role("separator", name=name).press(key)
    for panel in PANELS:
        built_in.tab(panel)
        built_in.wait_loaded(panel)
        assert_whole(page)


def test_names_of_clips_may_be_long(built_in: RunningStudio, shots: Path) -> None:
    built_in.page.evaluate(COUNT_REQUESTS)
    with undo_afterwards(built_in):
        ids = [built_in.item(name)["id"] for name in ("walk and jog", "walk", "jog")]
        for n, item in enumerate(ids):
            built_in.do({"type": "rename", "item": item, "name": f"{n}_" + 59 * "wm"})
        cut_off = {}
        for panel in PANELS:
            built_in.tab(panel)
            for item in ids[:2]:
                built_in.select(item)
                built_in.wait_loaded(panel)
                built_in.page.screenshot(path=shots / f"long-names-{panel.lower()}-{item}.png")
                cut_off[panel, item] = find_cut_off(built_in.page)
        assert {place: found for place, found in cut_off.items() if found} == {}


def test_a_busy_panel_shows_it_and_nothing_moves(built_in: RunningStudio) -> None:
    for panel in ("Quality", "Registration", "Transition", "Warp", "Framespace"):
        built_in.tab(panel)
        built_in.wait_loaded(panel)
        built_in.wait_still()
        box = built_in.page.locator(f"#panel-{panel.lower()} .panel-body")
        before = box.locator("> *").first.bounding_box()
        assert box.evaluate("box => getComputedStyle(box, '::before').height") == "auto"
        box.evaluate("box => box.setAttribute('aria-busy', 'true')")
        assert box.evaluate("box => getComputedStyle(box, '::before').height") == "2px"
        assert box.locator("> *").first.bounding_box() == before
        box.evaluate("box => box.removeAttribute('aria-busy')")

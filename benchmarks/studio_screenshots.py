"""Pictures of the studio to judge by eye: seven situations in three sizes, dark and light.

Run with `python -m benchmarks.studio_screenshots FOLDER [situation …]` where Chromium, Playwright and the
captured clips are at hand and the page is built (`make studio`). Files are named after situation, width and
theme.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from playwright.sync_api import Browser, Page

from benchmarks.chromium import open_chromium
from benchmarks.corpus import MOCAP, need_corpus
from benchmarks.studio_page import close
from motionloom.project.document import Document
from motionloom.project.edits import AddItem, ShowItem
from motionloom.project.folder import ProjectFolder
from motionloom.project.recipes import CopyRecipe, MotionRecipe
from tests.studio.browser.running_studio import RunningStudio

SIZES = ((1280, 720), (1440, 900), (1920, 1080))
THEMES = ("dark", "light")
SETTLE_MS = 1500
"""Milliseconds in which detail adapts to a new size; nothing else is waited for."""

N_CLIPS = 50
LONG_NAME = "take_{:02d}_walk_straight_subject16_cleaned_final_version"


def main() -> None:
    need_corpus()
    if len(sys.argv) < 2:
        raise SystemExit("name a folder for the pictures")
    folder, wanted = Path(sys.argv[1]), sys.argv[2:]
    folder.mkdir(parents=True, exist_ok=True)
    with open_chromium() as (browser, place):
        for name, open_situation in SITUATIONS.items():
            if wanted and name not in wanted:
                continue
            for studio, page in open_situation(browser, place / name):
                take_pictures(page, folder, name)
                close(studio)


def take_pictures(page: Page, folder: Path, name: str) -> None:
    """Take six pictures of a page as it is."""
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        for theme in THEMES:
            page.get_by_label("Theme").select_option(theme, force=True)
            page.wait_for_timeout(SETTLE_MS)
            page.screenshot(path=folder / f"{name}-{width}-{theme}.png")
            print(f"{name}-{width}-{theme}.png", flush=True)


Situation = Iterator[tuple[RunningStudio, Page]]


def first_start(browser: Browser, place: Path) -> Situation:
    """The built-in project, with the offer of the tour."""
    studio = RunningStudio(browser, [], place)
    studio.page.evaluate("localStorage.clear()")
    studio.page = studio.open_page(tour=True)
    studio.wait_all()
    yield studio, studio.page


def open_character(browser: Browser, place: Path) -> RunningStudio:
    """Open the built-in project with the mannequin of the captured motion on stage."""
    studio = RunningStudio(browser, [], place)
    studio.wait_all()
    studio.drop(sorted((MOCAP / "game" / "character").iterdir()))
    studio.wait("window.studio.document.characters.length > 0")
    blend = studio.item("walk and jog")["id"]
    studio.select(blend)
    studio.wait("id => window.viewport.figures.of(id).look.startsWith('character')", blend)
    return studio


def playing(browser: Browser, place: Path) -> Situation:
    """A character that plays a blend."""
    studio = open_character(browser, place)
    studio.tab("Blend")
    studio.page.evaluate("window.studio.playback.play()")
    yield studio, studio.page


def joint_map(browser: Browser, place: Path) -> Situation:
    """The joint map of a character."""
    studio = open_character(browser, place)
    studio.page.get_by_role("button", name="Joint map").click()
    studio.page.get_by_role("button", name="hand.l of the character").or_(
        studio.page.locator("[data-joint^=Character]").nth(5)
    ).first.click()
    yield studio, studio.page


def isolate(browser: Browser, place: Path) -> Situation:
    """One clip alone, the others hidden."""
    studio = open_character(browser, place)
    studio.seek(0.6)
    studio.page.keyboard.press("Shift+A")
    yield studio, studio.page


def steering(browser: Browser, place: Path) -> Situation:
    """Four gaits that are steered on the character."""
    studio = open_character(browser, place)
    names = ("walk", "jog", "walk left", "walk right")
    motions = [name.replace(" ", "_") for name in names]
    for motion in motions:
        recipe = {"type": "motion", "motion": motion, "options": {"fps": 30, "duration": 4}}
        studio.do({"type": "add", "name": f"steered {motion}", "recipe": recipe})
    sources = [studio.item(f"steered {motion}")["id"] for motion in motions]
    blend = {"type": "blend", "sources": sources, "weights": [0.25] * 4, "registration": {"cut": "loops"}}
    studio.do({"type": "add", "name": "four gaits", "recipe": blend})
    studio.wait_computed(studio.item("four gaits")["id"])
    studio.tab("Blend")
    studio.page.get_by_role("button", name="Steer live").click()
    studio.wait("window.studio.live.roundTrips.length > 3")
    studio.page.keyboard.down("a")
    studio.wait("window.studio.live.course !== null")
    yield studio, studio.page


def export(browser: Browser, place: Path) -> Situation:
    """The export panel, with a character chosen."""
    studio = open_character(browser, place)
    studio.tab("Export")
    studio.page.get_by_label("GLB").check()
    yield studio, studio.page


def work_list(browser: Browser, place: Path) -> Situation:
    """Fifty clips, most of them with long names."""
    short: dict[str, float | str] = {"fps": 30.0, "duration": 1.0}
    document = AddItem(name="walk", recipe=MotionRecipe(motion="walk", options=short)).apply(Document())
    for n in range(N_CLIPS - 1):
        name = LONG_NAME.format(n) if n % 3 else f"take {n}"
        document = AddItem(name=name, recipe=CopyRecipe(source="c1")).apply(document)
    for item in document.items[1:]:
        document = ShowItem(item=item.id, visible=False).apply(document)
    ProjectFolder(place).save(document)
    studio = RunningStudio(browser, [], place)
    studio.wait_all()
    for name in ("take 3", "take 6"):
        studio.page.get_by_role("checkbox", name=f"Check {name}", exact=True).check()
    yield studio, studio.page


SITUATIONS: dict[str, Callable[[Browser, Path], Situation]] = {
    "first-start": first_start,
    "playing": playing,
    "joint-map": joint_map,
    "isolate": isolate,
    "steering": steering,
    "export": export,
    "work-list": work_list,
}


if __name__ == "__main__":
    main()

"""The pictures of docs/studio.md: the studio's panels with built-in motions, in the light theme.

Run with `python -m benchmarks.studio_manual FOLDER [picture …]` where Chromium, Playwright and the captured
clips are at hand (for the character) and the page is built (`make studio`); `docs/images` is the folder of
the documentation.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Browser

from benchmarks.chromium import open_chromium
from benchmarks.corpus import need_corpus
from benchmarks.studio_page import close
from benchmarks.studio_screenshots import SETTLE_MS, open_character
from tests.studio.browser.running_studio import RunningStudio

N_COLOURS = 256
FULL_DETAIL = """() => {
    const { detail } = window.viewport;
    detail.record = detail.guess = () => {};
    detail.level = 1;
    detail.changed.emit();
}"""
"""Draws as on a machine with a graphics card, however long that takes."""
MOMENT = 0.6
"""Seconds at which figures are in the middle of a stride."""


def main() -> None:
    need_corpus()
    if len(sys.argv) < 2:
        raise SystemExit("name a folder for the pictures, such as docs/images")
    folder, wanted = Path(sys.argv[1]), sys.argv[2:]
    folder.mkdir(parents=True, exist_ok=True)
    with open_chromium() as (browser, place):
        for name, open_panel in PICTURES.items():
            if wanted and name not in wanted:
                continue
            studio = open_panel(browser, place / name / "Walks")
            take_picture(studio, folder / f"{name}.png")
            close(studio)
            print(f"{name}.png", flush=True)


def take_picture(studio: RunningStudio, path: Path) -> None:
    """Save a picture of the page as it is, with at most 256 colours."""
    for toast in studio.page.locator(".toast button").all():
        toast.click()
    studio.page.evaluate(FULL_DETAIL)
    studio.page.wait_for_timeout(SETTLE_MS)
    picture = Image.open(io.BytesIO(studio.page.screenshot())).convert("RGB")
    # Maximum coverage keeps the small patches of colour that tell clips apart.
    few = picture.quantize(N_COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=3, dither=Image.Dither.NONE)
    few.save(path, optimize=True)


def open_built_in(browser: Browser, place: Path) -> RunningStudio:
    """Open the built-in project in the light theme."""
    studio = RunningStudio(browser, [], place)
    studio.page.get_by_label("Theme").select_option("light")
    studio.wait_all()
    return studio


def add(studio: RunningStudio, name: str, recipe: dict[str, Any]) -> None:
    """Add a clip and wait until it is made."""
    studio.do({"type": "add", "name": name, "recipe": recipe})
    studio.wait_computed(studio.item(name)["id"])


def ids(studio: RunningStudio, *names: str) -> list[str]:
    """The ids of clips."""
    return [studio.item(name)["id"] for name in names]


def open_blend_on_character(browser: Browser, place: Path) -> RunningStudio:
    """A blend of a walk and a jog on a character."""
    studio = open_character(browser, place)
    studio.page.get_by_label("Theme").select_option("light")
    studio.tab("Blend")
    studio.seek(MOMENT)
    return studio


def open_bad_files(browser: Browser, place: Path) -> RunningStudio:
    """Two files that were not added, with the reasons."""
    studio = open_built_in(browser, place)
    files = [place.parent / "notes.txt", place.parent / "broken.bvh"]
    for file in files:
        file.write_text("Take two was the best.\n")
    studio.drop(files)
    studio.page.get_by_role("dialog").get_by_text("could not be added").wait_for()
    studio.errors.clear()  # refused requests are logged
    return studio


def open_timeline(browser: Browser, place: Path) -> RunningStudio:
    """A trimmed clip with plants, events and the list of marks."""
    studio = open_built_in(browser, place)
    (walk,) = ids(studio, "walk")
    studio.select(walk)
    studio.do({"type": "set_edit", "item": walk, "edit": {"trim": [20, 200]}})
    studio.wait_all()
    studio.tab("Quality")
    studio.page.get_by_role("button", name="Marks", exact=True).click()
    studio.seek(MOMENT)
    return studio


def open_steering(browser: Browser, place: Path) -> RunningStudio:
    """A blend of four clips, steered on a character."""
    studio = open_blend_on_character(browser, place)
    sources = ids(studio, "walk", "jog", "walk left", "walk right")
    add(studio, "steered", {"type": "blend", "sources": sources, "weights": [0.25] * 4})
    for button in ("Steer live", "Record"):
        studio.page.get_by_role("button", name=button, exact=True).click()
    studio.wait("window.studio.live.roundTrips.length > 3")
    studio.page.keyboard.down("w")
    studio.wait("window.studio.live.course !== null")
    return studio


def open_registration(browser: Browser, place: Path) -> RunningStudio:
    """The distance map of two clips."""
    studio = open_built_in(browser, place)
    studio.tab("Registration")
    studio.wait_loaded("registration")
    studio.seek(MOMENT)
    return studio


def open_transition(browser: Browser, place: Path) -> RunningStudio:
    """Two rails and four methods."""
    studio = open_built_in(browser, place)
    walk, jog = ids(studio, "walk", "jog")
    add(studio, "walk to jog", {"type": "transition", "first": walk, "second": jog})
    studio.tab("Transition")
    studio.wait_loaded("transition")
    studio.seek(1.0)
    return studio


def open_warp(browser: Browser, place: Path) -> RunningStudio:
    """A walk over a block, from a preset."""
    studio = open_built_in(browser, place)
    add(studio, "over a block", {"type": "warp", "source": studio.item("walk")["id"], "preset": "block"})
    studio.page.get_by_label("Other clips").select_option("hidden")
    studio.tab("Warp")
    studio.wait_loaded("warp")
    studio.seek(2.0)
    return studio


def open_framespace(browser: Browser, place: Path) -> RunningStudio:
    """A curve through the space of a walk and a jog."""
    studio = open_built_in(browser, place)
    curve = [[0.0, 0.0], [0.25, 0.9], [0.75, 0.9], [1.0, 0.0]]
    recipe = {"type": "framespace", "sources": ids(studio, "walk", "jog"), "curve": curve}
    add(studio, "walk-jog space", recipe)
    studio.tab("Framespace")
    studio.wait_loaded("framespace")
    studio.seek(2.0)
    return studio


def open_quality(browser: Browser, place: Path) -> RunningStudio:
    """Measures before and after planting."""
    studio = open_built_in(browser, place)
    studio.tab("Quality")
    studio.wait_loaded("quality")
    studio.seek(MOMENT)
    return studio


def open_export(browser: Browser, place: Path) -> RunningStudio:
    """Export and scripts, of a clip on a character."""
    studio = open_blend_on_character(browser, place)
    studio.tab("Export")
    studio.page.get_by_label("GLB").check()
    return studio


PICTURES: dict[str, Callable[[Browser, Path], RunningStudio]] = {
    "studio": open_blend_on_character,
    "studio-files": open_bad_files,
    "studio-timeline": open_timeline,
    "studio-blend": open_steering,
    "studio-registration": open_registration,
    "studio-transition": open_transition,
    "studio-warp": open_warp,
    "studio-framespace": open_framespace,
    "studio-quality": open_quality,
    "studio-export": open_export,
}


if __name__ == "__main__":
    main()

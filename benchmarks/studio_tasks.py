"""Nine tasks in the studio as a new user does them, by mouse and then by keyboard alone: presses and seconds.

Run with `python -m benchmarks.studio_tasks` where Chromium, Playwright and the captured clips are at hand and
the page is built (`make studio`). Nothing but what the page shows is used: names of buttons, tabs and menu
entries. Seconds are those of the machine, without thinking; ten of steering are waited for.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from playwright.sync_api import Browser

import motionloom as ml
from benchmarks.chromium import open_chromium
from benchmarks.corpus import MOCAP, need_corpus
from benchmarks.studio_page import close
from tests.studio.browser.page_checks import PANELS, focused
from tests.studio.browser.running_studio import RunningStudio

STRAIGHT, LEFT, BRISK = "walk_straight_16_15", "walk_left_16_11", "brisk_straight_16_21"
GLITCH = "glitch"
FPS = 30.0
STEER_SECONDS = 10.0
MAX_TAB_STOPS = 100
MAX_PARTS = 5
CHARACTER = MOCAP / "game" / "character"


class Mouse:
    """Somebody with a mouse; every click counts."""

    name = "mouse"

    def __init__(self, studio: RunningStudio) -> None:
        self.studio, self.page, self.count = studio, studio.page, 0

    def press(self, name: str) -> None:
        """Press a button."""
        self.count += 1
        self.page.get_by_role("button", name=name, exact=True).click()

    def press_before(self, name: str) -> None:
        """Press the button before the one that was pressed last."""
        self.press(name)

    def select(self, clip: str) -> None:
        """Select a clip of the list."""
        self.press(clip)

    def check(self, *clips: str) -> None:
        """Check clips of the list."""
        for clip in clips:
            self.count += 1
            self.page.get_by_role("checkbox", name=f"Check {clip}", exact=True).click()

    def choose_new(self, entry: str) -> None:
        """Choose an entry of the New menu."""
        self.press("New")
        self.count += 1
        self.page.get_by_role("menuitem").filter(has_text=entry).first.click()

    def open(self, panel: str) -> None:
        """Open a panel."""
        self.count += 1
        self.page.get_by_role("tab", name=panel, exact=True).click()

    def mark(self, name: str) -> None:
        """Choose a format."""
        self.count += 1
        self.page.get_by_label(name).check()

    def import_files(self, paths: list[Path]) -> None:
        """Drop files onto the page."""
        self.count += 1
        self.studio.drop(paths)

    def confirm(self, name: str) -> None:
        """Press a button of a dialog."""
        self.press(name)


class Keyboard(Mouse):
    """Somebody without a mouse; every key counts."""

    name = "keyboard"

    def key(self, *keys: str) -> None:
        """Press keys one after another."""
        for key in keys:
            self.count += 1
            self.page.keyboard.press(key)

    def reach(self, name: str, *, exact: bool = True, part: str = "") -> None:
        """Press Tab until something of this name has the focus."""
        for _ in range(MAX_TAB_STOPS):
            found = focused(self.page)
            if (found["name"] == name if exact else found["name"].startswith(name)) and part in found["part"]:
                return
            self.key("Tab")
        raise SystemExit(f"Tab does not lead to {name}")

    def go(self, part: str) -> None:
        """Press F6 until a part of the page has the focus."""
        for _ in range(MAX_PARTS):
            if focused(self.page)["part"] == part:
                return
            self.key("F6")

    def press(self, name: str) -> None:
        if not self.page.locator("dialog[open]").count():
            self.go("right")
        self.reach(name, exact=False)
        self.key("Enter")

    def press_before(self, name: str) -> None:
        self.key("Shift+Tab")
        self.press(name)

    def select(self, clip: str) -> None:
        self.go("left")
        self.walk_to(clip)

    def check(self, *clips: str) -> None:
        for clip in clips:
            self.select(clip)
            self.key("Shift+Tab", "Space", "Tab")

    def walk_to(self, clip: str) -> None:
        """Go up or down the list, which selects the clips on the way."""
        if self.page.evaluate("window.studio.selected.name") == clip:
            return
        while not self.page.evaluate("document.activeElement.matches('.clip-name')"):
            self.key("Tab")
        shown = self.page.locator(".clip-name").all_inner_texts()
        names = [text.split("\n")[0] for text in shown]
        steps = names.index(clip) - names.index(focused(self.page)["name"].split("\n")[0])
        self.key(*["ArrowDown" if steps > 0 else "ArrowUp"] * abs(steps))

    def choose_new(self, entry: str) -> None:
        self.key("n")
        for _ in range(MAX_TAB_STOPS):
            if focused(self.page)["name"].startswith(entry):
                break
            self.key("ArrowDown")
        self.key("Enter")

    def open(self, panel: str) -> None:
        self.go("right")
        for _ in range(MAX_PARTS):
            if focused(self.page)["name"] in PANELS:
                break
            self.key("F6")  # round the page, to its tabs
            self.go("right")
        steps = PANELS.index(panel) - PANELS.index(focused(self.page)["name"])
        self.key(*["ArrowRight" if steps > 0 else "ArrowLeft"] * abs(steps))

    def mark(self, name: str) -> None:
        # One of a group of choices has the focus, and the arrow keys go to the others.
        for _ in range(MAX_TAB_STOPS):
            self.key("Tab")
            if self.page.evaluate("document.activeElement.matches('.right input[type=radio]')"):
                break
        while not self.page.get_by_label(name).is_checked():
            self.key("ArrowRight")

    def import_files(self, paths: list[Path]) -> None:
        with self.page.expect_file_chooser() as asked:
            self.key("i")
        asked.value.set_files(paths)


Task = Callable[[Mouse], None]


def made(user: Mouse, kind: str) -> dict[str, Any]:
    """Wait until the clip that a task makes is selected and computed."""
    user.studio.wait("kind => window.studio.selected.recipe.type === kind", kind)
    item = user.page.evaluate("window.studio.selected")
    user.studio.wait_computed(item["id"])
    found: dict[str, Any] = item
    return found


def blend(user: Mouse) -> None:
    user.check(STRAIGHT, LEFT)
    user.choose_new("Blend")
    made(user, "blend")


def loop(user: Mouse) -> None:
    user.select(BRISK)
    user.choose_new("Loop")
    made(user, "loop")


def steer(user: Mouse) -> None:
    user.select(f"{STRAIGHT} + {LEFT}")
    user.open("Blend")
    user.press("Steer live")
    user.studio.wait("window.studio.live.roundTrips.length > 2")
    user.press("Record")
    start = user.page.evaluate("parseFloat(document.querySelector('.live-state').value)")
    user.page.keyboard.down("w")
    user.studio.wait(
        "end => parseFloat(document.querySelector('.live-state').value) > end", start + STEER_SECONDS
    )
    user.page.keyboard.up("w")
    user.press("Stop recording")
    user.press_before("Stop steering")
    user.studio.wait("(window.studio.selected.recipe.duration ?? 0) > 9")
    item = made(user, "blend")["id"]
    user.studio.wait("id => window.studio.motion(id).duration > 9", item)


def join(user: Mouse) -> None:
    user.check(STRAIGHT, LEFT, BRISK)
    user.choose_new("Sequence")
    made(user, "sequence")


def limp(user: Mouse) -> None:
    user.select(STRAIGHT)
    user.choose_new("Warp")
    made(user, "warp")
    user.studio.wait("document.querySelector('.warp-preset') !== null")  # pictures of presets
    user.press("limp")
    user.studio.wait("window.studio.selected.recipe.preset === 'limp'")
    made(user, "warp")


def step_over(user: Mouse) -> None:
    user.select(STRAIGHT)
    user.choose_new("Warp")
    made(user, "warp")
    user.press("block")
    user.studio.wait("window.studio.selected.recipe.preset === 'block'")
    made(user, "warp")
    user.studio.wait("window.viewport.objects.group.children.length > 0")


def clean(user: Mouse) -> None:
    user.select(GLITCH)
    user.choose_new("Clean up")
    made(user, "copy")


def retarget(user: Mouse) -> None:
    user.import_files(sorted(CHARACTER.iterdir()))
    user.studio.wait("window.studio.document.characters.length > 0")
    user.select(STRAIGHT)
    user.choose_new("Retarget")
    user.confirm("Add")
    made(user, "retarget")


def export(user: Mouse) -> None:
    user.open("Export")
    user.mark("GLB")
    with user.page.expect_download() as download:
        user.press("Export as GLB")
    with tempfile.TemporaryDirectory() as place:
        download.value.save_as(Path(place) / "exported.glb")
        assert ml.load_skinned_mesh(Path(place) / "exported.glb").n_vertices > 1000


TASKS: dict[str, Task] = {
    "blend two walks": blend,
    "loop a take": loop,
    "steer and record ten seconds": steer,
    "join three clips": join,
    "make a limp": limp,
    "step over a block": step_over,
    "clean a glitch": clean,
    "retarget to the dropped character": retarget,
    "export GLB on it": export,
}


def main() -> None:
    need_corpus()
    with open_chromium() as (browser, place):
        for kind in (Mouse, Keyboard):
            if len(sys.argv) < 2 or kind.name in sys.argv[1:]:
                run(browser, place, kind)


def run(browser: Browser, place: Path, kind: type[Mouse]) -> None:
    """Do all tasks one after the other, and print a row for each."""
    files = []
    for name in (STRAIGHT, LEFT, BRISK):
        clip = ml.load(MOCAP / "locomotion" / "s16" / f"{name}.bvh").resampled(FPS)
        files.append(ml.save(clip, place / f"{name}.bvh", overwrite=True))
    rotations = clip.rotations.copy()
    arm = clip.skeleton.n_joints // 2
    rotations[40, arm] = np.array([0.0, 1.0, 0.0, 0.0])
    files.append(
        ml.save(
            ml.Clip(clip.skeleton, clip.frame_time, clip.root_positions, rotations),
            place / f"{GLITCH}.bvh",
            overwrite=True,
        )
    )
    studio = RunningStudio(browser, files, place / kind.name)
    studio.wait_all()
    user = kind(studio)
    for name, task in TASKS.items():
        user.count, start = 0, time.perf_counter()
        task(user)
        seconds = time.perf_counter() - start
        presses = "clicks" if kind is Mouse else "keys"
        print(f"{kind.name:<9} {name:<36} {user.count:4} {presses:<6} {seconds:6.1f} s", flush=True)
        # Checks of the task before would be in the way of the next.
        studio.page.evaluate("window.studio.checked.replace([])")
    close(studio)


if __name__ == "__main__":
    main()

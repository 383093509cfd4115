"""Tasks as a new user does them, by clicks on captured clips, against what the library makes of the same."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, expect

import motionloom as ml
from motionloom.files import save
from motionloom.framespace import Framespace, SplineInterpolant
from motionloom.motion import Clip
from motionloom.project.plain_data import to_plain
from motionloom.project.recipes import (
    BlendRecipe,
    EnforceRecipe,
    FramespaceRecipe,
    Recipe,
    TransitionRecipe,
    WarpRecipe,
)
from motionloom.warping import apply_preset
from motionloom.workflows import ensure_annotated
from tests.project.script_runs import run_calls, run_python
from tests.studio.browser.exports import choose, copied, press_export
from tests.studio.browser.library_checks import COUNT_REQUESTS, MAX_UNDONE, drag, undo_afterwards
from tests.studio.browser.running_studio import OpenStudio, RunningStudio

pytestmark = pytest.mark.browser

MAX_CLICKS = 12
"""Clicks of a task that takes less than a minute, at five seconds each to find the next control."""

STRAIGHT, LEFT = "walk_straight_16_15", "walk_left_16_11"
BRISK, JOG = "brisk_straight_16_21", "jog_straight_16_35"


class Task:
    """Somebody who does a task in the page; every press of the mouse is counted."""

    def __init__(self, studio: RunningStudio, name: str, shots: Path) -> None:
        self.studio, self.page, self.name, self.shots = studio, studio.page, name, shots
        self.clicks = 0
        self.before = studio.items()
        self.begun = time.monotonic()

    def click(self, what: Locator) -> None:
        """Click something."""
        self.clicks += 1
        what.click()

    def press(self, name: str) -> None:
        """Press the button of this name."""
        self.click(self.page.get_by_role("button", name=name, exact=True))

    def tab(self, title: str) -> None:
        """Open a panel."""
        self.click(self.page.get_by_role("tab", name=title, exact=True))

    def mark(self, *names: str) -> None:
        """Tick clips in the list."""
        for name in names:
            self.click(self.page.get_by_role("checkbox", name=f"Check {name}", exact=True))

    def choose_new(self, entry: str) -> None:
        """Press New and choose an entry of its menu."""
        self.press("New")
        self.click(self.page.locator(".menu").get_by_role("menuitem").filter(has_text=entry).first)

    def made(self, kind: str) -> str:
        """Wait until the clip that the task makes is selected and there; its id."""
        self.studio.wait("kind => window.studio.selected.recipe.type === kind", kind)
        item: str = self.page.evaluate("window.studio.selected.id")
        self.studio.wait_computed(item)
        return item

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Drag something; it counts as a click."""
        self.clicks += 1
        drag(self.studio, start, end)

    def export(self) -> bytes:
        """Write the selected clip to a BVH file; its content."""
        self.tab("Export")
        self.clicks += 1
        self.page.get_by_role("button", name="Export as BVH").wait_for()
        return press_export(self.page, "bvh")[1]

    def finish(self) -> None:
        """Note how long it took, and take everything back and do it again, edit by edit."""
        seconds = time.monotonic() - self.begun
        self.page.screenshot(path=self.shots / f"task-{self.name}.png")
        with (self.shots / "tasks.txt").open("a") as notes:
            notes.write(f"{self.name:12} {self.clicks:3} clicks {seconds:5.1f} s without thinking\n")
        assert self.clicks <= MAX_CLICKS
        documents = [self.studio.items()]
        while documents[-1] != self.before and len(documents) <= MAX_UNDONE:
            self.studio.wait_for_edit(lambda: self.page.keyboard.press("Control+z"))
            documents.append(self.studio.items())
        assert documents[-1] == self.before, f"{MAX_UNDONE} undo steps do not lead back to where it began"
        for document in documents[-2::-1]:
            self.studio.wait_for_edit(lambda: self.page.keyboard.press("Control+Shift+Z"))
            assert self.studio.items() == document
        self.studio.wait_all()


Begin = Callable[[str], Task]


def list_files(mocap: Path, *names: str) -> list[Path]:
    """The files of captured clips."""
    return [mocap / "locomotion" / "s16" / f"{name}.bvh" for name in names]


@pytest.fixture(scope="module")
def captured_clips(
    browser: Browser, built_page: None, mocap: Path, shots: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RunningStudio]:
    """A studio on four captured clips."""
    (shots / "tasks.txt").unlink(missing_ok=True)
    files = list_files(mocap, BRISK, JOG, STRAIGHT, LEFT)
    running = RunningStudio(browser, files, tmp_path_factory.mktemp("tasks") / "project")
    running.page.evaluate(COUNT_REQUESTS)
    running.wait_all()
    yield running
    assert running.close() == []


@pytest.fixture
def studio(captured_clips: RunningStudio) -> Iterator[RunningStudio]:
    """The same, whose project is afterwards as it was before."""
    with undo_afterwards(captured_clips):
        captured_clips.page.evaluate("window.studio.checked.replace([])")
        yield captured_clips


@pytest.fixture
def begin(studio: RunningStudio, shots: Path) -> Begin:
    """Begin a task."""
    return lambda name: Task(studio, name, shots)


def captured(mocap: Path, name: str) -> Clip:
    """A captured clip with the plants that the studio finds in it."""
    return ensure_annotated(ml.load(list_files(mocap, name)[0]))


def written(clip: Clip, folder: Path) -> bytes:
    """A clip as a BVH file."""
    return save(clip, folder / "library.bvh").read_bytes()


def test_load_two_walks_blend_and_export(
    open_studio: OpenStudio, mocap: Path, shots: Path, tmp_path: Path
) -> None:
    studio = open_studio(*list_files(mocap, BRISK, JOG))
    studio.wait_all()
    task = Task(studio, "blend", shots)
    with task.page.expect_file_chooser() as asked:
        task.press("Import files")
    asked.value.set_files(list_files(mocap, STRAIGHT, LEFT))
    task.studio.wait("() => window.studio.document.items.length === 4")
    task.studio.wait_all()
    task.tab("Blend")
    task.press("Create blend")
    item = task.made("blend")
    slider = task.page.get_by_role("slider", name=f"Weights: {STRAIGHT} to {LEFT}")
    box = slider.bounding_box()
    assert box is not None
    task.clicks += 1
    task.studio.wait_for_motion(
        item, lambda: slider.click(position={"x": 0.75 * box["width"], "y": box["height"] / 2})
    )
    content = task.export()
    weights = task.studio.items()[-1]["recipe"]["weights"]
    assert weights[1] == pytest.approx(0.75, abs=0.05)
    assert content == written(
        ml.mix([captured(mocap, STRAIGHT), captured(mocap, LEFT)], weights).clip, tmp_path
    )
    task.finish()


def test_fix_a_sliding_foot(begin: Begin, mocap: Path, tmp_path: Path) -> None:
    task = begin("plant")
    task.press(BRISK)
    task.tab("Quality")
    task.press("Create planted copy")
    task.made("enforce")
    expect(task.page.get_by_text("The feet of this clip are planted.")).to_be_visible()
    slide = task.page.get_by_role("row", name="largest slide")
    before, after = (float(text) for text in slide.get_by_role("cell").all_inner_texts()[:2])
    assert after < 0.01 < before
    task.page.screenshot(path=task.shots / "task-plant-quality.png")
    assert task.export() == written(ml.enforce(captured(mocap, BRISK)).clip, tmp_path)
    task.finish()


def test_make_a_limp(begin: Begin, mocap: Path, tmp_path: Path) -> None:
    task = begin("limp")
    task.press(STRAIGHT)
    task.tab("Warp")
    task.press(f"Warp {STRAIGHT}")
    item = task.made("warp")
    limp = task.page.get_by_role("button", name="limp", exact=True)
    task.studio.wait_for_motion(item, lambda: task.click(limp))
    task.page.screenshot(path=task.shots / "task-limp-warp.png")
    assert task.export() == written(apply_preset(captured(mocap, STRAIGHT), "limp").clip, tmp_path)
    task.finish()


def test_find_a_transition(begin: Begin, mocap: Path, tmp_path: Path) -> None:
    task = begin("transition")
    task.mark(STRAIGHT, JOG)
    task.choose_new("Transition")
    task.made("transition")
    expect(task.page.locator(".rails .hint")).to_contain_text("Automatic: frame")
    task.page.screenshot(path=task.shots / "task-transition-rails.png")
    walk, jog = captured(mocap, STRAIGHT), captured(mocap, JOG)
    assert task.export() == written(ml.transition(walk, jog).clip, tmp_path)
    task.finish()


def test_draw_a_framespace_curve(begin: Begin, mocap: Path, tmp_path: Path) -> None:
    task = begin("framespace")
    task.mark(STRAIGHT, JOG)
    task.choose_new("Framespace")
    item = task.made("framespace")
    field, vertex = task.page.locator(".space-field").first, task.page.locator(".space-vertex").nth(1)
    task.page.locator(".space-field .state").first.wait_for(state="attached")
    space, point = field.bounding_box(), vertex.bounding_box()
    assert space is not None
    assert point is not None
    start = point["x"] + point["width"] / 2, point["y"] + point["height"] / 2
    end = space["x"] + 0.3 * space["width"], space["y"] + 0.1 * space["height"]
    task.studio.wait_for_motion(item, lambda: task.drag(start, end))
    task.page.screenshot(path=task.shots / "task-framespace-curve.png")
    curve = task.studio.items()[-1]["recipe"]["curve"]
    assert curve[1] == pytest.approx([0.3, 0.9], abs=0.02)
    made = Framespace([captured(mocap, STRAIGHT), captured(mocap, JOG)]).blend(
        SplineInterpolant(curve), cycles=6
    )
    assert task.export() == written(made.clip, tmp_path)
    task.finish()


def test_scripts_of_every_result_write_the_same_files(
    studio: RunningStudio, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, folder = studio.page, studio.project
    brisk, jog, straight, left = (studio.item(name)["id"] for name in (BRISK, JOG, STRAIGHT, LEFT))
    recipes: dict[str, Recipe] = {
        "blend": BlendRecipe(sources=(straight, left), weights=(0.25, 0.75)),
        "planted": EnforceRecipe(source=brisk),
        "limp": WarpRecipe(source=straight, preset="limp"),
        "transition": TransitionRecipe(first=straight, second=jog),
        "framespace": FramespaceRecipe(sources=(straight, jog), curve=((0.0, 0.0), (0.3, 0.9), (1.0, 1.0))),
    }
    for name, recipe in recipes.items():
        studio.do({"type": "add", "name": name, "recipe": to_plain(recipe)})
    studio.wait_all()
    studio.tab("Export")
    exports: dict[str, bytes] = {}
    scripts: dict[str, list[str]] = {"Python": [], "commands": []}
    for name in recipes:
        choose(studio, name, "BVH")
        exports |= [press_export(page, "bvh")]
        for language, found in scripts.items():
            found.append(copied(page, language))
    run_python(folder, scripts["Python"])
    assert {file: (folder / file).read_bytes() for file in exports} == exports
    for file in exports:
        (folder / file).unlink()
    run_calls(folder, "\n".join(scripts["commands"]), monkeypatch)
    assert {file: (folder / file).read_bytes() for file in exports} == exports


def test_only_the_selected_clip_and_its_inputs_stand_out(studio: RunningStudio) -> None:
    sources = tuple(studio.item(name)["id"] for name in (STRAIGHT, LEFT))
    recipe = to_plain(BlendRecipe(sources=sources, weights=(0.5, 0.5)))
    studio.do({"type": "add", "name": "blend", "recipe": recipe})
    page, blend = studio.page, studio.item("blend")
    studio.wait_computed(blend["id"])
    studio.select(blend["id"])

    def roles() -> dict[str, str]:
        page.evaluate(
            "id => window.viewport.jointPositions(id)", blend["id"]
        )  # brings the figures up to date
        found: dict[str, str] = page.evaluate(
            "Object.fromEntries(window.viewport.figures.all.map(({ item, role }) => [item.id, role]))"
        )
        return found

    inputs = dict.fromkeys(blend["recipe"]["sources"], "ghost")
    others = {item["id"] for item in studio.items()} - {blend["id"], *inputs}
    assert roles() == {blend["id"]: "solid", **inputs, **dict.fromkeys(others, "faded")}
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("a")
    assert roles() == {blend["id"]: "solid", **inputs}
    page.keyboard.press("Shift+A")
    assert roles() == {blend["id"]: "solid"}
    page.get_by_label("Other clips").select_option("solid")
    assert roles() == {blend["id"]: "solid", **inputs, **dict.fromkeys(others, "solid")}
    page.get_by_label("Other clips").select_option("faint")

"""The quality panel: its figures are those that the library measures, before and after planting."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

import motionloom as ml
from motionloom.project.plain_data import to_plain
from motionloom.project.recipes import MotionRecipe
from motionloom.quality.results import finite_or_none
from motionloom.synthesis import jog, walk
from motionloom.workflows import MixReport, ensure_annotated
from tests.studio.browser.running_studio import RunningStudio

pytestmark = pytest.mark.browser

FILE = "brisk_straight_16_21"
BROKEN = "walk_left90_16_17"
"""A captured clip in which the pelvis twitches for one frame."""


@pytest.fixture(scope="module")
def studio(
    browser: Browser, built_page: None, mocap: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RunningStudio]:
    """A studio with a captured walk, two built-in gaits and their blend, with the panel open."""
    file = mocap / "locomotion" / "s16" / f"{FILE}.bvh"
    broken = mocap / "locomotion" / "turns" / f"{BROKEN}.bvh"
    running = RunningStudio(browser, [file, broken], tmp_path_factory.mktemp("quality") / "project")
    for motion in ("walk", "jog"):
        recipe = to_plain(MotionRecipe(motion=motion, options={}))
        running.do({"type": "add", "name": motion, "recipe": recipe})
    sources = [running.item(name)["id"] for name in ("walk", "jog")]
    blend = {"type": "blend", "sources": sources, "weights": [0.5, 0.5]}
    running.do({"type": "add", "name": "both", "recipe": blend})
    running.wait_all()
    running.tab("Quality")
    yield running
    assert running.close() == []


def shown(studio: RunningStudio, item: str) -> dict[str, list[float | None]]:
    """The figures that the panel shows of a clip, by name: before planting, where it has that, and after."""
    studio.select(item)
    studio.wait("() => document.querySelector('.quality-panel:not([aria-busy]) .measures') !== null")
    rows = studio.page.evaluate(
        """() => [...document.querySelectorAll(".quality-panel .measures tr:has(td)")].map((row) =>
            [...row.querySelectorAll("th, td:not(.unit)")].map((cell) => cell.textContent))"""
    )
    return {name: [None if text == "–" else float(text) for text in texts] for name, *texts in rows}


def assert_measured(found: dict[str, list[float | None]], column: int, measures: ml.Measures) -> None:
    """A column of the panel has every figure, as far as its three digits go, and no other."""
    expected = {figure.name: finite_or_none(figure.value) for figure in measures}
    assert expected.keys() <= found.keys()
    for name, row in found.items():
        seen, value = row[column], expected.get(name)
        if seen is None or value is None:
            assert seen is value, name
        else:
            assert math.isclose(seen, value, rel_tol=5e-3, abs_tol=1e-6), name


def test_a_blend_is_measured_with_and_without_planted_feet(studio: RunningStudio, shots: Path) -> None:
    page, blend = studio.page, studio.item("both")["id"]
    sources = [ensure_annotated(clip) for clip in (walk(duration=4.0).clip, jog(duration=4.0).clip)]
    planted = ml.mix(sources, [0.5, 0.5])
    assert isinstance(planted.report, MixReport)
    assert planted.report.changes is not None
    unplanted = planted.report.changes.before
    expected = ml.measure(planted.clip, sources, planted.report.seams, before=unplanted)
    assert_measured(shown(studio, blend), 1, expected)
    page.screenshot(path=shots / "quality.png")

    before = {name: row[0] for name, row in shown(studio, blend).items() if row[0] is not None}
    studio.wait_for_motion(blend, lambda: page.get_by_role("button", name="Turn planting off").click())
    page.get_by_role("button", name="Plant feet").wait_for()
    loose = shown(studio, blend)
    assert loose == {name: [value] for name, value in before.items()}
    studio.wait_for_motion(blend, lambda: page.keyboard.press("Control+z"))
    page.get_by_role("button", name="Turn planting off").wait_for()


def test_buttons_are_about_the_selected_one_of_two_equal_blends(studio: RunningStudio) -> None:
    page, blend = studio.page, studio.item("both")
    studio.do({"type": "add", "name": "the same", "recipe": blend["recipe"]})
    twin = studio.item("the same")["id"]
    studio.wait_computed(twin)
    for selected, other in ((blend["id"], twin), (twin, blend["id"])):
        shown(studio, other)
        shown(studio, selected)
        studio.wait_for_edit(lambda: page.get_by_role("button", name="Turn planting off").click())
        plants = {item["id"]: item["recipe"].get("plant") for item in studio.items()}
        assert not plants[selected]
        assert plants[other]
        studio.wait_for_edit(lambda: page.keyboard.press("Control+z"))
        studio.wait_computed(selected)
    studio.do({"type": "remove", "item": twin})


def test_a_captured_clip_gets_a_planted_copy(studio: RunningStudio, mocap: Path, shots: Path) -> None:
    page = studio.page
    clip = ensure_annotated(ml.load(mocap / "locomotion" / "s16" / f"{FILE}.bvh"))
    assert_measured(shown(studio, studio.item(FILE)["id"]), 0, ml.measure(clip))
    studio.wait_for_edit(lambda: page.get_by_role("button", name="Create planted copy").click())
    made = studio.item(f"{FILE} planted")["id"]
    studio.wait_computed(made)
    page.get_by_text("The feet of this clip are planted.").wait_for()
    found = shown(studio, made)
    assert_measured(found, 0, ml.measure(clip, [clip]))
    assert_measured(found, 1, ml.measure(ml.enforce(clip), [clip], before=clip))
    page.screenshot(path=shots / "quality-planted.png")
    studio.wait_for_edit(lambda: page.keyboard.press("Control+z"))
    assert [item["name"] for item in studio.items()] == [FILE, BROKEN, "walk", "jog", "both"]


def test_a_click_on_a_curve_puts_the_playhead_there(studio: RunningStudio) -> None:
    shown(studio, studio.item("walk")["id"])
    plot = studio.page.get_by_role("figure", name="root speed").locator("canvas")
    plot.scroll_into_view_if_needed()
    box = plot.bounding_box()
    assert box is not None
    plot.click(position={"x": (40 + box["width"] - 6) / 2, "y": 20})
    assert studio.page.evaluate("window.studio.playback.time") == pytest.approx(2.0, abs=0.02)


def test_clean_up_mends_faults_and_can_be_turned_off(studio: RunningStudio) -> None:
    shown(studio, studio.item(BROKEN)["id"])
    section = studio.page.get_by_role("region", name="Clean up")
    section.get_by_text("flips by 38° in frame 474").wait_for()
    studio.wait_for_edit(lambda: section.get_by_role("button", name="Clean up (").click())
    assert studio.item(BROKEN)["edit"]["repair"] is True
    section.get_by_text("All artifacts found were repaired.").wait_for()
    section.get_by_label("Smoothing (Hz)").fill("10")
    studio.wait_for_edit(lambda: section.get_by_label("Smoothing (Hz)").press("Enter"))
    assert studio.item(BROKEN)["edit"]["smooth"] == 10
    # At once, while the smoothed clip is still measured: what was changed before stays.
    studio.wait_for_edit(lambda: section.get_by_role("button", name="Turn clean-up off").click())
    assert studio.item(BROKEN)["edit"]["repair"] is False
    assert studio.item(BROKEN)["edit"]["smooth"] == 10
    studio.wait_all()

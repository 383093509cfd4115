"""The timeline: what is scrubbed, trimmed, marked and keyed there is what the library makes of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, FloatRect, Locator, expect

import motionloom as ml
from motionloom.blending import KeyedWeights
from motionloom.project.plain_data import to_plain
from motionloom.project.recipes import BlendRecipe, MotionRecipe
from motionloom.synthesis import jog, walk
from tests.studio.browser.running_studio import RunningStudio

pytestmark = pytest.mark.browser

MILLIMETRE = 1e-3

MARGIN = 10
"""Pixels that the time axis leaves free at both ends."""

CLIP_LANE, WEIGHT_LANE, PLANT_LANE = 24, 48, 16
"""Heights of lanes in pixels; a clip's bar comes first, of a blend then its weights."""

FILE = "walk_straight_16_15"


@dataclass(frozen=True)
class Timeline:
    """The timeline of a studio with a captured walk, a built-in walk, a jog and a blend of these two."""

    studio: RunningStudio
    captured: ml.Clip

    def select(self, name: str) -> str:
        item: str = self.studio.item(name)["id"]
        self.studio.select(item)
        self.studio.page.get_by_role("button", name="Fit").click()
        return item

    @property
    def frame(self) -> int:
        return int(self.studio.page.get_by_label("Frame", exact=True).input_value())

    @property
    def playback(self) -> dict[str, Any]:
        found: dict[str, Any] = self.studio.page.evaluate(
            "(({ playing, speed, time }) => ({ playing, speed, time }))(window.studio.playback)"
        )
        return found

    def lanes(self, item: str) -> FloatRect:
        return box(self.studio.page.locator(f".timeline-group[data-item={item}] canvas"))

    def x(self, seconds: float, length: float) -> float:
        """The pixel of a time, with all of ``length`` seconds in view."""
        ruler = box(self.studio.page.get_by_role("slider", name="Playhead"))
        return ruler["x"] + MARGIN + seconds / length * (ruler["width"] - 2 * MARGIN)

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        mouse = self.studio.page.mouse
        mouse.move(*start)
        mouse.down()
        mouse.move(*end, steps=4)
        mouse.up()

    def press(self, *keys: str) -> None:
        for key in keys:
            self.studio.page.keyboard.press(key)


def box(found: Locator) -> FloatRect:
    """Where something is on the page."""
    place = found.bounding_box()
    assert place is not None
    return place


@pytest.fixture(scope="module")
def timeline(
    browser: Browser, built_page: None, mocap: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Timeline]:
    """A timeline over captured and built-in motion."""
    file = mocap / "locomotion" / "s16" / f"{FILE}.bvh"
    studio = RunningStudio(browser, [file], tmp_path_factory.mktemp("timeline") / "project")
    for name in ("walk", "jog"):
        studio.do({"type": "add", "name": name, "recipe": to_plain(MotionRecipe(motion=name, options={}))})
    sources = tuple(studio.item(name)["id"] for name in ("walk", "jog"))
    blend = BlendRecipe(sources=sources, weights=(1.0, 0.0))
    studio.do({"type": "add", "name": "keyed", "recipe": to_plain(blend)})
    studio.wait_all()
    yield Timeline(studio, ml.load(file))
    assert studio.close() == []


def test_the_playhead_follows_pointer_fields_and_keys(timeline: Timeline) -> None:
    studio, clip = timeline.studio, timeline.captured
    page, item = studio.page, timeline.select(FILE)
    ruler = box(page.get_by_role("slider", name="Playhead"))
    length = (clip.n_frames - 1) / clip.fps
    timeline.drag(
        (timeline.x(0.0, length), ruler["y"] + 6), (timeline.x(100.2 / clip.fps, length), ruler["y"] + 6)
    )
    assert timeline.frame == 100
    assert np.abs(studio.joints(item) - clip.world_positions()[100]).max() < MILLIMETRE

    page.get_by_label("Frame", exact=True).fill("37")
    timeline.press("Enter")
    assert timeline.playback["time"] == pytest.approx(37 / clip.fps)
    page.get_by_label("Time in seconds").fill("0:00.5")
    timeline.press("Enter")
    assert timeline.playback["time"] == 0.5
    page.get_by_label("Time in seconds").fill("soon")
    timeline.press("Enter")
    assert timeline.playback["time"] == 0.5

    page.evaluate("document.activeElement.blur()")
    last = clip.n_frames - 1
    for keys, frame in (
        (["Home"], 0),
        (["ArrowRight", "."], 2),
        (["Shift+ArrowRight"], 12),
        (["ArrowLeft", ","], 10),
        (["End"], last),
        (["Shift+ArrowLeft"], last - 10),
    ):
        timeline.press(*keys)
        assert timeline.frame == frame


def test_playback_keys_shuttle(timeline: Timeline) -> None:
    timeline.select(FILE)
    timeline.studio.page.evaluate("document.activeElement.blur()")
    for key, playing, speed in (
        ("Space", True, 1),
        ("Space", False, 1),
        ("l", True, 1),
        ("l", True, 2),
        ("j", True, -1),
        ("j", True, -2),
        ("k", False, 1),
    ):
        timeline.press(key)
        assert (timeline.playback["playing"], timeline.playback["speed"]) == (playing, speed)
    timeline.press("Home", "Space")
    timeline.studio.wait("() => window.studio.playback.time > 0.05")
    timeline.press("Space")


def test_trim_handles_keep_what_slicing_keeps(timeline: Timeline, shots: Path) -> None:
    studio, clip = timeline.studio, timeline.captured
    item = timeline.select(FILE)
    lanes, length = timeline.lanes(item), (clip.n_frames - 1) / clip.fps
    y = lanes["y"] + CLIP_LANE / 2
    end = (timeline.x(length, length) - 2, y)
    studio.wait_for_motion(item, lambda: timeline.drag(end, (timeline.x(300 / clip.fps, length) - 2, y)))
    assert studio.item(FILE)["edit"]["trim"] == [0, 300]
    np.testing.assert_allclose(studio.motion(item), clip[:301].world_positions(), atol=1e-5)
    # What was cut away is still there to be dragged back.
    assert studio.header(item)["whole_frames"] == clip.n_frames
    studio.page.screenshot(path=shots / "timeline-trimmed.png")

    for key in ("Control+z", "Control+y"):  # or both trims would be one undo step
        studio.wait_for_motion(item, partial(timeline.press, key))
    studio.seek(120 / clip.fps)
    studio.wait_for_motion(item, lambda: timeline.press("["))
    assert studio.item(FILE)["edit"]["trim"] == [120, 300]
    assert timeline.frame == 0
    np.testing.assert_allclose(studio.motion(item), clip[120:301].world_positions(), atol=1e-5)

    for keys, trim in (("Control+z", [0, 300]), ("Control+z", None), ("Control+y", [0, 300])):
        studio.wait_for_motion(item, partial(timeline.press, keys))
        assert studio.item(FILE)["edit"]["trim"] == trim
    studio.wait_for_motion(item, lambda: timeline.press("Control+z"))


def test_an_edge_of_a_plant_is_dragged_and_stays_through_a_trim(timeline: Timeline, shots: Path) -> None:
    studio, clip = timeline.studio, timeline.captured
    item = timeline.select(FILE)
    header = studio.header(item)
    lanes, length = timeline.lanes(item), (clip.n_frames - 1) / clip.fps
    joint = min((plant["joint"] for plant in header["plants"]), key=header["names"].index)
    n, plant = next((n, plant) for n, plant in enumerate(header["plants"]) if plant["joint"] == joint)
    y = lanes["y"] + CLIP_LANE + PLANT_LANE / 2
    start = (timeline.x(plant["end"] / clip.fps, length), y)
    studio.wait_for_motion(item, lambda: timeline.drag(start, (start[0] + 20, y)))
    marks = studio.item(FILE)["marks"]
    frames = 20 / (timeline.x(length, length) - timeline.x(0, length)) * (clip.n_frames - 1)
    assert marks["plants"][n]["end"] == pytest.approx(plant["end"] + frames, abs=1.0)
    assert marks["plants"][n]["end"] == round(marks["plants"][n]["end"])
    ends = [found["end"] for found in studio.header(item)["plants"]]
    assert marks["plants"][n]["end"] in ends
    studio.page.screenshot(path=shots / "timeline-plants.png")

    # Trimming moves the marks with the motion, and both are one step of undoing.
    studio.seek(10 / clip.fps)
    studio.wait_for_motion(item, lambda: timeline.press("["))
    ends = [found["end"] for found in studio.header(item)["plants"] if found["joint"] == joint]
    assert marks["plants"][n]["end"] - 10 in ends
    studio.wait_for_motion(item, lambda: timeline.press("Control+z"))
    assert studio.item(FILE)["marks"] == marks
    assert studio.item(FILE)["edit"]["trim"] is None
    studio.wait_for_motion(item, lambda: timeline.press("Control+z"))
    assert studio.item(FILE)["marks"] is None


def test_marks_are_moved_added_and_removed_by_keyboard(timeline: Timeline, shots: Path) -> None:
    studio, page = timeline.studio, timeline.studio.page
    item = timeline.select(FILE)
    count = len(studio.header(item)["plants"])
    page.get_by_role("button", name="Marks", exact=True).click()
    field = page.locator(".mark-list [role=spinbutton][aria-label$=', start']").first
    name = field.get_attribute("aria-label")
    before = field.get_attribute("aria-valuenow")
    assert before is not None
    studio.wait_for_motion(item, lambda: field.press("ArrowRight"))
    again = page.locator(f".mark-list [aria-label='{name}']").first
    expect(again).to_have_attribute("aria-valuenow", str(round(float(before) + 1)))
    studio.wait_for_motion(item, lambda: again.press("Delete"))
    assert len(studio.item(FILE)["marks"]["plants"]) == count - 1
    page.get_by_text("Add at the playhead").click()
    page.get_by_label("Label of the new event").fill("clap")
    studio.seek(1.0)
    studio.wait_for_motion(item, lambda: page.get_by_role("button", name="Add event").click())
    assert {"frame": 120, "label": "clap", "joint": ""} in studio.item(FILE)["marks"]["events"]
    page.screenshot(path=shots / "timeline-marks.png")
    studio.wait_for_motion(item, lambda: page.get_by_role("button", name="Reset to detected marks").click())
    assert studio.item(FILE)["marks"] is None
    page.get_by_role("button", name="Marks", exact=True).click()


def test_weight_keys_blend_as_keyed_weights_do(timeline: Timeline, shots: Path) -> None:
    studio, page = timeline.studio, timeline.studio.page
    item = timeline.select("keyed")
    lanes = timeline.lanes(item)
    length = walk(duration=4.0).clip.duration  # the axis ends with the longest clip that is shown
    top, bottom = lanes["y"] + CLIP_LANE + 6, lanes["y"] + CLIP_LANE + WEIGHT_LANE - 6

    for seconds in (0.25, 1.5):
        middle = (timeline.x(seconds, length), (top + bottom) / 2)
        studio.wait_for_edit(partial(page.mouse.dblclick, *middle))
    # The motion that is waited for next has to be that of the drag, not that of the keys.
    studio.wait_computed(item)
    point = timeline.x(1.5, length)
    studio.wait_for_motion(item, lambda: timeline.drag((point, bottom), (point, top)))
    page.get_by_label("Easing").select_option("linear")
    studio.wait("window.studio.selected.recipe.easing === 'linear'")
    keys = studio.item("keyed")["recipe"]["keys"]
    assert [key["time"] for key in keys] == pytest.approx([0.25, 1.5], abs=0.02)
    assert keys[0]["weights"] == [1.0, 0.0]
    assert keys[1]["weights"] == pytest.approx([0.0, 1.0], abs=0.02)
    studio.wait_computed(item)
    page.screenshot(path=shots / "timeline-weights.png")

    expected = ml.mix(
        [walk(duration=4.0).clip, jog(duration=4.0).clip],
        KeyedWeights({key["time"]: key["weights"] for key in keys}, "linear"),
    ).clip
    np.testing.assert_allclose(studio.motion(item), expected.world_positions(), atol=MILLIMETRE)

    page.mouse.click(point, top)
    studio.wait_for_motion(item, lambda: timeline.press("Delete"))
    assert len(studio.item("keyed")["recipe"]["keys"]) == 1
    studio.wait_for_motion(item, lambda: timeline.press("Control+z"))
    assert studio.item("keyed")["recipe"]["keys"] == keys

"""What the viewport draws is what the library computes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import expect

import motionloom as ml
from motionloom.project.plain_data import to_plain
from motionloom.project.recipes import BlendRecipe
from motionloom.synthesis import jog, walk
from tests.studio.browser.running_studio import OpenStudio, RunningStudio

pytestmark = pytest.mark.browser

MILLIMETRE = 1e-3


def assert_shown(studio: RunningStudio, item: str, clip: ml.Clip, frames: list[float]) -> None:
    """The figure of a clip has its joints where the clip has them, at whole frames and between them."""
    positions = clip.world_positions()
    for frame in frames:
        studio.seek(frame / clip.fps)
        first = int(frame)
        expected = positions[first] + (frame - first) * (
            positions[min(first + 1, len(positions) - 1)] - positions[first]
        )
        assert np.abs(studio.joints(item) - expected).max() < MILLIMETRE


def test_built_in_motions_and_their_blend_stand_where_the_library_puts_them(
    built_in: RunningStudio, shots: Path
) -> None:
    studio = built_in
    walking, jogging = (walk(duration=4.0).clip, jog(duration=4.0).clip)
    recipes = {item["name"]: item["recipe"] for item in studio.items()}
    assert {"walk", "jog", "walk and jog"} <= recipes.keys()
    blend = studio.item("walk and jog")
    made = ml.mix([walking, jogging], blend["recipe"]["weights"]).clip
    studio.select(blend["id"])
    assert_shown(studio, blend["id"], made, [0, 1, 40.5, made.n_frames - 1])
    studio.page.screenshot(path=shots / "studio.png")
    studio.select(studio.item("walk")["id"])
    assert_shown(studio, studio.item("walk")["id"], walking, [0, 33])


def test_captured_clips_stand_where_the_library_puts_them(
    open_studio: OpenStudio, mocap: Path, shots: Path
) -> None:
    folder = mocap / "locomotion" / "s16"
    files = [folder / "walk_straight_16_15.bvh", folder / "run_left_16_48.bvh"]
    studio = open_studio(*files)
    studio.wait_all()
    for item, file in zip(studio.items(), files, strict=True):
        studio.select(item["id"])
        clip = ml.load(file)
        assert_shown(studio, item["id"], clip, [0, 10, clip.n_frames // 2, clip.n_frames - 1])
    studio.page.get_by_role("button", name="Show", exact=True).click()
    studio.page.get_by_role("checkbox", name="Onion skin").check()
    studio.page.keyboard.press("Escape")
    studio.page.screenshot(path=shots / "captured.png")


@pytest.mark.parametrize("view", ["Front", "Side", "Top"])
def test_views_look_along_an_axis(built_in: RunningStudio, view: str) -> None:
    studio = built_in
    studio.page.get_by_role("button", name=view, exact=True).click()
    studio.seek(0.5)
    way = np.array(
        studio.page.evaluate(
            """() => { const { camera } = window.viewport.stage;
                       return camera.getWorldDirection(camera.position.clone()).toArray(); }"""
        )
    )
    axis = {"Front": 2, "Side": 0, "Top": 1}[view]
    assert abs(way[axis]) == pytest.approx(1.0, abs=1e-3)
    flat = "() => window.viewport.camera.active.isOrthographicCamera === true"
    assert studio.page.evaluate(flat)
    studio.page.keyboard.press("2")  # orbiting ends the view along the axis
    assert not studio.page.evaluate(flat)


def test_the_ghost_before_enforcement_is_the_blend_whose_feet_slide(built_in: RunningStudio) -> None:
    studio = built_in
    blend = studio.item("walk and jog")
    sources = tuple(blend["recipe"]["sources"])
    studio.do(
        {
            "type": "add",
            "name": "loose",
            "recipe": to_plain(BlendRecipe(sources=sources, weights=(0.5, 0.5), plant=False)),
        }
    )
    loose = studio.item("loose")["id"]
    studio.wait_computed(loose)
    studio.select(blend["id"])
    before = studio.page.evaluate(
        "id => Array.from(window.studio.motion(id).arrays.before.values.slice(0, 300))", blend["id"]
    )
    bare = studio.page.evaluate("id => Array.from(window.studio.motion(id).positions.slice(0, 300))", loose)
    np.testing.assert_allclose(before, bare, atol=1e-6)


ROLES = "() => Object.fromEntries(window.viewport.figures.all.map((each) => [each.item.name, each.role]))"


def test_one_clip_is_in_focus_and_a_failed_one_changes_nothing(built_in: RunningStudio) -> None:
    studio = built_in
    studio.select(studio.item("walk")["id"])
    studio.seek(0.5)
    roles = studio.page.evaluate(ROLES)
    assert (roles["walk"], roles["jog"]) == ("solid", "faded")
    studio.page.keyboard.press("a")
    studio.wait_repainted()
    assert set(studio.page.evaluate(ROLES)) == {"walk"}
    studio.page.keyboard.press("a")
    studio.page.keyboard.press("z")
    studio.wait_repainted()
    assert studio.page.evaluate("window.viewport.camera.distance") < 6.0

    missing = {"type": "file", "path": "clips/missing.bvh"}
    studio.do({"type": "add", "name": "failing", "recipe": missing})
    failed = studio.item("failing")["id"]
    studio.wait("id => window.studio.progressOf(id).error !== null", failed)
    studio.select(failed)
    studio.wait_repainted()
    assert set(studio.page.evaluate(ROLES).values()) == {"faded"}
    studio.do({"type": "remove", "item": failed})


def test_a_picture_that_stands_still_is_drawn_in_full(built_in: RunningStudio) -> None:
    studio = built_in
    ratio = "window.viewport.stage.renderer.getPixelRatio()"
    reduced = studio.page.get_by_text("Reduced detail")
    for _ in range(2):
        studio.page.evaluate("window.viewport.detail.guess(10_000)")  # as on a slow machine
    studio.page.evaluate("window.studio.playback.play()")
    studio.wait(f"window.viewport.detail.isLowered && {ratio} < 1")
    expect(reduced).to_be_visible()
    studio.page.evaluate("window.studio.playback.pause()")
    studio.wait(f"{ratio} >= 1 && window.viewport.stage.sun.castShadow")
    expect(reduced).to_be_hidden()


NAMES_OF_SOURCES = """(id) => {
    const { figures, camera, stage } = window.viewport;
    const { pose, offset } = figures.of(id);
    const { left, top, width, height } = stage.canvas.getBoundingClientRect();
    const joints = [];
    for (let n = 0; n < pose.length; n += 3) {
        const at = offset.clone().add({ x: pose[n], y: pose[n + 1], z: pose[n + 2] }).project(camera.active);
        joints.push([left + (at.x + 1) / 2 * width, top + (1 - at.y) / 2 * height]);
    }
    const names = [...document.querySelectorAll(".figure-label[data-role=ghost]")]
        .filter((label) => label.style.visibility === "visible")
        .map((label) => label.getBoundingClientRect());
    const covers = (box, [x, y]) => x > box.left && x < box.right && y > box.top && y < box.bottom;
    return names.map((box) => joints.filter((joint) => covers(box, joint)).length);
}"""
"""How many joints of a figure the name of each source covers."""


@pytest.mark.parametrize("seconds", [0.0, 0.4, 1.2])
def test_names_of_sources_keep_clear_of_the_selected_figure(built_in: RunningStudio, seconds: float) -> None:
    studio = built_in
    blend = studio.item("walk and jog")["id"]
    studio.select(blend)
    for view in ("Front", "Side", "Top"):
        studio.page.get_by_role("button", name=view, exact=True).click()
        studio.seek(seconds)
        covered = studio.page.evaluate(NAMES_OF_SOURCES, blend)
        assert len(covered) > 0
        assert max(covered) == 0
    studio.page.keyboard.press("2")


def test_a_hidden_clip_that_is_selected_is_shown_by_its_note(built_in: RunningStudio) -> None:
    studio = built_in
    walk = studio.item("walk")["id"]
    studio.select(walk)
    studio.do({"type": "show", "item": walk, "visible": False})
    note = studio.page.locator(".view-notes").get_by_text("walk is hidden")
    note.wait_for()
    assert set(studio.page.evaluate(ROLES).values()) == {"solid"}
    studio.wait_for_edit(lambda: studio.page.get_by_role("button", name="Show it").click())
    assert studio.item("walk")["visible"]
    expect(note).to_be_hidden()

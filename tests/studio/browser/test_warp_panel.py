"""The warp panel: what is done there against what the library makes of the same keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from playwright.sync_api import Locator, expect

from motionloom.motion import Clip
from motionloom.warping import Key, apply_preset, warp
from tests.studio.browser.conftest import CAPTURED_GAITS
from tests.studio.browser.library_checks import Truth, drag, on_screen, undo_afterwards
from tests.studio.browser.page_checks import find_cut_off
from tests.studio.browser.running_studio import RunningStudio

pytestmark = pytest.mark.browser


class Warping:
    """The panel, open for a warp that it made of a clip."""

    def __init__(self, studio: RunningStudio, name: str) -> None:
        self.studio, self.page, self.truth = studio, studio.page, Truth(studio)
        source = studio.item(name)["id"]
        studio.select(source)
        studio.tab("Warp")
        studio.wait_for_edit(self.page.get_by_role("button", name=f"Warp {name}", exact=True).click)
        self.id: str = studio.items()[-1]["id"]
        self.source = self.truth.clip(source)
        self.reopen()

    def reopen(self) -> None:
        """Select the warp again, with nothing but its keys in view."""
        self.studio.select(self.id)
        self.studio.tab("Warp")
        self.truth.clip(self.id)
        box = self.page.locator(".preset-box")
        if box.get_attribute("open") is not None:
            box.locator("summary").click()

    @property
    def keys(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.truth.recipe(self.id)["keys"]
        return found

    @property
    def kind(self) -> Locator:
        return self.page.locator(".warp-panel .field select").nth(1)

    @property
    def rows(self) -> Locator:
        return self.page.locator(".warp-key")

    def pose(self, joint: str, seconds: float, kind: str | None = None) -> None:
        """Choose a joint, a moment and what kind of key to set there."""
        self.page.get_by_label("Joint to pose").select_option(joint)
        if kind is not None:
            self.kind.select_option(kind)
        self.studio.seek(seconds)
        shown = "joint => document.querySelector('.warp-panel figcaption').textContent.startsWith(joint)"
        self.studio.wait(shown, joint)

    def step(self, act: Callable[[], object]) -> None:
        """Change the warp, undo that and do it again."""
        self.truth.step(self.id, act)

    def press(self, thing: Locator, key: str) -> None:
        thing.focus()
        self.step(lambda: self.page.keyboard.press(key))

    def type(self, n: int, value: float) -> None:
        """Type one of the numbers of the key at the playhead."""
        field = self.page.locator(".warp-numbers input").nth(n)
        field.fill(f"{value:g}")
        self.step(lambda: field.press("Enter"))

    def check(self, clip: Clip) -> None:
        self.truth.check(self.id, clip)

    def gizmo(self, along: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> tuple[float, float]:
        """Where the gizmo is in the page, or a share of an arrow's length away from it."""
        self.studio.wait("() => window.viewport.gizmo.spot !== null")
        spot = self.page.evaluate("() => window.viewport.gizmo.spot")
        return on_screen(self.studio, np.array(spot["position"]) + spot["length"] * np.array(along))

    def drag_gizmo(self, start: tuple[float, float], by: tuple[float, float]) -> dict[str, list[float]]:
        """Drag the gizmo until what it came to is a key; how it was let go."""
        before = self.truth.recipe(self.id)
        self.page.evaluate(
            """() => { const { studio } = window, set = studio.setRecipe;
                       studio.setRecipe = (id, recipe) => {
                           window.sent = recipe;
                           set.call(studio, id, recipe);
                       };
                       const forget = studio.gizmo.dragged.on((dragged) => {
                           window.held = dragged;
                           if (dragged.phase === "end") { forget(); delete studio.setRecipe; }
                       }); }"""
        )
        self.studio.wait_for_edit(lambda: drag(self.studio, start, (start[0] + by[0], start[1] + by[1])))
        self.studio.wait(
            """() => { const values = ({ keys }) => JSON.stringify(keys.map(({ value }) => value));
                       return window.held.phase === "end"
                           && values(window.sent) === values(window.studio.selected.recipe); }"""
        )
        self.truth.check_undo_and_redo(self.id, before)
        found: dict[str, list[float]] = self.page.evaluate("() => window.held")
        return found


@pytest.fixture(scope="module")
def warped_walk(gaits: RunningStudio) -> Iterator[Warping]:
    with undo_afterwards(gaits):
        yield Warping(gaits, "walk")


@pytest.fixture
def warping(warped_walk: Warping) -> Iterator[Warping]:
    """The panel for a warp of the built-in walk that has no keys yet."""
    with undo_afterwards(warped_walk.studio):
        warped_walk.reopen()
        yield warped_walk


@pytest.fixture
def captured(gaits: RunningStudio, mocap: Path) -> Iterator[Warping]:
    """The panel for a warp of a captured walk that has no keys yet."""
    with undo_afterwards(gaits):
        yield Warping(gaits, CAPTURED_GAITS[0])


def test_typed_numbers_set_all_kinds_of_keys(warping: Warping, shots: Path) -> None:
    wanted = []
    for joint, kind, n, typed in (
        ("Spine", "rotate", 0, 25.0),
        ("Head", "orient", 1, 20.0),
        ("Hips", "move", 1, 0.1),
        ("LeftArm", "scale", 0, 2.0),
    ):
        warping.pose(joint, 0.5, kind)
        warping.type(n, typed)
        (key,) = (key for key in warping.keys if key["kind"] == kind)
        shown = np.degrees(key["value"])[n] if kind in ("rotate", "orient") else key["value"][n]
        assert shown == pytest.approx(typed, abs=1e-3)
        wanted.append(Key(0.5, joint, **{kind: key["value"][0] if kind == "scale" else key["value"]}))
    warping.check(warp(warping.source, wanted).clip)
    warping.studio.seek(0.5)
    warping.page.screenshot(path=shots / "warp-key.png")


def test_a_button_keeps_the_number_that_was_typed_before(warping: Warping) -> None:
    """Leaving the field sets a key; the button that is pressed then must not set the pose of before."""
    warping.pose("Spine", 0.5, "rotate")
    warping.page.locator(".warp-numbers input").first.fill("30")
    warping.page.get_by_role("button", name="Set key").hover()
    warping.studio.wait_for_edit(warping.page.mouse.down)
    warping.page.mouse.up()
    warping.studio.wait("() => window.studio.isAnswered")
    (key,) = warping.keys
    assert np.degrees(key["value"]) == pytest.approx([30, 0, 0], abs=1e-3)


def test_the_handle_is_at_the_joint_and_goes_with_the_panel(warping: Warping, shots: Path) -> None:
    warping.pose("LeftHand", 1.0, "reach")
    warping.type(1, 1.2)
    warping.pose("Head", 1.0, "rotate")
    warping.type(0, 15.0)
    made = warping.truth.clip(warping.id)
    warping.pose("Head", 1.0, "rotate")
    frame, head = round(1.0 / made.frame_time), made.skeleton.index("Head")
    rotation = made.world_rotations()[frame, head]
    warping.studio.wait(
        """wanted => { const target = window.studio.gizmo.target;
                       const dot = target?.rotation.reduce((sum, number, n) => sum + number * wanted[n], 0);
                       return Math.abs(dot) > 1 - 1e-5; }""",
        list(rotation),
    )
    place = warping.page.evaluate("() => window.studio.gizmo.target.position")
    np.testing.assert_allclose(place, made.world_positions()[frame, head], atol=1e-3)
    assert find_cut_off(warping.page) == []
    warping.page.emulate_media(color_scheme="dark")
    warping.page.screenshot(path=shots / "warp-dark.png")
    warping.page.emulate_media(color_scheme="light")
    warping.studio.tab("Blend")
    warping.studio.wait("() => window.viewport.gizmo.spot === null")


def test_a_hand_of_captured_motion_is_dragged_to_a_place(captured: Warping, shots: Path) -> None:
    captured.pose("LeftHand", 1.5)
    target = captured.drag_gizmo(captured.gizmo(), (40, -60))["position"]
    (key,) = captured.keys
    assert (key["joint"], key["kind"], key["time"]) == ("LeftHand", "reach", 1.5)
    np.testing.assert_allclose(key["value"], target, atol=1e-4)
    made = captured.truth.clip(captured.id)
    frame, joint = round(1.5 / made.frame_time), made.skeleton.index("LeftHand")
    assert np.linalg.norm(target - captured.source.world_positions()[frame, joint]) > 0.1
    assert np.linalg.norm(made.world_positions()[frame, joint] - target) < 2e-3
    captured.check(warp(captured.source, [Key(1.5, "LeftHand", reach=key["value"])]).clip)
    captured.studio.seek(1.5)
    captured.page.screenshot(path=shots / "warp-reach.png")


def test_turning_a_ring_turns_the_joint_as_the_ring_shows(captured: Warping, shots: Path) -> None:
    captured.pose("RightArm", 1.0)
    captured.gizmo()
    before = captured.page.evaluate("() => window.studio.gizmo.target.rotation")
    # The outer ring, half as large again as an arrow is long, turns about the line of sight.
    camera = "() => [0, 1, 2].map((n) => window.viewport.stage.camera.matrixWorld.elements[n])"
    right = 1.5 * np.array(captured.page.evaluate(camera))
    ring = captured.gizmo((right[0], right[1], right[2]))
    after = captured.drag_gizmo(ring, (0, -70))["rotation"]
    (key,) = captured.keys
    made = captured.truth.clip(captured.id)
    world = made.world_rotations()[round(1.0 / made.frame_time), made.skeleton.index("RightArm")]
    assert apart(before, after) > 0.3
    assert apart(world, after) < 0.01
    captured.check(warp(captured.source, [Key(1.0, "RightArm", rotate=key["value"])]).clip)
    captured.studio.seek(1.0)
    captured.page.screenshot(path=shots / "warp-turn.png")


def apart(one: npt.ArrayLike, other: npt.ArrayLike) -> float:
    """Radians between two rotations."""
    return float(2.0 * np.arccos(min(1.0, abs(np.dot(one, other)))))


def test_a_click_in_the_viewport_picks_the_joint(warping: Warping) -> None:
    for item in warping.studio.items():
        # Other figures must not stand in front.
        if item["id"] != warping.id and item["visible"]:
            warping.studio.do({"type": "show", "item": item["id"], "visible": False})
    warping.studio.seek(0.0)
    foot = warping.studio.joints(warping.id)[warping.source.skeleton.index("RightFoot")]
    warping.page.mouse.click(*on_screen(warping.studio, foot))
    warping.studio.wait("() => document.querySelector('.warp-panel select').value === 'RightFoot'")
    assert warping.kind.input_value() == "reach"


def test_keys_are_set_moved_and_removed_without_a_mouse(warping: Warping) -> None:
    warping.pose("Head", 1.0, "rotate")
    warping.press(warping.page.get_by_role("button", name="Set key"), "Enter")
    warping.pose("Spine", 0.5, "rotate")
    warping.type(1, 30.0)
    assert [key["joint"] for key in warping.keys] == ["Spine", "Head"]
    warping.rows.nth(1).focus()
    warping.page.keyboard.press("Enter")
    warping.studio.wait("() => Math.abs(window.studio.playback.time - 1) < 1e-3")
    assert warping.page.get_by_label("Joint to pose").input_value() == "Head"
    warping.press(warping.rows.nth(1), "Alt+ArrowRight")
    assert warping.keys[1]["time"] == pytest.approx(1.0 + warping.source.frame_time, abs=1e-4)
    warping.press(warping.rows.nth(0), "Delete")
    assert [key["joint"] for key in warping.keys] == ["Head"]


def test_how_a_key_fades_and_how_strong_it_is(warping: Warping) -> None:
    strength = warping.page.get_by_label("Strength")
    warping.pose("Spine", 1.0, "rotate")
    warping.type(0, 30.0)
    warping.step(warping.page.get_by_label("Hold until the next key").click)
    warping.press(strength, "Home")
    warping.check(warping.source)
    warping.step(lambda: strength.fill("0.5"))
    held = Key(1.0, "Spine", rotate=(np.radians(15), 0, 0), ease=None)
    warping.check(warp(warping.source, [held]).clip)
    warping.step(warping.page.get_by_label("Keep planted feet and hands in place").click)
    warping.check(warp(warping.source, [held], keep_plants=True).clip)


def test_moments_are_moved_on_two_rails(warping: Warping, shots: Path) -> None:
    page = warping.page
    warping.studio.seek(2.0)
    warping.step(page.get_by_role("button", name="Add time key at playhead").click)
    assert warping.truth.recipe(warping.id)["times"] == [[2.0, 2.0]]
    after = page.locator(".time-strip-handle.rail-1")
    warping.press(after, "Shift+ArrowRight")
    box = after.bounding_box()
    assert box is not None
    grip = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    warping.step(lambda: drag(warping.studio, grip, (grip[0] + 30, grip[1])))
    ((source, new),) = warping.truth.recipe(warping.id)["times"]
    assert source == 2.0
    assert new > 2.3
    warping.check(warp(warping.source, times=[(source, new)]).clip)
    page.locator(".time-strip").scroll_into_view_if_needed()
    page.screenshot(path=shots / "warp-moments.png")
    # A key is set at the moment of the source that the clip shows.
    warping.pose("Head", new, "rotate")
    expect(page.locator(".key-state")).to_have_text("No key at 2.00 s")
    warping.type(0, 20.0)
    (key,) = warping.keys
    assert key["time"] == pytest.approx(2.0, abs=1e-3)
    head = Key(2.0, "Head", rotate=(np.radians(20), 0, 0))
    warping.check(warp(warping.source, [head], [(source, new)]).clip)
    warping.press(after, "Delete")
    assert warping.truth.recipe(warping.id)["times"] == []


def test_presets_of_captured_motion(captured: Warping, shots: Path) -> None:
    page = captured.page
    page.locator(".preset-box summary").click()
    captured.press(page.get_by_role("button", name="limp"), "Enter")
    captured.check(apply_preset(captured.source, "limp").clip)
    captured.step(lambda: page.get_by_label("Strength").fill("0.5"))
    captured.check(apply_preset(captured.source, "limp", 0.5).clip)
    page.locator(".preset-box").scroll_into_view_if_needed()
    page.screenshot(path=shots / "warp-preset.png")
    captured.step(page.get_by_role("button", name="Use your own keys").click)
    assert captured.truth.recipe(captured.id)["preset"] is None

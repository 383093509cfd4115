"""What users stumbled over: keys, drags, messages and recordings that did not do what they seemed to."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from motionloom.files import save
from motionloom.project.plain_data import to_plain
from motionloom.project.recipes import BlendRecipe
from motionloom.synthesis import kick, walk
from tests.studio.browser.library_checks import COUNT_REQUESTS, DRAW_STICKS_ONLY, undo_afterwards
from tests.studio.browser.running_studio import RunningStudio

pytestmark = pytest.mark.browser

PLAYING = "window.studio.playback.playing"


@pytest.fixture
def gaits(gaits: RunningStudio) -> Iterator[RunningStudio]:
    """The studio of all panels, whose project is afterwards as it was before."""
    with undo_afterwards(gaits):
        yield gaits


def test_space_plays_whatever_has_the_focus(gaits: RunningStudio) -> None:
    page = gaits.page
    gaits.tab("Export")
    for focused in (
        page.get_by_role("button", name="Copy as Python"),
        page.get_by_role("tab", name="Export", exact=True),
        page.locator("label", has_text="Root motion").locator("select"),
    ):
        focused.focus()
        before = page.evaluate(PLAYING)
        page.keyboard.press("Space")
        assert page.evaluate(PLAYING) is not before
    page.evaluate("window.studio.playback.pause()")


def test_tabs_are_in_one_row_and_a_menu_lists_all(gaits: RunningStudio) -> None:
    tabs = gaits.page.locator(".tab-list [role=tab]")
    tops = {round(box["y"]) for tab in tabs.all() if (box := tab.bounding_box()) is not None}
    assert len(tops) == 1
    gaits.page.get_by_role("button", name="All panels").click()
    gaits.page.get_by_role("menuitem", name="Warp").click()
    assert gaits.page.get_by_role("tab", name="Warp", exact=True).get_attribute("aria-selected") == "true"


def test_each_drag_is_one_step(gaits: RunningStudio) -> None:
    sources = tuple(gaits.item(name)["id"] for name in ("walk", "walk left", "walk right"))
    gaits.do(
        {
            "type": "add",
            "name": "dragged",
            "recipe": to_plain(BlendRecipe(sources=sources, weights=(1.0, 1.0, 1.0))),
        }
    )
    gaits.tab("Blend")
    made = gaits.item("dragged")["id"]
    field = gaits.page.get_by_role("slider", name="Weights: drag, or use the arrow keys")
    box = field.bounding_box()
    assert box is not None
    mouse, before = gaits.page.mouse, gaits.item("dragged")["recipe"]["weights"]

    def drag(*points: tuple[float, float]) -> None:
        for n, (x, y) in enumerate(points):
            place = (box["x"] + x * box["width"], box["y"] + y * box["height"])
            if n == 0:
                mouse.move(*place)
                gaits.wait_for_edit(mouse.down)
            else:
                gaits.wait_for_edit(partial(mouse.move, *place))
        mouse.up()

    drag((0.5, 0.5), (0.4, 0.6))
    between = gaits.item("dragged")["recipe"]["weights"]
    drag((0.6, 0.5), (0.6, 0.6))
    for weights in (between, before):
        gaits.wait_for_edit(lambda: gaits.page.keyboard.press("Control+z"))
        assert gaits.item("dragged")["recipe"]["weights"] == weights
    gaits.wait_computed(made)


def test_quick_edits_of_a_clip_are_all_kept(gaits: RunningStudio) -> None:
    """The second edit follows before the server can have answered the first."""
    sources = tuple(gaits.item(name)["id"] for name in ("walk", "jog"))
    recipe = to_plain(BlendRecipe(sources=sources, weights=(0.5, 0.5)))
    gaits.do({"type": "add", "name": "quick", "recipe": recipe})
    gaits.tab("Blend")
    boxes = ("Plant feet", "Stay in place")
    elements = [gaits.page.get_by_role("checkbox", name=name).element_handle() for name in boxes]
    before = gaits.page.evaluate("window.studio.state.revision")
    gaits.page.evaluate("boxes => boxes.forEach((box) => box.click())", elements)
    gaits.wait("before => window.studio.state.revision === before + 2", before)
    made = gaits.item("quick")
    answered = gaits.page.evaluate(
        "id => window.studio.state.document.items.find((item) => item.id === id)", made["id"]
    )
    assert (answered["recipe"]["plant"], answered["recipe"]["in_place"]) == (False, True)
    assert made == answered
    assert [box.is_checked() for box in elements] == [False, True]
    gaits.wait_computed(made["id"])


def test_a_button_pressed_right_after_typing_is_clicked(gaits: RunningStudio) -> None:
    """Leaving a field changes the clip, and its panel, between the press of the button and its release."""
    sources = tuple(gaits.item(name)["id"] for name in ("walk", "jog"))
    recipe = to_plain(BlendRecipe(sources=sources, weights=(0.5, 0.5)))
    gaits.do({"type": "add", "name": "typed", "recipe": recipe})
    gaits.tab("Blend")
    page = gaits.page
    page.get_by_label("Duration (s)").fill("3")
    page.get_by_role("button", name="jog", exact=True).last.hover()
    gaits.wait_for_edit(page.mouse.down)
    gaits.wait_repainted()
    gaits.wait_for_edit(page.mouse.up)
    assert gaits.item("typed")["recipe"]["duration"] == 3
    assert gaits.item("jog")["edit"]["mirror"]
    gaits.wait_all()


def test_button_and_pad_are_in_view_and_labels_apart(gaits: RunningStudio, shots: Path) -> None:
    """The pad is laid out by speed and turn, also after a reload."""
    page = gaits.page
    names = ("walk", "jog", "walk left", "walk right")
    sources = tuple(gaits.item(name)["id"] for name in names)
    recipe = to_plain(BlendRecipe(sources=sources, weights=(0.25,) * 4))
    gaits.do({"type": "add", "name": "padded", "recipe": recipe})
    made = gaits.item("padded")["id"]
    gaits.wait_computed(made)
    page.reload()
    page.wait_for_selector(".clip-name")
    page.evaluate(COUNT_REQUESTS)  # what the fixture had prepared is gone with the page
    page.evaluate(DRAW_STICKS_ONLY)
    gaits.select(made)
    gaits.wait_all()
    gaits.tab("Blend")
    gaits.wait_repainted()
    shown = page.locator(".tab-body:visible").bounding_box()
    record = page.get_by_role("button", name="Record").bounding_box()
    pad = page.get_by_role("slider", name="Weights: drag, or use the arrow keys").bounding_box()
    assert shown is not None
    assert record is not None
    assert pad is not None
    assert record["y"] >= shown["y"]
    assert pad["y"] + pad["height"] <= shown["y"] + shown["height"]
    corners = page.evaluate(
        "[...document.querySelectorAll('.weight-corner')].map((c) => +c.getAttribute('cx'))"
    )
    assert max(corners) - min(corners) > 50
    labels = [box for label in page.locator(".weight-label").all() if (box := label.bounding_box())]
    assert len(labels) == 4
    for n, one in enumerate(labels):
        for other in labels[:n]:
            apart_x = one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
            apart_y = (
                one["y"] + one["height"] <= other["y"] + 2 or other["y"] + other["height"] <= one["y"] + 2
            )
            assert apart_x or apart_y
    page.screenshot(path=shots / "steering-pad.png")


def test_keys_steer_and_all_of_it_is_recorded(gaits: RunningStudio) -> None:
    """Clips of four seconds, cut to strides: they are closed to loops, so that they go on."""
    page = gaits.page
    sources = tuple(gaits.item(name)["id"] for name in ("walk", "jog"))
    gaits.do(
        {"type": "add", "name": "steered", "recipe": to_plain(BlendRecipe(sources=sources, weights=(1, 0)))}
    )
    made = gaits.item("steered")["id"]
    gaits.wait_computed(made)
    gaits.tab("Blend")
    page.get_by_role("button", name="Steer live").click()
    gaits.wait("window.studio.live.roundTrips.length > 2")
    page.get_by_role("button", name="Record").click()
    start = page.evaluate("parseFloat(document.querySelector('.live-state').value)")
    page.keyboard.down("w")
    gaits.wait("(window.studio.live.speedAndTurn?.speed ?? 0) > 1.8")
    page.keyboard.up("w")
    gaits.wait("/Asked for .* m\\/s.*; got .* m\\/s/.test(document.querySelector('.live-speed').value)")
    length = page.evaluate("id => window.studio.motion(id).duration", made)
    end = start + max(length, 3.0) + 1.0
    gaits.wait("end => parseFloat(document.querySelector('.live-state').value) > end", end)
    page.get_by_role("button", name="Stop recording").click()
    page.get_by_role("button", name="Stop steering").click()
    gaits.wait("window.studio.selected.recipe.keys.length > 1")
    gaits.wait_computed(made)
    recipe = gaits.item("steered")["recipe"]
    assert recipe["registration"]["cut"] == "loops"
    assert recipe["duration"] > length
    gaits.wait(
        "([id, seconds]) => Math.abs(window.studio.motion(id).duration - seconds) < 0.1",
        [made, recipe["duration"]],
    )


def test_a_gamepad_steers(gaits: RunningStudio) -> None:
    """The stick forward asks for the fastest clip, and left for the sharpest turn to the left."""
    page = gaits.page
    sources = tuple(gaits.item(name)["id"] for name in ("walk", "jog", "walk left", "walk right"))
    recipe = to_plain(BlendRecipe(sources=sources, weights=(0.25,) * 4))
    gaits.do({"type": "add", "name": "led", "recipe": recipe})
    made = gaits.item("led")["id"]
    gaits.wait_computed(made)
    gaits.tab("Blend")
    page.evaluate(
        """() => { window.stick = [0, 0];
                   navigator.getGamepads = () => [null, { connected: true, axes: window.stick }]; }"""
    )
    page.get_by_role("button", name="Steer live").click()
    gaits.wait("window.studio.live.ready !== null && window.studio.live.roundTrips.length > 1")
    speeds, turns = page.evaluate("[window.studio.live.ready.speeds, window.studio.live.ready.turn_rates]")
    for stick, speed, turn in (
        ([0, -1], max(speeds), 0.0),
        ([-1, 0], (min(speeds) + max(speeds)) / 2, max(turns)),
        ([0.1, 0.1], (min(speeds) + max(speeds)) / 2, 0.0),  # a stick at rest is never quite at zero
    ):
        page.evaluate("stick => { window.stick = stick; }", stick)
        gaits.wait(
            """([speed, turn]) => { const asked = window.studio.live.speedAndTurn;
                                    return asked && Math.abs(asked.speed - speed) < 0.01
                                        && Math.abs(asked.turn - turn) < 0.01; }""",
            [speed, turn],
        )
    page.get_by_role("button", name="Stop steering").click()
    page.evaluate("delete navigator.getGamepads")


def test_files_are_added_with_a_message_that_ends_with_them(gaits: RunningStudio, tmp_path: Path) -> None:
    page = gaits.page
    for n in range(3):
        save(walk(duration=0.5, fps=30).clip, tmp_path / f"added {n}.bvh")
    page.evaluate(
        """() => { window.said = [];
                   new MutationObserver((found) => found.forEach((one) => one.addedNodes.forEach(
                       (node) => window.said.push(node.textContent)))).observe(
                       document.querySelector('.toasts [role=status]'), { childList: true }); }"""
    )
    page.locator("input[type=file]").first.set_input_files([tmp_path / f"added {n}.bvh" for n in range(3)])
    gaits.wait("window.said.some((text) => text.startsWith('Added 3 of 3 files'))")
    texts = page.locator(".toasts [role=status]").inner_text()
    assert "Adding" not in texts
    gaits.wait_all()


def test_clips_that_end_begin_again_in_a_recording(gaits: RunningStudio) -> None:
    """Kicks close to no loop: what was recorded is played as often as it was steered."""
    assert kick().clip.n_frames > 1
    for name in ("kick_front", "kick_side"):
        motion = {"type": "motion", "motion": name, "options": {"fps": 30}}
        gaits.do({"type": "add", "name": name, "recipe": motion})
    sources = tuple(gaits.item(name)["id"] for name in ("kick_front", "kick_side"))
    keys = [{"time": 0, "weights": [1, 0]}, {"time": 7.0, "weights": [0, 1]}]
    recipe = {"type": "blend", "sources": sources, "weights": [1, 0], "keys": keys, "duration": 7.0}
    gaits.do(
        {"type": "add", "name": "kicks", "recipe": {**recipe, "repeat": True, "allow_unfit": True}},
    )
    made = gaits.item("kicks")["id"]
    gaits.wait_computed(made)
    assert gaits.page.evaluate("id => window.studio.motion(id).duration", made) == pytest.approx(7.0, abs=0.1)

"""The blend panel: what is dragged there is what the library blends."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.project.plain_data import to_plain
from motionloom.project.recipes import BlendRecipe, RegistrationRecipe
from motionloom.synthesis import jog, walk
from tests.studio.browser.running_studio import RunningStudio

pytestmark = pytest.mark.browser

MILLIMETRE = 1e-3

RECORDED_KEYS = (
    r"Number(/(\d+) keys?/.exec(document.querySelector('.blend-panel output.hint').value)?.[1] ?? 0)"
)
"""The number of keys that the page counts while it records."""


def recipe_of(studio: RunningStudio, name: str) -> dict[str, object]:
    """The recipe of a blend as the document has it now."""
    found: dict[str, object] = studio.item(name)["recipe"]
    return found


def wait_weights(studio: RunningStudio, item: str, weights: list[float]) -> None:
    """Wait until the blend has been made with these weights."""
    studio.wait(
        """([id, wanted]) => {
            const table = window.studio.motion(id)?.arrays.weights;
            return table && wanted.every((w, n) => Math.abs(table.values[n] - w) < 1e-5);
        }""",
        [item, weights],
    )


def test_the_slider_blends_and_undo_takes_it_back(built_in: RunningStudio, shots: Path) -> None:
    studio = built_in
    blend = studio.item("walk and jog")["id"]
    studio.select(blend)
    slider = studio.page.get_by_role("slider", name="Weights: walk to jog")
    slider.fill("0.25")
    wait_weights(studio, blend, [0.75, 0.25])
    made = ml.mix([walk(duration=4.0).clip, jog(duration=4.0).clip], [0.75, 0.25]).clip
    studio.seek(1.0)
    assert np.abs(studio.joints(blend) - made.world_positions()[round(made.fps)]).max() < MILLIMETRE
    studio.page.screenshot(path=shots / "blend-two.png")

    studio.page.keyboard.press("Control+z")
    wait_weights(studio, blend, [0.5, 0.5])
    studio.page.keyboard.press("Control+y")
    wait_weights(studio, blend, [0.75, 0.25])


def test_three_clips_are_blended_in_a_triangle(built_in: RunningStudio, shots: Path) -> None:
    studio = built_in
    for name in ("walk", "walk left", "walk right"):
        studio.page.get_by_role("checkbox", name=f"Check {name}", exact=True).check()
    studio.page.get_by_role("button", name="New", exact=True).click()
    studio.wait_for_edit(studio.page.get_by_role("menuitem", name="Blend").first.click)
    made = studio.page.evaluate("window.studio.selected.id")
    studio.wait_computed(made)
    field = studio.page.get_by_role("slider", name="Weights: drag, or use the arrow keys")
    box = field.bounding_box()
    assert box is not None
    # The first corner is at the top: all of the first clip.
    studio.page.mouse.click(box["x"] + 0.5 * box["width"], box["y"] + 0.1 * box["height"])
    wait_weights(studio, made, [1.0, 0.0, 0.0])
    field.press("ArrowDown")
    studio.wait("window.studio.selected.recipe.weights[0] < 1")
    studio.page.screenshot(path=shots / "blend-three.png")


def test_a_part_of_the_body_gets_weights_of_its_own(built_in: RunningStudio, shots: Path) -> None:
    studio = built_in
    blend = studio.item("walk and jog")["id"]
    studio.select(blend)
    studio.page.get_by_role("button", name="upper body").click()
    studio.page.get_by_role("slider", name="Weight of jog for the upper body").fill("1")
    studio.page.get_by_role("slider", name="Weight of walk for the upper body").fill("0")
    studio.wait("window.studio.selected.recipe.parts?.['upper body']?.join() === '0,1'")
    studio.page.screenshot(path=shots / "blend-parts.png")
    studio.page.get_by_role("button", name="Use the blend's weights").click()
    studio.wait("window.studio.selected.recipe.parts === null")


def recorded_keys(studio: RunningStudio) -> int:
    """Keys of the recording so far."""
    found: int = studio.page.evaluate(RECORDED_KEYS)
    return found


def test_steering_is_recorded_as_keys(built_in: RunningStudio) -> None:
    studio = built_in
    sources = tuple(studio.item(name)["id"] for name in ("walk", "jog"))
    recipe = BlendRecipe(
        sources=sources, weights=(1.0, 0.0), registration=RegistrationRecipe(cut="loops"), duration=2.0
    )
    studio.do({"type": "add", "name": "steered", "recipe": to_plain(recipe)})
    made = studio.item("steered")["id"]
    studio.wait_computed(made)
    studio.select(made)
    studio.page.get_by_role("button", name="Steer live").click()
    studio.wait("window.studio.live.roundTrips.length > 2")
    studio.page.get_by_role("button", name="Record").click()
    studio.wait(f"({RECORDED_KEYS}) > 0")  # the weights before they are changed
    slider = studio.page.get_by_role("slider", name="Weights: walk to jog")
    for fraction in ("0.3", "0.7", "1"):
        before = recorded_keys(studio)
        slider.fill(fraction)
        studio.wait(f"before => ({RECORDED_KEYS}) > before", before)
    studio.page.get_by_role("button", name="Stop recording").click()
    studio.wait("window.studio.selected.recipe.keys.length > 2")
    studio.page.get_by_role("button", name="Stop steering").click()
    studio.wait_computed(made)
    recipe_now = recipe_of(studio, "steered")
    keys = recipe_now["keys"]
    assert isinstance(keys, list)
    assert keys[0]["weights"] == [1.0, 0.0]
    assert keys[-1]["weights"] == [0.0, 1.0]
    shown = studio.page.evaluate("id => window.studio.motion(id).duration", made)
    assert abs(shown - recipe_now["duration"]) < 0.05


def test_a_blend_stays_in_place_where_that_is_chosen(built_in: RunningStudio, shots: Path) -> None:
    studio = built_in
    blend = studio.item("walk and jog")["id"]
    studio.select(blend)
    box = studio.page.get_by_role("checkbox", name="Stay in place")
    studio.wait_for_edit(box.click)
    studio.wait_computed(blend)
    assert recipe_of(studio, "walk and jog")["in_place"] is True
    studio.seek(0.0)
    first = studio.joints(blend)[0]
    studio.seek(2.0)
    assert np.linalg.norm((studio.joints(blend)[0] - first)[[0, 2]]) < 0.3
    studio.page.screenshot(path=shots / "blend-in-place.png")
    studio.wait_for_edit(box.uncheck)
    studio.wait_all()

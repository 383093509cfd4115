"""The stage and values of clips: objects of warps, names, inputs side by side, retargeting, Clip panel."""

from __future__ import annotations

from itertools import combinations, pairwise
from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.project.plain_data import to_plain
from motionloom.project.recipes import BlendRecipe, CopyRecipe, SequenceRecipe, WarpRecipe
from motionloom.synthesis import make_mannequin, walk
from tests.studio.browser.library_checks import Truth, undo_afterwards
from tests.studio.browser.running_studio import RunningStudio

pytestmark = pytest.mark.browser


def add(studio: RunningStudio, name: str, recipe: object) -> str:
    """Add a clip, wait until it is there, and return its id."""
    studio.do({"type": "add", "name": name, "recipe": to_plain(recipe)})
    item: str = studio.item(name)["id"]
    studio.wait_computed(item)
    return item


def view(studio: RunningStudio, **settings: object) -> None:
    """Change what the viewport shows."""
    for name, value in settings.items():
        studio.page.evaluate("([n, v]) => window.viewport.settings.set(n, v)", [name, value])
    studio.wait_repainted()


def test_blocks_of_warps_are_drawn(gaits: RunningStudio) -> None:
    with undo_afterwards(gaits):
        walk_id = gaits.item("walk")["id"]
        add(gaits, "over a block", WarpRecipe(source=walk_id, preset="block"))
        gaits.wait("window.viewport.objects.group.children.length === 1")
        gaits.select(walk_id)
        gaits.wait("window.viewport.objects.group.children.length === 0")


def test_inputs_stand_side_by_side_with_names_apart(gaits: RunningStudio) -> None:
    with undo_afterwards(gaits):
        sources = tuple(gaits.item(name)["id"] for name in ("walk", "walk left"))
        for source in sources:
            if not gaits.page.evaluate("id => window.studio.item(id).visible", source):
                gaits.do({"type": "show", "item": source, "visible": True})
        made = add(gaits, "beside", BlendRecipe(sources=sources, weights=(0.5, 0.5)))
        view(gaits, ghosts=True)
        gaits.seek(0.5)
        labels = gaits.page.locator(".figure-label:visible")
        gaits.wait("document.querySelectorAll('.figure-label').length === 3")
        boxes = [box for label in labels.all() if (box := label.bounding_box())]
        for one, other in combinations(boxes, 2):
            apart_x = one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
            apart_y = one["y"] + one["height"] <= other["y"] or other["y"] + other["height"] <= one["y"]
            assert apart_x or apart_y
        gaits.page.get_by_role("button", name="Side by side").click()
        gaits.wait_repainted()
        offsets = gaits.page.evaluate(
            "window.viewport.figures.all.map((f) => [f.item.id, f.pose[0] + f.offset.x])"
        )
        assert {item for item, _ in offsets} == {made, *sources}
        across = sorted(x for _, x in offsets)
        assert min(b - a for a, b in pairwise(across)) > 0.5
        gaits.page.get_by_role("button", name="Side by side").click()
        view(gaits, ghosts=False)


def test_a_clip_is_retargeted_to_a_character(gaits: RunningStudio, tmp_path: Path) -> None:
    clip = walk(duration=0.5, fps=30).clip
    hero = ml.save(clip[:1], tmp_path / "hero.glb", mesh=make_mannequin(clip))
    with undo_afterwards(gaits):
        before = len(gaits.page.evaluate("window.studio.document.characters"))
        gaits.drop([hero])
        gaits.wait("n => window.studio.document.characters.length > n", before)
        gaits.select(gaits.item("walk")["id"])
        gaits.page.get_by_role("button", name="New", exact=True).click()
        gaits.page.get_by_role("menuitem").filter(has_text="Retarget").click()
        dialog = gaits.page.get_by_role("dialog", name="Retarget")
        dialog.get_by_role("combobox").select_option("hero (character)")
        gaits.wait_for_edit(lambda: dialog.get_by_role("button", name="Add").click())
        made = gaits.item("walk on hero")
        assert made["recipe"]["path"].endswith("hero.glb")
        truth = Truth(gaits)
        truth.check(made["id"], truth.clip(made["id"]))
        gaits.do({"type": "choose_figure", "figure": "mannequin"})


def test_the_character_is_steered(gaits: RunningStudio, tmp_path: Path) -> None:
    """Live poses are put on the character, whose bones keep their lengths."""
    clip = walk(duration=0.2, fps=30).clip
    hero = ml.save(clip[:1], tmp_path / "steered.glb", mesh=make_mannequin(clip))
    with undo_afterwards(gaits):
        sources = tuple(gaits.item(name)["id"] for name in ("walk", "jog"))
        made = add(gaits, "led", BlendRecipe(sources=sources, weights=(1, 0)))
        before = len(gaits.page.evaluate("window.studio.document.characters"))
        gaits.drop([hero])
        gaits.wait("n => window.studio.document.characters.length > n", before)
        gaits.select(made)
        view(gaits, shape="capsules")
        on_it = "id => window.viewport.figures.of(id).look.startsWith('character')"
        gaits.wait(on_it, made)
        still = gaits.joints(made)
        gaits.tab("Blend")
        gaits.page.get_by_role("button", name="Steer live").click()
        gaits.wait("window.studio.live.roundTrips.length > 3")
        assert gaits.page.evaluate(on_it, made)
        moved = gaits.joints(made)
        gaits.page.get_by_role("button", name="Stop steering").click()
        parents = gaits.page.evaluate("id => window.viewport.figures.of(id).shown.header.parents", made)
        lengths = [
            [float(np.linalg.norm(pose[n] - pose[p])) for n, p in enumerate(parents) if p >= 0]
            for pose in (still, moved)
        ]
        np.testing.assert_allclose(lengths[1], lengths[0], atol=1e-3)
        assert abs(moved[:, 1].min() - still[:, 1].min()) < 0.1
        view(gaits, shape="sticks")
        gaits.do({"type": "choose_figure", "figure": "mannequin"})


def test_values_of_copies_and_sequences_are_changed(gaits: RunningStudio) -> None:
    page = gaits.page
    with undo_afterwards(gaits):
        source, other = (gaits.item(name)["id"] for name in ("walk", "jog"))
        copy = add(gaits, "copied", CopyRecipe(source=source, fps=15.0))
        gaits.tab("Clip")
        rate = page.get_by_label("Frame rate (fps)")
        assert rate.input_value() == "15"
        rate.fill("20")
        gaits.wait_for_motion(copy, lambda: rate.press("Enter"))
        assert gaits.header(copy)["fps"] == pytest.approx(20.0)
        # A number that is typed while the clip is made again stays.
        rate.fill("24")
        gaits.do({"type": "set_edit", "item": copy, "edit": {"speed": 2.0}, "marks": None})
        gaits.wait_computed(copy)
        gaits.wait_repainted()
        assert rate.input_value() == "24"
        gaits.wait_for_motion(copy, lambda: rate.press("Enter"))
        assert gaits.item("copied")["recipe"]["fps"] == 24

        add(gaits, "in a row", SequenceRecipe(sources=(source, other), method="linear"))
        gaits.wait_for_edit(lambda: page.get_by_role("button", name="Play jog earlier").click())
        assert gaits.item("in a row")["recipe"]["sources"] == [other, source]

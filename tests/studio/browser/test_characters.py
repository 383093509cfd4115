"""Mannequins and characters in the page: their vertices are where the rule of the format puts them."""

from __future__ import annotations

from pathlib import Path
from time import monotonic

import numpy as np
import pytest

import motionloom as ml
from motionloom.arrays import FloatArray
from motionloom.retargeting.joint_map_file import load_joint_map
from motionloom.synthesis import make_mannequin
from tests.files.gltf_sketch import slow_skin
from tests.studio.browser.library_checks import MILLIMETRE, Truth
from tests.studio.browser.running_studio import TIMEOUT_MS, RunningStudio

pytestmark = pytest.mark.browser

TIMES = (0.0, 0.75)
"""Seconds of the blend at which vertices are compared; both lie on its frames."""


def vertices(studio: RunningStudio, item: str) -> FloatArray:
    """Vertices (V, 3) of a figure, as the page skins them."""
    studio.wait_repainted()
    return np.array(studio.page.evaluate("id => window.viewport.skinnedVertices(id)", item)).reshape(-1, 3)


def assert_skinned(studio: RunningStudio, item: str, path: Path) -> None:
    """The page shows the vertices that a GLB file has, at all times."""
    for time in TIMES:
        studio.seek(time)
        expected = slow_skin(path, 0, time)
        shown = vertices(studio, item)
        assert shown.shape == expected.shape
        assert np.abs(shown - expected).max() < MILLIMETRE


def show_character(studio: RunningStudio, paths: list[Path], item: str) -> str:
    """Add the files of a character by the Import button, wait until a clip plays on it, and return its id."""
    before = len(studio.page.evaluate("window.studio.document.characters"))
    studio.wait_for_edit(lambda: studio.page.locator("input[type=file]").set_input_files(paths))
    studio.wait("n => window.studio.document.characters.length > n", before)
    found: str = studio.page.evaluate("window.studio.document.figure")
    studio.select(item)  # a file with motion adds a clip, which is selected; others may be sticks
    studio.wait("id => window.viewport.figures.of(id).look.startsWith('character')", item)
    return found


def test_mannequin_and_characters_are_skinned_as_the_format_says(
    built_in: RunningStudio, mocap: Path, tmp_path: Path, shots: Path
) -> None:
    studio = built_in
    blend = studio.item("walk and jog")["id"]
    studio.select(blend)
    clip = Truth(studio).clip(blend)

    # The built-in mannequin.
    studio.wait("id => window.viewport.skinnedVertices(id).length > 0", blend)
    mannequin = ml.save(clip, tmp_path / "mannequin.glb", mesh=make_mannequin(clip))
    assert_skinned(studio, blend, mannequin)

    # A character from a glTF file with its buffer and texture, all dropped together.
    folder = mocap / "game" / "character"
    character = show_character(studio, sorted(folder.iterdir()), blend)
    source = folder / "manny_med_mod.gltf"
    hero = ml.save(ml.retarget(clip, ml.load(source)), tmp_path / "hero.glb")
    assert_skinned(studio, blend, hero)
    studio.page.screenshot(path=shots / "character.png")

    # The blend on that character, exported by the page and added again.
    studio.tab("Export")
    studio.page.get_by_label("GLB").check()
    assert studio.page.get_by_role("combobox", name="Character").input_value() == character
    with studio.page.expect_download() as download:
        studio.page.get_by_role("button", name="Export as GLB").click()
    download.value.save_as(tmp_path / "exported.glb")
    for time in TIMES:
        apart = slow_skin(tmp_path / "exported.glb", 0, time) - slow_skin(hero, 0, time)
        assert np.abs(apart).max() < MILLIMETRE
    show_character(studio, [tmp_path / "exported.glb"], blend)
    again = ml.load(tmp_path / "exported.glb")
    assert_skinned(studio, blend, ml.save(ml.retarget(clip, again), tmp_path / "again.glb"))


def test_the_joint_map_is_corrected_by_clicking(built_in: RunningStudio, tmp_path: Path) -> None:
    studio = built_in
    blend = studio.item("walk and jog")["id"]
    studio.select(blend)
    clip = Truth(studio).clip(blend)
    path = ml.save(clip[:1], tmp_path / "person.glb", mesh=make_mannequin(clip))
    character = show_character(studio, [path], blend)
    studio.page.get_by_role("button", name="Joint map").click()
    dialog = studio.page.get_by_role("dialog")
    dialog.get_by_role("button", name="LeftHand of the character, driven by LeftHand").click()
    assert dialog.get_by_role("status").inner_text() == "LeftHand follows LeftHand."
    studio.wait_for_edit(lambda: dialog.get_by_role("button", name="RightHand of the clip").click())
    dialog.get_by_role("button", name="LeftHand of the character, driven by RightHand").wait_for()
    chosen = "id => window.studio.document.characters.find((each) => each.id === id).joint_map"
    assert studio.page.evaluate(chosen, character) == {"LeftHand": "RightHand"}
    saved, end = None, monotonic() + TIMEOUT_MS / 1000.0  # it is written in the background
    while saved is None and monotonic() < end:
        if (studio.project / "joint_maps.json").exists():
            saved = load_joint_map(studio.project / "joint_maps.json", clip, ml.load(path))
    assert saved is not None
    assert {pair.target: pair.source for pair in saved.pairs}["LeftHand"] == "RightHand"
    studio.wait_for_edit(lambda: dialog.get_by_role("button", name="Undo all corrections").click())
    dialog.get_by_role("button", name="LeftHand of the character, driven by LeftHand").wait_for()
    studio.page.keyboard.press("Escape")


def test_a_file_that_is_no_character_is_refused_in_a_sentence(
    built_in: RunningStudio, tmp_path: Path
) -> None:
    studio = built_in
    before = studio.page.evaluate("window.studio.state.revision")
    (tmp_path / "broken.glb").write_bytes(b"glTF but not really")
    studio.page.locator("input[type=file]").set_input_files([tmp_path / "broken.glb"])
    dialog = studio.page.get_by_role("dialog", name="One file could not be added")
    dialog.wait_for()
    assert "broken.glb" in dialog.inner_text()
    studio.page.keyboard.press("Escape")
    assert studio.page.evaluate("window.studio.state.revision") == before
    studio.errors[:] = [each for each in studio.errors if "status of 422" not in each]


def test_sticks_stay_a_choice_of_the_project(built_in: RunningStudio) -> None:
    studio = built_in
    blend = studio.item("walk and jog")["id"]
    select = studio.page.get_by_role("combobox", name="Figure")
    studio.wait_for_edit(lambda: select.select_option("Sticks"))
    studio.wait("id => window.viewport.skinnedVertices(id).length === 0", blend)
    studio.wait_for_edit(lambda: select.select_option("Mannequin"))
    studio.wait("id => window.viewport.skinnedVertices(id).length > 0", blend)

"""Files that are opened and dropped: good ones stand where the library puts them, bad ones are told why."""

from __future__ import annotations

import base64
from http import HTTPStatus
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import expect

import motionloom as ml
from motionloom.errors import MotionloomError
from motionloom.files.formats import upload_suffixes
from tests.studio.browser.running_studio import OpenStudio, RunningStudio

pytestmark = pytest.mark.browser

MILLIMETRE = 1e-3

BESIDE_GLTF = (".vrm", ".bin", ".png", ".jpg", ".jpeg", ".webp")
"""Suffixes that only the page knows: it puts buffers and images into glTF files, and calls VRM files GLB."""

LOGGED = "the page logged: Failed to load resource: the server responded with a status of {0:d} ({0.phrase})"
"""What Chromium logs about every request that was refused; no page can prevent it."""

DROP = """([name, content]) => {
    const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
    const carried = new DataTransfer();
    carried.items.add(new File([bytes], name));
    const tell = (type) => document.querySelector(".viewport").dispatchEvent(
        new DragEvent(type, { dataTransfer: carried, bubbles: true, cancelable: true }));
    tell("dragover");
    const overlay = !document.querySelector(".drop-overlay").hidden;
    tell("drop");
    return overlay && document.querySelector(".drop-overlay").hidden;
}"""


def assert_like_the_file(studio: RunningStudio, name: str, file: Path) -> None:
    """A clip of the studio has the motion of a file."""
    item = studio.item(name)["id"]
    studio.wait_computed(item)
    studio.select(item)
    clip = ml.load(file)
    np.testing.assert_allclose(studio.motion(item), clip.world_positions(), atol=1e-5)
    studio.seek(10 / clip.fps)
    assert np.abs(studio.joints(item) - clip.world_positions()[10]).max() < MILLIMETRE


def test_good_and_bad_files_at_once(
    open_studio: OpenStudio, mocap: Path, tmp_path: Path, shots: Path
) -> None:
    walking = mocap / "locomotion" / "s16" / "walk_straight_16_15.bvh"
    running = mocap / "dialects" / "asf_amc" / "09_11.amc"
    cut = tmp_path / "cut.bvh"
    cut.write_bytes(walking.read_bytes()[:3000])
    (tmp_path / "notes.txt").write_text("walk slower")
    studio = open_studio()
    page = studio.page
    files = [walking, running, cut, running.parent / "09.asf", tmp_path / "notes.txt"]
    chooser = page.get_by_label("Files", exact=True)
    expect(chooser).to_have_attribute("accept", ",".join([*upload_suffixes(), *BESIDE_GLTF]))
    chooser.set_input_files(files)

    dialog = page.get_by_role("dialog", name="2 files could not be added")
    dialog.wait_for()
    reasons = {
        entry.locator("strong").inner_text(): entry.locator("p").inner_text()
        for entry in dialog.locator(".rejected-files li").all()
    }
    with pytest.raises(MotionloomError) as wrong:
        ml.load(cut)
    assert reasons["cut.bvh"] == str(wrong.value).replace(str(cut), "cut.bvh")
    assert reasons["notes.txt"].startswith("notes.txt cannot be read: supported file types are .bvh")
    assert dialog.get_by_text("The other 3 files were added.").is_visible()
    page.screenshot(path=shots / "files-refused.png")
    page.keyboard.press("Escape")

    assert_like_the_file(studio, walking.stem, walking)
    assert_like_the_file(studio, running.stem, running)
    assert "cut" not in [item["name"] for item in studio.items()]
    assert [error.rpartition(" (")[0] for error in sorted(studio.errors)] == [
        LOGGED.format(HTTPStatus(400)),
        LOGGED.format(HTTPStatus(422)),
    ]
    assert all("/api/files?name=" in error for error in studio.errors)
    studio.errors.clear()


def test_a_file_is_dropped_and_undone(open_studio: OpenStudio, mocap: Path) -> None:
    file = mocap / "locomotion" / "s16" / "jog_left_16_37.bvh"
    studio = open_studio(mocap / "locomotion" / "s16" / "walk_left_16_11.bvh")
    carried = [file.name, base64.b64encode(file.read_bytes()).decode()]
    assert studio.page.evaluate(DROP, carried) is True
    studio.wait("name => window.studio.selected?.name === name", file.stem)
    assert_like_the_file(studio, file.stem, file)
    studio.wait_for_edit(lambda: studio.page.keyboard.press("Control+z"))
    assert [item["name"] for item in studio.items()] == ["walk_left_16_11"]
    studio.wait_for_edit(lambda: studio.page.keyboard.press("Control+y"))
    assert_like_the_file(studio, file.stem, file)

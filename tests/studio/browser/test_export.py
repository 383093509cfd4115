"""Exports and scripts: the page, the command line and Python make the same file, byte for byte."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from urllib.parse import parse_qs, urlparse
from zipfile import ZipFile

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, Route, expect

import motionloom as ml
from tests.project.script_runs import run_commands
from tests.studio.browser.exports import FORMATS, choose, copied, exported, press_export
from tests.studio.browser.library_checks import Truth
from tests.studio.browser.running_studio import RunningStudio

pytestmark = pytest.mark.browser

FILE = "walk_left_16_11"
BLEND = "mixed walk"


@pytest.fixture(scope="module")
def studio(
    browser: Browser, built_page: None, mocap: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[RunningStudio]:
    """A studio with a captured clip that was trimmed and mirrored, and a keyed blend of built-in ones."""
    file = mocap / "locomotion" / "s16" / f"{FILE}.bvh"
    running = RunningStudio(browser, [file], tmp_path_factory.mktemp("export") / "project")
    captured = running.items()[0]["id"]
    edit = {"trim": [20, 200], "speed": None, "reverse": False, "mirror": True}
    running.do({"type": "set_edit", "item": captured, "edit": edit, "marks": None})
    for motion in ("walk", "walk_left"):
        recipe = {"type": "motion", "motion": motion, "options": {"duration": 2.5, "fps": 30}}
        running.do({"type": "add", "name": motion, "recipe": recipe})
    keys = [{"time": 0.2, "weights": [1, 0]}, {"time": 1.0, "weights": [0.25, 0.75]}]
    sources = [running.item(name)["id"] for name in ("walk", "walk_left")]
    blend = {"type": "blend", "sources": sources, "weights": [0.5, 0.5], "keys": keys}
    running.do({"type": "add", "name": BLEND, "recipe": blend})
    running.wait_all()
    running.tab("Export")
    yield running
    assert running.close() == []


def test_root_motion_goes_where_it_is_chosen(studio: RunningStudio) -> None:
    choose(studio, "walk", "GLB")
    for label, carrier in (
        ("On the root joint", "root"),
        ("None: stay in place", "nowhere"),
        ("As it is", None),
    ):
        field = studio.page.locator("label", has_text="Root motion").locator("select")
        studio.wait_for_edit(partial(field.select_option, label=label))
        studio.wait_all()
        assert studio.item("walk")["edit"]["root_motion"] == carrier


def test_travel_is_taken_out_and_recovered(studio: RunningStudio) -> None:
    choose(studio, "walk", "GLB")
    for label, travel in (("Remove: stay in place", "remove"), ("As it is", None)):
        field = studio.page.locator("label", has_text="Travel").locator("select")
        studio.wait_for_edit(partial(field.select_option, label=label))
        studio.wait_all()
        assert studio.item("walk")["edit"]["travel"] == travel


@pytest.mark.parametrize(
    ("name", "file", "formats"), [(BLEND, "mixed-walk", list(FORMATS)), (FILE, FILE, ["BVH", "GLB"])]
)
def test_every_format_is_what_commands_make(
    studio: RunningStudio, name: str, file: str, formats: list[str], shots: Path
) -> None:
    page, folder = studio.page, studio.project
    endings = [FORMATS[format] for format in formats]
    downloads = dict(exported(studio, name, format) for format in formats)
    assert set(downloads) == {f"{file}.{ending}" for ending in endings}
    choose(studio, name, "BVH")
    script = copied(page, "commands")
    page.screenshot(path=shots / "export.png")
    # Only the last line differs from format to format.
    rest, _, last = script.strip().rpartition("\n")
    lines = [last.replace(f"{file}.bvh", f"{file}.{ending}") for ending in endings]
    run_commands(folder, "\n".join([rest, *lines]))
    for output, content in downloads.items():
        assert (folder / output).read_bytes() == content, output
        (folder / output).unlink()
    choose(studio, name, "GLB")
    (folder / "again.py").write_text(copied(page, "Python"), encoding="utf-8")
    subprocess.run([sys.executable, "again.py"], cwd=folder, check=True)
    assert (folder / f"{file}.glb").read_bytes() == downloads[f"{file}.glb"]


def test_a_picture_that_moves(studio: RunningStudio, tmp_path: Path) -> None:
    name, content = exported(studio, BLEND, "GIF")
    assert name == "mixed-walk.gif"
    (tmp_path / name).write_bytes(content)
    with Image.open(tmp_path / name) as picture:
        assert getattr(picture, "n_frames", 1) > 10
        assert picture.size[0] > 200


def set_field(studio: RunningStudio, label: str, value: str) -> None:
    """Type a number into a setting, or choose one of its values."""
    field = studio.page.locator(".export-settings label", has_text=label)
    if field.locator("select").count():
        field.locator("select").select_option(label=value)
    else:
        field.locator("input").fill(value)
        field.locator("input").press("Enter")


def test_settings_change_the_file_as_the_library_does(studio: RunningStudio, tmp_path: Path) -> None:
    settings = {"First frame": "10", "Last frame": "40", "Frame rate": "24", "Unit": "Metres", "Up axis": "Z"}
    choose(studio, BLEND, "BVH")
    for label, value in settings.items():
        set_field(studio, label, value)
    name, content = press_export(studio.page, "bvh")
    clip = Truth(studio).clip(studio.item(BLEND)["id"])
    expected = ml.save(clip[10:41].resampled(24.0), tmp_path / name, unit="m", up="z")
    assert content == expected.read_bytes()
    for label in settings:
        set_field(studio, label, "As it is" if label in ("Unit", "Up axis") else "")


def test_a_clip_in_place_is_exported_in_place(studio: RunningStudio, tmp_path: Path) -> None:
    choose(studio, "walk", "GLB")
    root_motion = studio.page.locator("label", has_text="Root motion").locator("select")
    item = studio.item("walk")["id"]
    studio.wait_for_motion(item, lambda: root_motion.select_option(label="None: stay in place"))
    (tmp_path / "walk.glb").write_bytes(press_export(studio.page, "glb")[1])
    root = ml.load(tmp_path / "walk.glb").root_positions
    assert np.ptp(root[:, [0, 2]], axis=0).max() < 0.2
    studio.wait_for_motion(item, lambda: root_motion.select_option(label="As it is"))


def test_checked_clips_go_into_one_archive(studio: RunningStudio, tmp_path: Path) -> None:
    page, truth = studio.page, Truth(studio)
    for name in ("walk", "walk_left"):
        page.get_by_role("checkbox", name=f"Check {name}", exact=True).check()
    choose(studio, "walk", "BVH")
    page.locator(".export label", has_text="Clips").locator("select").select_option(label="The checked clips")
    with page.expect_download() as started:
        page.get_by_role("button", name="Export 2 clips as BVH").click()
    with ZipFile(started.value.path()) as archive:
        assert sorted(archive.namelist()) == ["walk.bvh", "walk_left.bvh"]
        for name in archive.namelist():
            clip = truth.clip(studio.item(Path(name).stem)["id"])
            assert archive.read(name) == ml.save(clip, tmp_path / name).read_bytes()
    for name in ("walk", "walk_left"):
        page.get_by_role("checkbox", name=f"Check {name}", exact=True).uncheck()


def test_an_export_is_cancelled_while_it_waits_and_while_it_draws(studio: RunningStudio) -> None:
    page = studio.page
    recipe = {"type": "motion", "motion": "walk", "options": {"duration": 120.0, "fps": 30}}
    studio.do({"type": "add", "name": "long", "recipe": recipe})
    item = studio.item("long")["id"]
    studio.wait_computed(item)
    choose(studio, "long", "GIF")
    start, cancel = (page.get_by_role("button", name=name) for name in ("Export as GIF", "Cancel"))

    # Before the server has heard of it: the request is held until it was cancelled.
    held: list[Route] = []
    page.route("**/api/exports/**", lambda route: held.append(route))
    start.click()
    cancel.click()
    page.get_by_text("The export was cancelled.").wait_for()
    page.unroute("**/api/exports/**")

    # While images are drawn: nothing more is drawn afterwards.
    with page.expect_request("**/api/exports/**") as asked:
        start.click()
    job = parse_qs(urlparse(asked.value.url).query)["job"][0]
    page.locator("progress[value]:visible").wait_for()
    cancel.click()
    page.get_by_text("The export was cancelled.").wait_for()
    expect(start).to_be_enabled()
    progress = f"window.studio.server.json('./api/export-jobs/{job}')"
    exported(studio, "walk", "BVH")
    drawn = page.evaluate(progress)
    exported(studio, "walk", "BVH")
    assert page.evaluate(progress) == drawn
    assert drawn["done"] < drawn["total"]
    studio.do({"type": "remove", "item": item})

"""Exports and scripts: the page, the command line and Python make the same file, byte for byte."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser

from tests.project.script_runs import run_commands
from tests.studio.browser.exports import FORMATS, choose, copied, exported
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
        studio.page.locator("label", has_text="Root motion").locator("select").select_option(label=label)
        studio.wait_all()
        assert studio.item("walk")["edit"]["root_motion"] == carrier


def test_travel_is_taken_out_and_recovered(studio: RunningStudio) -> None:
    choose(studio, "walk", "GLB")
    for label, travel in (("Remove: stay in place", "remove"), ("As it is", None)):
        studio.page.locator("label", has_text="Travel").locator("select").select_option(label=label)
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

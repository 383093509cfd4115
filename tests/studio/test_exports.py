from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from motionloom import load
from motionloom.cli.main import main
from motionloom.errors import MotionloomError, TemplateWarning
from motionloom.files.formats import upload_suffixes
from motionloom.project.command_script import write_commands
from motionloom.project.edits import RenameItem
from motionloom.project.python_script import write_python
from motionloom.studio import export_routes
from motionloom.studio.exports import (
    DESCRIPTIONS,
    ExportJobs,
    file_name,
    is_installed,
    list_formats,
    write_clip,
)
from tests.files.test_gltf_template import hero
from tests.studio.conftest import Page, Studio, small_document


@pytest.mark.slow
@pytest.mark.parametrize("format", ["", "txt", "bvh/../x", "BVH"])
def test_an_unknown_format_is_refused(studio: Studio, format: str) -> None:
    answer = studio.post(f"/api/exports/c1?format={format}")
    assert answer.status_code == 400
    assert answer.json()["error"].startswith("clips are exported as bvh, glb, fbx, usdc, amc, ")


def test_an_unknown_clip_is_refused(studio: Studio) -> None:
    answer = studio.post("/api/exports/c9?format=bvh")
    assert answer.status_code == 400
    assert answer.json() == {"error": "the project has no clip 'c9'; it may have been removed"}


def test_the_page_is_told_what_can_be_added_and_exported(studio: Studio) -> None:
    formats = studio.get("/api/formats").json()
    assert formats["accepted"] == list(upload_suffixes())
    installed = [name for name in DESCRIPTIONS if is_installed(name)]
    assert [option["name"] for option in formats["exports"]] == installed
    assert all(option["title"] and option["description"] for option in formats["exports"])


def test_files_are_named_after_clips() -> None:
    document = RenameItem(item="c1", name="../Walk / slow").apply(small_document())
    assert file_name(document, "c1", "bvh") == "Walk-slow.bvh"


@pytest.mark.slow
def test_an_export_is_the_file_that_its_script_makes(studio: Studio) -> None:
    answer = studio.post("/api/exports/c3?format=bvh")
    assert answer.headers["content-disposition"] == 'attachment; filename="both.bvh"'
    script = studio.get("/api/scripts/c3?language=python&format=bvh").text
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=studio.folder.path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{script}\n{done.stderr}"
    assert (studio.folder.path / "both.bvh").read_bytes() == answer.content


@pytest.mark.slow
@pytest.mark.parametrize(
    ("format", "command"), [("bvh", "convert"), ("glb", "convert"), ("gif", "render"), ("mp4", "render")]
)
def test_an_export_is_the_file_that_the_command_line_writes(
    studio: Studio, format: str, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clip as commands keep it on their way, and from there to the file."""
    with studio.page() as socket:
        page = Page(studio.client, socket)
        page.do(type="set_edit", item="c3", edit={"trim": [4, 9]})
        page.expect("state")
    export = studio.post(f"/api/exports/c3?format={format}")
    assert export.status_code == 200, export.text
    monkeypatch.chdir(studio.folder.path)
    Path("made").mkdir()
    Path("made/both.npz").write_bytes(studio.post("/api/exports/c3?format=npz").content)
    with pytest.raises(SystemExit) as end:
        main([command, "made/both.npz", "-o", f"both.{format}"])
    assert not end.value.code
    assert Path(f"both.{format}").read_bytes() == export.content


@pytest.mark.slow
def test_usd_is_exported_too(studio: Studio) -> None:
    """Binary USD is not the same from run to run, so only what is in it can be compared."""
    pytest.importorskip("pxr", reason="USD needs the package usd-core")
    export = studio.post("/api/exports/c3?format=usdc")
    path = studio.folder.path / "both.usdc"
    path.write_bytes(export.content)
    clip = studio.evaluator.evaluate(small_document(), "c3").clip
    np.testing.assert_allclose(load(path).world_positions(), clip.world_positions(), atol=1e-4)


def test_the_page_is_told_what_a_file_does_not_keep(studio: Studio) -> None:
    """Names beyond ASCII reach the page too: headers hold JSON."""
    clip = studio.evaluator.evaluate(small_document(), "c1").clip
    assert clip.constraints
    lost = "constraints and events were not saved: only "
    notes = json.loads(studio.post("/api/exports/c1?format=bvh").headers["x-motionloom-notes"])
    assert [note.startswith(lost) for note in notes] == [True]
    assert json.loads(studio.post("/api/exports/c1?format=npz").headers["x-motionloom-notes"]) == []


def test_a_lost_mesh_is_told(tmp_path: Path) -> None:
    clip = load(hero().save(tmp_path / "Bär.glb"))
    assert write_clip(clip, tmp_path / "kept.glb") == []
    (tmp_path / "Bär.glb").unlink()
    with pytest.warns(TemplateWarning):
        notes = write_clip(clip, tmp_path / "lost.glb")
    assert "Bär.glb was not kept, only the skeleton, because that file is gone" in notes[0]
    assert write_clip(clip, tmp_path / "film.gif") == []


def test_no_file_is_left_behind(studio: Studio, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert studio.post("/api/exports/c1?format=bvh").status_code == 200
    monkeypatch.setattr("motionloom.files.save", _fail)
    assert studio.post("/api/exports/c1?format=glb").status_code == 422
    assert list(tmp_path.glob("motionloom-export-*")) == []


def test_an_export_that_is_cut_off_leaves_nothing_behind(
    studio: Studio, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))

    async def cut_off(_: object) -> Path:
        raise asyncio.CancelledError

    monkeypatch.setattr(export_routes, "run_in_background", cut_off)
    assert studio.post("/api/exports/c1?format=gif").status_code == 503
    assert list(tmp_path.glob("motionloom-export-*")) == []


def _fail(*_: object) -> Path:
    raise MotionloomError("the disk is full")


@pytest.mark.parametrize(
    ("query", "error"),
    [
        ("c9", "the project has no clip 'c9'"),
        ("c1?language=basic", "the script language must be python or commands, not 'basic'"),
        ("c1?format=exe", "clips are exported as bvh"),
    ],
)
def test_what_cannot_be_written_is_refused(studio: Studio, query: str, error: str) -> None:
    answer = studio.get(f"/api/scripts/{query}")
    assert answer.status_code == 400
    assert answer.json()["error"].startswith(error)


def test_scripts_are_those_of_the_project(studio: Studio) -> None:
    document = small_document()
    assert studio.get("/api/scripts/c3?format=glb").text == write_python(document, "c3", "both.glb")
    commands = studio.get("/api/scripts/c3?language=commands&format=bvh")
    assert commands.text == write_commands(document, "c3", "both.bvh")
    assert commands.headers["content-type"] == "text/plain; charset=utf-8"


def test_scripts_have_marks_where_the_edit_moved_them(studio: Studio) -> None:
    with studio.page() as socket:
        page = Page(studio.client, socket)
        page.do(1, type="set_marks", item="c1", marks={"events": [{"frame": 20.0, "label": "clap"}]})
        page.do(2, type="set_edit", item="c1", edit={"speed": 2.0})
        page.expect("applied", serial=2)
    assert 'EventMark(frame=10.0, label="clap")' in studio.get("/api/scripts/c1").text
    assert '{"frame": 10.0, "label": "clap"' in studio.get("/api/scripts/c1?language=commands").text


@pytest.mark.parametrize("name", [name for name in DESCRIPTIONS if name != "mp4"])
def test_every_format_is_written(studio: Studio, name: str) -> None:
    if not is_installed(name):
        pytest.skip(f"{name} needs a package that is not there")
    answer = studio.post(f"/api/exports/c1?format={name}")
    assert answer.status_code == 200, answer.text
    assert len(answer.content) > 100
    ending = "zip" if name in ("amc", "csv") else name
    assert answer.headers["content-disposition"] == f'attachment; filename="walk.{ending}"'


def test_settings_change_frames_rate_unit_and_axes(studio: Studio, tmp_path: Path) -> None:
    answer = studio.post("/api/exports/c1?format=bvh&first=10&last=30&fps=15&unit=cm&up=z")
    (tmp_path / "walk.bvh").write_bytes(answer.content)
    whole = studio.evaluator.evaluate(small_document(), "c1").clip
    written, expected = load(tmp_path / "walk.bvh", unit="cm", up="z"), whole[10:31].resampled(15)
    assert written.fps == pytest.approx(15)
    assert written.n_frames == expected.n_frames
    np.testing.assert_allclose(written.world_positions(), expected.world_positions(), atol=1e-4)
    script = studio.get("/api/scripts/c1?format=bvh&first=10&last=30&fps=15&unit=cm&up=z").text
    assert "walk = walk[10:31].resampled(15.0)" in script
    assert 'ml.save(walk, "walk.bvh", unit="cm", up="z", overwrite=True)' in script
    commands = studio.get("/api/scripts/c1?language=commands&format=bvh&first=10&last=30&fps=15&up=z").text
    assert commands.strip().splitlines()[-2:] == [
        "motionloom edit made/walk.npz -o made/walk.npz --force --trim=10f:30f",
        "motionloom convert made/walk.npz -o walk.bvh --force --fps=15.0 --to-up=z",
    ]


@pytest.mark.parametrize(
    ("query", "error"),
    [
        ("first=5", "first, last and fps of an export must be numbers"),
        ("fps=many", "first, last and fps of an export must be numbers"),
        ("first=0&last=100000", "frames 0 to 100000 cannot be exported: the clip has frames 0 to "),
        ("up=w", "up must be x, y or z, not 'w'"),
    ],
)
def test_settings_that_cannot_be_are_refused(studio: Studio, query: str, error: str) -> None:
    answer = studio.post(f"/api/exports/c1?format=bvh&{query}")
    assert answer.status_code in (400, 422)
    assert answer.json()["error"].startswith(error)


def test_an_export_can_be_followed_and_stopped(studio: Studio) -> None:
    assert studio.get("/api/export-jobs/nobody").status_code == 204
    assert studio.post("/api/exports/c1?format=gif&job=mine").status_code == 200
    progress = studio.get("/api/export-jobs/mine").json()
    assert progress["done"] == progress["total"] > 1
    jobs = ExportJobs()
    job = jobs.begin("one")
    jobs.stop("one")
    jobs.stop("overtaken")
    for stopped in (job, jobs.begin("overtaken")):
        with pytest.raises(MotionloomError, match="the export was stopped"):
            stopped.note(1, 10)


def test_formats_say_which_settings_apply() -> None:
    options = {option.name: option.options for option in list_formats().exports}
    assert options["bvh"] == ("fps", "unit", "up")
    assert options["glb"] == options["gif"] == ("fps",)
    assert options["png"] == ()

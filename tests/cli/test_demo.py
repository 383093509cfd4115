from __future__ import annotations

import shlex
from pathlib import Path

from PIL import Image

from motionloom import load
from tests.cli.conftest import Run


def test_a_file_in_the_place_of_the_folder(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    ended = run("demo", "-o", tmp_path / "file")
    assert ended.code == 2
    assert ended.complaint.startswith("invalid value for '-o' / '--output'")


def test_a_folder_that_cannot_be_made(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    ended = run("demo", "-o", tmp_path / "file" / "demo")
    assert ended.code == 1
    assert ended.complaint.startswith(f"cannot make the folder {tmp_path / 'file' / 'demo'}: ")


def test_nothing_is_written_when_something_is_in_the_way(run: Run, tmp_path: Path) -> None:
    (tmp_path / "sneak.bvh").write_text("precious")
    ended = run("demo", "-o", tmp_path)
    assert ended.code == 1
    assert ended.complaint.endswith(
        "sneak.bvh already exists: choose another name, or replace it with --force"
    )
    assert [path.read_text() for path in tmp_path.iterdir()] == ["precious"]


def test_nine_clips_a_picture_and_hints_that_work(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "a demo"
    ended = run("demo", "-o", folder)
    assert (ended.code, ended.err) == (0, "")
    assert len(list(folder.glob("*.bvh"))) == 9
    with Image.open(folder / "nine-motions.png") as picture:
        assert picture.format == "PNG"

    lines = ended.out.splitlines()
    assert lines[:2] == [f"wrote 9 clips and nine-motions.png into {folder}", "Next, try:"]
    hints = [shlex.split(line) for line in lines[2:]]
    assert [words[1] for words in hints] == ["info", "render", "edit"]
    assert all(Path(words[2]).is_file() for words in hints)
    assert run("edit", *hints[2][2:-1], tmp_path / "mirrored.bvh").code == 0
    assert load(tmp_path / "mirrored.bvh").fps == 30.0


def test_force_and_json(run: Run, tmp_path: Path) -> None:
    (tmp_path / "walk.bvh").write_text("old")
    facts = run("demo", "-o", tmp_path, "--force", "--json").json()
    assert sorted(facts["written"]) == sorted(str(path) for path in tmp_path.iterdir())
    assert load(tmp_path / "walk.bvh").n_frames > 100

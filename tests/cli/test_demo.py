from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from PIL import Image

from motionloom import load
from motionloom.cli import demo as command
from motionloom.cli import demo_report
from motionloom.cli.demo_story import Story, make_story
from motionloom.files import load_registration
from tests.cli.conftest import Run


@pytest.fixture(scope="module")
def story() -> Story:
    """What the demo makes, made once for all tests that write it."""
    steps: list[None] = []
    story = make_story(lambda: steps.append(None))
    assert len(steps) == demo_report.N_STEPS - 1
    return story


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


@pytest.mark.slow
def test_the_whole_story_and_hints_that_work(
    run: Run, story: Story, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demo_report, "make_story", lambda done: story)
    folder = tmp_path / "a demo"
    ended = run("demo", "-o", folder)
    assert (ended.code, ended.err) == (0, "")
    assert {path.name for path in folder.iterdir()} == set(demo_report.demo_files())
    assert len(list(folder.glob("*.bvh"))) == 12
    for picture in folder.glob("*.png"):
        with Image.open(picture) as image:
            assert image.format == "PNG"
    assert load_registration(folder / "gaits.npz").n_clips == 9
    assert abs(load(folder / "steered.bvh").duration - 20.0) < 0.1

    page = (folder / "report.html").read_text()
    shown = re.findall(r'<img src="([^"]+)"', page)
    assert set(shown) == {path.name for path in folder.glob("*.png")}
    assert page.count("<table>") == 3
    # Planted feet stay put: the figures after planting are the second numbers of their rows.
    slides = re.findall(r"largest slide</td><td[^>]*>([\d.]+)</td><td[^>]*>([\d.]+)</td>", page)
    assert all(float(after) < 0.1 < float(before) for before, after in slides)
    assert len(slides) == 3

    lines = ended.out.splitlines()
    count = len(demo_report.demo_files())
    assert lines[0] == f"wrote {count} files into {folder}: open {shlex.quote(str(folder / 'report.html'))}"
    hints = [shlex.split(line) for line in lines[2:]]
    assert [words[1] for words in hints] == ["blend", "transition", "render"]
    for words in hints[:2]:
        assert run(*words[1:-1], tmp_path / words[-1]).code == 0
        assert load(tmp_path / words[-1]).n_frames > 30


@pytest.mark.slow
def test_without_matplotlib_all_but_the_plots_is_made(
    run: Run, story: Story, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demo_report, "make_story", lambda done: story)
    monkeypatch.setattr(demo_report, "find_spec", lambda name: None)
    monkeypatch.setattr(command, "find_spec", lambda name: None)
    ended = run("demo", "-o", tmp_path)
    assert ended.code == 0
    assert "no plots were made: they need matplotlib (pip install 'motionloom[plot]')" in ended.out
    assert not list(tmp_path.glob("*-plot.png"))
    assert "Plots need matplotlib" in (tmp_path / "report.html").read_text()


def test_force_and_json(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[tuple[Path, bool]] = []

    def run_demo(folder: Path, *, overwrite: bool, progress: object) -> None:
        calls.append((folder, overwrite))

    monkeypatch.setattr(demo_report, "run_demo", run_demo)
    (tmp_path / "walk.bvh").write_text("old")
    facts = run("demo", "-o", tmp_path, "--force", "--json").json()
    assert facts["written"] == [str(tmp_path / name) for name in demo_report.demo_files()]
    assert calls == [(tmp_path, True)]

"""The README and the examples say what really works."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from contextlib import chdir
from pathlib import Path

import pytest

from motionloom.cli.main import main

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
EXAMPLES = sorted((ROOT / "examples").glob("**/*.py"))


BLOCKING = ("motionloom studio", "motionloom view")
"""Commands that open a page and run until somebody stops them."""


def blocks(page: Path) -> list[tuple[str, str]]:
    """The language and the text of every block of a page that is to be run, from top to bottom."""
    return re.findall(r"```(sh|python)\n(.*?)```", page.read_text(encoding="utf-8"), flags=re.DOTALL)


def commands(page: Path) -> list[str]:
    lines = [line for language, text in blocks(page) if language == "sh" for line in text.splitlines()]
    return [line for line in lines if line.startswith("motionloom ")]


def run_command(line: str) -> None:
    """Run a line of a page as a shell would, in this process: kernels and packages are loaded once."""
    if line.startswith("motionloom ") and not line.startswith(BLOCKING):
        with pytest.raises(SystemExit) as end:
            main(shlex.split(line, comments=True)[1:])
        assert end.value.code in (0, None), line


def run_page(page: Path, folder: Path) -> None:
    """Run a page in a folder from top to bottom, its Python blocks as one session."""
    session: dict[str, object] = {"__name__": "__main__"}
    with chdir(folder):
        for language, text in blocks(page):
            if language == "python":
                exec(compile(text, str(page), "exec"), session)
            else:
                for line in text.splitlines():
                    run_command(line)


@pytest.fixture(scope="module")
def newcomer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which every command of the README was run."""
    folder = tmp_path_factory.mktemp("newcomer")
    with chdir(folder):
        for line in commands(README):
            run_command(line)
    return folder


@pytest.mark.slow
def test_the_commands_of_the_readme_run_as_written(newcomer: Path) -> None:
    assert len(commands(README)) >= 12
    assert (newcomer / "demo" / "report.html").exists()
    assert (newcomer / "mostly_jog.png").stat().st_size > 10_000
    assert {path.suffix for path in (newcomer / "for_the_engine").iterdir()} == {".glb"}


@pytest.mark.slow
def test_the_studio_command_of_the_readme_is_right(newcomer: Path) -> None:
    (line,) = [line for line in commands(README) if line.startswith("motionloom studio ")]
    _, _, *files = shlex.split(line)
    assert files
    assert all((newcomer / file).exists() for file in files)


@pytest.mark.slow
def test_the_python_session_of_the_readme_runs(newcomer: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = [text for language, text in blocks(README) if language == "python"]
    assert len(code) >= 10
    session: dict[str, object] = {"__name__": "__main__"}
    with chdir(newcomer):
        for text in code:
            exec(compile(text, "README.md", "exec"), session)
    said = capsys.readouterr().out
    assert "Clip(241 frames at 60 fps, 22 joints" in said
    assert "good match: the clips do the same at corresponding moments" in said
    assert "largest slide" in said
    written = {"mixed.bvh", "mirrored.bvh", "registration.png", "two_walks.gif"}
    assert written <= {path.name for path in newcomer.iterdir()}


STARTED = {
    "install": {"walk.bvh"},
    "first_blend": {"half.bvh", "brisk.bvh", "mixed.bvh", "faster.bvh", "gaits.png"},
    "clean_and_loop": {"clean.bvh", "planted.bvh", "loop.npz", "loop.glb"},
    "character": {"child_walks.glb", "child.png", "with_root_motion.glb", "in_place.glb"},
    "steer": {"gaits.npz", "steered.bvh"},
}
"""What each page of docs/start leaves in its folder."""


@pytest.mark.parametrize("name", STARTED)
def test_a_start_page_runs_from_top_to_bottom(name: str, tmp_path: Path) -> None:
    run_page(ROOT / "docs" / "start" / f"{name}.md", tmp_path)
    assert STARTED[name] <= {path.name for path in tmp_path.iterdir()}


def test_every_start_page_is_run() -> None:
    assert {path.stem for path in (ROOT / "docs" / "start").iterdir()} == set(STARTED)


DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").rglob("*.md")]


def anchors(document: Path) -> set[str]:
    """The anchors that GitHub gives the headings of a document."""
    text = re.sub(r"```.*?```", "", document.read_text(encoding="utf-8"), flags=re.DOTALL)
    titles = re.findall(r"^#+ (.+)$", text, flags=re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).strip().replace(" ", "-") for title in titles}


@pytest.mark.parametrize("document", DOCUMENTS, ids=[str(path.relative_to(ROOT)) for path in DOCUMENTS])
def test_links_lead_somewhere(document: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", document.read_text(encoding="utf-8")):
        if re.match(r"https?://|mailto:", link):
            continue
        file, _, anchor = link.partition("#")
        target = document.parent / file if file else document
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def test_the_readme_leads_with_a_moving_picture_and_three_doors() -> None:
    text = README.read_text(encoding="utf-8")
    assert re.match(r"# Motionloom\n\n!\[[^\]]+\]\(\S+\.gif\)\n", text)
    doors = re.findall(r"^### (I .+)$", text, flags=re.MULTILINE)
    assert doors == ["I have clips", "I write Python", "I use Blender"]


@pytest.mark.slow
@pytest.mark.parametrize("path", EXAMPLES, ids=[path.name for path in EXAMPLES])
def test_examples_run(tmp_path: Path, path: Path) -> None:
    environment = {**os.environ, "PYTHONWARNINGS": "error"}
    run = subprocess.run(
        [sys.executable, path, tmp_path / "out"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout
    assert len(path.read_text().splitlines()) < 120


def test_makefile_and_ci_agree() -> None:
    assert "make test" in (ROOT / ".ci" / "run").read_text()
    assert "make test" in README.read_text(encoding="utf-8")
    assert "make demo" in README.read_text(encoding="utf-8")

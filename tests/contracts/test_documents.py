"""The README and the examples say what really works."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLES = sorted((ROOT / "examples").glob("**/*.py"))


SESSION = "import sys\nfor code in sys.stdin.read().split('\\0'):\n    exec(code)"
"""A Python session that runs blocks of code one after the other, as a reader would."""


def readme_blocks() -> list[tuple[str, str]]:
    """The language and the text of every block of the README that is to be run, from top to bottom."""
    return re.findall(r"```(sh|python)\n(.*?)```", README, flags=re.DOTALL)


def readme_commands() -> list[str]:
    lines = [line for language, text in readme_blocks() if language == "sh" for line in text.splitlines()]
    return [line for line in lines if line.startswith("motionloom ")]


@pytest.fixture(scope="module")
def newcomer(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which every command of the README was run; the studio would run until somebody stops it."""
    folder = tmp_path_factory.mktemp("newcomer")
    for line in readme_commands():
        if not line.startswith("motionloom studio "):
            command = [sys.executable, "-m", *shlex.split(line)]
            run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
            assert run.returncode == 0, (line, run.stderr)
    return folder


@pytest.mark.slow
def test_the_commands_of_the_readme_run_as_written(newcomer: Path) -> None:
    assert len(readme_commands()) >= 12
    assert (newcomer / "demo" / "report.html").exists()
    assert (newcomer / "mostly_jog.png").stat().st_size > 10_000
    assert {path.suffix for path in (newcomer / "for_the_engine").iterdir()} == {".glb"}


def test_the_studio_command_of_the_readme_is_right(newcomer: Path) -> None:
    (line,) = [line for line in readme_commands() if line.startswith("motionloom studio ")]
    _, _, *files = shlex.split(line)
    assert files
    assert all((newcomer / file).exists() for file in files)


@pytest.mark.slow
def test_the_python_session_of_the_readme_runs(newcomer: Path) -> None:
    code = [text for language, text in readme_blocks() if language == "python"]
    assert len(code) >= 10
    run = subprocess.run(
        [sys.executable, "-c", SESSION],
        input="\0".join(code),
        cwd=newcomer,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert "Clip(241 frames at 60 fps, 22 joints" in run.stdout
    assert "good: corresponding frames look alike" in run.stdout
    assert "largest slide" in run.stdout
    written = {"mixed.bvh", "mirrored.bvh", "registration.png", "two_walks.gif"}
    assert written <= {path.name for path in newcomer.iterdir()}


def test_linked_files_exist() -> None:
    for document in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)\)", document.read_text(encoding="utf-8")):
            assert (document.parent / target).exists(), (document.name, target)


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
    assert "make test" in README
    assert "make demo" in README

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


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, flags=re.DOTALL)


def test_the_one_screen_example_runs(tmp_path: Path) -> None:
    (code,) = blocks("python")
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith("Clip(181 frames at 60 fps, 22 joints")
    assert "good: corresponding frames look alike" in run.stdout
    assert "largest slide" in run.stdout
    written = {"walk.bvh", "jog.bvh", "other.bvh", "half.bvh", "mostly_jog.bvh"}
    assert {path.name for path in tmp_path.iterdir()} == written


def test_the_commands_run_as_written(tmp_path: Path) -> None:
    lines = [line for block in blocks("sh") for line in block.splitlines() if line.startswith("motionloom ")]
    assert len(lines) >= 6
    for line in lines:
        command = [sys.executable, "-m", *shlex.split(line)]
        run = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert run.returncode == 0, (line, run.stderr)
    assert (tmp_path / "jog.png").stat().st_size > 10_000


def test_linked_files_exist() -> None:
    for document in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\(([^)#:]+)\)", document.read_text(encoding="utf-8")):
            assert (document.parent / target).exists(), (document.name, target)


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

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from motionloom.cli.main import COMMANDS
from tests.cli.conftest import Run

needs_bash = pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")


def test_an_unknown_shell(run: Run) -> None:
    ended = run("completion", "tcsh")
    assert ended.code == 2
    assert ended.complaint.startswith("invalid value for '{bash|zsh|fish}': 'tcsh' is not one of")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_shell_gets_a_script(run: Run, shell: str) -> None:
    ended = run("completion", shell)
    assert ended.code == 0
    assert f"_MOTIONLOOM_COMPLETE={shell}_complete" in ended.out


@pytest.mark.slow
@needs_bash
@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["motionloom", ""], " ".join(COMMANDS)),
        (["motionloom", "edit", "--pl"], "--place"),
        (["motionloom", "render", "--view", ""], "auto side front top"),
        (["motionloom", "synthesize", "kick"], "kick_front kick_side kick_high"),
    ],
)
def test_bash_completes(run: Run, tmp_path: Path, words: list[str], offered: str) -> None:
    program = tmp_path / "motionloom"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m motionloom "$@"\n')
    program.chmod(0o755)
    script = (
        f"{run('completion', 'bash').out}\n"
        "complete -p motionloom\n"
        f"COMP_WORDS=({' '.join(repr(word) for word in words)}); COMP_CWORD={len(words) - 1}\n"
        '_motionloom_completion motionloom; echo "${COMPREPLY[@]}"\n'
    )
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    shown = subprocess.run(
        ["bash", "--norc", "-c", script],
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PATH": path},
    )
    registered, answer = shown.stdout.splitlines()
    assert registered.endswith("_motionloom_completion motionloom")
    assert answer == offered

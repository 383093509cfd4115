"""Running the scripts of a project as a user would, and what they should write."""

from __future__ import annotations

import os
import runpy
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from motionloom.cli.main import main
from motionloom.files import save
from motionloom.project.document import Document
from motionloom.project.evaluator import Evaluator

RECORD = """#!/bin/sh
printf '%s\\0' "$@" >> calls
printf '\\n\\0' >> calls
"""
"""A program that takes the place of motionloom and writes down what it is called with."""


def recorded_calls(folder: Path, script: str) -> list[list[str]]:
    """Run a shell script in a folder; returns the calls of motionloom that it makes, which do nothing."""
    _run_shell(folder, script, RECORD)
    words = (folder / "calls").read_bytes().decode("utf-8", "surrogateescape").split("\0")
    (folder / "calls").unlink()
    calls: list[list[str]] = [[]]
    for word in words[:-1]:
        if word == "\n":
            calls.append([])
        else:
            calls[-1].append(word)
    return calls[:-1]


def run_calls(folder: Path, script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run a shell script in a folder, with calls of motionloom in this process, which starts faster."""
    calls = recorded_calls(folder, script)
    monkeypatch.chdir(folder)
    for words in calls:
        with pytest.raises(SystemExit) as ended:
            main(words)
        assert not ended.value.code, words


def run_commands(folder: Path, script: str) -> None:
    """Run a shell script in a folder as a user does."""
    _run_shell(folder, script, f'#!/bin/sh\nexec "{sys.executable}" -m motionloom "$@"\n')


def run_python(folder: Path, scripts: Sequence[str]) -> None:
    """Run Python scripts in a folder, each as the main program, in this process, which starts faster."""
    for script in scripts:
        (folder / "script.py").write_text(script, encoding="utf-8")
        with pytest.MonkeyPatch.context() as patched:
            patched.chdir(folder)
            runpy.run_path("script.py", run_name="__main__")


def exported(evaluator: Evaluator, document: Document, id: str, ending: str) -> bytes:
    """The file of an item as the studio writes it."""
    output = evaluator.folder.path / f"studio.{ending}"
    return save(evaluator.evaluate(document, id).clip, output, overwrite=True).read_bytes()


def _run_shell(folder: Path, script: str, program: str) -> None:
    programs = folder / "programs"
    programs.mkdir(exist_ok=True)
    (programs / "motionloom").write_text(program)
    (programs / "motionloom").chmod(0o755)
    path = f"{programs}{os.pathsep}{os.environ['PATH']}"
    (folder / "script.sh").write_text(script, encoding="utf-8")
    ended = subprocess.run(
        ["sh", "script.sh"],
        cwd=folder,
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert ended.returncode == 0, f"{ended.stdout}\n{ended.stderr}"

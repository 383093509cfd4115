from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from motionloom.cli import install_fbx as command
from motionloom.errors import MotionloomError
from motionloom.files.fbx.blender import environment_python
from tests.cli.conftest import Run


@pytest.fixture
def folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Where the environment goes in these tests."""
    place = tmp_path / "cache" / "blender"
    monkeypatch.setattr(command, "environment_folder", lambda: place)
    monkeypatch.setattr(command, "BPY_VERSIONS", {sys.version_info[:2]: "4.5.15"})
    return place


def called(monkeypatch: pytest.MonkeyPatch, fails_at: str = "") -> list[list[str]]:
    """The programs that the command would run, one of which may fail."""
    ran: list[list[str]] = []

    def run(words: list[str], purpose: str) -> str:
        ran.append(words)
        if fails_at and fails_at in words:
            raise MotionloomError(f"could not {purpose}: no network")
        if "venv" in words:
            own = environment_python(Path(words[-1]))
            own.parent.mkdir(parents=True)
            own.touch()
        return "4.5.15 LTS\n"

    monkeypatch.setattr(command, "_run", run)
    return ran


def test_no_python_that_blender_has_a_package_for(
    run: Run, monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    monkeypatch.setattr(command, "BPY_VERSIONS", {(2, 7): "1.0"})
    ended = run("install-fbx", "--yes")
    assert ended.code == 1
    assert ended.complaint.startswith("Blender's package needs Python 2.7, and neither was found")


def test_nothing_is_loaded_without_a_yes(run: Run, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    ran = called(monkeypatch)
    monkeypatch.setattr(sys, "stdin", io.StringIO("n\n"))
    ended = run("install-fbx")
    assert ended.code == 1
    assert f"Download Blender 4.5.15 (370 MB; 920 MB in {folder})?" in ended.err
    assert ran == []


def test_what_fails_leaves_nothing_behind(run: Run, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    called(monkeypatch, fails_at="pip")
    ended = run("install-fbx", "--yes")
    assert (ended.code, ended.complaint) == (1, "could not install Blender's package: no network")
    assert not folder.exists()


def test_an_environment_is_made_once(run: Run, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    ran = called(monkeypatch)
    ended = run("install-fbx", "--yes")
    assert (
        ended.out == f"Blender 4.5.15 LTS is installed in {folder}: FBX files can be read and written now\n"
    )
    assert ran[0] == [sys.executable, "-m", "venv", str(folder)]
    assert ran[1][1:] == ["-m", "pip", "install", "bpy==4.5.15"]
    assert run("install-fbx", "--yes").out == f"{folder} exists already: use --force to install again\n"
    assert len(ran) == 3
    run("install-fbx", "--yes", "--force")
    assert len(ran) == 6


def test_programs_that_fail_are_quoted() -> None:
    with pytest.raises(
        MotionloomError, match=r"could not try: ImportError: libX11\.so\.6: cannot open shared obj"
    ):
        command._run(
            [sys.executable, "-c", "raise ImportError('libX11.so.6: cannot open shared object file')"], "try"
        )
    with pytest.raises(MotionloomError, match="could not try: /no/such/python No such file or directory"):
        command._run(["/no/such/python"], "try")

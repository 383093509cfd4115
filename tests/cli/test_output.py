from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

from motionloom.cli.output import print_facts, print_json, progress, refuse_existing, spoken
from motionloom.errors import FileExistsRefusal


class Terminal(io.StringIO):
    """A stream that a person looks at."""

    def isatty(self) -> bool:
        return True


def test_an_existing_file_is_refused_unless_it_may_go(tmp_path: Path) -> None:
    (tmp_path / "there").touch()
    with pytest.raises(FileExistsRefusal, match="there already exists"):
        refuse_existing([tmp_path / "not", tmp_path / "there"], overwrite=False)
    refuse_existing([tmp_path / "there"], overwrite=True)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "unknown"),
        (True, "yes"),
        (False, "no"),
        (0.1234567, "0.123457"),
        ([], "none"),
        (["a", 2], "a, 2"),
        ("text", "text"),
    ],
)
def test_facts_are_spoken(value: object, words: str) -> None:
    assert spoken(value) == words


def test_facts_are_aligned(capsys: pytest.CaptureFixture[str]) -> None:
    print_facts("title", {"a": 1, "long_name": 2.5})
    assert capsys.readouterr().out == "title\na          1\nlong name  2.5\n"


def test_json_is_ascii(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"name": "ä"})
    assert capsys.readouterr().out == '{\n  "name": "\\u00e4"\n}\n'


@pytest.mark.parametrize("forced", ["", "1"])
def test_progress_is_silent_away_from_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, forced: str
) -> None:
    monkeypatch.setenv("FORCE_COLOR", forced)
    with progress("working") as update:
        update(1, 2)
    assert capsys.readouterr() == ("", "")


def test_progress_is_shown_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Terminal()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stderr", screen)
    with progress("working") as update:
        update(1, 2)
    assert "working" in screen.getvalue()
    assert "50%" in screen.getvalue()


def test_quiet_progress_is_silent_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    with progress("working", quiet=True) as update:
        update(1, 2)
    assert screen.getvalue() == ""

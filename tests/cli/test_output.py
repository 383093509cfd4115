from __future__ import annotations

import io
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from motionloom.cli.output import (
    Failures,
    format_value,
    print_facts,
    print_json,
    progress,
    refuse_existing,
)
from motionloom.errors import FileExistsRefusal, MotionloomError, ParameterError
from motionloom.files import save
from motionloom.motion import Clip, Source
from tests.cli.conftest import Run


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
def test_facts_are_formatted_for_people(value: object, words: str) -> None:
    assert format_value(value) == words


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


def failing(n_files: int, *errors: MotionloomError) -> Failures:
    """Failures after these errors, each in a file of its own."""
    failures = Failures(n_files)
    for n, error in enumerate(errors):
        with failures.collect(Path(f"{n}.bvh")):
            raise error
    return failures


def test_the_error_of_a_single_file_is_the_command_s_own() -> None:
    with pytest.raises(ParameterError, match="it alone"):
        failing(1, ParameterError("it alone"))


def test_no_failure_ends_well() -> None:
    failing(2).finish("read")


def test_one_of_several(capsys: pytest.CaptureFixture[str]) -> None:
    failures = failing(2, FileExistsRefusal("a.bvh"))
    told = "a.bvh already exists"  # outside of a command no option is named
    assert capsys.readouterr().err == f"motionloom: {told}\n"
    assert failures.facts() == [{"file": "0.bvh", "error": told}]
    with pytest.raises(MotionloomError, match="1 of 2 files could not be read"):
        failures.finish("read")


@pytest.mark.parametrize(
    ("errors", "wrong_call"),
    [
        ([ParameterError("a"), ParameterError("b")], True),
        ([ParameterError("a"), MotionloomError("b")], False),
        ([ParameterError("a")], False),
    ],
)
def test_the_call_is_wrong_when_it_was_for_every_file(
    errors: list[MotionloomError], wrong_call: bool
) -> None:
    with pytest.raises(MotionloomError) as raised:
        failing(2, *errors).finish("read")
    assert isinstance(raised.value, ParameterError) is wrong_call


HOSTILE = "hips\x1b]0;title\x07\x9b2J\u202e"


@pytest.mark.parametrize(
    "words",
    [
        "info {glb}",
        "info --json {glb}",
        "annotate {glb} -o {out}.npz",
        "retarget {glb} --to {glb} --show",
        "repair {glb} --preview",
        "measure {glb}",
        "info {folder}/no\x1b[31mfile.bvh",
        "convert {glb} {out}\x1b[31m.bvh",
    ],
)
def test_no_file_commands_the_terminal(run: Run, tmp_path: Path, clip: Clip, words: str) -> None:
    """Names of joints, of animations and of files reach the output; control characters do not."""
    names = tuple(f"{name}{HOSTILE}" for name in clip.skeleton.names)
    renamed = replace(
        clip, skeleton=replace(clip.skeleton, names=names), constraints=(), events=(), source=Source()
    )
    glb = save(renamed, tmp_path / "hostile.glb")
    places = {"glb": glb, "out": tmp_path / "out", "folder": tmp_path}
    ended = run(*(word.format(**places) for word in words.split(" ")))
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e]", ended.out + ended.err)

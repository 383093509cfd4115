from __future__ import annotations

import os
from pathlib import Path

import pytest

from motionloom.studio.unfinished import FILE, Unfinished


def die_making(folder: Path, key: str) -> Unfinished:
    """A process that is killed while it makes a clip: the block is never left."""
    unfinished = Unfinished(folder)
    making = unfinished.making(key)
    making.__enter__()
    KILLED.append(making)  # else its end would be run when it is collected
    return unfinished


KILLED: list[object] = []


def test_what_was_being_made_is_known_at_the_next_start_and_counted(tmp_path: Path) -> None:
    for times in range(3):
        assert die_making(tmp_path, "a").attempts("b") == 0
        assert Unfinished(tmp_path).attempts("a") == times + 1


def test_what_was_made_is_forgotten_and_no_file_remains(tmp_path: Path) -> None:
    unfinished = Unfinished(tmp_path)
    with unfinished.making("a"), unfinished.making("b"):
        assert (tmp_path / FILE).exists()
    assert not (tmp_path / FILE).exists()
    with pytest.raises(ValueError, match="failed"), unfinished.making("a"):
        raise ValueError("failed")
    assert not (tmp_path / FILE).exists()


def test_what_was_not_tried_again_stays_noted(tmp_path: Path) -> None:
    die_making(tmp_path, "a")
    unfinished = Unfinished(tmp_path)
    with unfinished.making("b"):
        pass
    assert Unfinished(tmp_path).attempts("a") == 1
    unfinished.forget()
    assert Unfinished(tmp_path).attempts("a") == 0


@pytest.mark.parametrize(
    "content", [b"", b'{"a": 1', b"[1]", b'{"a": "x", "b": null}', b"\xff\xfe", b"[" * 99_999]
)
def test_a_file_that_was_half_written_counts_for_nothing(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE).write_bytes(content)
    assert Unfinished(tmp_path).attempts("a") == 0


def test_a_folder_that_cannot_be_written_keeps_nobody_from_making(tmp_path: Path) -> None:
    with Unfinished(tmp_path / "missing").making("a"):
        pass


def test_a_link_is_replaced_and_what_it_names_stays_as_it_is(tmp_path: Path) -> None:
    """A project from elsewhere may hold a link to any file of the user."""
    theirs = tmp_path / "notes.txt"
    theirs.write_text('{"a": 1}')
    project = tmp_path / "project"
    project.mkdir()
    (project / FILE).symlink_to(theirs)
    unfinished = Unfinished(project)
    assert unfinished.attempts("a") == 0
    with unfinished.making("b"):
        assert (project / FILE).read_text() == '{"b": 1}'
    assert theirs.read_text() == '{"a": 1}'


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / FILE)
    assert Unfinished(tmp_path).attempts("a") == 0

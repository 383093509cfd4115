"""Atomic writing: a failed, interrupted or killed writer leaves the previous file whole."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from threading import Thread

import pytest

from motionloom import atomic_write
from motionloom.atomic_write import MAX_LOCK_AGE, atomic_output, lock_file, make_folder, remove_leftovers
from motionloom.errors import FileExistsRefusal, MotionloomError

KILLED_WRITER = """
import sys, os
from motionloom.atomic_write import atomic_output
with atomic_output(sys.argv[1], overwrite=True) as temporary:
    file = open(temporary, "w")
    file.write("half of the new")
    file.flush()
    print("writing", flush=True)
    sys.stdin.read()
"""


def test_a_folder_below_a_file_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(MotionloomError, match=r"cannot make the folder .*; choose another place"):
        make_folder(tmp_path / "file" / "below")


def test_existing_file_is_refused_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "clip.bvh"
    path.write_text("old")
    with (
        pytest.raises(FileExistsRefusal, match=r"clip\.bvh already exists: choose another name"),
        atomic_output(path),
    ):
        pytest.fail("the block must not run")
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["clip.bvh"]


def test_missing_folder_is_named(tmp_path: Path) -> None:
    with (
        pytest.raises(MotionloomError, match=r"the folder .*nowhere does not exist; create it first"),
        atomic_output(tmp_path / "nowhere" / "clip.bvh"),
    ):
        pytest.fail("the block must not run")


def test_folder_in_place_of_a_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MotionloomError, match="is a folder"), atomic_output(tmp_path, overwrite=True):
        pytest.fail("the block must not run")


def test_unwritable_folder_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("motionloom.atomic_write.os.open", refuse)
    with (
        pytest.raises(MotionloomError, match=r"permission denied in the folder .*may write to"),
        atomic_output(tmp_path / "clip.bvh"),
    ):
        pytest.fail("the block must not run")


def test_new_file_appears_only_when_the_block_ends(tmp_path: Path) -> None:
    path = tmp_path / "clip.bvh"
    with atomic_output(path) as temporary:
        temporary.write_text("new")
        assert temporary.parent == tmp_path
        assert temporary.suffix == ".bvh"
        assert not path.exists()
    assert path.read_text() == "new"
    assert os.listdir(tmp_path) == ["clip.bvh"]


def test_overwrite_replaces_and_keeps_permissions(tmp_path: Path) -> None:
    path = tmp_path / "clip.bvh"
    path.write_text("old")
    path.chmod(0o640)
    with atomic_output(path, overwrite=True) as temporary:
        temporary.write_text("new")
    assert path.read_text() == "new"
    assert path.stat().st_mode & 0o777 == 0o640


@pytest.mark.skipif(os.name == "nt", reason="Windows has no umask")
@pytest.mark.parametrize("mask", [0o022, 0o077])
def test_new_files_have_the_permissions_that_the_user_wants(tmp_path: Path, mask: int) -> None:
    before = os.umask(mask)
    try:
        with atomic_output(tmp_path / "clip.bvh") as temporary:
            temporary.write_text("new")
    finally:
        os.umask(before)
    assert (tmp_path / "clip.bvh").stat().st_mode & 0o777 == 0o666 & ~mask


@pytest.mark.skipif(os.name == "nt", reason="Windows has no umask")
def test_what_replaces_a_private_file_is_private_while_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "clip.bvh"
    path.write_text("old")
    path.chmod(0o400)
    with atomic_output(path, overwrite=True) as temporary:
        assert temporary.stat().st_mode & 0o777 == 0o600
    assert path.stat().st_mode & 0o777 == 0o400


def test_the_mask_of_the_process_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another thread would make its files readable to all meanwhile."""
    monkeypatch.setattr("os.umask", lambda mask: pytest.fail("the mask was changed"))
    with atomic_output(tmp_path / "clip.bvh") as temporary:
        temporary.write_text("new")


def test_only_what_killed_writers_left_is_removed(tmp_path: Path) -> None:
    ours = [tmp_path / f".motionloom-0123456789abcdef{suffix}" for suffix in ("", ".bvh", ".tar.gz")]
    theirs = [tmp_path / name for name in (".vscode-settings.json", ".motionloom-notes.txt", "clip.bvh")]
    for path in (*ours, *theirs):
        path.write_text("")
    remove_leftovers(tmp_path)
    assert sorted(tmp_path.iterdir()) == sorted(theirs)


def test_link_is_followed(tmp_path: Path) -> None:
    real, link = tmp_path / "real.bvh", tmp_path / "link.bvh"
    real.write_text("old")
    link.symlink_to(real)
    with atomic_output(link, overwrite=True) as temporary:
        temporary.write_text("new")
    assert link.is_symlink()
    assert real.read_text() == "new"


def test_file_made_meanwhile_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "clip.bvh"

    def write_while_another_does() -> None:
        with atomic_output(path) as temporary:
            temporary.write_text("mine")
            path.write_text("theirs")

    with pytest.raises(FileExistsRefusal):
        write_while_another_does()
    assert path.read_text() == "theirs"
    assert os.listdir(tmp_path) == ["clip.bvh"]


@pytest.mark.parametrize("failure", [RuntimeError, KeyboardInterrupt, SystemExit])
def test_failed_writer_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, failure: type[BaseException]
) -> None:
    path = tmp_path / "clip.bvh"
    path.write_text("old")

    def write_and_fail() -> None:
        with atomic_output(path, overwrite=True) as temporary:
            temporary.write_text("half of the new")
            raise failure

    with pytest.raises(failure):
        write_and_fail()
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["clip.bvh"]


def test_killed_writer_leaves_the_old_file_whole(tmp_path: Path) -> None:
    path = tmp_path / "clip.bvh"
    path.write_text("old")
    with subprocess.Popen(
        [sys.executable, "-c", KILLED_WRITER, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1] / "src")},
    ) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == b"writing\n"
        writer.send_signal(signal.SIGKILL)
        writer.wait()
    assert path.read_text() == "old"


def test_a_lock_is_waited_for(tmp_path: Path) -> None:
    path, order = tmp_path / "list.json", list[str]()

    def change() -> None:
        with lock_file(path):
            order.append("second")

    with lock_file(path):
        waiting = Thread(target=change)
        waiting.start()
        time.sleep(0.05)
        order.append("first")
    waiting.join()
    assert order == ["first", "second"]
    assert os.listdir(tmp_path) == []


def test_a_lock_that_a_killed_process_left_is_removed(tmp_path: Path) -> None:
    left, long_ago = tmp_path / ".list.json.lock", time.time() - MAX_LOCK_AGE - 1.0
    left.touch()
    os.utime(left, (long_ago, long_ago))
    with lock_file(tmp_path / "list.json"):
        assert time.time() - left.stat().st_mtime < MAX_LOCK_AGE
    assert not left.exists()


@pytest.mark.parametrize("kind", ["folder", "of the future"])
def test_a_lock_that_stays_is_not_waited_for_without_end(
    tmp_path: Path, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(atomic_write, "MAX_LOCK_WAIT", 0.1)
    lock = tmp_path / ".list.json.lock"
    if kind == "folder":
        lock.mkdir()
        os.utime(lock, (0.0, 0.0))
    else:
        lock.touch()
        os.utime(lock, (4e9, 4e9))
    with (
        pytest.raises(MotionloomError, match=r"list\.json is locked by .*: remove that if no other"),
        lock_file(tmp_path / "list.json"),
    ):
        pytest.fail("the block must not run")
    assert lock.exists()


def test_a_lock_that_is_another_s_by_now_stays(tmp_path: Path) -> None:
    lock = tmp_path / ".list.json.lock"
    with lock_file(tmp_path / "list.json"):
        lock.write_text("another")
    assert lock.read_text() == "another"


def test_locks_need_a_folder(tmp_path: Path) -> None:
    with (
        pytest.raises(MotionloomError, match="does not exist; create it first"),
        lock_file(tmp_path / "no/a"),
    ):
        pass

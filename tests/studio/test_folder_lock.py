from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from motionloom.errors import MotionloomError
from motionloom.studio.folder_lock import LOCK_NAME, only_studio

HOLD = """
import sys, time
from pathlib import Path
from motionloom.studio.folder_lock import only_studio
with only_studio(Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_folder_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with (
        pytest.raises(MotionloomError, match=r"cannot write into the project's folder .*: no such file"),
        only_studio(tmp_path / "none"),
    ):
        pass


def test_the_lock_is_free_again_afterwards(tmp_path: Path) -> None:
    for _ in range(2):
        with only_studio(tmp_path):
            assert (tmp_path / LOCK_NAME).read_text() == str(os.getpid())


def test_another_process_keeps_us_out_until_it_is_killed(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", HOLD, tmp_path], stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        with (
            pytest.raises(MotionloomError, match=rf"open in another studio \(process {other.pid}\): use or"),
            only_studio(tmp_path),
        ):
            pass
        other.kill()
    with only_studio(tmp_path):
        assert (tmp_path / LOCK_NAME).read_text() == str(os.getpid())


def test_a_link_in_place_of_the_lock_is_not_followed(tmp_path: Path) -> None:
    target = tmp_path / "precious"
    target.write_text("kept")
    project = tmp_path / "project"
    project.mkdir()
    (project / LOCK_NAME).symlink_to(target)
    with pytest.raises(MotionloomError, match="cannot write into"), only_studio(project):
        pass
    assert target.read_text() == "kept"

"""Motion and skeleton in two files: motion that stands on other bones than its own is noticed."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.errors import FileFormatError
from motionloom.synthesis import walk

OTHER_BONES = "was not written with the skeleton that .* holds now"

KILLED = """
import os, sys
import motionloom as ml
count, replace_file = int(sys.argv[3]), os.replace
def replace_and_die(old, new):
    global count
    if count == 0:
        os.kill(os.getpid(), 9)
    count -= 1
    replace_file(old, new)
os.replace = replace_and_die
ml.save(ml.load(sys.argv[1]), sys.argv[2], overwrite=True)
"""
"""Saves a clip and is killed at a rename."""


def companion(path: Path) -> Path:
    return path.with_suffix(".asf") if path.suffix == ".amc" else path.with_name(f"{path.stem}.skeleton.csv")


def two_clips() -> tuple[ml.Clip, ml.Clip]:
    """A short walk, and a longer one of a body that is half as large."""
    old, new = walk(duration=0.5, fps=30).clip, walk(duration=0.8, fps=30).clip
    skeleton = replace(new.skeleton, offsets=new.skeleton.offsets * 0.5, tips=())
    return old, replace(new, skeleton=skeleton, root_positions=new.root_positions * 0.5)


@pytest.mark.parametrize("n_renames", [0, 1, 2])
@pytest.mark.parametrize("marked", [True, False])
@pytest.mark.parametrize("suffix", [".amc", ".csv"])
def test_a_kill_between_the_renames_is_noticed(
    suffix: str, marked: bool, n_renames: int, tmp_path: Path
) -> None:
    old, new = two_clips()
    path = tmp_path / f"take{suffix}"
    ml.save(old, path)
    if not marked:  # as other programs write it
        remove_mark(path)
    ml.save(new, tmp_path / "new.npz")
    command = [sys.executable, "-c", KILLED, str(tmp_path / "new.npz"), str(path), str(n_renames)]
    done = subprocess.run(command, check=False)
    assert done.returncode == (0 if n_renames == 2 else -9)
    if n_renames == 1:
        with pytest.raises(FileFormatError, match=OTHER_BONES):
            ml.load(path)
        return
    whole = new if n_renames == 2 else old
    found = ml.load(path, cyclic=False)
    assert found.n_frames == whole.n_frames
    np.testing.assert_allclose(found.world_positions(), whole.world_positions(), atol=1e-6)


@pytest.mark.parametrize("suffix", [".amc", ".csv"])
def test_a_skeleton_from_elsewhere_is_used_on_request_only(suffix: str, tmp_path: Path) -> None:
    old, new = two_clips()
    ml.save(old, tmp_path / f"old{suffix}")
    ml.save(new, tmp_path / f"new{suffix}")
    companion(tmp_path / f"old{suffix}").replace(companion(tmp_path / f"new{suffix}"))
    with pytest.raises(FileFormatError, match=OTHER_BONES):
        ml.load(tmp_path / f"new{suffix}")
    stated = ml.load(tmp_path / f"new{suffix}", skeleton=companion(tmp_path / f"new{suffix}"))
    assert stated.n_frames == new.n_frames


@pytest.mark.parametrize("suffix", [".amc", ".csv"])
def test_other_line_ends_are_no_other_skeleton(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"take{suffix}"
    ml.save(two_clips()[0], path)
    companion(path).write_bytes(companion(path).read_bytes().replace(b"\n", b"\r\n"))
    assert ml.load(path).n_frames > 10


def remove_mark(path: Path) -> None:
    lines = path.read_text().splitlines()
    if path.suffix == ".amc":
        lines = [line for line in lines if not line.startswith("# skeleton mark")]
    else:
        lines = [line.rpartition(",")[0] for line in lines]
    path.write_text("\n".join(lines) + "\n")

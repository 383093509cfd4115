from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.fitting import LAYOUTS
from motionloom.motion import PointClip
from motionloom.synthesis import walk
from tests.cli.conftest import Run


@pytest.fixture
def array(tmp_path: Path) -> Path:
    clip = ml.retarget(walk(duration=1.0, fps=30).clip, to=LAYOUTS["smpl"].skeleton)
    order = [clip.clip.skeleton.index(name) for name in LAYOUTS["smpl"].points]
    np.save(tmp_path / "sample.npy", clip.clip.world_positions()[:, order])
    return tmp_path / "sample.npy"


def test_what_is_refused(run: Run, tmp_path: Path, array: Path) -> None:
    out = tmp_path / "a.bvh"
    assert "an array has no frame rate: state it with --read-fps" in run("fit", array, "-o", out).complaint
    (tmp_path / "text.npy").write_text("no array")
    ended = run("fit", tmp_path / "text.npy", "-o", out, "--read-fps", "30")
    assert "text.npy: holds no array of numbers" in ended.complaint
    np.save(tmp_path / "objects.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
    ended = run("fit", tmp_path / "objects.npy", "-o", out, "--read-fps", "30")
    assert "objects.npy: holds no array of numbers" in ended.complaint
    ended = run("fit", tmp_path / "none.npy", "-o", out, "--read-fps", "30")
    assert "there is no such file" in ended.complaint
    assert not out.exists()


def test_an_array_becomes_a_clip(run: Run, tmp_path: Path, array: Path) -> None:
    ended = run("fit", array, "-o", tmp_path / "a.bvh", "--read-fps", "30", "--layout", "smpl")
    assert "smpl: joints within 0.0 mm of their points" in ended.out
    assert ml.load(tmp_path / "a.bvh").skeleton.n_joints == 22
    ended = run("fit", array, "-o", tmp_path / "a.bvh", "--read-fps", "30", "--json", "--force")
    assert json.loads(ended.out)["layout"] == "smpl"


def test_points_and_the_skeleton_of_a_file(run: Run, tmp_path: Path) -> None:
    clip = walk(duration=1.0, fps=30).clip
    ml.save(PointClip(clip.skeleton.names, clip.frame_time, clip.world_positions()), tmp_path / "a.trc")
    ml.save(clip, tmp_path / "body.bvh")
    words = ["fit", tmp_path / "a.trc", "-o", tmp_path / "b.npz", "--layout", tmp_path / "body.bvh"]
    assert run(*words, "--bandwidth", "6").code == 0
    assert ml.load(tmp_path / "b.npz").skeleton.names == ml.load(tmp_path / "body.bvh").skeleton.names
    assert "--points-up is for NPY files" in run(*words, "--force", "--points-up", "z").complaint

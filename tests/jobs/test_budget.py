"""Small files that stand for gigabytes are refused before they are decoded; files in proportion are read."""

from __future__ import annotations

import time
import tracemalloc
from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from benchmarks import budgets
from motionloom.errors import FileTooLargeError
from motionloom.files import load_points
from motionloom.geometry import rotations as rot
from motionloom.jobs.budget import MIN_BYTES, Budget
from motionloom.synthesis import walk
from tests.refusals import refused

LONG = {
    "BVH, joints without channels": 100_000,
    "AMC, bones without freedom": 20_000,
    "CSV, points never seen": 3_000,
    "TRC, rows without points": 40_000,
    "AMASS, compressed zeros": 20_000,
    "Motionloom, empty objects": 8_000,
    "glTF, shared zeros": 1 << 20,
    "glTF, two keys far apart": 10_000_000,
    "USD, keys far apart": 10_000_000,
}
"""Length of small files whose motion would take from hundreds of megabytes to terabytes."""


@pytest.mark.parametrize("label", LONG)
def test_a_small_file_with_a_huge_motion_is_refused_before_it_is_decoded(label: str, tmp_path: Path) -> None:
    suffix, write, points = budgets.WORST[label]
    if suffix == ".usda":
        pytest.importorskip("pxr")
    path = tmp_path / f"huge{suffix}"
    write(path, LONG[label])
    size = path.stat().st_size
    assert size < 3_000_000
    read = load_points if points else ml.load
    with pytest.raises(FileTooLargeError):
        read(path)  # imports and compiles what it needs
    tracemalloc.start()
    try:
        with pytest.raises(FileTooLargeError, match=r"would take about [\d,]+ MB, and [\d,]+ MB are allowed"):
            read(path)
        left, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 20 * size + MIN_BYTES
    assert left < 1_000_000  # the memory is given back


def test_the_caller_allows_more(tmp_path: Path) -> None:
    path = tmp_path / "keys.gltf"
    budgets.write_gltf_keys(path, 10_000)
    with pytest.raises(FileTooLargeError, match="allow more with max_memory=") as refused:
        ml.load(path)
    assert refused.value.needed > refused.value.allowed == 20 * path.stat().st_size + MIN_BYTES
    with pytest.raises(FileTooLargeError, match="and 100 MB are allowed;"):
        ml.load(path, max_memory=100_000_000)
    assert ml.load(path, max_memory=refused.value.needed).n_frames > 3_000


def test_an_allowance_is_a_positive_count(tmp_path: Path) -> None:
    ml.save(walk(duration=0.5, fps=30).clip, tmp_path / "walk.bvh")
    for wrong in (0, -5, 1.5, float("inf"), "much"):
        with refused("max_memory"):
            ml.load(tmp_path / "walk.bvh", max_memory=wrong)  # type: ignore[arg-type]
    assert ml.load(tmp_path / "walk.bvh", max_memory=10**400).n_frames > 10


def test_files_that_belong_together_count_together(tmp_path: Path) -> None:
    (tmp_path / "a.amc").write_bytes(b"0" * 1000)
    (tmp_path / "a.asf").write_bytes(b"0" * 500)
    budget = Budget(tmp_path / "a.amc")
    assert budget.allowed == 20_000 + MIN_BYTES
    budget.include(tmp_path / "a.asf")
    assert budget.allowed == 30_000 + MIN_BYTES


def test_claims_add_up(tmp_path: Path) -> None:
    budget = Budget(tmp_path / "missing.glb", max_memory=100)
    budget.claim(60)
    with pytest.raises(FileTooLargeError, match="its keys: reading it would take about 1 MB"):
        budget.claim(60, "its keys")


def test_many_joints_and_labels_take_linear_time(tmp_path: Path) -> None:
    joints = "".join(f"JOINT j{j}\n{{\nOFFSET 0 1 0\nCHANNELS 0\n" for j in range(1999)) + "}\n" * 1999
    head = f"HIERARCHY\nROOT r\n{{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n{joints}}}\nMOTION\n"
    (tmp_path / "deep.bvh").write_text(f"{head}Frames: 3\nFrame Time: 0.01\n0\n0\n0\n")
    header = "PathFileType\t4\t(X/Y/Z)\tx\nDataRate\tNumFrames\tUnits\n60\t1\tmm\nFrame#\tTime\t"
    (tmp_path / "labels.trc").write_text(header + "\t".join(["p"] * 100_000) + "\n\n1\t0\n2\t0\n")
    ml.load(tmp_path / "labels.trc", ml.PointClip, max_memory=10**9)
    start = time.process_time()
    ml.load(tmp_path / "deep.bvh")
    assert len(ml.load(tmp_path / "labels.trc", ml.PointClip, max_memory=10**9).names) == 100_000
    assert time.process_time() - start < 3.0  # 5 s and over a minute when it was quadratic


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".bvh", ".amc", ".npz", ".glb", ".csv"])
def test_motion_of_many_joints_is_in_proportion(suffix: str, tmp_path: Path) -> None:
    skeleton = ml.Skeleton(tuple(f"j{j}" for j in range(300)), np.arange(-1, 299), np.full((300, 3), 0.01))
    angles = 0.1 * np.sin(np.arange(1000)[:, None, None] / 10.0 + np.arange(300)[:, None] + np.arange(3))
    clip = ml.Clip(skeleton, 0.01, angles[:, 0], rot.from_rotation_vector(angles))
    ml.save(clip, tmp_path / f"many{suffix}")
    assert ml.load(tmp_path / f"many{suffix}", cyclic=False).n_frames == 1000

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.synthesis import walk
from tests.cli.conftest import Run


@pytest.fixture
def walking(tmp_path: Path) -> Path:
    return ml.save(walk(duration=4, fps=30).clip, tmp_path / "walk.npz")


def test_a_loop_is_closed_and_saved(run: Run, walking: Path, tmp_path: Path) -> None:
    facts = run("cyclify", walking, "-o", tmp_path / "loop.npz", "--cycles", 1, "--json").json()
    loop, expected = ml.load(tmp_path / "loop.npz"), ml.cyclify(ml.load(walking), cycles=1)
    assert loop.cyclic
    assert np.array_equal(loop.rotations, expected.clip.rotations)
    assert (facts["frames"], facts["unit"]) == (loop.n_frames, "stride")
    assert facts["seam"] == pytest.approx(expected.report.seam)


def test_a_person_reads_what_was_kept(run: Run, walking: Path, tmp_path: Path) -> None:
    ended = run("cyclify", walking, "-o", tmp_path / "loop.bvh", "--seam-limit", 0.08, "--ease", 0.2)
    assert ended.code == 0
    assert "3 strides in" in ended.out
    assert "limit 8.0 cm" in ended.out
    assert "only .npz" in ended.err


def test_a_loop_is_not_closed_again(run: Run, walking: Path, tmp_path: Path) -> None:
    loop = tmp_path / "loop.npz"
    assert run("cyclify", walking, "-o", loop).code == 0
    assert run("cyclify", walking, "-o", loop).code == 1
    ended = run("cyclify", loop, "-o", tmp_path / "again.npz")
    assert (ended.code, ended.out.splitlines()[0]) == (0, f"{loop}: the clip is a loop already")
    assert np.array_equal(ml.load(tmp_path / "again.npz").rotations, ml.load(loop).rotations)
    ended = run("cyclify", loop, "-o", tmp_path / "two.npz", "--cycles", 2)
    assert (ended.code, ended.complaint.split(":")[0]) == (2, "the clip is a closed cycle already")


def test_a_cycle_is_chosen_near_a_time(run: Run, walking: Path, tmp_path: Path) -> None:
    facts = run("cyclify", walking, "-o", tmp_path / "a.npz", "--near", "2.5", "--json").json()
    assert abs(0.5 * (facts["start"] + facts["end"]) / 30 - 2.5) < 0.2
    same = run("cyclify", walking, "-o", tmp_path / "b.npz", "--near", "75f", "--json").json()
    assert same["start"] == facts["start"]
    ended = run("cyclify", walking, "-o", tmp_path / "c.npz", "--near", "noon")
    assert ended.complaint == "--near: 'noon' is neither a time in seconds nor a frame such as 12f"

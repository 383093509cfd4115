"""Files of points without a skeleton on the command line: annotate, enforce, cyclify and transition."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.synthesis import walk
from tests.cli.conftest import Run
from tests.figures import points_of

TOES = "LeftToeBase, RightToeBase"


@pytest.fixture(params=["trc", "c3d", "csv", "npz"])
def markers(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return ml.save(points_of(walk(duration=4.0, fps=30).clip), tmp_path / f"walk.{request.param}")


@pytest.fixture
def trc(tmp_path: Path) -> Path:
    return ml.save(points_of(walk(duration=4.0, fps=30).clip), tmp_path / "walk.trc")


def test_plants_of_points_are_found_and_held(run: Run, markers: Path, tmp_path: Path) -> None:
    ended = run("annotate", markers, "--points", TOES, "-o", tmp_path / "annotated.npz")
    assert ended.code == 0
    assert "LeftToeBase point" in ended.out
    annotated = ml.load(tmp_path / "annotated.npz", ml.PointClip)
    assert {c.joint for c in annotated.constraints} == {"LeftToeBase", "RightToeBase"}
    ended = run("enforce", tmp_path / "annotated.npz", "-o", tmp_path / "held.npz", "--json")
    assert ended.code == 0
    assert json.loads(ended.out)["n_plants"] == len(annotated.constraints)
    held = ml.load(tmp_path / "held.npz", ml.PointClip)
    assert all(c.target is not None for c in held.constraints)


def test_points_without_plants_are_annotated_first(run: Run, trc: Path, tmp_path: Path) -> None:
    ended = run("enforce", trc, "-o", tmp_path / "held.npz", "-v")
    assert ended.code == 0
    assert "foot plants were detected first" in ended.err
    assert "plants held" in ended.out


def test_points_are_closed_to_a_loop(run: Run, trc: Path, tmp_path: Path) -> None:
    ended = run("cyclify", trc, "-o", tmp_path / "loop.npz", "--cycles", "1", "--near", "2")
    assert (ended.code, "1 repetition" in ended.out) == (0, True)
    assert ml.load(tmp_path / "loop.npz", ml.PointClip).cyclic


def test_points_are_joined_and_planted(run: Run, trc: Path, tmp_path: Path) -> None:
    ended = run(
        "transition", trc, trc, "-o", tmp_path / "joined.npz", "--method", "inertialize", "--plant", "-v"
    )
    assert (ended.code, "inertialize" in ended.out) == (0, True)
    joined = ml.load(tmp_path / "joined.npz", ml.PointClip)
    assert joined.n_frames > 150
    assert joined.constraints


def test_points_meet_between_frames(run: Run, trc: Path, tmp_path: Path) -> None:
    """Fractions of frames were cut off."""
    ended = run(
        "transition", trc, trc, "-o", tmp_path / "joined.npz", "--at", "60.5,40.25", "--method", "linear"
    )
    assert ended.code == 0
    clip = ml.load(trc, ml.PointClip)
    joined = ml.transition(clip, clip, at=(60.5, 40.25), method="linear")
    np.testing.assert_allclose(
        ml.load(tmp_path / "joined.npz", ml.PointClip).positions, joined.clip.positions, atol=1e-6
    )


def test_options_that_need_a_skeleton_are_refused(run: Run, trc: Path, tmp_path: Path) -> None:
    body = ml.save(walk(duration=1.0, fps=30).clip, tmp_path / "body.bvh")
    out = tmp_path / "out.npz"
    says = "does not apply to"
    for words, part in (
        (("annotate", trc, "--parts", "hands"), f"--parts {says} {trc}: it holds points without a skeleton"),
        (
            ("annotate", trc, "-o", tmp_path / "a.json"),
            "points without a skeleton are saved as .npz",
        ),
        (("annotate", trc, "--points", "nose"), "the clip has no point 'nose'"),
        (("annotate", body, "--points", "nose"), "--points is for files of points without a skeleton"),
        (("enforce", trc, "-o", out, "--stretch", "0"), f"--stretch {says}"),
        (("enforce", trc, "-o", out, "--ground", "0"), f"--ground {says}"),
        (("transition", trc, trc, "-o", out, "--loop"), f"--loop {says}"),
        (("transition", trc, trc, "-o", out, "--alignment", "windowed"), f"--alignment {says}"),
        (("transition", trc, body, "-o", out), "one file holds points without a skeleton and the other"),
        (
            ("transition", trc, trc, "-o", out, "--method", "overlap", "--overlap", "0.5,0.5"),
            "--method overlap does not apply to points without a skeleton",
        ),
    ):
        ended = run(*words)
        assert ended.code == 2, words
        assert part in ended.complaint

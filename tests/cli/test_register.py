from __future__ import annotations

import json
from pathlib import Path

import pytest

import motionloom as ml
from motionloom.synthesis import jog, walk
from tests.cli.conftest import Run


@pytest.fixture
def gaits(tmp_path: Path) -> list[Path]:
    paths = [tmp_path / "walk.bvh", tmp_path / "jog.bvh"]
    ml.save(walk(duration=4, fps=30).clip, paths[0])
    ml.save(jog(duration=3, fps=30, phase=0.3).clip, paths[1])
    return paths


def test_a_curve_is_npz(run: Run, gaits: list[Path], tmp_path: Path) -> None:
    ended = run("register", *map(str, gaits), "-o", str(tmp_path / "curve.bvh"))
    assert ended.code == 2
    assert "a registration is saved as .npz" in ended.err


def test_a_gait_is_needed_for_strides(run: Run, gaits: list[Path], tmp_path: Path) -> None:
    run("synthesize", "kick_front", "-o", str(tmp_path / "kick.bvh"))
    ended = run(
        "register", str(gaits[0]), str(tmp_path / "kick.bvh"), "--strides", "-o", str(tmp_path / "c.npz")
    )
    assert ended.code == 2
    assert "no gait was found in clip 1" in ended.err


def test_register_writes_curve_clips_and_plot(run: Run, gaits: list[Path], tmp_path: Path) -> None:
    curve, plot = tmp_path / "curve.npz", tmp_path / "grid.png"
    ended = run("register", *map(str, gaits), "--strides", "-o", str(curve), "--plot", str(plot), "--json")
    assert ended.code == 0, ended.err
    facts = json.loads(ended.out)
    assert facts["verdict"].startswith(("good", "doubtful"))
    assert facts["matches"] > 0
    assert plot.stat().st_size > 20_000
    again = ml.load_registration(curve)
    assert again.n_clips == 2
    assert {path.name for path in (tmp_path / "curve-clips").iterdir()} == {"00-walk.npz", "01-jog.npz"}
    refused = run("register", *map(str, gaits), "-o", str(curve))
    assert refused.code == 1
    assert "already exists" in refused.err


def test_the_table_says_what_a_person_needs(run: Run, gaits: list[Path], tmp_path: Path) -> None:
    ended = run("register", *map(str, gaits), "--strides", "-o", str(tmp_path / "curve.npz"))
    assert ended.code == 0
    assert "verdict" in ended.out
    assert "mean distance m" in ended.out

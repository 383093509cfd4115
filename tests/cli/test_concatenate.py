from __future__ import annotations

from pathlib import Path

import pytest

import motionloom as ml
from motionloom.synthesis import jog, walk
from tests.cli.conftest import Run


@pytest.fixture
def gaits(tmp_path: Path) -> list[Path]:
    paths = [tmp_path / "walk.bvh", tmp_path / "jog.bvh"]
    ml.save(walk(duration=5, fps=30).clip, paths[0])
    ml.save(jog(duration=5, fps=30, phase=0.3).clip, paths[1])
    return paths


def test_one_clip_is_no_row(run: Run, gaits: list[Path], tmp_path: Path) -> None:
    ended = run("concatenate", gaits[0], "-o", tmp_path / "out.bvh")
    assert ended.code == 2
    assert "two or more clips, not 1" in ended.err


def test_centres_are_given_for_all_transitions_or_none(run: Run, gaits: list[Path], tmp_path: Path) -> None:
    ended = run("concatenate", *gaits, gaits[0], "-o", tmp_path / "out.bvh", "--at", "70,40")
    assert ended.code == 2
    assert "--at must have one pair of frames for each transition: 2, not 1" in ended.err


def test_clips_in_a_row(run: Run, gaits: list[Path], tmp_path: Path) -> None:
    out = tmp_path / "out.npz"
    ended = run("concatenate", *gaits, gaits[0], "-o", out, "--half-width", 0.3, "--json")
    assert ended.code == 0
    facts = ended.json()
    assert len(facts["seams"]) == 4
    assert any(note.startswith("from jog to walk (clip 2): frame ") for note in facts["notes"])
    assert ml.load(out).n_frames == facts["frames"]


def test_centres_may_be_stated(run: Run, gaits: list[Path], tmp_path: Path) -> None:
    words = ("--at", "70,40", "--at", "100,50", "--half-width", 0.3, "--method", "linear", "--json")
    ended = run("concatenate", *gaits, gaits[0], "-o", tmp_path / "out.npz", *words)
    assert ended.code == 0
    assert ended.json()["seams"] == [61.0, 79.0, 121.0, 139.0]


@pytest.mark.slow
def test_short_clips_repeat(run: Run, gaits: list[Path], tmp_path: Path) -> None:
    words = ("concatenate", *gaits, gaits[0], "-o", tmp_path / "out.npz", "--half-width", 2)
    refused = run(*words)
    assert refused.code == 2
    assert "smaller --half-width" in refused.err
    ended = run(*words, "--loop", "--json")
    assert ended.code == 0
    assert "walk.bvh: not cyclic, so a part of it was closed to a loop" in ended.err
    assert len(ended.json()["seams"]) == 4


@pytest.mark.slow
def test_feet_are_planted_on_request(run: Run, gaits: list[Path], tmp_path: Path) -> None:
    words = ("concatenate", *gaits, "--half-width", 0.3)
    assert run(*words, "-o", tmp_path / "out.npz").code == 0
    assert run(*words, "-o", tmp_path / "planted.npz", "--plant").code == 0
    slides = [
        ml.measure(ml.load(tmp_path / name)).value("largest slide") for name in ("out.npz", "planted.npz")
    ]
    assert slides[0] > 0.1 > 1e-3 > slides[1]


def test_clips_overlap_in_a_row(run: Run, gaits: list[Path], tmp_path: Path) -> None:
    words = ["--method", "overlap", "--overlap", "0.8,0.6", "--plant", "--json"]
    ended = run("concatenate", *gaits, gaits[0], "-o", tmp_path / "out.npz", *words)
    assert ended.code == 0
    assert ended.json()["method"] == "overlap"
    assert min(ended.json()["kept"]) > 0.99


def test_the_transition_that_does_not_fit_is_named(run: Run, gaits: list[Path], tmp_path: Path) -> None:
    short = tmp_path / "short.bvh"
    ml.save(walk(duration=5, fps=30).clip[:8], short)
    ended = run("concatenate", *gaits, short, "-o", tmp_path / "out.npz")
    assert ended.code == 2
    assert "from jog to short: a transition of" in ended.err
    assert "a smaller --half-width" in ended.err

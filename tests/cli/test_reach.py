from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.synthesis import punch
from tests.cli.conftest import Run


@pytest.fixture
def punches(tmp_path: Path) -> list[Path]:
    clips = {"low": punch(duration=1.2, fps=30), "high": punch(duration=1.4, fps=30)}
    return [ml.save(made.clip, tmp_path / f"{name}.npz") for name, made in clips.items()]


@pytest.mark.slow
def test_the_hand_is_on_the_target(run: Run, punches: list[Path], tmp_path: Path) -> None:
    clip = ml.load(punches[0])
    hand = clip.skeleton.index("RightHand")
    target = (clip.world_positions()[18, hand] + [0.0, 0.05, 0.03]).round(3).tolist()
    position = ",".join(map(str, target))
    words = ("--joint", "RightHand", "--target", position, "--time", 0.5, "--keep-plants", "--json")
    facts = run("reach", *punches, "-o", tmp_path / "hit.npz", *words).json()
    assert facts["file"] in map(str, punches)
    assert facts["distance_m"] < 1e-3
    assert (facts["time_s"], len(facts["warp_sizes_rad"])) == (0.5, 2)
    assert facts["outcomes"][0]["reached"]
    hit = ml.load(tmp_path / "hit.npz")
    reached = hit.at(0.5 / hit.frame_time).world_positions()[hand]
    np.testing.assert_allclose(reached, target, atol=2e-3)


def test_a_person_reads_which_clip_was_taken(run: Run, punches: list[Path], tmp_path: Path) -> None:
    words = ("--joint", "RightHand", "--target", "0,1.3,0.5", "--point", "0,0.05,0")
    ended = run("reach", punches[0], "-o", tmp_path / "hit.bvh", *words)
    assert ended.code == 0
    assert ended.out.startswith(f"{punches[0]}: clip 0 of 1")
    assert ended.out.endswith(f"wrote {tmp_path / 'hit.bvh'}\n")


def test_a_joint_must_be_known(run: Run, punches: list[Path], tmp_path: Path) -> None:
    ended = run("reach", punches[0], "-o", tmp_path / "hit.bvh", "--joint", "Tail", "--target", "0,1,1")
    assert ended.code == 2
    assert "Tail" in ended.complaint

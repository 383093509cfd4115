from __future__ import annotations

from pathlib import Path

import pytest

import motionloom as ml
from motionloom.cli.repair import repair
from motionloom.repair import repair as repair_clip
from motionloom.synthesis import walk
from tests.cli.conftest import Run
from tests.repair.planting import flip, spike


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    clip = walk(duration=2.0, fps=60).clip
    clip = spike(flip(clip, "LeftForeArm", 60, 61, 90.0), 90, 90, [0.0, 0.2, 0.0])
    return ml.save(clip, tmp_path / "broken.bvh")


def test_it_needs_a_file_to_write_or_a_preview(run: Run, broken: Path) -> None:
    ended = run("repair", broken)
    assert (ended.code, ended.complaint) == (
        2,
        "repair needs a file to write (-o FILE), or --preview to only look",
    )
    ended = run("repair", broken, "-o", broken)
    assert (ended.code, "already exists" in ended.complaint) == (1, True)
    ended = run("repair", broken, "--preview", "--max-frames", "0")
    assert (ended.code, ended.complaint) == (2, "--max-frames must be a whole number of at least 1, not 0")


def test_a_preview_lists_and_writes_nothing(run: Run, broken: Path, tmp_path: Path) -> None:
    ended = run("repair", broken, "--preview", "-o", tmp_path / "new.bvh")
    assert ended.code == 0
    assert "would be mended: LeftForeArm flips by 90° in frames 60-61" in ended.out
    assert "would be mended: Hips spikes by 20 cm in frame 90" in ended.out
    assert not (tmp_path / "new.bvh").exists()


def test_faults_are_mended_and_listed(run: Run, broken: Path, tmp_path: Path) -> None:
    ended = run("repair", broken, "-o", tmp_path / "mended.bvh", "--kind", "flip")
    assert "mended: LeftForeArm flips by 90° in frames 60-61\nleft as it is: Hips spikes" in ended.out
    assert ml.find_faults(ml.load(tmp_path / "mended.bvh"), kinds=["flip"]) == ()
    ended = run("repair", tmp_path / "mended.bvh", "-o", tmp_path / "all.bvh", "--smooth", "10")
    assert "smoothed at 10 Hz" in ended.out
    assert run("repair", tmp_path / "all.bvh", "--preview").out == "no faults of capture found\n"


def test_json_holds_the_report(run: Run, broken: Path) -> None:
    facts = run("repair", broken, "--preview", "--json").json()
    assert facts["written"] == []
    assert [(fault["kind"], fault["joint"], fault["first"]) for fault in facts["mended"]] == [
        ("flip", "LeftForeArm", 60),
        ("spike", "Hips", 90),
    ]
    assert facts["n_frames"] == 3


def test_every_option_of_the_library_is_there() -> None:
    options = {option.name for option in repair.params}
    assert set(repair_clip.__kwdefaults__ or ()) <= options

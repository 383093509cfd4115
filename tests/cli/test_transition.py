from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.cli.reading import PLANTS_DETECTED
from motionloom.motion import Clip
from motionloom.synthesis import jog, kick, walk
from tests.cli.conftest import Run


@pytest.fixture
def gaits(tmp_path: Path) -> list[Path]:
    paths = [tmp_path / "walk.bvh", tmp_path / "jog.bvh"]
    ml.save(walk(duration=4, fps=30).clip, paths[0])
    ml.save(jog(duration=4, fps=30, phase=0.3).clip, paths[1])
    return paths


def test_files_are_not_replaced(run: Run, gaits: list[Path]) -> None:
    ended = run("transition", *gaits, "-o", gaits[0])
    assert ended.code == 1
    assert "already exists: choose another name, or replace it with --force" in ended.err


def test_a_method_must_be_known(run: Run, gaits: list[Path], tmp_path: Path) -> None:
    ended = run("transition", *gaits, "-o", tmp_path / "out.bvh", "--method", "cut")
    assert ended.code == 2
    assert "'cut' is not one of" in ended.err


def test_too_little_motion_is_the_callers_concern(run: Run, gaits: list[Path], tmp_path: Path) -> None:
    ended = run("transition", *gaits, "-o", tmp_path / "out.bvh", "--half-width", "3")
    assert ended.code == 2
    assert "a transition of 6.00 s does not fit" in ended.err
    assert (
        "a smaller --half-width, choose another centre with --at, or let cyclic clips repeat with --loop"
        in ended.err
    )
    assert not (tmp_path / "out.bvh").exists()


def test_what_is_kept_is_said(run: Run, gaits: list[Path], tmp_path: Path) -> None:
    ended = run("transition", *gaits, "-o", tmp_path / "out.npz", "--keep", "all", "--json")
    assert ended.code == 0
    assert ended.json()["kept"] == [1.0, 1.0]
    assert all(0.3 < fraction < 1.0 for fraction in ended.json()["alone"])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--keep", "most"], "--keep needs all or a fraction from 0 to 1, such as 0.9, not 'most'"),
        (["--keep", "7"], "from 0 to 1, not 7.0"),
        (["--keep", "0.9", "--method", "overlap", "--overlap", "1,1"], "--keep does not apply to --method"),
        (["--at", "61,500"], "--at names frame 500 of the second clip"),
        (["--alignment", "windowed", "--method", "linear"], "alignment belongs to method"),
    ],
)
def test_what_cannot_be_kept_or_met_is_refused(
    run: Run, gaits: list[Path], tmp_path: Path, words: list[str], message: str
) -> None:
    ended = run("transition", *gaits, "-o", tmp_path / "out.npz", *words)
    assert ended.code == 2
    assert message in ended.err


def test_the_result_is_written_with_its_plants(run: Run, gaits: list[Path], tmp_path: Path) -> None:
    out = tmp_path / "new" / "out.npz"
    ended = run("transition", *gaits, "-o", out, "--at", "61,50", "--half-width", 0.4, "--json")
    assert ended.code == 0
    facts = ended.json()
    assert facts["method"] == "registration"
    first, last = facts["seams"]
    assert last - first == 24
    assert f"walk.bvh and 1 more file: {PLANTS_DETECTED}" in ended.err
    clip = ml.load(out)
    assert isinstance(clip, Clip)
    assert (clip.n_frames, len(clip.constraints)) == (facts["frames"], facts["constraints"])
    walked = ml.load(gaits[0])
    assert isinstance(walked, Clip)
    np.testing.assert_allclose(clip.root_positions[: int(first)], walked.root_positions[: int(first)])


def test_a_person_reads_what_was_chosen(run: Run, gaits: list[Path], tmp_path: Path) -> None:
    ended = run("transition", *gaits, "-o", tmp_path / "out.bvh", "--method", "linear", "--no-snap", "-v")
    assert ended.code == 0
    assert "walk → jog" in ended.out
    assert "note: frame " in ended.out
    assert "constraints and events were not saved: only .npz, " in ended.err


def test_cycles_may_repeat(run: Run, tmp_path: Path) -> None:
    paths = [tmp_path / "walk.npz", tmp_path / "jog.npz"]
    for path, make in zip(paths, (walk, jog), strict=True):
        ml.save(ml.cyclify(ml.annotate(make(duration=4, fps=30).clip), cycles=1), path)
    words = ("transition", *paths, "-o", tmp_path / "out.npz", "--half-width", 0.8)
    assert run(*words).code == 2
    ended = run(*words, "--loop", "--json")
    assert ended.code == 0
    assert "no constraints" not in ended.err


@pytest.mark.slow
def test_clips_that_are_not_cyclic_are_closed_to_repeat(run: Run, gaits: list[Path], tmp_path: Path) -> None:
    words = ("transition", *gaits, "-o", tmp_path / "out.npz", "--half-width", 3, "--loop")
    ended = run(*words, "--json")
    assert ended.code == 0
    assert "walk.bvh: not cyclic, so a part of it was closed to a loop (frames " in ended.err
    first, last = ended.json()["seams"]
    assert last - first == 180


@pytest.mark.slow
def test_stated_frames_are_those_of_the_files(run: Run, gaits: list[Path], tmp_path: Path) -> None:
    """The same frames meet whether the clips are closed to cycles or not."""
    walked = ml.load(gaits[0])
    assert isinstance(walked, Clip)
    words = ("transition", *gaits, "--at", "61,50", "--half-width", 0.3, "--method", "inertialize", "--json")
    seams = {}
    for loop in ([], ["--loop"]):
        out = tmp_path / f"out{len(loop)}.npz"
        ended = run(*words, "-o", out, *loop)
        assert ended.code == 0
        seam = int(ended.json()["seams"][0])
        made = ml.load(out)
        assert isinstance(made, Clip)
        seams[len(loop)] = made.rotations[seam, 1:]
    likeness = np.abs((seams[0] * seams[1]).sum(axis=-1))
    assert likeness.min() > np.cos(np.radians(5.0) / 2.0)


def test_stated_frames_must_be_among_those_that_repeat(run: Run, gaits: list[Path], tmp_path: Path) -> None:
    ended = run("transition", *gaits, "-o", tmp_path / "out.npz", "--at", "119,50", "--loop")
    assert ended.code == 2
    assert "--at names frame 119 of" in ended.err


@pytest.mark.slow
def test_what_does_not_close_is_played_once(run: Run, gaits: list[Path], tmp_path: Path) -> None:
    file = tmp_path / "kick.bvh"
    ml.save(kick(fps=30).clip, file)
    ended = run("transition", gaits[0], file, "-o", tmp_path / "out.npz", "--loop", "-v")
    assert ended.code == 0
    assert "kick.bvh: no part of it closes to a loop, so it is played once" in ended.err


@pytest.mark.slow
def test_feet_are_planted_where_that_is_wanted(run: Run, gaits: list[Path], tmp_path: Path) -> None:
    out = tmp_path / "out.npz"
    plain = run("transition", *gaits, "-o", out, "--json").json()
    assert all(held.target is None for held in ml.load(out).constraints)
    facts = run("transition", *gaits, "-o", out, "--json", "--plant", "--force").json()
    assert facts == plain
    planted = ml.load(out)
    assert planted.constraints
    assert all(held.target is not None for held in planted.constraints)


def test_an_overlap(run: Run, gaits: list[Path], tmp_path: Path) -> None:
    words = ("--method", "overlap", "--overlap", "1,0.6", "--correspond", "3.4,0.3", "--json")
    facts = run("transition", *gaits, "-o", tmp_path / "out.npz", *words).json()
    assert facts["method"] == "overlap"
    clips = [ml.annotate(ml.load(path)) for path in gaits]
    expected = ml.transition(*clips, method="overlap", overlap=(1.0, 0.6), correspondences=[(3.4, 0.3)])
    assert facts["seams"] == list(expected.report.seams)
    assert np.array_equal(ml.load(tmp_path / "out.npz").rotations, expected.clip.rotations)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ("--method overlap", "--method overlap needs --overlap S1,S2: seconds of both clips"),
        ("--overlap 1,1", "--overlap and --correspond need --method overlap"),
        ("--correspond 1,1", "--overlap and --correspond need --method overlap"),
        ("--method overlap --overlap 1,1 --at 3,4", "--at does not apply to --method overlap: leave it out"),
        ("--method overlap --overlap 1,1 --loop", "--loop does not apply to --method overlap: leave it out"),
        ("--at 3,late", "--at needs F1,F2: a frame of each clip, such as 70,40, not '3,late'"),
        ("--at 3", "--at needs F1,F2: a frame of each clip, such as 70,40, not '3'"),
        ("--method overlap --overlap 9,9", "an overlap of 9 s does not fit the first clip"),
    ],
)
def test_options_of_overlaps_belong_together(
    run: Run, gaits: list[Path], tmp_path: Path, words: str, complaint: str
) -> None:
    ended = run("transition", *gaits, "-o", tmp_path / "out.npz", *words.split())
    assert ended.code == 2
    assert ended.complaint.startswith(complaint)

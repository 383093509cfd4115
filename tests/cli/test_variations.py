from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.registration import register
from motionloom.synthesis import kick
from tests.cli.conftest import Run


@pytest.fixture(scope="module")
def kicks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("kicks")
    places = [
        ml.save(kick(style=style, fps=30).clip, folder / f"{style}.npz")
        for style in ("front", "side", "high")
    ]
    return ml.save(register([ml.load(place) for place in places]), folder / "curve.npz")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("-n", "0"), "-n must be a whole number from 1 to 10000, not 0"),
        (("-n", "99999"), "-n must be a whole number from 1 to 10000, not 99999"),
        (("--seed", "-3"), "seed must be a whole number of at least 0, not -3"),
        (("--spread", "2"), "spread must be a positive number of at most 1, not 2"),
    ],
)
def test_a_wrong_call_is_refused(
    run: Run, kicks: Path, tmp_path: Path, words: tuple[str, ...], sentence: str
) -> None:
    ended = run("variations", kicks, "-o", tmp_path / "made", *words)
    assert (ended.code, sentence in ended.err) == (2, True)
    assert not (tmp_path / "made").exists()


def test_files_are_written_once(run: Run, kicks: Path, tmp_path: Path) -> None:
    folder = tmp_path / "made"
    words = ("variations", kicks, "-n", "3", "--seed", "1", "-o", folder)
    ended = run(*words, "--json")
    assert ended.code == 0, ended.err
    facts = ended.json()
    names = ["variation-01.bvh", "variation-02.bvh", "variation-03.bvh"]
    assert facts["written"] == [str(folder / name) for name in names]
    assert np.allclose(np.sum(facts["first_weights"], axis=1), 1.0, atol=1e-5)
    first = (folder / names[0]).read_bytes()
    again = run(*words)
    assert (again.code, "replace it with --force" in again.err) == (1, True)
    assert run(*words, "--force").code == 0
    assert (folder / names[0]).read_bytes() == first
    assert (folder / names[1]).read_bytes() != first


def test_native_files_and_changing_weights(run: Run, kicks: Path, tmp_path: Path) -> None:
    ended = run(
        "variations", kicks, "-n", "1", "-o", tmp_path, "--format", "npz", "--change-every", "0.5",
        "--duration", "1",
    )  # fmt: skip
    assert ended.code == 0, ended.err
    assert ml.load(tmp_path / "variation-01.npz").n_frames == 31


def test_clips_that_do_not_belong_together_are_refused(run: Run, unfit_curve: Path, tmp_path: Path) -> None:
    words = ("variations", unfit_curve, "-n", 1, "-o", tmp_path / "made")
    ended = run(*words)
    assert ended.code == 1
    assert ended.complaint.endswith("with --allow-unfit")
    assert not (tmp_path / "made").exists()
    assert run(*words, "--allow-unfit").code == 0

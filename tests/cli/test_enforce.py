from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import motionloom as ml
from motionloom.annotation import annotate
from motionloom.cli.enforce import enforce
from motionloom.cli.reading import PLANTS_DETECTED
from motionloom.enforcement.enforce import MAX_STRETCH
from motionloom.motion import Clip
from motionloom.synthesis import walk
from tests.cli.conftest import Run


@pytest.fixture
def skating(tmp_path: Path) -> Path:
    """Two seconds of a walk whose feet slide by a tenth of each step."""
    return ml.save(slid(walk(duration=2.0, fps=30).clip), tmp_path / "skating.bvh")


def slid(clip: Clip) -> Clip:
    return replace(clip, root_positions=clip.root_positions * [1.0, 1.0, 1.1])


def test_an_existing_file_is_refused_before_anything_is_read(run: Run, tmp_path: Path, skating: Path) -> None:
    ended = run("enforce", tmp_path / "missing.bvh", "-o", skating)
    assert (ended.code, "already exists" in ended.complaint) == (1, True)
    ended = run("enforce", skating, "-o", tmp_path / "new.npz", "--stretch", "-1")
    assert (ended.code, ended.complaint) == (2, "--stretch must be a number of at least 0, not -1")


def test_a_file_without_constraints_is_annotated_first_and_says_so(
    run: Run, tmp_path: Path, skating: Path
) -> None:
    ended = run("enforce", skating, "-o", tmp_path / "held.npz", "-v")
    assert ended.code == 0
    assert PLANTS_DETECTED in ended.err
    assert "left leg (LeftFoot" in ended.out
    assert "all plants are on their targets" in ended.out
    held = ml.load(tmp_path / "held.npz")
    assert all(plant.target is not None for plant in held.constraints)


def test_constraints_of_the_file_are_used(run: Run, tmp_path: Path) -> None:
    clip = annotate(walk(duration=2.0, fps=30).clip)
    kept = replace(slid(clip), constraints=clip.constraints[:1])
    ml.save(kept, tmp_path / "one.npz")
    ended = run("enforce", tmp_path / "one.npz", "-o", tmp_path / "held.npz")
    assert PLANTS_DETECTED not in ended.err
    assert len(ml.load(tmp_path / "held.npz").constraints) == 1


def test_json_holds_the_whole_report(run: Run, tmp_path: Path, skating: Path) -> None:
    words = (skating, "-o", tmp_path / "held.bvh", "--json", "--ground", 0.1, "--stretch", 0)
    facts = run("enforce", *words).json()
    assert facts["annotated"] is True
    assert facts["floor"]["height"] == 0.1
    assert [limb["limb"] for limb in facts["limbs"]] == ["left leg", "right leg"]
    assert max(limb["stretch"] for limb in facts["limbs"]) < 1e-9
    assert set(facts["changes"]) == {"figures", "sentences"}
    assert facts["changes"]["figures"]["new darts"] == {"value": 0.0, "unit": ""}
    assert (tmp_path / "held.bvh").exists()


def test_folders_are_made(run: Run, tmp_path: Path, skating: Path) -> None:
    assert run("enforce", skating, "-o", tmp_path / "new" / "held.npz").code == 0
    assert (tmp_path / "new" / "held.npz").exists()


def test_force_replaces(run: Run, skating: Path) -> None:
    assert run("enforce", skating, "-o", skating, "--force").code == 0


def test_the_default_stretch_is_that_of_the_library() -> None:
    (option,) = (parameter for parameter in enforce.params if parameter.name == "stretch")
    assert option.default == MAX_STRETCH

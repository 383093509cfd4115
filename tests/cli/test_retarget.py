from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

import motionloom as ml
from motionloom.cli.main import commands
from motionloom.cli.reading import PLANTS_DETECTED
from motionloom.errors import FileExistsRefusal, ParameterError, TemplateWarning, UnknownJointError
from motionloom.synthesis import walk
from motionloom.synthesis.biped import biped

NAMES = tuple(name.replace("Left", "L_").replace("Right", "R_") for name in biped().names)


def run(*words: object) -> Result:
    return CliRunner().invoke(commands, ["retarget", *map(str, words)])


@pytest.fixture(scope="module")
def walking(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two seconds of a walk."""
    return ml.save(walk(duration=2.0, fps=30).clip, tmp_path_factory.mktemp("walk") / "walk.bvh")


@pytest.fixture(scope="module")
def other(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A short walk of a smaller body with other names."""
    clip = walk(duration=0.5, fps=30).clip
    small = replace(clip.skeleton, names=NAMES, offsets=0.9 * clip.skeleton.offsets)
    made = replace(clip, skeleton=small, root_positions=0.9 * clip.root_positions)
    return ml.save(made, tmp_path_factory.mktemp("other") / "other.bvh")


def test_wrong_calls_are_refused(walking: Path, other: Path) -> None:
    assert isinstance(run(walking, "--to", other, "-o", walking).exception, FileExistsRefusal)
    nowhere = run(walking, "--to", other)
    assert isinstance(nowhere.exception, ParameterError)
    assert str(nowhere.exception).startswith("name the file to write with -o, or print the joint mapping")
    for words in ("LeftHand", "=L_Hand"):
        odd = run(walking, "--to", other, "--show", "--map", words)
        assert str(odd.exception) == f"--map needs SRC=DST, two joint names, not {words!r}"
    assert isinstance(
        run(walking, "--to", other, "--show", "--map", "Tail=Head").exception, UnknownJointError
    )


def test_the_mapping_alone_is_shown(walking: Path, other: Path) -> None:
    ended = run(walking, "--to", other, "--show", "--map", "LeftHand=", "--map", "Neck=Head")
    assert ended.exit_code == 0
    assert "LeftForeArm   -> L_ForeArm   left forearm (structure)" in ended.stdout
    assert "Neck          -> Head        unknown part (given)" in ended.stdout
    assert "target joints at rest: Neck, L_Hand" in ended.stdout


def test_the_motion_is_written_for_the_other_skeleton(tmp_path: Path, walking: Path, other: Path) -> None:
    ended = run(walking, "--to", other, "-o", tmp_path / "out.npz")
    assert ended.exit_code == 0
    assert PLANTS_DETECTED in ended.stderr
    assert "22 of 22 target joints follow one of 22 source joints" in ended.stdout
    assert "all plants are on their targets" in ended.stdout
    made = ml.load(tmp_path / "out.npz")
    assert made.skeleton.names == NAMES
    assert made.n_frames == 61
    assert {plant.joint for plant in made.constraints} == {"L_Foot", "L_ToeBase", "R_Foot", "R_ToeBase"}


def test_corrections_are_used(tmp_path: Path, walking: Path, other: Path) -> None:
    assert run(walking, "--to", other, "-o", tmp_path / "out.bvh", "--map", "Head=").exit_code == 0
    made = ml.load(tmp_path / "out.bvh")
    head = made.rotations[:, made.skeleton.index("Head")]
    assert np.ptp(head, axis=0).max() < 1e-6


def test_json_holds_pairs_and_report(tmp_path: Path, walking: Path, other: Path) -> None:
    facts = json.loads(run(walking, "--to", other, "-o", tmp_path / "out.bvh", "--json", "--show").stdout)
    assert facts["pairs"][0] == {
        "source": "Hips",
        "target": "Hips",
        "part": "pelvis",
        "found_by": "structure",
    }
    assert facts["scale"] == pytest.approx(0.9, abs=0.02)
    assert facts["enforcement"]["unreached"] == []
    assert set(facts["enforcement"]["changes"]) == {"figures", "sentences"}
    assert json.loads(run(walking, "--to", other, "--json", "--show").stdout)["unmapped_targets"] == []


def test_a_file_with_this_skeleton_is_unchanged(tmp_path: Path, walking: Path) -> None:
    ended = run(walking, "--to", walking, "-o", tmp_path / "same.bvh")
    assert "the motion is unchanged" in ended.stdout
    same, clip = ml.load(tmp_path / "same.bvh"), ml.load(walking)
    assert np.abs(same.world_positions() - clip.world_positions()).max() < 1e-6
    facts = json.loads(run(walking, "--to", walking, "-o", tmp_path / "same.bvh", "--force", "--json").stdout)
    assert facts["scale"] == 1.0


def test_a_target_with_a_mesh_keeps_it(mocap: Path, tmp_path: Path, walking: Path) -> None:
    manny = mocap / "game" / "character" / "manny_med_mod.gltf"
    ended = run(walking, "--to", manny, "-o", tmp_path / "manny.glb")
    assert ended.exit_code == 0, ended.output
    assert "not kept" not in ended.stderr
    bare = run(walking, "--to", manny, "-o", tmp_path / "bare.glb", "--no-template")
    assert bare.exit_code == 0, bare.output
    with_mesh, alone = (ml.load(tmp_path / name).source.character for name in ("manny.glb", "bare.glb"))
    assert with_mesh is not None
    assert alone is None
    lost = run(walking, "--to", manny, "-o", tmp_path / "manny.npz")
    assert "not kept" not in lost.stderr
    named = run(walking, "--to", tmp_path / "bare.glb", "-o", tmp_path / "again.glb", "--template", manny)
    assert named.exit_code == 0, named.output
    assert ml.load(tmp_path / "again.glb").source.character is not None


def test_a_mesh_goes_into_another_format_on_request(mocap: Path, tmp_path: Path, walking: Path) -> None:
    pytest.importorskip("pxr", reason="usd-core is not installed")
    manny = mocap / "game" / "character" / "manny_med_mod.gltf"
    with pytest.warns(TemplateWarning, match="name that file as the template to write it too"):
        run(walking, "--to", manny, "-o", tmp_path / "bare.usdc")
    kept = run(walking, "--to", manny, "-o", tmp_path / "manny.usdc", "--template", manny)
    assert (kept.exit_code, "not kept" in kept.stderr) == (0, False), kept.output
    with_mesh, alone = (ml.load(tmp_path / name).source.character for name in ("manny.usdc", "bare.usdc"))
    assert with_mesh is not None
    assert alone is None


def test_two_wishes_for_a_template(walking: Path, other: Path, tmp_path: Path) -> None:
    ended = run(walking, "--to", other, "-o", tmp_path / "a.glb", "--template", "b.glb", "--no-template")
    assert isinstance(ended.exception, ParameterError)
    assert str(ended.exception) == "--template and --no-template contradict each other: leave one out"

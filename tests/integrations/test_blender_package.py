"""The add-on without Blender: its zip, and motion on its way between Blender and clips."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
import tomllib
import zipfile
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

import motionloom as ml
from motionloom.motion import Clip, PointClip
from motionloom.synthesis import walk
from tests.figures import random_rotations, smooth_clip

INTEGRATION = Path(__file__).parents[2] / "integrations" / "blender"


def loaded(path: Path, name: str) -> ModuleType:
    """A module, or the package of a folder, from a place that Python does not look at."""
    places = [str(path.parent)] if path.name == "__init__.py" else None
    found = importlib.util.spec_from_file_location(name, path, submodule_search_locations=places)
    assert found is not None
    assert found.loader is not None
    module = importlib.util.module_from_spec(found)
    sys.modules[name] = module
    found.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def addon() -> Any:
    """A function that gives a module of the add-on by its name."""
    loaded(INTEGRATION / "motionloom_addon" / "__init__.py", "motionloom_addon")
    return lambda name: importlib.import_module(f"motionloom_addon.{name}")


@pytest.fixture
def zipped(tmp_path: Path) -> Path:
    """The add-on as users install it."""
    path: Path = loaded(INTEGRATION / "build.py", "build_blender_addon").build(tmp_path)
    return path


def test_the_zip_holds_the_addon_and_nothing_else(zipped: Path) -> None:
    files = zipfile.ZipFile(zipped).namelist()
    assert len(files) == len(set(files))
    modules = {path.name for path in (INTEGRATION / "motionloom_addon").glob("*.py")}
    expected = modules | {"blender_manifest.toml", "LICENSE"}
    assert set(files) == {f"motionloom_addon/{name}" for name in expected}


def manifest_of(zipped: Path) -> dict[str, Any]:
    """The manifest of a zip."""
    return tomllib.loads(zipfile.ZipFile(zipped).read("motionloom_addon/blender_manifest.toml").decode())


def check_manifest(manifest: dict[str, Any]) -> None:
    """Check the rules of Blender's extension format, schema 1.0.0, as strictly as its own validator."""
    required = {"schema_version", "id", "version", "name", "tagline", "maintainer", "type", "license"}
    optional = {"website", "copyright", "permissions", "tags", "platforms", "wheels", "blender_version_max"}
    assert (
        required | {"blender_version_min"} <= set(manifest) <= required | optional | {"blender_version_min"}
    )
    assert (manifest["schema_version"], manifest["type"]) == ("1.0.0", "add-on")
    assert manifest["id"].isidentifier()
    assert re.fullmatch(r"\d+\.\d+\.\d+", manifest["version"])
    for name in {"blender_version_min", "blender_version_max"} & set(manifest):
        assert re.fullmatch(r"\d+\.\d+\.\d+", manifest[name])
    reasons = manifest["permissions"].values()
    for text in (manifest["tagline"], *reasons):
        assert len(text) <= 64, "Blender refuses longer ones"
        assert text[-1].isalnum(), "Blender refuses punctuation at the end"
    assert set(manifest["permissions"]) <= {"files", "network", "clipboard", "camera", "microphone"}
    assert all(re.fullmatch(r"SPDX:[\w.-]+", name) for name in manifest["license"])
    assert all(re.fullmatch(r"\d{4} \S.*", text) for text in manifest["copyright"])
    known = {"linux-x64", "linux-arm64", "windows-x64", "windows-arm64", "macos-x64", "macos-arm64"}
    assert set(manifest.get("platforms", ())) <= known


def test_the_manifest_says_what_the_package_is(zipped: Path) -> None:
    manifest = manifest_of(zipped)
    check_manifest(manifest)
    assert manifest["version"] == ml.__version__
    assert manifest["blender_version_min"] == "4.2.0"
    assert zipped.name == f"motionloom_addon-{ml.__version__}.zip"
    archive = zipfile.ZipFile(zipped)
    assert "MIT License" in archive.read("motionloom_addon/LICENSE").decode()
    numbers = ml.__version__.replace(".", ", ")
    assert f'"version": ({numbers})' in archive.read("motionloom_addon/__init__.py").decode()


def test_bundles_hold_the_wheels_that_they_list(tmp_path: Path) -> None:
    builder = loaded(INTEGRATION / "build.py", "build_blender_addon")
    names = ("scipy-1.15.3-cp311-cp311-win_amd64.whl", "motionloom-0.2.0-py3-none-any.whl")
    for name in names:
        (tmp_path / name).write_bytes(name.encode())
    wheels = [tmp_path / name for name in names]
    older, newer = (builder.build_bundle(tmp_path, "windows-x64", line, wheels) for line in builder.LINES)
    assert older.name == f"motionloom_addon-{ml.__version__}-blender_4.2_to_5.0-windows_x64.zip"
    assert newer.name == f"motionloom_addon-{ml.__version__}-blender_5.1-windows_x64.zip"
    manifest = manifest_of(older)
    check_manifest(manifest)
    assert manifest["platforms"] == ["windows-x64"]
    assert (manifest["blender_version_min"], manifest["blender_version_max"]) == ("4.2.0", "5.1.0")
    assert manifest["wheels"] == [f"./wheels/{name}" for name in sorted(names)]
    archive = zipfile.ZipFile(older)
    for path in manifest["wheels"]:
        content = archive.read(f"motionloom_addon/{path.removeprefix('./')}")
        assert content.decode() == Path(path).name
    assert manifest_of(newer)["blender_version_min"] == "5.1.0"
    assert "blender_version_max" not in manifest_of(newer)


def test_the_pinned_wheels_are_those_that_are_tested() -> None:
    builder = loaded(INTEGRATION / "build.py", "build_blender_addon")
    constraints = (INTEGRATION.parents[1] / "constraints.txt").read_text(encoding="utf-8")
    locked = {entry.partition("==")[0] for entry in constraints.splitlines()}
    assert set(builder.BUNDLED) <= locked
    project = tomllib.loads((INTEGRATION.parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
    needed = {re.split("[>=]", entry)[0] for entry in project["project"]["dependencies"]}
    only_for_the_command_line = {"click", "rich", "pillow"}
    assert needed - only_for_the_command_line - {"numpy", "scipy"} <= set(builder.BUNDLED)


def test_equal_content_makes_equal_zips(zipped: Path, tmp_path: Path) -> None:
    again = loaded(INTEGRATION / "build.py", "build_blender_addon").build(tmp_path / "again")
    assert again.read_bytes() == zipped.read_bytes()


def test_without_motionloom(addon: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    runner, refusal = addon("runner"), addon("errors").Refusal
    monkeypatch.setattr(runner, "find_spec", lambda name: None)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(refusal, match="Motionloom was not found: install it in a Python of your own"):
        runner.python_of("")
    command = tmp_path / "motionloom"
    command.write_text("no script")
    command.chmod(0o755)
    with pytest.raises(
        refusal, match="the Python behind this command was not found: name that Python itself"
    ):
        runner.python_of("")
    command.write_text(f"#!{sys.executable}\n")
    assert runner.python_of("") == runner.python_of(str(command)) == sys.executable


def test_a_process_that_fails(addon: Any, tmp_path: Path) -> None:
    program = tmp_path / "python"
    program.write_text("#!/bin/sh\necho first >&2\necho out of memory >&2\nexit 3\n")
    program.chmod(0o755)
    message = r"Motionloom failed with exit code 3 \(out of memory\)"
    with pytest.raises(addon("errors").Refusal, match=message):
        addon("runner").perform(str(program), {"job": "register", "sources": []})


def figure(*, moving: bool = False) -> Clip:
    """A clip whose joints are turned in the rest pose, with plants."""
    clip = smooth_clip(7, moving=moving)
    turned = replace(clip.skeleton, rest_rotations=random_rotations((clip.skeleton.n_joints,)))
    plant = ml.Constraint(clip.skeleton.names[-1], "toe", 1, 4, np.array([0.1, 0.2, 0.3]), np.ones(3))
    return replace(clip, skeleton=turned, constraints=(plant,), events=(ml.Event(2.5, "strike"),))


@pytest.mark.parametrize("moving", [False, True])
def test_clips_survive_the_way(addon: Any, moving: bool, tmp_path: Path) -> None:
    clip = figure(moving=moving)
    addon("motion").write_motion(addon("clips").motion_of(clip, "a"), tmp_path / "a.npz")
    again: Clip = addon("clips").clip_of(addon("motion").read_motion(tmp_path / "a.npz"))
    assert again.skeleton.names == clip.skeleton.names
    assert (again.translations is not None) is moving
    np.testing.assert_allclose(again.world_positions(), clip.world_positions(), atol=1e-12)
    np.testing.assert_allclose(again.tip_positions(), clip.tip_positions(), atol=1e-12)
    assert again.events == clip.events
    held, was = again.constraints[0], clip.constraints[0]
    assert (held.joint, held.kind, held.start, held.end) == (was.joint, was.kind, was.start, was.end)
    np.testing.assert_allclose(point_of(again), point_of(clip), atol=1e-12)


def point_of(clip: Clip) -> Any:
    """Where the planted point of a clip is in each frame."""
    from motionloom.geometry import rotations as rot

    plant = clip.constraints[0]
    joint = clip.skeleton.index(plant.joint)
    return clip.world_positions()[:, joint] + rot.rotate(clip.world_rotations()[:, joint], plant.point)


def test_cycles_survive_the_way(addon: Any) -> None:
    clip = ml.cyclify(walk(duration=2.0, fps=30).clip, cycles=1).clip
    motion = addon("clips").motion_of(clip, "a")
    assert len(motion.positions) == clip.n_frames + 1
    again: Clip = addon("clips").clip_of(motion)
    assert (again.cyclic, again.n_frames) == (True, clip.n_frames)


def test_the_greatest_of_several_roots_carries_the_others(addon: Any) -> None:
    clip = figure()
    motion = addon("clips").motion_of(clip, "a")
    n_frames, n_joints = motion.positions.shape[:2]
    parts = replace(
        motion,
        names=["prop", *motion.names],
        parents=[-1, *(parent + 1 if parent >= 0 else -1 for parent in motion.parents)],
        rest=np.concatenate([np.ones((1, 3)), motion.rest]),
        positions=np.concatenate([np.ones((n_frames, 1, 3)), motion.positions], axis=1),
        turns=np.concatenate([np.tile(np.eye(3), (n_frames, 1, 1, 1)), motion.turns], axis=1),
        tips=[],
    )
    again: Clip = addon("clips").clip_of(parts)
    assert again.skeleton.names == (*clip.skeleton.names, "prop")
    assert again.skeleton.parents[n_joints] == 0
    np.testing.assert_allclose(again.world_positions()[:, :-1], clip.world_positions(), atol=1e-12)
    np.testing.assert_allclose(again.world_positions()[:, -1], 1.0, atol=1e-12)


def performed(addon: Any, folder: Path, motions: list[Any], **request: Any) -> dict[str, Any]:
    """The answer to a request about motions."""
    sources = [{"file": f"{n}.npz"} for n in range(len(motions))]
    for source, motion in zip(sources, motions, strict=True):
        addon("motion").write_motion(motion, folder / source["file"])
    (folder / "request.json").write_text(json.dumps({"sources": sources, **request}))
    addon("jobs").perform(folder)
    answer: dict[str, Any] = json.loads((folder / "answer.json").read_text())
    return answer


def test_unfit_motions_are_refused(addon: Any, tmp_path: Path) -> None:
    forth = walk(duration=2.0, fps=30).clip
    motions = [addon("clips").motion_of(clip, "a") for clip in (forth, forth.reversed())]
    settings = {"weights": [1, 1], "plant": False, "stretch": 0.0}
    answer = performed(addon, tmp_path, motions, job="blend", name="b", allow_unfit=False, **settings)
    assert answer["error"].startswith("these clips do not match: ")
    assert answer["error"].endswith("or blend them anyway with 'Allow Unfit' ticked")
    answer = performed(addon, tmp_path, motions, job="blend", name="b", allow_unfit=True, **settings)
    assert "error" not in answer


def test_bodies_in_another_unit(addon: Any, tmp_path: Path) -> None:
    motion = addon("clips").motion_of(walk(duration=2.0, fps=30).clip, "a")
    sizes = {
        size: replace(motion, rest=size * motion.rest, positions=size * motion.positions, tips=[])
        for size in (1.0, 100.0)
    }
    made, notes = {}, {}
    for size, given in sizes.items():
        answer = performed(addon, tmp_path, [given], job="enforce", name="b", stretch=0.0)
        made[size] = addon("motion").read_motion(tmp_path / answer["motions"][0]).positions
        notes[size] = answer["sentences"][0]
    np.testing.assert_allclose(made[100.0], 100.0 * made[1.0], atol=1e-9)
    assert "m high in this scene: its lengths were taken for cm" in notes[100.0]
    assert "taken for" not in notes[1.0]


def test_markers_keep_their_gaps(addon: Any) -> None:
    places = np.arange(12.0).reshape(2, 2, 3)
    places[0, 1] = np.nan
    motion = addon("clips").points_motion(PointClip(("a", "b"), 0.1, places), "markers")
    assert motion.parents == [-1, -1]
    np.testing.assert_array_equal(motion.positions, places)
    np.testing.assert_array_equal(motion.rest, [places[0, 0], places[1, 1]])

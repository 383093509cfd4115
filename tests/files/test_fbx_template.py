"""A Mixamo-like character, made in Blender, comes back from this package as from Blender itself."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import motionloom as ml
from motionloom.errors import FileFormatError, ParameterError, TemplateWarning
from motionloom.files.fbx.blender import blender_command
from motionloom.motion import Clip
from motionloom.synthesis import walk
from tests.files.test_fbx import needs_blender
from tests.files.test_template import angles, without_warnings

SCRIPT = Path(__file__).with_name("blender_character.py")
SUFFIXES = (".fbx", ".usdc", ".glb")
MAX_ANGLE = 0.1
"""Degrees by which a joint may rotate otherwise in its parent's frame than in the source."""

pytestmark = needs_blender


def in_blender(*words: object) -> None:
    command = [*blender_command(SCRIPT), *map(str, words)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr[-2000:]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The character in three formats, and what Blender makes of the FBX file by itself."""
    made = tmp_path_factory.mktemp("hero")
    in_blender("make", *(made / f"hero{suffix}" for suffix in SUFFIXES))
    in_blender("again", made / "hero.fbx", made / "again.fbx")
    return made


@pytest.fixture(scope="module")
def saved(folder: Path) -> dict[str, Path]:
    """The character's motion loaded and saved untouched, per format, and without a mesh."""
    paths = {}
    for suffix in SUFFIXES:
        clip = ml.load(folder / f"hero{suffix}")
        paths[suffix] = without_warnings(clip, folder / f"saved{suffix}")
    paths["bare"] = without_warnings(ml.load(folder / "hero.fbx"), folder / "bare.fbx", template=None)
    return paths


@pytest.fixture(scope="module")
def noted(folder: Path, saved: dict[str, Path]) -> dict[str, dict[str, Any]]:
    """What Blender finds in all these files."""
    paths = [*(folder / f"hero{suffix}" for suffix in SUFFIXES), folder / "again.fbx", *saved.values()]
    in_blender("note", folder / "notes.npz", *paths)
    found = np.load(folder / "notes.npz")
    keys = {key.partition("_")[2] for key in found.files}
    return {
        path.name: {key: found[f"{n}_{key}"] for key in keys if f"{n}_{key}" in found.files}
        for n, path in enumerate(paths)
    }


@pytest.mark.parametrize("name", ["again.fbx", "saved.fbx", "saved.usdc", "saved.glb"])
def test_what_blender_finds_is_unchanged(noted: dict[str, dict[str, Any]], name: str) -> None:
    """The first file is Blender's own round trip, which is the measure."""
    before, after = noted[f"hero{Path(name).suffix}"], noted[name]
    for key in ("names", "meshes", "materials", "faces"):
        assert after[key].tolist() == before[key].tolist(), key
    assert after["weights"] == pytest.approx(before["weights"], abs=1e-6)
    assert after["corners"] == pytest.approx(before["corners"], abs=1e-6)
    assert after["uv"] == pytest.approx(before["uv"], abs=1e-6)
    assert after["scale"] == pytest.approx(before["scale"], rel=1e-5)
    assert angles(after["rest"], before["rest"]).max() < MAX_ANGLE
    assert angles(after["frames"], before["frames"]).max() < MAX_ANGLE
    assert np.abs(after["heads"] - before["heads"]).max() < 1e-4


def test_axes_are_kept_without_a_mesh(noted: dict[str, dict[str, Any]]) -> None:
    before, after = noted["hero.fbx"], noted["bare.fbx"]
    assert after["names"].tolist() == before["names"].tolist()
    assert angles(after["rest"], before["rest"]).max() < MAX_ANGLE
    assert angles(after["frames"], before["frames"]).max() < MAX_ANGLE
    assert after["meshes"].tolist() == ["Sticks"]


@pytest.mark.parametrize("suffix", [*SUFFIXES, "bare"])
def test_what_we_read_is_unchanged(folder: Path, saved: dict[str, Path], suffix: str) -> None:
    before = ml.load(folder / f"hero{'.fbx' if suffix == 'bare' else suffix}")
    after = ml.load(saved[suffix])
    assert after.skeleton.names == before.skeleton.names
    assert angles(after.rotations, before.rotations).max() < MAX_ANGLE / 10
    assert angles(after.skeleton.rest_rotations, before.skeleton.rest_rotations).max() < MAX_ANGLE / 10
    assert np.abs(after.world_positions() - before.world_positions()).max() < 1e-5
    assert (after.source.character is None) == (suffix == "bare")


def test_the_three_formats_agree(folder: Path) -> None:
    """Rotations in parents' frames are those of the rig; the USD file is Z up, so axes change names."""
    fbx, usd, glb = (ml.load(folder / f"hero{suffix}") for suffix in SUFFIXES)
    assert angles(glb.rotations[:, 1:], fbx.rotations[:, 1:]).max() < MAX_ANGLE
    for other in (usd, glb):
        assert np.abs(other.world_positions() - fbx.world_positions()).max() < 1e-4


def test_a_blend_goes_home(folder: Path) -> None:
    clip = ml.load(folder / "hero.fbx")
    blended: Clip = ml.blend(ml.register([clip, clip[:20]]), [0.7, 0.3]).clip
    after = ml.load(without_warnings(blended, folder / "blend.fbx"))
    assert after.source.character is not None
    assert angles(after.rotations, blended.rotations).max() < MAX_ANGLE
    assert np.abs(after.world_positions() - blended.world_positions()).max() < 1e-4


def test_another_file_of_the_character(folder: Path, tmp_path: Path) -> None:
    """Motion without the character's axes, as a BVH file has it, goes into the character."""
    clip = ml.load(folder / "hero.fbx")
    plain = ml.load(ml.save(clip, tmp_path / "hero.bvh"))
    path = without_warnings(plain, tmp_path / "out.fbx", template=folder / "hero.fbx")
    after = ml.load(path)
    assert after.skeleton.names == clip.skeleton.names
    assert angles(after.rotations, clip.rotations).max() < MAX_ANGLE
    assert np.abs(after.world_positions() - clip.world_positions()).max() < 1e-4


def test_a_blend_of_files_with_different_axes(folder: Path, tmp_path: Path) -> None:
    clip = ml.load(folder / "hero.fbx")
    plain = ml.load(ml.save(clip, tmp_path / "hero.bvh"))
    mixed: Clip = ml.blend(ml.register([plain, clip[:20]]), [0.7, 0.3]).clip
    same: Clip = ml.blend(ml.register([clip, clip[:20]]), [0.7, 0.3]).clip
    after = ml.load(without_warnings(mixed, tmp_path / "out.fbx", template=folder / "hero.fbx"))
    assert angles(after.rotations, same.rotations).max() < MAX_ANGLE
    assert np.abs(after.world_positions() - same.world_positions()).max() < 1e-4


def test_templates_that_do_not_fit(folder: Path, tmp_path: Path) -> None:
    clip = ml.load(folder / "hero.fbx")
    with pytest.raises(ParameterError, match=r"hero\.fbx has no joints 'Hips'"):
        ml.save(walk(duration=0.5).clip, tmp_path / "out.fbx", template=folder / "hero.fbx")
    (tmp_path / "broken.fbx").write_bytes((folder / "hero.fbx").read_bytes()[:5000])
    with pytest.raises(FileFormatError, match=r"broken\.fbx: is damaged at byte"):
        ml.save(clip, tmp_path / "out.fbx", template=tmp_path / "broken.fbx")
    with pytest.raises(FileFormatError, match=r"nobody\.fbx: there is no such file"):
        ml.save(clip, tmp_path / "out.fbx", template=tmp_path / "nobody.fbx")
    with pytest.warns(TemplateWarning, match="the mesh of hero.fbx was not kept"):
        ml.save(clip, tmp_path / "out.glb")

"""Real Blender imports what we write, and we read what it exports."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.arrays import FloatArray
from motionloom.files.fbx.blender import blender_command
from motionloom.motion import Clip
from tests.conftest import captured
from tests.files.test_fbx import needs_blender

MILLIMETRE = 1e-3
SCRIPT = Path(__file__).with_name("blender_session.py")
EXPORTED = (".bvh", ".glb", ".fbx", ".usdc")


def in_blender(clip: Clip, path: Path, result: Path, *exports: Path) -> None:
    words = [str(path), repr(clip.fps), str(result), *map(str, exports)]
    run = subprocess.run([*blender_command(SCRIPT), *words], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr[-2000:]


def same_joints(clip: Clip, names: list[str], places: FloatArray) -> FloatArray:
    """How far (T, J) the clip's joints are from places (T, N, 3) of the same names."""
    indices = [names.index(name) for name in clip.skeleton.names]
    return np.asarray(np.linalg.norm(places[:, indices] - clip.world_positions(), axis=-1))


@needs_blender
@pytest.mark.parametrize("ending", [".bvh", ".glb", ".usdc", ".fbx"])
@pytest.mark.parametrize("source", captured("locomotion/s16/run_left*.bvh"), ids=lambda path: path.stem)
def test_bones_are_where_joints_are(tmp_path: Path, source: Path, ending: str) -> None:
    clip = ml.load(source)
    unit = "m" if ending in (".bvh", ".usdc") else None
    path = ml.save(clip, tmp_path / f"clip{ending}", unit=unit)
    in_blender(clip, path, tmp_path / "heads.npz")
    found = np.load(tmp_path / "heads.npz")
    picked = at_frames(clip, found["frames"])
    assert same_joints(picked, found["names"].tolist(), found["heads"]).max() < MILLIMETRE


def at_frames(clip: Clip, frames: FloatArray) -> Clip:
    """The clip's poses at whole frames, as a clip."""
    poses = clip.at(frames)
    return Clip(clip.skeleton, clip.frame_time, poses.root_positions, poses.rotations, poses.translations)


@needs_blender
@pytest.mark.parametrize("source", captured("locomotion/s16/run_left*.bvh"), ids=lambda path: path.stem)
def test_what_blender_exports_has_the_same_positions(tmp_path: Path, source: Path) -> None:
    clip = ml.load(source)
    path = ml.save(clip, tmp_path / "clip.usdc", unit="m")
    exports = [tmp_path / f"again{ending}" for ending in EXPORTED]
    in_blender(clip, path, tmp_path / "heads.npz", *exports)
    for export in exports:
        again = ml.load(export)
        assert again.n_frames == clip.n_frames, export.name
        apart = same_joints(clip, list(again.skeleton.names), again.world_positions())
        assert apart.max() < MILLIMETRE, export.name

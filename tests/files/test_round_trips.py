"""What this package writes it reads back as it was: size, axes and first frame, whatever the skeleton."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import motionloom as ml
from motionloom.arrays import FloatArray
from motionloom.files.normalize import scale_clip, to_y_up
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Skeleton
from motionloom.motion.provenance import UpAxis
from motionloom.synthesis import walk

TENTH_OF_A_MILLIMETRE = 1e-4


def random_tree(rng: np.random.Generator) -> Clip:
    """Up to forty joints that hang together at random, with no resemblance to a body."""
    n_joints, n_frames = int(rng.integers(2, 40)), 12
    parents = np.array([-1, *(int(rng.integers(0, joint)) for joint in range(1, n_joints))])
    skeleton = Skeleton(tuple(f"joint{n}" for n in range(n_joints)), parents, rng.normal(size=(n_joints, 3)))
    turns = rot.normalize(rng.normal(size=(n_frames, n_joints, 4)) * 0.2 + [1.0, 0.0, 0.0, 0.0])
    clip = Clip(skeleton, 1 / 30, np.cumsum(rng.normal(size=(n_frames, 3)) * 0.02, axis=0), turns)
    return scale_clip(clip, 1.0 / np.ptp(clip.world_positions()[0, :, 1]))


def random_clip(seed: int) -> Clip:
    """A person, one on the back, or any tree, from 0.3 to 5 m high."""
    rng = np.random.default_rng(seed)
    height = 0.3 * (5.0 / 0.3) ** rng.random()
    person = walk(duration=0.5, fps=30).clip
    kinds = [person, to_y_up(person, "z"), random_tree(rng)]
    tall = float(np.ptp(person.world_positions()[0, :, 1]))
    return scale_clip(kinds[seed % 3], height / (1.0 if seed % 3 == 2 else tall))


def positions_by_name(clip: Clip, names: tuple[str, ...]) -> FloatArray:
    """World positions (T, J, 3) of joints by name; some formats order them anew and name the root."""
    own = {name: n for n, name in enumerate(clip.skeleton.names)}
    return clip.world_positions()[:, [own.get(name, 0) for name in names]]


@pytest.mark.parametrize(
    ("ending", "count"),
    [(".bvh", 200), (".amc", 60), (".csv", 60), (".glb", 60), (".gltf", 20), (".npz", 20), (".usda", 6)],
)
@pytest.mark.slow
def test_a_saved_clip_comes_back_as_it_was(tmp_path: Path, ending: str, count: int) -> None:
    for seed in range(count):
        clip, path = random_clip(seed), tmp_path / f"clip{ending}"
        ml.save(clip, path, overwrite=True)
        names = clip.skeleton.names
        found = positions_by_name(ml.load(path), names)
        assert found.shape == (clip.n_frames, len(names), 3), seed
        assert np.abs(found - clip.world_positions()).max() < TENTH_OF_A_MILLIMETRE, seed


@pytest.mark.parametrize("unit", ["m", "cm", "inch", "1/0.45 inch"])
@pytest.mark.parametrize("up", ["x", "y", "z"])
def test_units_and_axes_of_bvh_files_are_marked(tmp_path: Path, unit: str, up: UpAxis) -> None:
    clip = random_clip(1)
    ml.save(clip, tmp_path / "a.bvh", unit=unit, up=up)
    back = ml.load(tmp_path / "a.bvh")
    assert (back.source.unit, back.source.up) == (unit, up)
    assert np.abs(back.world_positions() - clip.world_positions()).max() < TENTH_OF_A_MILLIMETRE

"""Characters on the floor: how high the soles of meshes are while their feet are planted.

Run with `python -m benchmarks.characters`. Captured takes are put on skinned characters by
`motionloom.retarget`, the mesh is skinned, and the lowest vertex of each planted foot is measured against the
floor. Columns: number of planted frames; their median, tenth percentile and largest distance, millimetres
(negative is in the floor); the same of the lowest vertex in all frames of either foot ("lowest"); how far
planted points slide at most, millimetres.
"""

from __future__ import annotations

import sys
import warnings
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

import motionloom as ml
from benchmarks.corpus import MOCAP, need_corpus
from motionloom.arrays import BoolArray, FloatArray
from motionloom.motion import Clip
from motionloom.motion.anatomy import find_anatomy, tree
from motionloom.motion.skinned_mesh import SkinnedMesh
from motionloom.synthesis import make_character

CHARACTERS = {
    "manny": "game/character/manny_med_mod.gltf",
    "figure": "dialects/fbx_gltf/RiggedFigure.glb",
}
"""Files that show a person with legs and a skin. The others of the corpus do not: the feet of
`robot_expressive.glb` hang on its root and not on its legs, both KayKit files have no mesh (manny is made for
their rig), the fox stands on four legs, and `09_11_cmu.fbx` is a skeleton that only Blender reads."""

TAKES = {
    "walk": "locomotion/s16/walk_straight_16_15.bvh",
    "run": "locomotion/s16/run_straight_16_45.bvh",
    "turn": "locomotion/turns/walk_left90_16_17.bvh",
    "sneak": "locomotion/s139_sneak/sneak_straight_139_29_r0481-0961.bvh",
    "hop": "actions/jumps/hopturn_left90_83_52.bvh",
}
GENERATED: dict[str, dict[str, Any]] = {
    "bare": {},
    "shoes": {"footwear": "shoes"},
    "heels": {"footwear": "heels", "joint_names": "mixamo"},
    "boots": {"footwear": "boots", "joint_names": "unreal", "unit": "cm"},
    "paws": {"footwear": "paws"},
    "child": {"footwear": "shoes", "proportions": "child", "fingers": True},
}
WORST = 3.0
"""Millimetres that a planted sole may be off the floor."""

RATE = 60.0
MILLIMETRES = 1000.0


def main(names: list[str]) -> None:
    warnings.simplefilter("ignore")
    need_corpus()
    columns = "".join(f"{name:>8}" for name in ("planted", "median", "10th", "worst", "lowest", "slide"))
    print(f"{'character':<12}{'take':<8}{columns}")
    failed = False
    with TemporaryDirectory() as folder:
        for name, path in characters(Path(folder)).items():
            for take in TAKES if not names or name in names else ():
                failed |= print_row(name, path, take) > WORST
    if failed:
        raise SystemExit(f"some planted soles are more than {WORST:.0f} mm off the floor")


def characters(folder: Path) -> dict[str, Path]:
    """The usable files of the corpus, and generated ones in a folder."""
    made = {
        name: ml.save(make_character(**options), folder / f"{name}.glb")
        for name, options in GENERATED.items()
    }
    return {name: MOCAP / path for name, path in CHARACTERS.items()} | made


@cache
def captured(take: str) -> Clip:
    """A captured take with its foot plants."""
    return ml.annotate(ml.load(MOCAP / TAKES[take]).resampled(RATE))


def print_row(name: str, path: Path, take: str) -> float:
    """Print what a take looks like on a character; return the largest distance from the floor, in mm."""
    example, mesh = ml.load(path), ml.load_skinned_mesh(path)
    made = ml.retarget(captured(take), example)
    heights, planted = sole_heights(made.clip, mesh)
    assert made.report.transfer is not None
    floor = made.report.transfer.floor
    own = MILLIMETRES * (heights[planted] - floor)
    lowest = MILLIMETRES * (heights.min() - floor)
    print(
        f"{name:<12}{take:<8}{len(own):>8}{np.median(own):>8.1f}{np.quantile(own, 0.1):>8.1f}"
        f"{own[np.abs(own).argmax()]:>8.1f}{lowest:>8.1f}{MILLIMETRES * largest_slide(made.clip):>8.1f}",
        flush=True,
    )
    return float(np.abs(own).max())


def sole_heights(clip: Clip, mesh: SkinnedMesh) -> tuple[FloatArray, BoolArray]:
    """Return the height (T, F) of the lowest vertex of every foot, and where a point of it is planted."""
    legs = find_anatomy(clip.body.skeleton).legs
    heights = np.empty((clip.n_frames, len(legs)))
    planted = np.zeros(heights.shape, dtype=np.bool_)
    vertices = mesh.vertices(clip)
    owners = mesh.bones[np.take_along_axis(mesh.vertex_bones, mesh.weights.argmax(axis=1)[:, None], 1)[:, 0]]
    for n, leg in enumerate(legs):
        ankle = clip.skeleton.index(clip.body.skeleton.names[leg.ankle])
        below = list(tree.subtree(clip.skeleton, ankle))
        heights[:, n] = vertices[:, np.isin(owners, below), 1].min(axis=1)
        for plant in clip.constraints:
            if clip.skeleton.index(plant.joint) in below:
                planted[plant.whole_frames(clip.n_frames), n] = True
    return heights, planted


def largest_slide(clip: Clip) -> float:
    """How far a planted point moves over the ground within its plant at most, metres."""
    paths = [
        clip.point_positions(plant.joint, plant.point, slice(frames.start, frames.stop))[:, [0, 2]]
        for plant in clip.constraints
        if len(frames := plant.whole_frames(clip.n_frames)) > 1
    ]
    return max((float(np.ptp(path, axis=0).max()) for path in paths), default=0.0)


if __name__ == "__main__":
    main(sys.argv[1:])

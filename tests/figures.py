"""Small skeletons and random clips that several tests share."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, PointClip, Skeleton, Tip

FRAME_TIME = 1 / 60


def skeleton_of(
    names: tuple[str, ...], parents: list[int], offsets: npt.ArrayLike, tips: tuple[Tip, ...] = ()
) -> Skeleton:
    """A skeleton from plain lists."""
    return Skeleton(names, np.array(parents), np.array(offsets, dtype=float), tips=tips)


def small_skeleton() -> Skeleton:
    """Six joints with two branches, not in depth-first order, and two tips."""
    return skeleton_of(
        ("root", "left", "right", "left end", "right end", "neck"),
        [-1, 0, 0, 1, 2, 0],
        [[0.0, 1.0, 0.0], [0.2, -0.1, 0], [-0.2, -0.1, 0], [0, -0.5, 0.1], [0, -0.5, 0.1], [0, 0.4, 0]],
        tips=(Tip(3, np.array([0, 0, 0.2])), Tip(5, np.array([0, 0.3, 0]))),
    )


def random_rotations(shape: tuple[int, ...], seed: int = 0) -> FloatArray:
    """Rotations (..., 4), uniformly distributed."""
    return rot.normalize(np.random.default_rng(seed).normal(size=(*shape, 4)))


def smooth_clip(
    n_frames: int = 20, seed: int = 0, skeleton: Skeleton | None = None, moving: bool = False
) -> Clip:
    """A clip whose joints turn smoothly by up to about a radian."""
    skeleton = skeleton or small_skeleton()
    rng = np.random.default_rng(seed)
    times = np.arange(n_frames)[:, None, None] * FRAME_TIME
    waves = np.sin(
        times * rng.uniform(1, 6, (1, skeleton.n_joints, 3)) + rng.uniform(0, 6, (1, skeleton.n_joints, 3))
    )
    roots = np.stack([times[:, 0, 0], 1 + 0.1 * np.sin(5 * times[:, 0, 0]), times[:, 0, 0] ** 2], axis=-1)
    stretch = 1 + 0.1 * waves[..., :1]
    return Clip(
        skeleton,
        FRAME_TIME,
        roots,
        rot.from_rotation_vector(0.6 * waves),
        translations=skeleton.offsets * stretch if moving else None,
    )


def slow_world_positions(clip: Clip) -> FloatArray:
    """World positions (T, J, 3) by 4×4 matrices, joint by joint and frame by frame."""
    positions = np.zeros((clip.n_frames, clip.skeleton.n_joints, 3))
    for t in range(clip.n_frames):
        worlds: list[FloatArray] = []
        for joint, parent in enumerate(clip.skeleton.parents):
            local = np.eye(4)
            local[:3, :3] = rot.to_matrix(clip.rotations[t, joint])
            local[:3, 3] = (
                clip.skeleton.offsets[joint] if clip.translations is None else clip.translations[t, joint]
            )
            if parent < 0:
                local[:3, 3] = clip.root_positions[t]
            worlds.append(local if parent < 0 else worlds[parent] @ local)
            positions[t, joint] = worlds[joint][:3, 3]
    return positions


def points_of(clip: Clip, **fields: Any) -> PointClip:
    """The joints of a clip as points without a skeleton."""
    return PointClip(clip.skeleton.names, clip.frame_time, clip.world_positions(), **fields)

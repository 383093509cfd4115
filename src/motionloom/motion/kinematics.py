"""World positions, rotations and velocities from local ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from motionloom import kernels
from motionloom.arrays import FloatArray, freeze, read_only_view
from motionloom.geometry import rotations as rot
from motionloom.kernels.threads import run_in_slices
from motionloom.motion.skeleton import Skeleton

if TYPE_CHECKING:
    from motionloom.motion.clip import Clip

N_DIRECTIONS = 64
"""Directions in which the outermost points of a track are found; the result is short of the true one by at
most 0.03 %."""


def world_transforms(
    skeleton: Skeleton,
    root_positions: FloatArray,
    rotations: FloatArray,
    translations: FloatArray | None = None,
) -> tuple[FloatArray, FloatArray]:
    """World positions (T, J, 3) and world rotations (T, J, 4) of all frames in one compiled pass.

    Parameters
    ----------
    skeleton
        J joints.
    root_positions, rotations, translations
        (T, 3), (T, J, 4) and, where bones move, (T, J, 3), as in a clip.

    >>> chain = Skeleton(["a", "b"], [-1, 0], [[0, 0, 0], [0, 0, 1]])
    >>> turned = np.tile(rot.from_yaw(np.pi / 2), (1, 2, 1))
    >>> world_transforms(chain, np.zeros((1, 3)), turned)[0][0, 1].round(12)
    array([1., 0., 0.])
    """
    n_frames, n_joints = rotations.shape[:2]
    positions, world = np.empty((n_frames, n_joints, 3)), np.empty((n_frames, n_joints, 4))
    offsets = skeleton.offsets[None] if translations is None else translations
    given = (
        skeleton.parents,
        read_only_view(offsets),
        read_only_view(root_positions),
        read_only_view(rotations),
    )
    solve = kernels.kinematics.world_transforms

    def run(start: int, stop: int) -> None:
        solve(*given, positions, world, start, stop)

    run_in_slices(n_frames, run, weight=n_joints)
    return freeze(positions), freeze(world)


def local_rotations(parents: npt.NDArray[np.int64], world_rotations: FloatArray) -> FloatArray:
    """Local rotations (..., J, 4) that give these world rotations (..., J, 4).

    >>> local_rotations(np.array([-1, 0]), rot.from_yaw([0.5, 0.5])[None])[0, 1].round(12)
    array([1., 0., 0., 0.])
    """
    local = np.array(world_rotations)
    local[..., 1:, :] = rot.multiply(
        rot.inverse(world_rotations[..., parents[1:], :]), world_rotations[..., 1:, :]
    )
    return local


def world_points(
    positions: FloatArray, world_rotations: FloatArray, joints: npt.ArrayLike, points: npt.ArrayLike
) -> FloatArray:
    """World positions (T, P, 3) of points given in the frames of their joints.

    ``positions`` (T, J, 3) and ``world_rotations`` (T, J, 4) are the joints' own, ``joints`` (P,) the joint
    of each point, ``points`` (P, 3) its place in that joint's frame.

    >>> world_points(np.zeros((1, 1, 3)), rot.IDENTITY[None, None], [0], [[0, -0.1, 0]])[0, 0].tolist()
    [0.0, -0.1, 0.0]
    """
    joints = np.asarray(joints, dtype=np.int64)
    return np.asarray(positions[:, joints] + rot.rotate(world_rotations[:, joints], points))


def world_positions_at(clip: Clip, frames: npt.ArrayLike) -> FloatArray:
    """Return world positions (N, J, 3) of the joints in some whole frames (N,), metres.

    The clip's own :meth:`~motionloom.motion.Clip.world_positions` finds, and keeps, those of all frames.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=1.0).clip
    >>> bool((world_positions_at(clip, [0, -1]) == clip.world_positions()[[0, -1]]).all())
    True
    """
    rows = np.asarray(frames, dtype=np.int64)
    bones = None if clip.translations is None else clip.translations[rows]
    return world_transforms(clip.skeleton, clip.root_positions[rows], clip.rotations[rows], bones)[0]


def velocities(values: FloatArray, frame_time: float) -> FloatArray:
    """Rates of change per second of values (T, ...): central differences, one-sided at the ends.

    A clip of one frame stands still.

    >>> velocities(np.array([[0.0], [1.0], [4.0]]), 0.5).ravel().tolist()
    [2.0, 4.0, 6.0]
    """
    if len(values) < 2:
        return np.zeros_like(values)
    return np.asarray(np.gradient(values, frame_time, axis=0))


def angular_velocities(rotations: FloatArray, frame_time: float) -> FloatArray:
    """Angular velocities (T, ..., 3) in rad/s of rotations (T, ..., 4), in the frame they are expressed in.

    Central differences, one-sided at the ends.

    >>> spin = rot.from_yaw(np.array([0.0, 0.1, 0.2]))
    >>> angular_velocities(spin, 0.05)[1].round(9)
    array([0., 2., 0.])
    """
    if len(rotations) < 2:
        return np.zeros((*rotations.shape[:-1], 3))
    before = np.concatenate([rotations[:1], rotations[:-1]])
    after = np.concatenate([rotations[1:], rotations[-1:]])
    spans = np.full(len(rotations), 2.0)
    spans[[0, -1]] = 1.0
    turned = rot.to_rotation_vector(rot.multiply(after, rot.inverse(before)))
    return np.asarray(turned / (spans * frame_time).reshape(-1, *[1] * (turned.ndim - 1)))


def max_distance(track: FloatArray) -> float:
    """Return the largest distance between two points of a track (N, 2).

    >>> round(max_distance(np.array([[0.0, 0.0], [3.0, 4.0], [1.0, 1.0]])), 2)
    5.0
    """
    angles = np.arange(N_DIRECTIONS) * np.pi / N_DIRECTIONS
    along = (track - track[0]) @ np.array([np.cos(angles), np.sin(angles)])
    outer = track[np.union1d(along.argmin(axis=0), along.argmax(axis=0))]
    return float(np.sqrt(((outer[:, None] - outer) ** 2).sum(axis=-1).max()))

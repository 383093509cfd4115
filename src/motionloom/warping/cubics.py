"""Poses between frames by the cubic through four frames."""

from __future__ import annotations

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip, Pose


def poses_at(clip: Clip, frames: FloatArray) -> Pose:
    """The poses of a clip at fractional frames (N,).

    >>> from motionloom.synthesis import stand
    >>> poses_at(stand(duration=0.5).clip, np.array([0.5, 3.0])).rotations.shape
    (2, 22, 4)
    """
    moved = clip.translations
    return Pose(
        clip.skeleton,
        freeze(cubic_vectors(clip.root_positions, frames)),
        freeze(cubic_rotations(clip.rotations, frames)),
        None if moved is None else freeze(cubic_vectors(moved, frames)),
    )


def cubic_vectors(values: FloatArray, frames: FloatArray) -> FloatArray:
    """Values (N, ...) at fractional frames (N,) of samples (T, ...), by the cubic through four samples.

    A straight line between samples would have a corner at every one, which shows where time is stretched.

    >>> cubic_vectors(np.array([[0.0], [1.0], [4.0], [9.0]]), np.array([1.5])).tolist()
    [[2.25]]
    """
    if len(values) < 2:
        return np.repeat(values, len(frames), axis=0)
    before, after = 2.0 * values[:1] - values[1:2], 2.0 * values[-1:] - values[-2:-1]
    rows = np.concatenate([before, values, after, after])
    whole = np.floor(frames).astype(np.int64)
    t = (frames - whole).reshape(-1, *[1] * (values.ndim - 1))
    return np.asarray(
        t * (-0.5 + t * (1.0 - 0.5 * t)) * rows[whole]
        + (1.0 + t * t * (-2.5 + 1.5 * t)) * rows[whole + 1]
        + t * (0.5 + t * (2.0 - 1.5 * t)) * rows[whole + 2]
        + t * t * (-0.5 + 0.5 * t) * rows[whole + 3]
    )


def cubic_rotations(values: FloatArray, frames: FloatArray) -> FloatArray:
    """Rotations (N, J, 4) at fractional frames (N,) of samples (T, J, 4); whole frames are copied.

    >>> spin = rot.from_yaw(np.array([[0.0], [0.2], [0.4], [0.6]]))
    >>> bool(abs(rot.yaw_of(cubic_rotations(spin, np.array([1.5])))[0, 0] - 0.3) < 1e-6)
    True
    """
    between = rot.normalize(cubic_vectors(rot.unrolled(values), frames))
    is_whole = frames == np.floor(frames)
    between[is_whole] = values[frames[is_whole].astype(np.int64)]
    return between

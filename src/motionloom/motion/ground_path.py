"""The path of a body over the ground, without the sway of the hips: where it is and which way it heads."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

import numpy as np

from motionloom.arrays import FloatArray, check_array, freeze
from motionloom.geometry import GroundTransform
from motionloom.motion.anatomy import facing
from motionloom.motion.clip import Clip
from motionloom.motion.filters import GAUSSIAN_WIDTH, smooth_gaussian
from motionloom.motion.unroll import MIN_CYCLE_FRAMES, travel, unroll

SMOOTHING = 0.5
"""Standard deviation of the Gaussian that smooths the path, seconds: 2 % of the sway of a walk, about one per
second, stays in the path, and the rest in the body."""

MAX_SMOOTHING = 600.0
"""Seconds over which a path may be smoothed; after a minute it is straight."""


@dataclass(frozen=True, eq=False)
class GroundPath:
    """The path of a body over the ground, and its heading, frame by frame.

    Attributes
    ----------
    joint
        The joint that carries the body: the root or, below a root that stands still, the first joint that
        moves.
    frame_time
        Seconds from one frame to the next.
    positions
        (T, 2) x and z, metres.
    yaws
        (T,) heading in radians, 0 along +Z, positive towards +X; continuous beyond ±π.
    """

    joint: str
    frame_time: float
    positions: FloatArray
    yaws: FloatArray

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "positions", check_array("positions", self.positions, ("T", 2)))
        put(self, "yaws", check_array("yaws", self.yaws, (len(self.positions),)))

    def __len__(self) -> int:
        return len(self.yaws)

    @property
    def length(self) -> float:
        """Length of the path, metres."""
        return float(np.linalg.norm(np.diff(self.positions, axis=0), axis=1).sum())

    def at(self, frame: int) -> GroundTransform:
        """Return the transform from the in-place body to its position in a frame."""
        x, z = self.positions[frame]
        return GroundTransform(float(self.yaws[frame]), float(x), float(z))


def ground_path(clip: Clip, joint: int = 0, smoothing: float = SMOOTHING) -> FloatArray:
    """Return x, z and yaw (T, 3) of a joint's path over the ground, metres and radians without jumps.

    Parameters
    ----------
    clip
        The motion.
    joint
        Index of the joint whose path it is. The yaw is the heading of the whole body.
    smoothing
        Standard deviation of the Gaussian that smooths the path, seconds; 0 keeps it as it is.

    >>> from motionloom.synthesis import walk
    >>> path = ground_path(walk(speed=1.2, duration=2.0).clip)
    >>> path.shape, round(float(path[-1, 1] - path[0, 1]), 1)
    ((121, 3), 2.4)
    """
    n_frames, deviation = clip.n_frames, smoothing / clip.frame_time
    if not clip.cyclic or joint != 0 or n_frames < MIN_CYCLE_FRAMES:
        return smooth_gaussian(_path(clip, joint), deviation)
    # The cycles before and after continue the path.
    around = ceil(GAUSSIAN_WIDTH * deviation / n_frames)
    whole = smooth_gaussian(_path(unroll(clip, 2 * around + 1), joint), deviation)
    cycle = whole[around * n_frames : (around + 1) * n_frames]
    per_cycle, back = travel(clip), GroundTransform()
    for _ in range(around):
        back = per_cycle @ back
    back = back.inverse()
    positions = np.stack([cycle[:, 0], np.zeros(n_frames), cycle[:, 1]], axis=-1)
    return np.concatenate([back.apply(positions)[:, [0, 2]], cycle[:, 2:] + back.yaw], axis=1)


def _path(clip: Clip, joint: int) -> FloatArray:
    """Return x, z and yaw (T, 3) of a clip, the yaw without jumps."""
    return np.column_stack([clip.world_positions()[:, joint][:, [0, 2]], np.unwrap(facing(clip))])


def ground_track(clip: Clip) -> FloatArray:
    """Return x, z and yaw (T, 3) of a clip's body on the ground; the yaw does not jump by whole turns.

    >>> from motionloom.synthesis import walk
    >>> track = ground_track(walk(duration=2.0, fps=30).clip)
    >>> track.shape, bool(abs(track[-1, 0]) < 0.1), bool(track[-1, 1] > 1.0)
    ((61, 3), True, True)
    """
    body = clip.body
    yaws = np.unwrap(facing(body))
    return freeze(np.column_stack([body.root_positions[:, 0], body.root_positions[:, 2], yaws]))

"""Gaps in the capture of points: how long they are, and what is most likely in them."""

from __future__ import annotations

import numpy as np

from motionloom.arrays import FloatArray, IntArray
from motionloom.motion.points import PointClip


def filled(positions: FloatArray) -> FloatArray:
    """Positions (T, P, 3) with gaps (NaN) bridged straight in time and held at the ends.

    A point that is never seen lies at the origin.

    >>> filled(np.array([[[0.0, 0, 0]], [[np.nan] * 3], [[4.0, 2, 0]]]))[1, 0].tolist()
    [2.0, 1.0, 0.0]
    """
    made = np.array(positions)
    seen = ~np.isnan(positions[..., 0])
    frames = np.arange(len(positions))
    for point in np.flatnonzero(~seen.all(axis=0)):
        known = seen[:, point]
        for axis in range(3):
            values = positions[known, point, axis]
            made[:, point, axis] = np.interp(frames, frames[known], values) if values.size else 0.0
    return made


def longest_gaps(clip: PointClip) -> IntArray:
    """For each point (P,), the most frames in a row in which it is not seen.

    >>> longest_gaps(PointClip(["a"], 0.1, [[[0, 0, 0]], [[np.nan] * 3], [[np.nan] * 3]])).tolist()
    [2]
    """
    longest = running = np.zeros(len(clip.names), dtype=np.int64)
    for unseen in np.isnan(clip.positions[..., 0]):
        running = np.where(unseen, running + 1, 0)
        longest = np.maximum(longest, running)
    return longest

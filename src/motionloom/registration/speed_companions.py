"""Let speeds count beside poses in the distance of two frames.

Poses alone separate moments that correspond where actions have different extremes: the hands of a high and of
a low reach are farthest from each other just when both arrive. What such actions have in common is when each
part of the body sets off, is fastest and comes to rest. So every point gets a companion whose height is the
point's speed, as a fraction of its own peak. Companions stand at the centre of the body, where they do not
change its placement on the ground, and the distance of two frames is a sum of two terms.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.registration.distance import cloud_distance
from motionloom.registration.point_cloud import PointCloud

SPEED_REACH = 1 / 30
"""Seconds to either side over which a speed is measured: a frame at 30 Hz. Over less, markers jitter."""

MIN_PEAK_SPEED = 0.03
"""Metres per second. A point that is never faster rests, and its jitter is not scaled up to a profile."""

FAST_QUANTILE = 0.95
"""Quantile of a point's speeds in all clips that counts as fast for it; teleports and glitches lie above."""

SCALED_FRAMES = 96
"""Frames, spread evenly over all clips, on which the scale of speeds against poses is measured."""


def add_speeds(
    clouds: Sequence[PointCloud], weight: float, frame_time: float, *, one_scale: bool = False
) -> list[PointCloud]:
    """Add a companion for the speed of each point to the clouds; leave them as they are if ``weight`` is 0.

    Mean squared distances between the results are those of the poses and ``weight`` times those of the
    speeds, over ``1 + weight``. Both are scaled to the same mean over all frames of all clips, so that
    neither the size of the body nor its tempo decides which counts more. With ``one_scale`` a point's speed
    is relative to what is fast for it in all clips together, instead of to its peak in its own clip: what
    else happens in a long take does not change how a moment of it compares.

    >>> from motionloom.registration.point_cloud import point_cloud
    >>> from motionloom.synthesis import walk
    >>> clouds = [point_cloud(walk(speed=speed, duration=1, fps=30).clip) for speed in (1.0, 1.5)]
    >>> [cloud.positions.shape for cloud in add_speeds(clouds, weight=1.0, frame_time=1 / 30)]
    [(31, 54, 3), (31, 54, 3)]
    """
    if weight == 0.0:
        return list(clouds)
    reach = max(1, round(SPEED_REACH / frame_time))
    if one_scale:
        speeds = [point_speeds(cloud.positions, frame_time, reach) for cloud in clouds]
        fast = np.maximum(np.quantile(np.concatenate(speeds), FAST_QUANTILE, axis=0), MIN_PEAK_SPEED)
        speeds = [np.minimum(own / fast, 1.0) for own in speeds]
    else:
        speeds = [relative_speeds(cloud.positions, frame_time, reach) for cloud in clouds]
    scale = _speed_scale(clouds, speeds)
    return [_add_companions(cloud, scale * own, weight) for cloud, own in zip(clouds, speeds, strict=True)]


def relative_speeds(positions: FloatArray, frame_time: float, reach: int) -> FloatArray:
    """Return the speeds (T, P) of points (T, P, 3) as fractions of each point's peak speed.

    They are measured over ``reach`` frames to either side, as far as there are frames.

    >>> positions = np.array([0.0, 1.0, 3.0, 4.0])[:, None, None] * np.ones(3)
    >>> relative_speeds(positions, frame_time=1.0, reach=1)[:, 0].round(3).tolist()
    [0.667, 1.0, 1.0, 0.667]
    """
    speeds = point_speeds(positions, frame_time, reach)
    return np.asarray(speeds / np.maximum(speeds.max(axis=0), MIN_PEAK_SPEED))


def point_speeds(positions: FloatArray, frame_time: float, reach: int) -> FloatArray:
    """Return the speeds (T, P) of points (T, P, 3), m/s, over ``reach`` frames to either side."""
    frames = np.arange(len(positions))
    first, last = np.maximum(frames - reach, 0), np.minimum(frames + reach, len(positions) - 1)
    seconds = np.maximum(last - first, 1) * frame_time
    offsets = positions[last] - positions[first]
    return np.asarray(np.sqrt(np.einsum("tpc,tpc->tp", offsets, offsets)) / seconds[:, None])


def _speed_scale(clouds: Sequence[PointCloud], speeds: Sequence[FloatArray]) -> float:
    """Return how many metres a point's peak speed counts as, so that speeds lie as far apart as poses do.

    It is rounded to a millimetre: the order of the clips must not change it.
    """
    count = max(SCALED_FRAMES // len(clouds), 2)
    picked = [np.linspace(0, len(own) - 1, count).astype(np.int64) for own in speeds]
    weights = np.mean([cloud.weights for cloud in clouds], axis=0)
    poses = np.concatenate([cloud.positions[some] for cloud, some in zip(clouds, picked, strict=True)])
    sampled = np.concatenate([own[some] for own, some in zip(speeds, picked, strict=True)])
    together = PointCloud(poses, weights)
    poses_apart = float(cloud_distance(together, together, half_width=0).values.mean())
    speeds_apart = float(2.0 * sampled.var(axis=0) @ weights)
    return round(float(np.sqrt(poses_apart / speeds_apart)), 3) if speeds_apart > 0.0 else 0.0


def _add_companions(cloud: PointCloud, heights: FloatArray, weight: float) -> PointCloud:
    """Add a companion for each point, at these heights (T, P) at the centre of the body."""
    n_points = len(cloud.weights)
    positions = np.empty((len(heights), 2 * n_points, 3))
    positions[:, :n_points] = cloud.positions
    positions[:, n_points:] = (cloud.weights @ cloud.positions)[:, None]
    positions[:, n_points:, 1] = heights
    weights = np.concatenate([cloud.weights, weight * cloud.weights]) / (1.0 + weight)
    return PointCloud(freeze(positions), freeze(weights))

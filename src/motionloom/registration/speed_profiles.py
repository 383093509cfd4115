"""How fast each point moves, compared together with where it is.

Poses alone keep apart what corresponds where actions have different extremes: the hands of a high and of a
low reach are farthest from each other just when both arrive. What such actions share is when each part of the
body sets off, is fastest and comes to rest. So every point gets a companion whose height is the point's
speed, as a share of its own fastest. Companions stand in the middle of the body, where they change nothing
about its place on the ground, and the distance of two frames is the sum of two terms.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from motionloom.arrays import FloatArray, freeze
from motionloom.registration.distance_grid import cloud_distance
from motionloom.registration.point_cloud import PointCloud

SPEED_REACH = 1 / 30
"""Seconds to either side over which a speed is measured: a frame at 30 Hz. Over less, markers tremble."""

LEAST_PEAK = 0.03
"""Metres per second. A point that is never faster rests, and its trembling is not blown up to a profile."""

COMPARED_FRAMES = 96
"""Frames, spread evenly over all clips, from which it is taken how far poses and speeds lie apart."""


def with_speeds(clouds: Sequence[PointCloud], weight: float, frame_time: float) -> list[PointCloud]:
    """The clouds of clips with a companion for each point; the clouds themselves where ``weight`` is 0.

    Mean squared distances between them are those of the poses and ``weight`` times those of the speeds, over
    ``1 + weight``. Both are brought to the same mean over all frames of all clips, so that neither the size
    of the body nor its pace decides what counts.

    >>> from motionloom.registration.point_cloud import point_cloud
    >>> from motionloom.synthesis import walk
    >>> clouds = [point_cloud(walk(speed=speed, duration=1, fps=30).clip) for speed in (1.0, 1.5)]
    >>> [cloud.positions.shape for cloud in with_speeds(clouds, weight=1.0, frame_time=1 / 30)]
    [(31, 54, 3), (31, 54, 3)]
    """
    if weight == 0.0:
        return list(clouds)
    reach = max(1, round(SPEED_REACH / frame_time))
    shares = [speed_shares(cloud.positions, frame_time, reach) for cloud in clouds]
    scale = _metres_per_share(clouds, shares)
    return [_joined(cloud, scale * own, weight) for cloud, own in zip(clouds, shares, strict=True)]


def speed_shares(positions: FloatArray, frame_time: float, reach: int) -> FloatArray:
    """Speeds (T, P) of points (T, P, 3) as shares of each point's fastest.

    They are measured over ``reach`` frames to either side, as far as there are frames.

    >>> places = np.array([0.0, 1.0, 3.0, 4.0])[:, None, None] * np.ones(3)
    >>> speed_shares(places, frame_time=1.0, reach=1)[:, 0].round(3).tolist()
    [0.667, 1.0, 1.0, 0.667]
    """
    frames = np.arange(len(positions))
    first, last = np.maximum(frames - reach, 0), np.minimum(frames + reach, len(positions) - 1)
    seconds = np.maximum(last - first, 1) * frame_time
    ways = positions[last] - positions[first]
    speeds = np.sqrt(np.einsum("tpc,tpc->tp", ways, ways)) / seconds[:, None]
    return np.asarray(speeds / np.maximum(speeds.max(axis=0), LEAST_PEAK))


def _metres_per_share(clouds: Sequence[PointCloud], shares: Sequence[FloatArray]) -> float:
    """What the whole of a point's fastest speed counts as, so that speeds lie as far apart as poses do.

    It is given to a millimetre: the order of the clips must not change it.
    """
    count = max(COMPARED_FRAMES // len(clouds), 2)
    picked = [np.linspace(0, len(own) - 1, count).astype(np.int64) for own in shares]
    weights = np.mean([cloud.weights for cloud in clouds], axis=0)
    poses = np.concatenate([cloud.positions[some] for cloud, some in zip(clouds, picked, strict=True)])
    speeds = np.concatenate([own[some] for own, some in zip(shares, picked, strict=True)])
    together = PointCloud(poses, weights)
    poses_apart = float(cloud_distance(together, together, half_width=0).values.mean())
    speeds_apart = float(2.0 * speeds.var(axis=0) @ weights)
    return round(float(np.sqrt(poses_apart / speeds_apart)), 3) if speeds_apart > 0.0 else 0.0


def _joined(cloud: PointCloud, heights: FloatArray, weight: float) -> PointCloud:
    """The cloud with a companion for each point, at these heights (T, P) in the middle of the body."""
    n_points = len(cloud.weights)
    positions = np.empty((len(heights), 2 * n_points, 3))
    positions[:, :n_points] = cloud.positions
    positions[:, n_points:] = (cloud.weights @ cloud.positions)[:, None]
    positions[:, n_points:, 1] = heights
    weights = np.concatenate([cloud.weights, weight * cloud.weights]) / (1.0 + weight)
    return PointCloud(freeze(positions), freeze(weights))

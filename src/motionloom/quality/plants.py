"""Labelled plants: how far their points travel, how high they are, and how far from their targets."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.annotation.floor import Floor
from motionloom.arrays import FloatArray, freeze
from motionloom.motion import Clip, Constraint
from motionloom.quality.feet import GroundLike, ground_heights

N_DIRECTIONS = 64
"""Directions along which the extent of a track is looked at; the largest is short of the true one by at most
0.03 %."""


@dataclass(frozen=True, eq=False)
class PlantMeasures:
    """What the points of N constraints do while they should stay put.

    Attributes
    ----------
    constraints
        Those that hold for two frames or more.
    travel
        (N,) farthest that two places of the point within the interval lie apart on the ground, metres.
    speed
        (N,) length of its track over the ground divided by the time, m/s.
    lowest, highest
        (N,) height of the point above the ground, metres.
    miss
        (N,) farthest distance from the target, metres; NaN where the constraint has none.
    """

    constraints: tuple[Constraint, ...]
    travel: FloatArray
    speed: FloatArray
    lowest: FloatArray
    highest: FloatArray
    miss: FloatArray


def plant_measures(clip: Clip, ground: Floor | GroundLike = 0.0) -> PlantMeasures:
    """Travel, speed, height and distance from the target of every constraint's point.

    The whole frames within a constraint count; constraints that hold for less than two frames are left out.

    >>> from motionloom.annotation import annotate
    >>> from motionloom.synthesis import walk
    >>> found = plant_measures(annotate(walk(duration=2.0).clip))
    >>> bool(found.travel.max() < 0.001)
    True
    """
    kept, rows = [], []
    for constraint in clip.constraints:
        span = constraint.whole_frames(clip.n_frames)
        if len(span) < 2:
            continue
        track = clip.point_positions(constraint.joint, constraint.point, slice(span.start, span.stop))
        heights = ground_heights(track, ground)
        way = float(np.linalg.norm(np.diff(track[:, [0, 2]], axis=0), axis=1).sum())
        rows.append(
            (
                extent(track[:, [0, 2]]),
                way / ((len(span) - 1) * clip.frame_time),
                heights.min(),
                heights.max(),
                _miss(track, constraint.target),
            )
        )
        kept.append(constraint)
    table = np.array(rows, dtype=np.float64).reshape(-1, 5).T
    return PlantMeasures(tuple(kept), *(freeze(row.copy()) for row in table))


def extent(track: FloatArray) -> float:
    """The farthest that two points of a track (N, 2) lie apart.

    >>> round(extent(np.array([[0.0, 0.0], [3.0, 4.0], [1.0, 1.0]])), 2)
    5.0
    """
    angles = np.arange(N_DIRECTIONS) * np.pi / N_DIRECTIONS
    ways = (track - track[0]) @ np.array([np.cos(angles), np.sin(angles)])
    return float(np.ptp(ways, axis=0).max(initial=0.0))


def _miss(track: FloatArray, target: FloatArray | None) -> float:
    return float("nan") if target is None else float(np.linalg.norm(track - target, axis=1).max())

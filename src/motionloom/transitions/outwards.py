"""Time alignment both ways from a pair of frames in the middle, for pieces of any length."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from motionloom.arrays import freeze
from motionloom.registration.dtw import Cell
from motionloom.registration.pairs import PairAlignment, PairTask, align_pair
from motionloom.registration.point_cloud import PointCloud
from motionloom.registration.time_alignment import AlignmentOutcome


def align_outwards(task: PairTask) -> PairAlignment:
    """The time alignment of two clouds whose ends are free, through at least one pin.

    Windows only grow forward from a known place. Where the grid is too large to be held whole, they do so
    from the pin in the middle to the end, and from there through the reversed clouds to the beginning.
    """
    if not task.windowed:
        return align_pair(task)
    n = len(task.pins) // 2
    i, j = task.pins[n]
    later = [(row - i, column - j) for row, column in task.pins[n + 1 :]]
    earlier = [(i - row, j - column) for row, column in task.pins[:n][::-1]]
    ahead = _grown(task, slice(i, None), slice(j, None), later)
    back = _grown(task, slice(i, None, -1), slice(j, None, -1), earlier)
    centre = np.array(task.pins[n])
    path = np.concatenate([centre - back.alignment.path[:0:-1], centre + ahead.alignment.path])
    distances = np.concatenate([back.distances[:0:-1], ahead.distances])
    alignment = replace(
        ahead.alignment, path=freeze(path), cost=float(distances.sum()), outcome=AlignmentOutcome.WINDOWED
    )
    return PairAlignment(alignment, freeze(path.astype(np.float64)), distances)


def _grown(task: PairTask, rows: slice, columns: slice, pins: Sequence[Cell]) -> PairAlignment:
    """The time alignment of parts of both clouds, from their first frames on."""
    return align_pair(
        replace(task, a=_part(task.a, rows), b=_part(task.b, columns), start="corners", pins=pins)
    )


def _part(cloud: PointCloud, frames: slice) -> PointCloud:
    return PointCloud(np.ascontiguousarray(cloud.positions[frames]), cloud.weights)

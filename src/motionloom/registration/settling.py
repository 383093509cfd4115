"""Where a time alignment is certain, and an even pace where it is not.

A cheapest path turns by whole frames, and where a body rests, or moves evenly, nearly all paths cost the
same: it wanders. How sharply costs rise to both sides of a cell tells how well its pair of frames is known,
and their lowest point lies between frames. Settled frames follow the path where costs are sharp and run at an
even pace from one such stretch to the next.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from motionloom.arrays import FloatArray, IntArray, freeze
from motionloom.registration.dtw import Cell

ACROSS = np.array([-2, -1, 0, 1, 2])
"""Steps across the path, one clip forward and the other back, at which costs are looked at."""

PARABOLAS = (
    np.array([[2.0, -1.0, -2.0, -1.0, 2.0], [-2.0, -1.0, 0.0, 1.0, 2.0]]) / [[14.0], [10.0]],
    np.array([[0.0, 1.0, -2.0, 1.0, 0.0], [0.0, -1.0, 0.0, 1.0, 0.0]]) / 2.0,
)
"""What costs there contribute to the square and to the linear term of the parabola that fits them best: all
five, or, near ends and pins, the inner three."""

FARTHEST = 1.5
"""Steps across to which the lowest point of a parabola is believed."""

MOST_CERTAIN = 100.0
"""Certainty of a cell of equal frames; cells of captured actions reach 1."""

HELD = 1e8
"""Weight of ends and pins."""


def settled(path: IntArray, costs: FloatArray, pins: Sequence[Cell], straightness: float) -> FloatArray:
    """Frames (M, 2) that correspond: near the path where it is certain, at an even pace where it is not.

    Parameters
    ----------
    path
        (N, 2) cells of a time alignment.
    costs
        (T0, T1) the grid it runs through; cells at zero were not looked at, or are equal.
    pins
        Cells that the path passes and that the frames keep.
    straightness
        What squared departures from an even pace, in frames per frame, count against squared frames off the
        path, where a step to the side doubles the cost.

    >>> costs = np.abs(np.subtract.outer(np.arange(5.0), np.arange(5.0))) + 0.1
    >>> settled(np.stack([np.arange(5)] * 2, axis=1), costs, [], straightness=10.0).tolist()
    [[0.0, 0.0], [1.0, 1.0], [2.0, 2.0], [3.0, 3.0], [4.0, 4.0]]
    """
    certainty, lowest = _valley(path, costs)
    first, last = path[0], path[-1]
    held = np.array([first, *pins, last], dtype=np.float64)
    # Along the path counts i + j, across it j - i; departures are from straight lines between held cells.
    along = path.sum(axis=1) - first.sum()
    places = np.arange(along[-1] + 1.0)
    stations = held.sum(axis=1) - first.sum()
    even = np.interp(places, stations, held[:, 1] - held[:, 0])
    off = path[:, 1] - path[:, 0] - 2.0 * lowest - even[along]
    weights, pulls = np.zeros(len(places)), np.zeros(len(places))
    weights[along], pulls[along] = certainty, certainty * off
    weights[stations.astype(np.int64)] += HELD
    across = even + _smooth(weights, pulls, straightness)

    total = places + first.sum()
    frames = np.stack([total - across, total + across], axis=1) / 2.0
    frames[[0, -1]] = held[[0, -1]]
    frames = np.clip(np.maximum.accumulate(frames), first, last)
    # Every second place: about one row for each frame.
    return np.asarray(freeze(np.concatenate([frames[:-1:2], frames[-1:]])))


def _valley(path: IntArray, costs: FloatArray) -> tuple[FloatArray, FloatArray]:
    """How certain (N,) each cell is, and how many steps (N,) across the path costs are lowest.

    Certainty is how much costs rise a step away, against the mean cost along the path.
    """
    rows, columns = path[:, :1] + ACROSS, path[:, 1:] - ACROSS
    inside = (rows >= 0) & (rows < costs.shape[0]) & (columns >= 0) & (columns < costs.shape[1])
    around = costs[np.where(inside, rows, 0), np.where(inside, columns, 0)]
    known = inside & ((around > 0.0) | (ACROSS == 0))
    wide, narrow = (around @ terms.T for terms in PARABOLAS)
    bend, slope = np.where(known.all(axis=1, keepdims=True), wide, narrow).T
    sharp = known[:, 1:-1].all(axis=1) & (bend > 0.0)
    bend = np.where(sharp, bend, 1.0)
    level = float(costs[path[:, 0], path[:, 1]].mean())
    certainty = np.where(sharp, bend / np.maximum(level, bend / MOST_CERTAIN), 0.0)
    lowest = np.where(sharp, -slope / (2.0 * bend), 0.0)
    return certainty, np.clip(lowest, -FARTHEST, FARTHEST)


def _smooth(weights: FloatArray, pulls: FloatArray, straightness: float) -> FloatArray:
    """Departures (L,) near ``pulls / weights`` with small steps from one to the next."""
    from scipy.linalg import solveh_banded

    bands = np.zeros((2, len(weights)))
    bands[1] = weights
    bands[1, :-1] += straightness
    bands[1, 1:] += straightness
    bands[0, 1:] = -straightness
    return np.asarray(solveh_banded(bands, pulls))

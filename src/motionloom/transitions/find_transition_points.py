"""`find_transition_points`: the frames of two clips that are most alike, the best first."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from motionloom.arrays import BoolArray, FloatArray
from motionloom.motion import Clip, Skeleton
from motionloom.motion.anatomy import facing, find_anatomy
from motionloom.options.registration import DEFAULT_WINDOW
from motionloom.registration.distance import distance
from motionloom.registration.dtw import Cell

FEET_COST = 0.2
"""Metres between bodies that count as much as a metre between their feet, which slide or step by it."""

SPEED_COST = 0.06
"""Metres of distance that count as much as 1 m/s by which the bodies' velocities differ: a body that stops or
starts within the transition looks worse than arms that change."""

MAX_GRID_CELLS = 4_000_000
"""Cells of a distance grid that is computed whole; longer clips are compared in larger steps first."""

MIN_SEPARATION = 0.1
"""Seconds between two transition points, in both clips."""

SAME_DISTANCE = 1e-6
"""Relative difference below which two distances are equal, as in clips that repeat."""


def find_transition_points(
    a: Clip,
    b: Clip,
    rows: range,
    columns: range,
    extra_cost: Callable[[FloatArray, FloatArray], FloatArray] | None = None,
) -> Iterator[Cell]:
    """Yield pairs of frames, of some frames of both clips, at which to make a transition, the best first.

    First come the local minima of the distance grid, then other cells, by distance, each apart from those
    before. Among equal distances, the pair that keeps most of both clips comes first: late in the first clip,
    early in the second. With an ``extra_cost`` in metres, of rows (N, 1) and columns (M,), cells come by the
    sum of distance and cost.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=3.0, fps=30).clip
    >>> i, j = next(find_transition_points(clip, clip, range(60, 80), range(60)))
    >>> round((i - j) / 30, 1)
    1.0
    """
    separation = MIN_SEPARATION / a.frame_time
    step = int(np.ceil(np.sqrt(len(rows) * len(columns) / MAX_GRID_CELLS)))
    if step == 1:
        yield from _find_minima(_Block(a, b, rows, columns, extra_cost), separation)
        return
    # Coarse to fine: minima of a grid in larger steps, each refined among the frames around it.
    down, across = (range(-(-own.start // step), (own.stop - 1) // step + 1) for own in (rows, columns))
    coarse = None if extra_cost is None else lambda i, j: extra_cost(step * i, step * j)
    for found in _find_minima(_Block(a[::step], b[::step], down, across, coarse), separation / step):
        near = [
            range(max(own.start, (n - 1) * step), min(own.stop, (n + 1) * step + 1))
            for n, own in zip(found, (rows, columns), strict=True)
        ]
        yield next(_find_minima(_Block(a, b, near[0], near[1], extra_cost), separation))


class _Block:
    """Costs of some frames of two clips, in metres, and which of them are local minima of the distance."""

    def __init__(
        self,
        a: Clip,
        b: Clip,
        rows: range,
        columns: range,
        extra_cost: Callable[[FloatArray, FloatArray], FloatArray] | None,
    ) -> None:
        # Distances depend on the frames around a cell, and minima on the cells beside it.
        reach = round(DEFAULT_WINDOW / a.frame_time) + 1
        top, left = max(0, rows.start - reach), max(0, columns.start - reach)
        of_a, of_b = a[top : rows.stop + reach], b[left : columns.stop + reach]
        grid = distance(of_a, of_b).values
        block = (
            slice(rows.start - top, rows.stop - top),
            slice(columns.start - left, columns.stop - left),
        )
        self.rows, self.columns = rows, columns
        self.costs = np.sqrt(grid[block])
        self.minima = _local_minima(grid)[block]
        if extra_cost is not None:
            i, j = np.arange(rows.start, rows.stop, dtype=np.float64), np.arange(columns.start, columns.stop)
            self.costs = self.costs + extra_cost(i[:, None], j.astype(np.float64))
            self.costs += FEET_COST * _feet_distances(of_a, of_b)[block]
            self.costs += SPEED_COST * _speed_differences(of_a, of_b)[block]
            self.minima = np.ones_like(self.minima)


def _feet_distances(a: Clip, b: Clip) -> FloatArray:
    """Return how far apart (T0, T1) the feet of two clips stand, in metres, wherever the bodies are.

    Zero for clips without two legs, or whose feet have no length.
    """
    legs = find_anatomy(a.skeleton).legs
    joints = [joint for leg in legs for joint in (leg.ankle, *a.skeleton.children(leg.ankle))]
    lengths = np.minimum(*(_lengths_around(clip.skeleton) for clip in (a, b)))
    feet = {a.skeleton.names[joint] for joint in joints if lengths[joint] > 0.0}
    weights = {name: 1.0 if name in feet else 0.0 for name in a.skeleton.names}
    if not feet:
        return np.zeros((a.n_frames, b.n_frames))
    return np.sqrt(distance(a, b, joint_weights=weights).values)


def _lengths_around(skeleton: Skeleton) -> FloatArray:
    """Return the length (J,) of the bones that meet at each joint, metres."""
    own = np.where(skeleton.parents < 0, 0.0, np.linalg.norm(skeleton.offsets, axis=1))
    total = own.copy()
    np.add.at(total, skeleton.parents[1:], own[1:])
    for tip in skeleton.tips:
        total[tip.joint] += np.linalg.norm(tip.offset)
    return total


def _speed_differences(a: Clip, b: Clip) -> FloatArray:
    """Return how much (T0, T1) the velocities of two bodies differ over the ground, in m/s, as they face."""
    of_a, of_b = (_velocities(clip) for clip in (a, b))
    return np.asarray(np.linalg.norm(of_a[:, None] - of_b, axis=-1))


def _velocities(clip: Clip) -> FloatArray:
    """Return velocities (T, 2) over the ground, ahead and to the side of the body, in m/s."""
    if clip.n_frames < 2:
        return np.zeros((clip.n_frames, 2))
    x, _, z = np.gradient(clip.root_positions, clip.frame_time, axis=0).T
    sine, cosine = np.sin(yaw := facing(clip)), np.cos(yaw)
    return np.stack([z * cosine + x * sine, x * cosine - z * sine], axis=1)


def _find_minima(block: _Block, separation: float) -> Iterator[Cell]:
    """Yield the local minima (i, j) of a block, then other cells, the lowest cost first."""
    remaining = block.costs.copy()
    reach = max(1, round(separation))
    while np.isfinite(remaining).any():
        values = np.where(block.minima, remaining, np.inf)
        if not np.isfinite(values).any():
            values = remaining
        # The rounding error of a perfect fit does not count as a difference.
        equal = np.argwhere(values <= values.min() * (1.0 + SAME_DISTANCE) + SAME_DISTANCE)
        i, j = max(equal.tolist(), key=lambda cell: (cell[0] - cell[1], cell[0]))
        yield block.rows[i], block.columns[j]
        remaining[max(i - reach, 0) : i + reach + 1, max(j - reach, 0) : j + reach + 1] = np.inf


def _local_minima(grid: FloatArray) -> BoolArray:
    """Return which cells (T0, T1) are no larger than any of their eight neighbours."""
    padded = np.pad(grid, 1, constant_values=np.inf)
    height, width = grid.shape
    is_minimum = np.ones(grid.shape, dtype=bool)
    for down in range(3):
        for across in range(3):
            is_minimum &= grid <= padded[down : down + height, across : across + width]
    return is_minimum

"""The time alignment of two clips: their distance grid and the best path through it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from os import cpu_count

import numpy as np

from motionloom.arrays import FloatArray, IntArray, freeze
from motionloom.kernels.threads import alone
from motionloom.registration.anchors import Moments, anchor_cells
from motionloom.registration.distance import cloud_distance, passing_distances
from motionloom.registration.dtw import Cell, Form, reachable_band
from motionloom.registration.point_cloud import PointCloud, stretched
from motionloom.registration.settling import settled
from motionloom.registration.time_alignment import PathEnd, TimeAlignment, align_times
from motionloom.registration.windowed_dtw import DEFAULT_WINDOW as WINDOW_AT_30_HZ
from motionloom.registration.windowed_dtw import align_times_windowed

LARGEST_GRID = 12_000_000
"""Cells of a distance grid that is held whole; longer clips are aligned window by window."""

CELLS_AT_ONCE = 200
"""Cells of a path whose distances are found together: the block about them is wide enough to be a product of
matrices and small enough to waste little."""

MUCH_LONGER = 2.0
"""Ratio of lengths beyond which the shorter clip is stretched before the slope limit is applied."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True, eq=False)
class PairTask:
    """Two clouds and how to align them.

    ``moments`` are frames of both at which they correspond; a ``straightness`` above 0 settles the path.
    """

    a: PointCloud
    b: PointCloud
    half_width: int
    fps: float
    slope_limit: int
    form: Form
    start: PathEnd
    end: PathEnd
    pins: Sequence[Cell]
    moments: tuple[Moments, Moments] = field(default_factory=lambda: ([], []))
    straightness: float = 0.0

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of frames."""
        return len(self.a.positions), len(self.b.positions)

    @property
    def windowed(self) -> bool:
        """Whether the grid is too large to be held whole."""
        return self.shape[0] * self.shape[1] > LARGEST_GRID


@dataclass(frozen=True, eq=False)
class PairAlignment:
    """A time alignment, the frames (M, 2) it puts together and the distances (N,) along its path, m².

    Frames are fractions where the path was settled. ``stretched`` tells whether a clip was stretched first.
    """

    alignment: TimeAlignment
    frames: FloatArray
    distances: FloatArray
    stretched: bool = False


def align_pairs(tasks: Sequence[PairTask], progress: Progress | None = None) -> list[PairAlignment]:
    """Align all pairs, on all cores; ``progress`` is told how many of how many are done."""
    done: list[PairAlignment] = []
    if len(tasks) == 1:
        done.append(align_pair(tasks[0]))
        if progress is not None:
            progress(1, 1)
        return done
    with ThreadPoolExecutor(max_workers=cpu_count()) as workers:
        for result in workers.map(_align_alone, tasks):
            done.append(result)
            if progress is not None:
                progress(len(done), len(tasks))
    return done


def _align_alone(task: PairTask) -> PairAlignment:
    with alone():
        return align_pair(task)


def align_pair(task: PairTask) -> PairAlignment:
    """The time alignment of one pair of clips, the shorter stretched first where it is much shorter.

    The slope limit then bounds departures from the clips' overall rates, not those rates themselves.
    """
    whole = (task.start, task.end) == ("corners", "corners") and not task.pins
    shorter, longer = sorted(task.shape)
    uneven = whole and longer - 1 > MUCH_LONGER * (shorter - 1)
    scale = np.ones(2)
    if uneven:
        scale = (np.array(task.shape) - 1.0) / (longer - 1.0)
        task = replace(task, a=stretched(task.a, longer), b=stretched(task.b, longer))
    if whole:
        per_frame = (1.0 / scale[0], 1.0 / scale[1])
        task = replace(task, pins=anchor_cells(*task.moments, task.shape, per_frame, task.slope_limit))
    found, frames, distances = _aligned(task)
    return PairAlignment(found, freeze(frames * scale), distances, stretched=uneven)


def _aligned(task: PairTask) -> tuple[TimeAlignment, FloatArray | IntArray, FloatArray]:
    """The time alignment of two clouds, the frames it puts together, and the distances along its path.

    It is grown window by window, and not settled, where the grid would be too large.
    """
    if task.windowed:
        found = align_times_windowed(
            lambda i, j: _block(task, i, j),
            task.shape,
            slope_limit=task.slope_limit,
            start=task.start,
            end=task.end,
            pins=task.pins,
            form=task.form,
            window=max(WINDOW_AT_30_HZ, round(WINDOW_AT_30_HZ * task.fps / 30.0)),
        )
        return found, found.path, _distances_along(task, found.path)
    costs = passing_distances(task.a, task.b, task.half_width, _live(task))
    found = align_times(
        costs,
        slope_limit=task.slope_limit,
        start=task.start,
        end=task.end,
        pins=task.pins,
        form=task.form,
    )
    frames = settled(found.path, costs, task.pins, task.straightness) if task.straightness else found.path
    return found, frames, costs[found.path[:, 0], found.path[:, 1]]


def _live(task: PairTask) -> IntArray:
    """The columns of each row, from the first to before the last, that a path between corners can use.

    All of them where an end of the path is not a corner.
    """
    if (task.start, task.end) != ("corners", "corners"):
        return np.tile([0, task.shape[1]], (task.shape[0], 1))
    corner = (task.shape[0] - 1, task.shape[1] - 1)
    free = task.form == "reversible"
    first, last, _ = reachable_band(task.shape, [*task.pins, corner], task.slope_limit, free_first_step=free)
    return np.stack([np.maximum(first, 0), last + 1], axis=1)


def _block(task: PairTask, rows: slice, columns: slice) -> FloatArray:
    """The distances of some frames, with their windows where the clips have them."""
    h = task.half_width
    (i0, i1), (j0, j1) = (rows.start, rows.stop), (columns.start, columns.stop)
    top, left = max(i0 - h, 0), max(j0 - h, 0)
    a = PointCloud(task.a.positions[top : i1 + h], task.a.weights)
    b = PointCloud(task.b.positions[left : j1 + h], task.b.weights)
    values = cloud_distance(a, b, h).values
    return values[i0 - top : i1 - top, j0 - left : j1 - left]


def _distances_along(task: PairTask, path: IntArray) -> FloatArray:
    """The distances of the cells on a path, found in short stretches."""
    parts = []
    for first in range(0, len(path), CELLS_AT_ONCE):
        cells = path[first : first + CELLS_AT_ONCE]
        (i0, j0), (i1, j1) = cells[0], cells[-1] + 1
        block = _block(task, slice(i0, i1), slice(j0, j1))
        parts.append(block[cells[:, 0] - i0, cells[:, 1] - j0])
    return np.concatenate(parts)

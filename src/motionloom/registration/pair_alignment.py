"""The time alignment of two clips: their distance grid, the best path through it, and its regularization.

A cheapest path moves by whole frames, and where a body rests, or moves evenly, nearly all paths cost the
same: it wanders. How sharply costs rise to both sides of a cell tells how well its pair of frames is known,
and their minimum lies between frames. :func:`regularize_path` follows the path where the cost valley is sharp
and keeps the rate constant from one such stretch to the next.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from itertools import combinations, pairwise
from os import cpu_count

import numpy as np

from motionloom.arrays import FloatArray, IntArray, freeze
from motionloom.geometry.banded import factor_banded
from motionloom.kernels.threads import single_threaded
from motionloom.options.registration import SpanEnd
from motionloom.registration.distance import add_speeds, band_distances, cloud_distance
from motionloom.registration.dtw import Cell, SlopeRule
from motionloom.registration.point_cloud import PointCloud, stretch
from motionloom.registration.settings import RegistrationSettings
from motionloom.registration.time_alignment import PathEnd, TimeAlignment, align_times
from motionloom.registration.windowed_dtw import DEFAULT_WINDOW, align_times_windowed

MAX_GRID = 12_000_000
"""Cells of a distance grid that is held whole; longer clips are aligned window by window."""

CELLS_AT_ONCE = 200
"""Cells of a path whose distances are found together: the block about them is wide enough to be a product of
matrices and small enough to waste little."""

MAX_LENGTH_RATIO = 2.0
"""Ratio of lengths beyond which the shorter clip is stretched before the slope limit is applied."""

ACROSS = np.array([-2, -1, 0, 1, 2])
"""Steps across the path, one clip forward and the other back, at which costs are sampled."""

PARABOLAS = (
    np.array([[2.0, -1.0, -2.0, -1.0, 2.0], [-2.0, -1.0, 0.0, 1.0, 2.0]]) / [[14.0], [10.0]],
    np.array([[0.0, 1.0, -2.0, 1.0, 0.0], [0.0, -1.0, 0.0, 1.0, 0.0]]) / 2.0,
)
"""Weights of these costs in the quadratic and the linear term of the parabola that fits them best: all five,
or, near ends and pins, the inner three."""

MAX_PARABOLA_OFFSET = 1.5
"""Steps across to which the minimum of a parabola is trusted."""

MAX_CERTAINTY = 100.0
"""Certainty of a cell of equal frames; cells of captured actions reach 1."""

PIN_WEIGHT = 1e8
"""Weight of ends and pins."""

Frames = list[float]
"""Fractional frames of events, in order of time."""

Progress = Callable[[int, int], None]
"""Called with how many of how many pairs are done."""


@dataclass(frozen=True, eq=False)
class PairTask:
    """Two clouds and how to align them.

    ``pins`` and ``events`` are frames of both at which they correspond; events that no path between the pins
    can pass are skipped. With a ``stiffness`` above 0 the path is regularized. ``in_windows`` asks for a path
    that is grown window by window.
    """

    a: PointCloud
    b: PointCloud
    half_width: int
    fps: float
    rule: SlopeRule
    start: PathEnd
    end: PathEnd
    pins: Sequence[Cell]
    events: tuple[Frames, Frames] = field(default_factory=lambda: ([], []))
    stiffness: float = 0.0
    in_windows: bool = False

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of frames."""
        return len(self.a.positions), len(self.b.positions)

    @property
    def windowed(self) -> bool:
        """Whether the path is grown window by window: on request, or where the grid cannot be held whole."""
        return self.in_windows or self.too_large

    @property
    def too_large(self) -> bool:
        """Whether the grid is too large to be held whole."""
        return self.shape[0] * self.shape[1] > MAX_GRID


@dataclass(frozen=True, eq=False)
class PairAlignment:
    """A time alignment, the frames (M, 2) it puts together and the distances (N,) along its path, m².

    Frames are fractional where the path was regularized. ``stretched`` tells whether a clip was stretched
    first.
    """

    alignment: TimeAlignment
    frames: FloatArray
    distances: FloatArray
    stretched: bool = False


Pairs = Mapping[tuple[int, int], PairAlignment]
"""The time alignments of pairs of clips, by their numbers."""


def align_pairs(
    clouds: Sequence[PointCloud],
    events: Sequence[Frames],
    settings: RegistrationSettings,
    frame_time: float,
    progress: Progress | None = None,
) -> Pairs:
    """Align the times of all pairs of clips, by their poses and, where they count, by their speeds."""
    clouds = add_speeds(clouds, settings.speed_weight, frame_time)
    numbers = list(combinations(range(len(clouds)), 2))
    tasks = [
        PairTask(
            clouds[a],
            clouds[b],
            half_width=round(settings.window / frame_time),
            fps=1.0 / frame_time,
            rule=settings.slope_rule,
            start=_end_of_pair(settings.start, a, b),
            end=_end_of_pair(settings.end, a, b),
            pins=[(pin[a], pin[b]) for pin in settings.pins],
            events=(events[a], events[b]),
            stiffness=settings.stiffness,
            in_windows=settings.alignment == "windowed",
        )
        for a, b in numbers
    ]
    return dict(zip(numbers, run_tasks(tasks, progress), strict=True))


def _end_of_pair(end: SpanEnd, a: int, b: int) -> PathEnd:
    if isinstance(end, tuple):
        return end[a], end[b]
    return "free" if end == "free" else "corners"


def run_tasks(tasks: Sequence[PairTask], progress: Progress | None = None) -> list[PairAlignment]:
    """Align all pairs, on all cores."""
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
    with single_threaded():
        return align_pair(task)


def align_pair(task: PairTask) -> PairAlignment:
    """Align the times of one pair of clips, the shorter stretched first where it is much shorter.

    The slope limit then bounds departures from the clips' overall rates, not those rates themselves.
    """
    whole = (task.start, task.end) == ("corners", "corners")
    shorter, longer = sorted(task.shape)
    uneven = whole and longer - 1 > MAX_LENGTH_RATIO * (shorter - 1)
    scale = np.ones(2)
    if uneven:
        scale = (np.array(task.shape) - 1.0) / (longer - 1.0)
        pins = [(round(i / scale[0]), round(j / scale[1])) for i, j in task.pins]
        task = replace(task, a=stretch(task.a, longer), b=stretch(task.b, longer), pins=pins)
    task = replace(task, pins=_pins_of(task, (1.0 / scale[0], 1.0 / scale[1])))
    alignment, frames, distances = _align(task)
    return PairAlignment(alignment, freeze(frames * scale), distances, stretched=uneven)


def _pins_of(task: PairTask, scale: tuple[float, float]) -> list[Cell]:
    """Return the pins of a task, and cells that put events on each other between its ends and pins."""
    first, last = ([end] if isinstance(end, tuple) else [] for end in (task.start, task.end))
    fixed = [*first, *task.pins, *last]
    pins = event_pins(*task.events, task.shape, scale, task.rule, fixed)
    return [pin for pin in pins if pin in task.pins or pin not in (task.start, task.end)]


def event_pins(
    a: Frames,
    b: Frames,
    shape: tuple[int, int],
    scale: tuple[float, float],
    rule: SlopeRule,
    fixed: Sequence[Cell] = (),
) -> list[Cell]:
    """Return cells of a grid that put events on each other, as many as the slope limit lets a path pass.

    ``scale`` converts frames of the clips to rows and columns; ``fixed`` are cells that the path passes
    anyway, which are returned too. Events next to an end of the grid, or too close to the pin before or after
    for a path between them, are skipped.
    """
    cells = [(round(i * scale[0]), round(j * scale[1])) for i, j in zip(a, b, strict=True)]
    pins: list[Cell] = []
    for before, target in pairwise([(0, 0), *fixed, (shape[0] - 1, shape[1] - 1)]):
        for cell in cells:
            if rule.joins(before, cell) and rule.joins(cell, target):
                pins.append(cell)
                before = cell
        pins.append(target)
    return pins[:-1]


def _align(task: PairTask) -> tuple[TimeAlignment, FloatArray | IntArray, FloatArray]:
    """Return the time alignment of two clouds, the frames it puts together, and the distances on its path.

    A path through a grid that is too large to be held whole is not regularized.
    """
    if task.windowed:
        alignment = align_times_windowed(
            lambda i, j: _block(task, i, j),
            task.shape,
            **asdict(task.rule),
            start=task.start,
            end=task.end,
            pins=task.pins,
            window=max(DEFAULT_WINDOW, round(DEFAULT_WINDOW * task.fps / 30.0)),
        )
        path = alignment.path
        if task.too_large:
            return alignment, path, _distances_along(task, path)
        costs = band_distances(task.a, task.b, task.half_width, _columns_around(path, task.shape))
        frames = regularize_path(path, costs, task.pins, task.stiffness) if task.stiffness else path
        return alignment, frames, costs[path[:, 0], path[:, 1]]
    costs = band_distances(task.a, task.b, task.half_width, _reachable_columns(task))
    alignment = align_times(costs, **asdict(task.rule), start=task.start, end=task.end, pins=task.pins)
    path = alignment.path
    frames = regularize_path(path, costs, task.pins, task.stiffness) if task.stiffness else path
    return alignment, frames, costs[path[:, 0], path[:, 1]]


def _reachable_columns(task: PairTask) -> IntArray:
    """Return the columns of each row (T0, 2), first and past the last, that a path between corners can use.

    All of them where an end of the path is not a corner.
    """
    if (task.start, task.end) != ("corners", "corners"):
        return np.tile([0, task.shape[1]], (task.shape[0], 1))
    corner = (task.shape[0] - 1, task.shape[1] - 1)
    first, last, _ = task.rule.reachable(task.shape, [*task.pins, corner])
    return np.stack([np.maximum(first, 0), last + 1], axis=1)


def _columns_around(path: IntArray, shape: tuple[int, int]) -> IntArray:
    """Return the columns of each row (T0, 2), first and past the last, that lie within reach of a path."""
    reach = int(ACROSS.max())
    columns = np.tile([shape[1], 0], (shape[0], 1))
    for step in ACROSS:
        rows = np.clip(path[:, 0] + step, 0, shape[0] - 1)
        np.minimum.at(columns[:, 0], rows, np.maximum(path[:, 1] - reach, 0))
        np.maximum.at(columns[:, 1], rows, np.minimum(path[:, 1] + reach + 1, shape[1]))
    return np.where(columns[:, :1] < columns[:, 1:], columns, 0)


def _block(task: PairTask, rows: slice, columns: slice) -> FloatArray:
    """Return the distances of some frames, with their windows where the clips have them."""
    h = task.half_width
    (i0, i1), (j0, j1) = (rows.start, rows.stop), (columns.start, columns.stop)
    top, left = max(i0 - h, 0), max(j0 - h, 0)
    a = PointCloud(task.a.positions[top : i1 + h], task.a.weights)
    b = PointCloud(task.b.positions[left : j1 + h], task.b.weights)
    values = cloud_distance(a, b, h).values
    return values[i0 - top : i1 - top, j0 - left : j1 - left]


def _distances_along(task: PairTask, path: IntArray) -> FloatArray:
    """Return the distances of the cells on a path, found in short stretches."""
    parts = []
    for first in range(0, len(path), CELLS_AT_ONCE):
        cells = path[first : first + CELLS_AT_ONCE]
        (i0, j0), (i1, j1) = cells[0], cells[-1] + 1
        block = _block(task, slice(i0, i1), slice(j0, j1))
        parts.append(block[cells[:, 0] - i0, cells[:, 1] - j0])
    return np.concatenate(parts)


def regularize_path(path: IntArray, costs: FloatArray, pins: Sequence[Cell], stiffness: float) -> FloatArray:
    """Refine a DTW path to sub-frame precision and keep its rate constant where the cost valley is flat.

    Parameters
    ----------
    path
        (N, 2) cells of a time alignment.
    costs
        (T0, T1) the grid it runs through; cells at zero were not computed, or are equal.
    pins
        Cells that the path passes and that the result keeps.
    stiffness
        Weight of squared departures from a constant rate, in frames per frame, against squared frames off the
        path, where a step to the side doubles the cost.

    Returns
    -------
    frames
        (M, 2) fractional frames that correspond, about one row per frame.

    >>> costs = np.abs(np.subtract.outer(np.arange(5.0), np.arange(5.0))) + 0.1
    >>> regularize_path(np.stack([np.arange(5)] * 2, axis=1), costs, [], stiffness=10.0).tolist()
    [[0.0, 0.0], [1.0, 1.0], [2.0, 2.0], [3.0, 3.0], [4.0, 4.0]]
    """
    certainty, minimum = _fit_valley(path, costs)
    first, last = path[0], path[-1]
    pinned = np.array([first, *pins, last], dtype=np.float64)
    # Coordinates along the path, i + j, and across it, j - i; departures are from lines between pinned cells.
    along = path.sum(axis=1) - first.sum()
    positions = np.arange(along[-1] + 1.0)
    pinned_at = pinned.sum(axis=1) - first.sum()
    even = np.interp(positions, pinned_at, pinned[:, 1] - pinned[:, 0])
    off = path[:, 1] - path[:, 0] - 2.0 * minimum - even[along]
    weights, pulls = np.zeros(len(positions)), np.zeros(len(positions))
    weights[along], pulls[along] = certainty, certainty * off
    weights[pinned_at.astype(np.int64)] += PIN_WEIGHT
    across = even + _smooth(weights, pulls, stiffness)

    total = positions + first.sum()
    frames = np.stack([total - across, total + across], axis=1) / 2.0
    frames[[0, -1]] = pinned[[0, -1]]
    frames = np.clip(np.maximum.accumulate(frames), first, last)
    # Every second position: about one row for each frame.
    return np.asarray(freeze(np.concatenate([frames[:-1:2], frames[-1:]])))


def _fit_valley(path: IntArray, costs: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return how certain (N,) each cell is, and how many steps (N,) across the path costs are minimal.

    Certainty is how much costs rise a step away, relative to the mean cost along the path.
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
    certainty = np.where(sharp, bend / np.maximum(level, bend / MAX_CERTAINTY), 0.0)
    minimum = np.where(sharp, -slope / (2.0 * bend), 0.0)
    return certainty, np.clip(minimum, -MAX_PARABOLA_OFFSET, MAX_PARABOLA_OFFSET)


def _smooth(weights: FloatArray, pulls: FloatArray, stiffness: float) -> FloatArray:
    """Return departures (L,) near ``pulls / weights`` with small steps from one to the next."""
    bands = np.zeros((2, len(weights)))
    bands[0] = weights
    bands[0, :-1] += stiffness
    bands[0, 1:] += stiffness
    bands[1, :-1] = -stiffness
    return factor_banded(bands).solve(pulls[:, None])[:, 0]

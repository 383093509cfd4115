"""`sample_grid`: the motions at the points of a grid over a motion space, as game engines blend them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Literal, get_args

import numpy as np

from motionloom.arrays import FloatArray, IntArray, freeze
from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform
from motionloom.motion import Clip
from motionloom.motion.steady_travel import SteadyTravel, find_steady_travel
from motionloom.motion.unroll import extend_cycle
from motionloom.retargeting.root_motion import ROOT_MOTION, RootMotion, move_root_motion
from motionloom.spaces.grid_timing import GridTimewarp, TimedClips, drop_repeated_events, synchronize_clips
from motionloom.spaces.joint_measures import Position
from motionloom.spaces.simplex_mesh import triangulate
from motionloom.spaces.space import MotionSpace
from motionloom.validation import check_choice, check_count

Outside = Literal["nearest", "drop"]
"""What becomes of points of the grid that the space does not reach."""

Timing = Literal["own", "shared"]
"""Whether clips keep their timing, or frames that correspond lie at equal fractions of all clips."""

MAX_DIMENSIONS = 2
"""Axes of blend spaces in engines."""

MAX_CELLS_AWAY = 1.0
"""Cells of the grid from which a point that the space does not reach is dropped: its neighbours are nearer to
the border."""

MIN_CELLS_APART = 0.35
"""Cells between two points below which the later is dropped: clips that near to each other do nearly the
same, and triangles between them are slivers."""


@dataclass(frozen=True, eq=False)
class GridSample:
    """The motion at one point of a grid.

    Attributes
    ----------
    cell
        Where on the grid the point is, counted from 0 along each axis.
    requested
        (d,) the point of the grid.
    position
        (d,) where the motion really lies: the same inside the space, else the nearest point of its border.
    outside
        Distance between the two, in units of the clips' ranges.
    clip
        The motion. A loop ends with the frame that repeats its first.
    travel
        Its mean velocity and turn rate over the ground.
    """

    cell: tuple[int, ...]
    requested: FloatArray
    position: FloatArray
    outside: float
    clip: Clip
    travel: SteadyTravel


@dataclass(frozen=True, eq=False)
class DroppedPoint:
    """A point of a grid without a motion, and why, in words."""

    requested: FloatArray
    outside: float
    reason: str


@dataclass(frozen=True, eq=False)
class SpaceGrid:
    """Motions at the points of a grid over a space of one or two numbers.

    Attributes
    ----------
    names, units
        Of the d axes.
    counts
        Points along each axis.
    range
        (2, d) the first and last value of each axis.
    samples
        The motions.
    dropped
        Points of the grid that have none.
    simplices
        (M, d + 1) samples between which to blend: neighbours, or triangles.
    timewarp
        Which frames of the samples correspond.
    loop
        Whether the motions are loops.
    """

    names: tuple[str, ...]
    units: tuple[str, ...]
    counts: tuple[int, ...]
    range: FloatArray
    samples: tuple[GridSample, ...]
    dropped: tuple[DroppedPoint, ...]
    simplices: IntArray
    timewarp: GridTimewarp
    loop: bool

    @property
    def timed_clips(self) -> TimedClips:
        """The clips with their timing."""
        return TimedClips(tuple(sample.clip for sample in self.samples), self.timewarp)


def sample_grid(
    space: MotionSpace,
    counts: Sequence[int],
    *,
    outside: Outside = "nearest",
    root_motion: RootMotion = "root",
    timing: Timing = "own",
    progress: Callable[[int, int], None] | None = None,
) -> SpaceGrid:
    """Make the motions at the points of a grid over a space.

    Parameters
    ----------
    space
        A space of one or two numbers.
    counts
        Points along each axis, two or more.
    outside
        "nearest" makes, for points that the space does not reach, the nearest that it does; "drop" makes
        none. Points more than a cell away, or too near to another, have none either way.
    root_motion
        What carries the travel, as in :func:`motionloom.move_root_motion`.
    timing
        "own", or "shared" to put frames that correspond at equal fractions of all clips.
    progress
        Called with the number of points done and of all.

    >>> from motionloom.spaces.parameters import height
    >>> from motionloom.synthesis import reach_out
    >>> reaches = [reach_out(target=(-0.2, y, 0.4), fps=30).clip for y in (0.9, 1.4)]
    >>> space = MotionSpace(reaches, {"hand": height("RightHand", at="apex")})
    >>> [round(float(sample.position[0]), 2) for sample in sample_grid(space, [3]).samples]  # doctest: +SKIP
    [0.83, 1.15, 1.47]
    """
    counts = _check_counts(space, counts)
    check_choice("outside", outside, get_args(Outside))
    check_choice("root_motion", root_motion, ROOT_MOTION)
    check_choice("timing", timing, get_args(Timing))
    low, high = space.range
    cells = (high - low) / (np.array(counts) - 1.0)
    chosen, dropped = _choose_points(space, counts, low, cells, outside)
    results = []
    for n, cell in enumerate(chosen):
        results.append(_make_sample(space, cell, low + cells * cell, root_motion))
        if progress is not None:
            progress(n + 1, len(chosen))
    samples = [sample for sample, _, _ in results]
    located = np.array([sample.position for sample in samples])
    mesh = triangulate((located - low) / (high - low), np.array([weights for _, weights, _ in results]))
    loop = space.curve.timewarp.periods is not None
    timed = TimedClips(tuple(s.clip for s in samples), GridTimewarp(tuple(u for _, _, u in results), loop))
    if timing == "shared":
        timed = synchronize_clips(timed)
    clips = drop_repeated_events(timed.clips) if loop else timed.clips
    return SpaceGrid(
        names=space.names,
        units=space.units,
        counts=counts,
        range=freeze(np.stack([low, high])),
        samples=tuple(replace(s, clip=clip) for s, clip in zip(samples, clips, strict=True)),
        dropped=tuple(dropped),
        simplices=mesh.simplices,
        timewarp=timed.timewarp,
        loop=loop,
    )


def _check_counts(space: MotionSpace, counts: Sequence[int]) -> tuple[int, ...]:
    d = len(space.names)
    if d > MAX_DIMENSIONS:
        raise ParameterError(
            f"blend spaces of engines have one or two axes, and this space has {d} numbers "
            f"({', '.join(space.names)})",
            remedy="make a space with fewer parameters",
        )
    if isinstance(counts, str) or not isinstance(counts, Sequence) or len(counts) != d:
        form = "one number of points" if d == 1 else "two numbers of points, such as 5 and 4"
        raise ParameterError(f"a grid over {' and '.join(space.names)} needs {form}, not {counts!r}")
    return tuple(check_count("points along an axis", count, min=2, max=1000) for count in counts)


def _choose_points(
    space: MotionSpace, counts: tuple[int, ...], low: FloatArray, cells: FloatArray, outside: Outside
) -> tuple[list[tuple[int, ...]], list[DroppedPoint]]:
    """Return the points of a grid that get a motion, in order, and those that get none.

    Points inside the space come first, so that none of them is dropped for one that was moved.
    """
    lowest, ranges = space.examples.min(axis=0), np.ptp(space.examples, axis=0)
    points = list(product(*map(range, counts)))
    nearest = {
        cell: space.sampled.mesh.find_nearest((low + cells * cell - lowest) / ranges) for cell in points
    }
    kept: dict[tuple[int, ...], FloatArray] = {}
    dropped = []
    for cell in sorted(points, key=lambda cell: (nearest[cell].distance, cell)):
        requested, distance = low + cells * cell, nearest[cell].distance
        goal = lowest + ranges * nearest[cell].point
        reason = ""
        if distance > 0.0 and outside == "drop":
            reason = "the space does not reach it"
        elif np.linalg.norm((requested - goal) / cells) > MAX_CELLS_AWAY:
            reason = "the space does not reach it, nor is its border near"
        elif any(np.linalg.norm((goal - other) / cells) < MIN_CELLS_APART for other in kept.values()):
            reason = "the nearest point that the space reaches is another point's"
        if reason:
            dropped.append(DroppedPoint(freeze(requested), distance, reason))
        else:
            kept[cell] = goal
    located = (np.array(list(kept.values())).reshape(-1, len(counts)) - low) / cells
    spread = np.linalg.matrix_rank(located[1:] - located[:1], tol=MIN_CELLS_APART) if len(kept) else 0
    if spread < len(counts):
        raise ParameterError(
            f"only {len(kept)} of the {len(points)} points of the grid lie in the space, too few to blend "
            "between: take more points along each axis"
            + (', or outside="nearest"' if outside == "drop" else "")
        )
    return sorted(kept), dropped


def _make_sample(
    space: MotionSpace, cell: tuple[int, ...], requested: FloatArray, root_motion: RootMotion
) -> tuple[GridSample, FloatArray, FloatArray]:
    """Return the motion at a point, with the weights (K,) of its blend and the u of its frames."""
    in_world = any(isinstance(p, Position) and p.frame == "world" for p in space.parameters.values())
    result = space.blend(requested, place=None if in_world else GroundTransform())
    report = result.report
    clip, u = result.clip, result.u
    travel = find_steady_travel(clip)
    if clip.cyclic:
        first, last = space.curve.domain
        u = np.append(np.unwrap(u, period=last - first), u[0] + last - first)
        clip = extend_cycle(clip, clip.n_frames + 1)
    clip = move_root_motion(clip, root_motion).arranged()
    sample = GridSample(cell, freeze(requested), report.nearest, report.outside, clip, travel)
    return sample, result.weights[0], freeze(u)

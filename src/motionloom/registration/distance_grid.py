"""How different two frames look, whatever the place and the heading: the distance grid."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from motionloom import kernels
from motionloom.arrays import FloatArray, IntArray, freeze
from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform
from motionloom.kernels.threads import over_slices
from motionloom.motion import Clip, PointClip
from motionloom.motion.sampling import SAME_RATE
from motionloom.registration.point_cloud import PointCloud, point_cloud

KEPT_NUMBERS = 3_000_000
"""Largest scratch memory that a thread keeps, in numbers of eight bytes: a grid of 1000 × 1000 frames."""

DEFAULT_WINDOW = 2 / 30
"""Seconds to either side of a frame that are compared with it: five frames at 30 Hz, as in the paper."""


@dataclass(frozen=True, eq=False)
class DistanceGrid:
    """Distances between all frames of two clips, each at the best placement of one on the other.

    Attributes
    ----------
    values
        (T0, T1) weighted mean squared distance of the points over the window, m².
    turns
        (T0, T1) yaw by which frame j of the second clip is turned to fit frame i of the first, radians; None
        when placements were not asked for.
    centres
        For each clip (T, 2) x and z of the point about which it turns, metres.
    """

    values: FloatArray
    centres: tuple[FloatArray, FloatArray]
    turns: FloatArray | None = None

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of frames of the two clips."""
        return self.values.shape[0], self.values.shape[1]

    def placement(self, i: int, j: int) -> GroundTransform:
        """The transform that puts frame ``j`` of the second clip on frame ``i`` of the first."""
        if self.turns is None:
            raise ParameterError("this grid holds no placements: ask for them with placements=True")
        yaw = float(self.turns[i, j])
        (x, z), (from_x, from_z) = self.centres[0][i], self.centres[1][j]
        about = GroundTransform(yaw, 0.0, 0.0) @ GroundTransform(0.0, -float(from_x), -float(from_z))
        return GroundTransform(0.0, float(x), float(z)) @ about


def distance(
    a: Clip | PointClip,
    b: Clip | PointClip,
    *,
    window: float = DEFAULT_WINDOW,
    points: int | None = None,
    joint_weights: Mapping[str, float] | None = None,
    placements: bool = False,
) -> DistanceGrid:
    """The distance grid of two clips at the same frame rate.

    Parameters
    ----------
    a, b
        The clips; joints of the same names, or markers of the same names.
    window
        Seconds to either side that are compared together with a frame; 0 compares single frames. At the
        ends of a clip only what both clips have is compared.
    points, joint_weights
        Which points stand for the body (:func:`~motionloom.registration.point_cloud.point_cloud`).
    placements
        Whether to keep the best placement of each pair of frames.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=1, fps=30).clip
    >>> grid = distance(clip, clip.placed(GroundTransform(2.0, 5.0, -3.0)))
    >>> grid.shape, bool(grid.values.diagonal().max() < 1e-12)
    ((31, 31), True)
    """
    _check_comparable(a, b, window)
    clouds = point_cloud(a, points, joint_weights), point_cloud(b, points, joint_weights)
    if clouds[0].positions.shape[1] != clouds[1].positions.shape[1]:
        raise ParameterError("the two clips have different points: register clips of one skeleton")
    return cloud_distance(*clouds, half_width=round(window / a.frame_time), placements=placements)


def cloud_distance(
    a: PointCloud, b: PointCloud, half_width: int, placements: bool = False, live: IntArray | None = None
) -> DistanceGrid:
    """The distance grid of two clouds with a window of ``2 * half_width + 1`` frames that all count alike.

    ``live`` (T0, 2) limits each row to the columns from its first to before its second entry; cells outside
    are left at zero.
    """
    weights = (a.weights + b.weights) / 2.0
    middle = float(weights @ a.positions[..., 1].mean(axis=0))
    ones, others = _prepared(a.positions, weights, middle), _prepared(b.positions, weights, middle)
    # Sums over points are matrix products: heights, and dot and cross products in the ground plane.
    shape = len(ones.ground), len(others.ground)
    dots, crosses = np.split(_scratch.take((3, *shape)), [2])
    n_points = len(weights)
    np.matmul(ones.heights, others.heights.T, out=dots[0])
    np.matmul(ones.ground, others.ground.T, out=dots[1])
    turned = np.concatenate([ones.ground[:, n_points:], -ones.ground[:, :n_points]], axis=1)
    np.matmul(turned, others.ground.T, out=crosses[0])

    values, turns = np.zeros(shape), np.zeros(shape if placements else (0, 0))
    if live is None:
        live = np.tile([0, shape[1]], (shape[0], 1))
    given = (dots, crosses[0], ones.centres, others.centres, ones.spreads, others.spreads, half_width, live)
    fill = kernels.point_cloud.windowed_distances
    over_slices(shape[0], lambda i, j: fill(*given, values, turns, i, j), weight=shape[1])
    centres = _windowed(ones.centres, half_width), _windowed(others.centres, half_width)
    return DistanceGrid(freeze(values), centres, freeze(turns) if placements else None)


class _Scratch(threading.local):
    """Memory for products that each thread keeps: touching fresh pages takes longer than the products."""

    def __init__(self) -> None:
        self.memory = np.empty(0)

    def take(self, shape: tuple[int, ...]) -> FloatArray:
        """An array of this shape with any content."""
        size = int(np.prod(shape))
        if size > KEPT_NUMBERS:
            return np.empty(shape)
        if self.memory.size < size:
            self.memory = np.empty(size)
        return self.memory[:size].reshape(shape)


_scratch = _Scratch()


class _Prepared(NamedTuple):
    """A cloud's frames without their place: centred ground points (T, 2P) and heights (T, P), both times the
    root of the points' weights, centres (2, T) and squared spreads (T,).
    """

    ground: FloatArray
    heights: FloatArray
    centres: FloatArray
    spreads: FloatArray


def _prepared(positions: FloatArray, weights: FloatArray, middle: float) -> _Prepared:
    flat = positions[..., [0, 2]].transpose(2, 0, 1)
    centres = flat @ weights
    roots = np.sqrt(weights)
    ground = np.concatenate((flat - centres[..., None]) * roots, axis=1)
    heights = (positions[..., 1] - middle) * roots
    spreads = np.einsum("tp,tp->t", ground, ground) + np.einsum("tp,tp->t", heights, heights)
    return _Prepared(ground, heights, centres, spreads)


def _windowed(centres: FloatArray, half_width: int) -> FloatArray:
    """Mean centres (T, 2) over the window, as far as the clip reaches."""
    middle = centres.mean(axis=1, keepdims=True)
    sums = np.concatenate([np.zeros((2, 1)), np.cumsum(centres - middle, axis=1)], axis=1)
    n = centres.shape[1]
    first = np.maximum(np.arange(n) - half_width, 0)
    last = np.minimum(np.arange(n) + half_width + 1, n)
    means = (sums[:, last] - sums[:, first]) / (last - first) + middle
    return freeze(np.ascontiguousarray(means.T))


def _check_comparable(a: Clip | PointClip, b: Clip | PointClip, window: float) -> None:
    if not (np.isfinite(window) and window >= 0.0):
        raise ParameterError(f"window must be a number of seconds from zero up, not {window}")
    for clip, name in ((a, "first"), (b, "second")):
        if clip.n_frames == 0:
            raise ParameterError(f"the {name} clip has no frames to compare")
    if abs(a.frame_time / b.frame_time - 1.0) > SAME_RATE:
        raise ParameterError(
            f"the clips run at {a.fps:.6g} and {b.fps:.6g} frames per second: "
            "bring them to one rate with resampled"
        )

"""How different two frames look, whatever the place and the heading: the distance grid."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from motionloom.arrays import FloatArray, IntArray, freeze, read_only_view
from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform
from motionloom.motion import Clip, PointClip
from motionloom.motion.sampling import SAME_RATE
from motionloom.motion.union import on_common
from motionloom.registration.cloud_products import centred_frames, fill_distances
from motionloom.registration.point_cloud import PointCloud, point_cloud

KEPT_CELLS = 3_000_000
"""Cells of the largest grid whose memory a thread keeps for its next one: 24 MB, 1,700 × 1,700 frames."""

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
        The clips; joints of the same names, of which those that one clip lacks are left out, or markers of
        the same names.
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
    if isinstance(a, Clip) and isinstance(b, Clip):
        a, b = on_common([a, b])
    clouds = point_cloud(a, points, joint_weights), point_cloud(b, points, joint_weights)
    if clouds[0].positions.shape[1] != clouds[1].positions.shape[1]:
        raise ParameterError("the two clips have different points: register clips of one skeleton")
    return cloud_distance(*clouds, half_width=round(window / a.frame_time), placements=placements)


def cloud_distance(a: PointCloud, b: PointCloud, half_width: int, placements: bool = False) -> DistanceGrid:
    """The distance grid of two clouds with a window of ``2 * half_width + 1`` frames that all count alike."""
    ones, others = centred_frames(a, b, half_width)
    shape = len(a.positions), len(b.positions)
    values, turns = np.empty(shape), np.empty(shape if placements else (0, 0))
    everywhere = np.tile([0, shape[1]], (shape[0], 1))
    fill_distances(ones, others, half_width, everywhere, values, turns)
    centres = _windowed(ones.centres, half_width), _windowed(others.centres, half_width)
    return DistanceGrid(freeze(values), centres, freeze(turns) if placements else None)


def passing_distances(a: PointCloud, b: PointCloud, half_width: int, live: IntArray) -> FloatArray:
    """The values of ``cloud_distance`` (T0, T1), in memory that this thread's next grid overwrites.

    ``live`` (T0, 2) limits each row to the columns from its first to before its second entry; cells outside
    are zero.
    """
    values = _scratch.take((len(a.positions), len(b.positions)))
    fill_distances(*centred_frames(a, b, half_width), half_width, live, values, np.empty((0, 0)))
    return read_only_view(values)


class _Scratch(threading.local):
    """Memory that each thread keeps: touching fresh pages takes as long as filling them with distances."""

    def __init__(self) -> None:
        self.memory = np.empty(0)

    def take(self, shape: tuple[int, ...]) -> FloatArray:
        """An array of this shape with any content."""
        size = int(np.prod(shape))
        if size > KEPT_CELLS:
            return np.empty(shape)
        if self.memory.size < size:
            self.memory = np.empty(size)
        return self.memory[:size].reshape(shape)


_scratch = _Scratch()


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

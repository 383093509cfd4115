"""How different two frames look, regardless of position and heading: the distance grid.

Sums over points are matrix products: of heights, and the dot and cross products of ground points. The grid is
filled in strips of rows; the products of a strip stay in the processor's cache until its distances are found,
and are formed only near the cells that are asked for.

Speeds count beside poses. Poses alone separate moments that correspond where actions have different extremes:
the hands of a high and of a low reach are farthest from each other just when both arrive. What such actions
have in common is when each part of the body sets off, is fastest and comes to rest. So every point gets a
companion whose height is the point's speed, as a fraction of its own peak. Companions stand at the centre of
the body, where they do not change its placement on the ground, and the distance of two frames is a sum of two
terms.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from motionloom import kernels
from motionloom.arrays import FloatArray, IntArray, freeze, read_only_view
from motionloom.errors import ParameterError
from motionloom.geometry import GroundTransform
from motionloom.kernels.threads import run_in_slices
from motionloom.messages import Argument
from motionloom.motion import Clip, PointClip
from motionloom.motion.result import MotionLike, unwrap
from motionloom.motion.sampling import SAME_RATE
from motionloom.motion.skeleton_union import keep_common_joints
from motionloom.options.registration import DEFAULT_WINDOW, MAX_WINDOW
from motionloom.registration.point_cloud import PointCloud, point_clouds
from motionloom.validation import check_number

MAX_SCRATCH_CELLS = 3_000_000
"""Cells of the largest grid whose memory a thread keeps for its next one: 24 MB, 1,700 × 1,700 frames."""

PIECE_ROWS, PIECE_COLUMNS = 64, 32
"""Frames of either clip in one matrix product: enough for full speed, few enough to follow a narrow band."""

MAX_PRODUCT = 250_000
"""Multiplications in one matrix product. OpenBLAS starts threads of its own above 262,144; they would get in
the way of ours, which already use all cores.
"""

SPEED_REACH = 1 / 30
"""Seconds to either side over which a speed is measured: a frame at 30 Hz. Over less, markers jitter."""

MIN_PEAK_SPEED = 0.03
"""Metres per second. A point that is never faster rests, and its jitter is not scaled up to a profile."""

FAST_QUANTILE = 0.95
"""Quantile of a point's speeds in all clips that counts as fast for it; teleports and glitches lie above."""

SCALED_FRAMES = 96
"""Frames, spread evenly over all clips, on which the scale of speeds against poses is measured."""


@dataclass(frozen=True, eq=False, repr=False)
class DistanceGrid:
    """Distances between all frames of two clips, each at the best placement of one on the other.

    Attributes
    ----------
    values
        (T0, T1) weighted mean squared distance of the points over the window, m².
    centres
        For each clip (T, 2) x and z of the mean point of each frame, metres.
    yaws
        (T0, T1) yaw that rotates frame j of the second clip onto frame i of the first, radians; None when
        placements were not asked for.
    half_width
        Frames to either side that were compared together with a frame.
    """

    values: FloatArray
    centres: tuple[FloatArray, FloatArray]
    yaws: FloatArray | None = None
    half_width: int = 0

    def __repr__(self) -> str:
        rows, columns = self.shape
        spread = f"{self.values.min():.3g} to {self.values.max():.3g} m²" if self.values.size else "empty"
        return f"DistanceGrid({rows} × {columns} frames, {spread})"

    @property
    def shape(self) -> tuple[int, int]:
        """The numbers of frames of the two clips."""
        return self.values.shape[0], self.values.shape[1]

    def placement(self, i: int, j: int) -> GroundTransform:
        """Return the transform that puts frame ``j`` of the second clip on frame ``i`` of the first.

        It is the best one over the window about them, as far as both clips reach, as the distance is.
        """
        if self.yaws is None:
            raise ParameterError(
                "this grid holds no placements", remedy=("ask for them with ", Argument("placements", True))
            )
        yaw = float(self.yaws[i, j])
        (x, z), (from_x, from_z) = self.window_centres(i, j)
        about = GroundTransform(yaw, 0.0, 0.0) @ GroundTransform(0.0, -float(from_x), -float(from_z))
        return GroundTransform(0.0, float(x), float(z)) @ about

    def window_centres(self, i: int | IntArray, j: int | IntArray) -> tuple[FloatArray, FloatArray]:
        """Return for each clip x and z (..., 2) of the centre of the window about frames (...) of both.

        A window reaches as far as both clips do: near an end of one it is shorter in the other too.
        """
        rows, columns = self.shape
        one, other = np.arange(rows)[i], np.arange(columns)[j]
        before = np.minimum(self.half_width, np.minimum(one, other))
        after = np.minimum(self.half_width, np.minimum(rows - 1 - one, columns - 1 - other))
        counts = (before + after + 1)[..., None]
        first, second = (
            mean + (sums[at + after + 1] - sums[at - before]) / counts
            for (mean, sums), at in zip(self._sums, (one, other), strict=True)
        )
        return first, second

    @cached_property
    def _sums(self) -> list[tuple[FloatArray, FloatArray]]:
        """Mean centre (2,) of each clip, and sums (T + 1, 2) of the centres about it up to each frame."""
        means = [own.mean(axis=0) for own in self.centres]
        return [
            (mean, np.concatenate([np.zeros((1, 2)), np.cumsum(own - mean, axis=0)]))
            for own, mean in zip(self.centres, means, strict=True)
        ]


def distance(
    a: MotionLike,
    b: MotionLike,
    *,
    window: float = DEFAULT_WINDOW,
    points: int | None = None,
    joint_weights: Mapping[str, float] | None = None,
    placements: bool = False,
) -> DistanceGrid:
    """Compare every frame of one clip with every frame of another at the same frame rate.

    Parameters
    ----------
    a, b
        The clips: with joints of the same names, of which those that one clip lacks are ignored, or with
        markers of the same names.
    window
        Seconds to either side that are compared together with a frame; 0 compares single frames. At the
        ends of a clip only frames that both clips have are compared.
    points, joint_weights
        Which points stand for the body (:func:`~motionloom.registration.point_cloud.point_cloud`).
    placements
        Whether to keep the best placement of each pair of frames.

    Returns
    -------
    DistanceGrid
        The squared distance of every frame of one clip to every frame of the other.

    Raises
    ------
    ParameterError
        The clips run at different rates, or have different points.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=1, fps=30).clip
    >>> grid = distance(clip, clip.placed(GroundTransform(2.0, 5.0, -3.0)))
    >>> grid.shape, bool(grid.values.diagonal().max() < 1e-12)
    ((31, 31), True)
    """
    a, b = unwrap(a), unwrap(b)
    _check_comparable(a, b)
    check_number("window", window, min=0.0, max=MAX_WINDOW, unit="seconds")
    if isinstance(a, Clip) and isinstance(b, Clip):
        a, b = keep_common_joints([a, b])
    one, other = point_clouds([a, b], points, joint_weights)
    if one.positions.shape[1] != other.positions.shape[1]:
        raise ParameterError("the two clips have different points: compare clips of one skeleton")
    return cloud_distance(one, other, half_width=round(window / a.frame_time), placements=placements)


def _check_comparable(a: Clip | PointClip, b: Clip | PointClip) -> None:
    for clip, name in ((a, "first"), (b, "second")):
        if not isinstance(clip, Clip | PointClip):
            raise ParameterError(
                f"the {name} clip must be a Clip or a PointClip, not {clip!r}", remedy="load it first"
            )
        if clip.n_frames == 0:
            raise ParameterError(f"the {name} clip has no frames to compare")
    if abs(a.frame_time / b.frame_time - 1.0) > SAME_RATE:
        raise ParameterError(
            f"the clips run at {a.fps:.6g} and {b.fps:.6g} frames per second: "
            "bring them to one rate with resampled"
        )


def cloud_distance(a: PointCloud, b: PointCloud, half_width: int, placements: bool = False) -> DistanceGrid:
    """Return the distance grid of two clouds with a uniform window of ``2 * half_width + 1`` frames."""
    ones, others = _centre_frames(a, b, half_width)
    shape = len(a.positions), len(b.positions)
    values, yaws = np.empty(shape), np.empty(shape if placements else (0, 0))
    everywhere = np.tile([0, shape[1]], (shape[0], 1))
    _fill_distances(ones, others, half_width, everywhere, values, yaws)
    one, other = (freeze(np.ascontiguousarray(own.centres.T)) for own in (ones, others))
    return DistanceGrid(freeze(values), (one, other), freeze(yaws) if placements else None, half_width)


def band_distances(a: PointCloud, b: PointCloud, half_width: int, columns: IntArray) -> FloatArray:
    """Return the values (T0, T1) of :func:`cloud_distance` in memory that this thread's next grid overwrites.

    ``columns`` (T0, 2) limits each row to the columns from its first to before its second entry; cells
    outside are zero.
    """
    values = _scratch.take((len(a.positions), len(b.positions)))
    _fill_distances(*_centre_frames(a, b, half_width), half_width, columns, values, np.empty((0, 0)))
    return read_only_view(values)


class _Scratch(threading.local):
    """Memory that each thread keeps: touching fresh pages takes as long as filling them with distances."""

    def __init__(self) -> None:
        self.memory = np.empty(0)

    def take(self, shape: tuple[int, ...]) -> FloatArray:
        """Return an array of this shape with any content."""
        size = int(np.prod(shape))
        if size > MAX_SCRATCH_CELLS:
            return np.empty(shape)
        if self.memory.size < size:
            self.memory = np.empty(size)
        return self.memory[:size].reshape(shape)


_scratch = _Scratch()


@dataclass(frozen=True, eq=False)
class _CentredFrames:
    """A cloud's frames about their own centres, ready to be multiplied.

    Attributes
    ----------
    points
        (3, P, T') x and z about each frame's centre, and heights above a common mean, all times the roots
        of the points' weights; zero after the last frame.
    frames
        (6 + 4 ``half_width``, T) per frame and window, as ``kernels.point_cloud`` describes.
    width
        Frames in one matrix product; T' is a multiple of it.
    """

    points: FloatArray
    frames: FloatArray
    width: int

    @property
    def centres(self) -> FloatArray:
        """The weighted mean ground points (2, T)."""
        return self.frames[:2]


def _centre_frames(a: PointCloud, b: PointCloud, half_width: int) -> tuple[_CentredFrames, _CentredFrames]:
    """Centre the frames of two clouds of the same points, with the mean of their weights."""
    weights = (a.weights + b.weights) / 2.0
    mean_height = float(weights @ a.positions[..., 1].mean(axis=0))
    one, other = (_centre(cloud.positions, weights, mean_height, half_width) for cloud in (a, b))
    return one, other


def _centre(
    positions: FloatArray, weights: FloatArray, mean_height: float, half_width: int
) -> _CentredFrames:
    n_frames, n_points, _ = positions.shape
    width = min(max(MAX_PRODUCT // (PIECE_ROWS * 2 * n_points), 1), PIECE_COLUMNS)
    points = np.zeros((3, n_points, -(-n_frames // width) * width))
    frames = np.empty((6 + 4 * half_width, n_frames))
    kernels.point_cloud.centre(
        read_only_view(positions),
        read_only_view(weights),
        np.sqrt(weights),
        mean_height,
        half_width,
        points,
        frames,
    )
    return _CentredFrames(points, frames, width)


def _fill_distances(
    a: _CentredFrames,
    b: _CentredFrames,
    half_width: int,
    columns: IntArray,
    out: FloatArray,
    out_yaws: FloatArray,
) -> None:
    """Fill the distances (T0, T1), and the yaws that give them unless ``out_yaws`` is empty.

    ``columns`` (T0, 2) limits each row to the columns from its first to before its second entry; distances
    outside are zero. The value of a cell depends neither on ``columns`` nor on the number of threads.
    """
    n_a, n_b = out.shape
    products = _Products(a, b)
    # Windows reach beyond a strip: it has several times as many rows.
    n_rows = min(max(PIECE_ROWS - 2 * half_width, 8 * half_width), n_a)
    starts = np.arange(0, n_a, n_rows)
    first_blocks = np.maximum(np.minimum.reduceat(columns[:, 0], starts) - half_width, 0) // b.width
    last_blocks = (np.minimum(np.maximum.reduceat(columns[:, 1], starts) + half_width, n_b) - 1) // b.width
    strips = list(zip(starts.tolist(), first_blocks.tolist(), last_blocks.tolist(), strict=True))
    fill = kernels.point_cloud.windowed_distances

    def fill_strips(first: int, last: int) -> None:
        memory = np.empty(3 * (n_rows + 2 * half_width) * b.points.shape[2])
        scratch = np.empty((3, n_b))
        for start, left, right in strips[first:last]:
            stop = min(start + n_rows, n_a)
            top, bottom = max(start - half_width, 0), min(stop + half_width, n_a)
            strip = products.strip(top, bottom, left, max(left, right + 1), memory)
            corner = top, left * b.width
            fill(strip, *corner, a.frames, b.frames, half_width, columns, out, out_yaws, scratch, start, stop)

    run_in_slices(len(strips), fill_strips, weight=n_rows * n_b)


class _Products:
    """The matrix products of two clips' frames, formed in pieces that are the same whatever is asked for."""

    def __init__(self, a: _CentredFrames, b: _CentredFrames) -> None:
        x, z, heights = a.points
        # The dot products of points rotated by a quarter turn are cross products.
        ground = np.concatenate([x, z, z, -x]).reshape(2, 2 * len(x), -1)
        self.heights, self.ground = heights.T, ground.transpose(0, 2, 1)
        blocks = b.points.reshape(3 * len(x), -1, b.width).transpose(1, 0, 2)
        self.other_ground, self.other_heights = blocks[:, : 2 * len(x)], blocks[:, 2 * len(x) :]

    def strip(self, top: int, bottom: int, left: int, right: int, memory: FloatArray) -> FloatArray:
        """Return products (3, R, C) of heights, dots and crosses of the rows from ``top`` to ``bottom``.

        They cover the columns from block ``left`` to before block ``right`` and lie in ``memory``.
        """
        heights, ground = self.other_heights[left:right], self.other_ground[left:right]
        shape = (3, bottom - top, len(ground), ground.shape[2])
        strip = memory[: np.prod(shape)].reshape(shape)
        for i in range(top, bottom, PIECE_ROWS):
            rows = slice(i, min(i + PIECE_ROWS, bottom))
            # All blocks in one call: threads that make many short calls wait for each other.
            out = strip[:, i - top : i - top + PIECE_ROWS].transpose(0, 2, 1, 3)
            np.matmul(self.heights[rows], heights, out=out[0])
            np.matmul(self.ground[:, None, rows], ground, out=out[1:])
        return strip.reshape(3, bottom - top, -1)


def add_speeds(
    clouds: Sequence[PointCloud], weight: float, frame_time: float, *, one_scale: bool = False
) -> list[PointCloud]:
    """Add a companion for the speed of each point to the clouds; leave them as they are if ``weight`` is 0.

    Mean squared distances between the results are those of the poses and ``weight`` times those of the
    speeds, over ``1 + weight``. Both are scaled to the same mean over all frames of all clips, so that
    neither the size of the body nor its tempo decides which counts more. With ``one_scale`` a point's speed
    is relative to what is fast for it in all clips together, instead of to its peak in its own clip: what
    else happens in a long take does not change how a moment of it compares.

    >>> from motionloom.registration.point_cloud import point_cloud
    >>> from motionloom.synthesis import walk
    >>> clouds = [point_cloud(walk(speed=speed, duration=1, fps=30).clip) for speed in (1.0, 1.5)]
    >>> [cloud.positions.shape for cloud in add_speeds(clouds, weight=1.0, frame_time=1 / 30)]
    [(31, 54, 3), (31, 54, 3)]
    """
    if weight == 0.0:
        return list(clouds)
    reach = max(1, round(SPEED_REACH / frame_time))
    if one_scale:
        speeds = [point_speeds(cloud.positions, frame_time, reach) for cloud in clouds]
        fast = np.maximum(np.quantile(np.concatenate(speeds), FAST_QUANTILE, axis=0), MIN_PEAK_SPEED)
        speeds = [np.minimum(own / fast, 1.0) for own in speeds]
    else:
        speeds = [relative_speeds(cloud.positions, frame_time, reach) for cloud in clouds]
    scale = _speed_scale(clouds, speeds)
    return [_add_companions(cloud, scale * own, weight) for cloud, own in zip(clouds, speeds, strict=True)]


def relative_speeds(positions: FloatArray, frame_time: float, reach: int) -> FloatArray:
    """Return the speeds (T, P) of points (T, P, 3) as fractions of each point's peak speed.

    They are measured over ``reach`` frames to either side, as far as there are frames.

    >>> positions = np.array([0.0, 1.0, 3.0, 4.0])[:, None, None] * np.ones(3)
    >>> relative_speeds(positions, frame_time=1.0, reach=1)[:, 0].round(3).tolist()
    [0.667, 1.0, 1.0, 0.667]
    """
    speeds = point_speeds(positions, frame_time, reach)
    return np.asarray(speeds / np.maximum(speeds.max(axis=0), MIN_PEAK_SPEED))


def point_speeds(positions: FloatArray, frame_time: float, reach: int) -> FloatArray:
    """Return the speeds (T, P) of points (T, P, 3), m/s, over ``reach`` frames to either side."""
    frames = np.arange(len(positions))
    first, last = np.maximum(frames - reach, 0), np.minimum(frames + reach, len(positions) - 1)
    seconds = np.maximum(last - first, 1) * frame_time
    offsets = positions[last] - positions[first]
    return np.asarray(np.sqrt(np.einsum("tpc,tpc->tp", offsets, offsets)) / seconds[:, None])


def _speed_scale(clouds: Sequence[PointCloud], speeds: Sequence[FloatArray]) -> float:
    """Return how many metres a point's peak speed counts as, so that speeds lie as far apart as poses do.

    It is rounded to a millimetre: the order of the clips must not change it.
    """
    count = max(SCALED_FRAMES // len(clouds), 2)
    picked = [np.linspace(0, len(own) - 1, count).astype(np.int64) for own in speeds]
    weights = np.mean([cloud.weights for cloud in clouds], axis=0)
    poses = np.concatenate([cloud.positions[some] for cloud, some in zip(clouds, picked, strict=True)])
    sampled = np.concatenate([own[some] for own, some in zip(speeds, picked, strict=True)])
    together = PointCloud(poses, weights)
    poses_apart = float(cloud_distance(together, together, half_width=0).values.mean())
    speeds_apart = float(2.0 * sampled.var(axis=0) @ weights)
    return round(float(np.sqrt(poses_apart / speeds_apart)), 3) if speeds_apart > 0.0 else 0.0


def _add_companions(cloud: PointCloud, heights: FloatArray, weight: float) -> PointCloud:
    """Add a companion for each point, at these heights (T, P) at the centre of the body."""
    n_points = len(cloud.weights)
    positions = np.empty((len(heights), 2 * n_points, 3))
    positions[:, :n_points] = cloud.positions
    positions[:, n_points:] = (cloud.weights @ cloud.positions)[:, None]
    positions[:, n_points:, 1] = heights
    weights = np.concatenate([cloud.weights, weight * cloud.weights]) / (1.0 + weight)
    return PointCloud(freeze(positions), freeze(weights))

"""Distances between the frames of two clouds, from matrix products that are formed a few rows at a time.

Sums over points are matrix products: of heights, and the dot and cross products of ground points. The grid is
filled in strips of rows; the products of a strip stay in the processor's cache until its distances are found,
and are formed only near the cells that are asked for.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom import kernels
from motionloom.arrays import FloatArray, IntArray, read_only_view
from motionloom.kernels.threads import over_slices
from motionloom.registration.point_cloud import PointCloud

PIECE_ROWS, PIECE_COLUMNS = 64, 32
"""Frames of either clip in one matrix product: enough for full speed, few enough to follow a narrow band."""

LARGEST_PRODUCT = 250_000
"""Multiplications in one matrix product. OpenBLAS starts threads of its own above 262,144; they would get in
the way of ours, which already use all cores.
"""


@dataclass(frozen=True, eq=False)
class CentredFrames:
    """A cloud's frames without their place, ready to be multiplied.

    Attributes
    ----------
    points
        (3, P, T') x and z about each frame's centre, and heights above a common middle, all times the roots
        of the points' weights; zero after the last frame.
    frames
        (6 + 4 ``half_width``, T) what ``kernels.point_cloud`` knows about each frame and its window.
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


def centred_frames(a: PointCloud, b: PointCloud, half_width: int) -> tuple[CentredFrames, CentredFrames]:
    """The frames of two clouds of the same points, with the mean of their weights."""
    weights = (a.weights + b.weights) / 2.0
    middle = float(weights @ a.positions[..., 1].mean(axis=0))
    one, other = (_centred(cloud.positions, weights, middle, half_width) for cloud in (a, b))
    return one, other


def _centred(positions: FloatArray, weights: FloatArray, middle: float, half_width: int) -> CentredFrames:
    n_frames, n_points, _ = positions.shape
    width = min(max(LARGEST_PRODUCT // (PIECE_ROWS * 2 * n_points), 1), PIECE_COLUMNS)
    points = np.zeros((3, n_points, -(-n_frames // width) * width))
    frames = np.empty((6 + 4 * half_width, n_frames))
    kernels.point_cloud.centre(
        read_only_view(positions), read_only_view(weights), middle, half_width, points, frames
    )
    return CentredFrames(points, frames, width)


def fill_distances(
    a: CentredFrames,
    b: CentredFrames,
    half_width: int,
    live: IntArray,
    out: FloatArray,
    out_turns: FloatArray,
) -> None:
    """Fill the distances (T0, T1), and the turns that give them unless ``out_turns`` is empty.

    ``live`` (T0, 2) limits each row to the columns from its first to before its second entry; distances
    outside are zero. What a cell gets depends neither on ``live`` nor on the number of threads.
    """
    n_a, n_b = out.shape
    products = _Products(a, b)
    # Windows reach beyond a strip: it has several times as many rows.
    n_rows = min(max(PIECE_ROWS - 2 * half_width, 8 * half_width), n_a)
    starts = np.arange(0, n_a, n_rows)
    first_blocks = np.maximum(np.minimum.reduceat(live[:, 0], starts) - half_width, 0) // b.width
    last_blocks = (np.minimum(np.maximum.reduceat(live[:, 1], starts) + half_width, n_b) - 1) // b.width
    strips = list(zip(starts.tolist(), first_blocks.tolist(), last_blocks.tolist(), strict=True))
    fill = kernels.point_cloud.windowed_distances

    def fill_strips(first: int, last: int) -> None:
        memory = np.empty(3 * (n_rows + 2 * half_width) * b.points.shape[2])
        for start, left, right in strips[first:last]:
            stop = min(start + n_rows, n_a)
            top, bottom = max(start - half_width, 0), min(stop + half_width, n_a)
            strip = products.strip(top, bottom, left, max(left, right + 1), memory)
            corner = top, left * b.width
            fill(strip, *corner, a.frames, b.frames, half_width, live, out, out_turns, start, stop)

    over_slices(len(strips), fill_strips, weight=n_rows * n_b)


class _Products:
    """The matrix products of two clips' frames, formed in pieces that are the same whatever is asked for."""

    def __init__(self, a: CentredFrames, b: CentredFrames) -> None:
        x, z, heights = a.points
        # The dot products of points turned by a quarter are cross products.
        ground = np.concatenate([x, z, z, -x]).reshape(2, 2 * len(x), -1)
        self.heights, self.ground = heights.T, ground.transpose(0, 2, 1)
        blocks = b.points.reshape(3 * len(x), -1, b.width).transpose(1, 0, 2)
        self.other_ground, self.other_heights = blocks[:, : 2 * len(x)], blocks[:, 2 * len(x) :]

    def strip(self, top: int, bottom: int, left: int, right: int, memory: FloatArray) -> FloatArray:
        """Products (3, R, C) of heights, dots and crosses of the rows from ``top`` to before ``bottom``.

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

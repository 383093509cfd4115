"""Excursions: values that leave their path for a few frames and come back.

A glitch has two sharp edges, and between them nothing belongs to the motion. So a run of frames is an
excursion where the cubic bridge from the frames before it to the frames after it runs far from the values,
and where the path is several times smoother with the bridge than without: the largest second difference
drops to a fraction. Fast motion does not pass that test. A kick or a strike bends the path once, and a bridge
over the bend only spreads the bend; a movement that swings out and back within a few frames has no sharp
edges. The test needs no model of the noise, because both second differences contain the same noise.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from motionloom.arrays import BoolArray, FloatArray, IntArray, dot, norm
from motionloom.geometry import rotations as rot
from motionloom.repair.bridge import bridge, complete_anchors

MAX_ROUGHNESS = 0.33
"""Largest second difference with the bridge, over that of the weaker edge without. A bend that is bridged
leaves about half of its second difference, a spike among noise of a tenth of its size about 0.15."""

MAX_LONG_ROUGHNESS = 0.2
"""The same for excursions of more than three frames, whose edges may be unrelated bends of fast motion."""

LONG = 3
"""Frames beyond which an excursion is long."""

EDGE_FRACTION = 0.7
"""Second difference at both edges of an excursion, as a fraction of the smallest size that counts."""

MIN_END_FRACTION = 0.3
"""How far the first and the last frame of an excursion must be off, as a fraction of the one that is most."""

MAX_STEP_RATIO = 0.6
"""Largest step of the bridge and of the frames around, over the size of the excursion: what is hardly larger
than a step of the motion cannot be told from it."""

MIN_TAKEN_FRACTION = 0.6
"""Excursions of this fraction of the smallest size that counts are not reported, but taken into account, so
that they do not appear as parts of longer ones."""

MAX_END_STEP_RATIO = 0.3
"""The same where only one frame before or after the excursion is left, which may be wrong itself."""


class Excursion(NamedTuple):
    """Frames ``first`` to ``last`` of series ``series`` lie up to ``size`` off the bridge over them."""

    series: int
    first: int
    last: int
    size: float


def rotation_roughness(values: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return inner products (T - 1, S) of neighbours and sizes (T, S) of second differences of quaternions.

    Signs do not matter; the first and the last frame have 0.
    """
    products = dot(values[1:], values[:-1])
    across = dot(values[2:], values[:-2])
    before, after = products[:-1], products[1:]
    same = np.where((before < 0.0) == (after < 0.0), 1.0, -1.0)
    squares = 6.0 + 2.0 * same * across - 4.0 * (np.abs(before) + np.abs(after))
    sizes = np.zeros(values.shape[:2])
    sizes[1:-1] = np.sqrt(np.maximum(squares, 0.0))
    return products, sizes


def vector_roughness(values: FloatArray) -> FloatArray:
    """Return the sizes (T, S) of second differences of vectors (T, S, C); 0 at the first and last frame.

    >>> vector_roughness(np.array([0.0, 0.0, 3.0, 0.0]).reshape(4, 1, 1)).ravel().tolist()
    [0.0, 3.0, 6.0, 0.0]
    """
    sizes = np.zeros(values.shape[:2])
    sizes[1:-1] = norm(values[2:] - 2.0 * values[1:-1] + values[:-2])
    return sizes


def find_excursions(
    values: FloatArray,
    roughness: FloatArray,
    min_sizes: FloatArray,
    max_frames: int,
    *,
    max_bends: FloatArray | None = None,
    rotations: bool = False,
) -> list[Excursion]:
    """Return the excursions of S series that last at most ``max_frames`` frames, shortest first.

    Parameters
    ----------
    values
        (T, S, C) vectors, or unit quaternions.
    roughness
        (T, S) sizes of their second differences.
    min_sizes
        (S,) smallest distance from the bridge that counts.
    max_frames
        Longest excursion looked for.
    max_bends
        (S,) largest second differences of real motion: no excursion counts that such a bend would explain.
    rotations
        Whether the values are quaternions; sizes are distances between quaternions then.

    >>> path = np.zeros((9, 1, 1)); path[4] = 1.0
    >>> find_excursions(path, vector_roughness(path), np.array([0.5]), 3)
    [Excursion(series=0, first=4, last=4, size=1.0)]
    """
    n_frames = len(values)
    edges = np.zeros((n_frames, values.shape[1]))
    np.maximum(roughness[:-1], roughness[1:], out=edges[1:])
    sharp = edges > EDGE_FRACTION * MIN_TAKEN_FRACTION * min_sizes
    sharp[0] = False
    taken = np.zeros(sharp.shape, dtype=np.bool_)
    found: list[Excursion] = []
    for length in range(1, max_frames + 1):
        first, series = np.nonzero(sharp[: n_frames - length] & sharp[length:])
        if not len(first):
            continue
        # A parabola with this bend rises so far above its chord.
        floors = min_sizes
        if max_bends is not None:
            floors = np.maximum(min_sizes, max_bends * (length + 1) ** 2 / 8.0)
        sizes, keep = _test(values, edges, first, series, length, floors, rotations)
        for n in np.flatnonzero(keep)[np.argsort(-sizes[keep], kind="stable")].tolist():
            start, column = int(first[n]), int(series[n])
            around = slice(max(start - 1, 0), start + length + 1)
            if taken[around, column].any():
                continue
            taken[start : start + length, column] = True
            if sizes[n] > floors[column]:
                found.append(Excursion(column, start, start + length - 1, float(sizes[n])))
    return found


def _test(
    values: FloatArray,
    edges: FloatArray,
    first: IntArray,
    series: IntArray,
    length: int,
    min_sizes: FloatArray,
    rotations: bool,
) -> tuple[FloatArray, BoolArray]:
    """Return how far (M,) runs of frames lie off their bridges, and which of them are excursions."""
    last = len(values) - 1
    outer = np.array([-2, -1, length, length + 1])
    frames = first[:, None] + outer
    anchors = values[np.clip(frames, 0, last), series[:, None]]
    if rotations:
        anchors[:, 0] = rot.nearer(anchors[:, 0], anchors[:, 1])
        anchors[:, 2] = rot.nearer(anchors[:, 2], anchors[:, 1])
        anchors[:, 3] = rot.nearer(anchors[:, 3], anchors[:, 2])
    anchors = complete_anchors(anchors, frames[:, 0] < 0, frames[:, 3] > last, length)
    bridged = bridge(anchors, length, rotations=rotations)
    inner = values[first[:, None] + np.arange(length), series[:, None]]
    if rotations:
        inner = rot.nearer(inner, bridged)
    off = norm(inner - bridged)
    sizes = off.max(axis=1)
    path = np.concatenate([anchors[:, :2], bridged, anchors[:, 2:]], axis=1)
    smooth = norm(path[:, 2:] - 2.0 * path[:, 1:-1] + path[:, :-2]).max(axis=1)
    steps = norm(path[:, 1:] - path[:, :-1]).max(axis=1)
    weaker_edge = np.minimum(edges[first, series], edges[first + length, series])
    is_end = (frames[:, 0] < 0) | (frames[:, 3] > last)
    max_steps = np.where(is_end, MAX_END_STEP_RATIO, MAX_STEP_RATIO) * sizes
    limit = MAX_ROUGHNESS if length <= LONG else MAX_LONG_ROUGHNESS
    keep = (
        (sizes > MIN_TAKEN_FRACTION * min_sizes[series])
        & (smooth < limit * weaker_edge)
        & (np.minimum(off[:, 0], off[:, -1]) > MIN_END_FRACTION * sizes)
        & (steps < max_steps)
    )
    return sizes, keep

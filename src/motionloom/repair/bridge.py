"""Bridge a gap in a sequence: cubic curves between the frames before it and the frames after it."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.geometry import rotations as rot

SLOPE_FRAMES = 3
"""Frames over which the velocity at an end of a clip is averaged to continue it; one step is noisy."""


def bridge(anchors: FloatArray, n_frames: int, *, rotations: bool = False) -> FloatArray:
    """Return the values (M, N, C) of gaps of N frames, from two frames before and two frames after each.

    The curve is the cubic through the four frames, so even acceleration is continued exactly. Components of
    rotations are bridged in one hemisphere and normalized.

    Parameters
    ----------
    anchors
        (M, 4, C) the last two frames before each gap and the first two after it.
    n_frames
        Length N of the gaps.
    rotations
        Whether the values are unit quaternions.

    >>> bridge(np.array([[[0.0], [1.0], [3.0], [4.0]]]), 1).tolist()
    [[[2.0]]]
    """
    if rotations:
        anchors = _in_one_hemisphere(anchors)
    curve = np.einsum("na,mac->mnc", cubic_weights(n_frames), anchors)
    return rot.normalize(curve) if rotations else np.asarray(curve)


@lru_cache(maxsize=256)
def cubic_weights(n_frames: int) -> FloatArray:
    """Return the weights (N, 4) of the anchors in the cubic through them, at each frame of a gap."""
    nodes = np.array([-1.0, 0.0, n_frames + 1.0, n_frames + 2.0])
    frames = np.arange(1.0, n_frames + 1.0)
    weights = np.ones((n_frames, 4))
    for node, at in enumerate(nodes):
        for other in np.delete(nodes, node):
            weights[:, node] *= (frames - other) / (at - other)
    return weights


def fill_gap(values: FloatArray, first: int, last: int, *, rotations: bool = False) -> FloatArray:
    """Return new values (N, C) for frames ``first`` to ``last`` of a sequence (T, C), from the frames around.

    At an end of the sequence its velocity is continued.

    >>> fill_gap(np.array([[0.0], [1.0], [9.0], [3.0], [4.0]]), 2, 2).tolist()
    [[2.0]]
    >>> fill_gap(np.array([[9.0], [1.0], [2.0], [3.0], [4.0]]), 0, 0).tolist()
    [[0.0]]
    """
    n_frames = last - first + 1
    before, after = values[max(first - 2, 0) : first], values[last + 1 : last + 3]
    if not len(before) and not len(after):
        return values[first : last + 1].copy()
    if not len(before):
        return _continue(values[last + 1 :][: SLOPE_FRAMES + 1], n_frames, rotations)[::-1]
    if not len(after):
        return _continue(values[:first][-SLOPE_FRAMES - 1 :][::-1], n_frames, rotations)
    anchors = complete_anchors(
        np.stack([before[0], before[-1], after[0], after[-1]])[None],
        np.array([len(before) < 2]),
        np.array([len(after) < 2]),
        n_frames,
    )
    return np.asarray(bridge(anchors, n_frames, rotations=rotations)[0])


def complete_anchors(anchors: FloatArray, no_start: object, no_end: object, n_frames: int) -> FloatArray:
    """Return anchors (M, 4, C) with the outermost ones continued evenly where the clip has no such frame."""
    even = (anchors[:, 2] - anchors[:, 1]) / (n_frames + 1.0)
    result = anchors.copy()
    result[:, 0] = np.where(np.asarray(no_start)[:, None], anchors[:, 1] - even, anchors[:, 0])
    result[:, 3] = np.where(np.asarray(no_end)[:, None], anchors[:, 2] + even, anchors[:, 3])
    return result


def _continue(nearest: FloatArray, n_frames: int, rotations: bool) -> FloatArray:
    """Return N values that go on with the mean velocity of the nearest values (K, C), nearest first."""
    if rotations:
        nearest = rot.unroll(nearest)
    slope = (nearest[0] - nearest[-1]) / max(len(nearest) - 1, 1)
    curve = nearest[0] + np.arange(1, n_frames + 1)[:, None] * slope
    return rot.normalize(curve) if rotations else np.asarray(curve)


def _in_one_hemisphere(anchors: FloatArray) -> FloatArray:
    result = anchors.copy()
    result[:, 0] = rot.nearer(anchors[:, 0], anchors[:, 1])
    result[:, 2] = rot.nearer(anchors[:, 2], anchors[:, 1])
    result[:, 3] = rot.nearer(anchors[:, 3], result[:, 2])
    return result

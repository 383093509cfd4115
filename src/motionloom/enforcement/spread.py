"""Spread corrections over time: from the frames where they are known, smoothly into the others."""

from __future__ import annotations

import numpy as np

from motionloom.arrays import BoolArray, FloatArray, IntArray
from motionloom.geometry.splines import smoothstep


def spread(values: FloatArray, known: BoolArray, width: float) -> FloatArray:
    """Extend values (T, D) from the known frames with their slope, and ease them out to zero.

    A cubic leads from each edge of a run of known frames to zero over ``width`` frames; a shorter gap is
    bridged from edge to edge. Value and slope are continuous, so a held point leaves softly.

    >>> spread(np.array([[1.0], [0.0], [0.0]]), np.array([True, False, False]), 2.0).ravel().tolist()
    [1.0, 0.5, 0.0]
    """
    if known.all() or not known.any():
        return np.where(known[:, None], values, 0.0)
    before, after = _neighbour_frames(known)
    gap = np.where((before < 0) | (after < 0), np.inf, after - before)
    window = np.maximum(np.minimum(width, gap), 1e-9)
    frames = np.arange(len(known))
    total = np.zeros_like(values)
    for edge, inwards in ((before, -1), (after, 1)):
        there = edge >= 0
        at = np.where(there, edge, 0)
        inside = np.clip(at + inwards, 0, len(known) - 1)
        slope = np.where((known[inside] & (inside != at))[:, None], values[at] - values[inside], 0.0)
        fraction = np.minimum(np.abs(frames - at) / window, 1.0)
        eased = (1.0 - fraction) ** 2
        part = (1.0 + 2.0 * fraction)[:, None] * values[at] + (fraction * window)[:, None] * slope
        total += np.where(there[:, None], eased[:, None] * part, 0.0)
    return np.where(known[:, None], values, total)


def run_means(values: FloatArray, known: BoolArray) -> FloatArray:
    """Return the mean of values (T, D) over each run of known frames, eased from run to run, constant at the
    ends.

    >>> run_means(np.array([[1.0], [3.0], [0.0]]), np.array([True, True, False])).ravel().tolist()
    [2.0, 2.0, 2.0]
    """
    if not known.any():
        return np.zeros_like(values)
    edges = np.diff(np.concatenate([[0], known.astype(np.int8), [0]]))
    starts, stops = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)
    sums = np.concatenate([np.zeros((1, values.shape[1])), np.cumsum(values, axis=0)])
    means = (sums[stops] - sums[starts]) / (stops - starts)[:, None]
    frames = np.arange(len(known))
    run = np.searchsorted(starts, frames, side="right") - 1
    one, two = np.clip(run, 0, None), np.clip(run + 1, 0, len(starts) - 1)
    width = np.maximum(starts[two] - stops[one] + 1, 1)
    eased = smoothstep(np.where(run < 0, 0.0, (frames - stops[one] + 1) / width))[:, None]
    return np.asarray(means[one] + eased * (means[two] - means[one]))


def frames_to_known(known: BoolArray) -> FloatArray:
    """Return the distance (T,) in frames to the nearest known frame; infinite where there is none.

    >>> frames_to_known(np.array([False, True, False, False])).tolist()
    [1.0, 0.0, 1.0, 2.0]
    """
    before, after = _neighbour_frames(known)
    frames = np.arange(len(known), dtype=np.float64)
    return np.minimum(
        np.where(before < 0, np.inf, frames - before), np.where(after < 0, np.inf, after - frames)
    )


def min_of_neighbours(values: FloatArray, known: BoolArray) -> FloatArray:
    """Return the lower of the values (T,) in the known frames before and after each frame; zero without any.

    >>> min_of_neighbours(np.array([3.0, 0.0, 1.0]), np.array([True, False, True])).tolist()
    [3.0, 1.0, 1.0]
    """
    if not known.any():
        return np.zeros_like(values)
    before, after = _neighbour_frames(known)
    before, after = np.where(before < 0, after, before), np.where(after < 0, before, after)
    return np.minimum(values[before], values[after])


def _neighbour_frames(known: BoolArray) -> tuple[IntArray, IntArray]:
    """Return the last known frame up to each frame and the first one from it on (T,), or -1."""
    frames = np.arange(len(known))
    before = np.maximum.accumulate(np.where(known, frames, -1))
    after = np.minimum.accumulate(np.where(known, frames, len(known))[::-1])[::-1]
    return before, np.where(after == len(known), -1, after)

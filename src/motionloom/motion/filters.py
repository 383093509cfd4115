"""Filters over time: values that change from frame to frame, without what changes too fast.

They differ in what they take out and in what happens at the ends of a clip, which is why there are several:

- :func:`average_window` averages over seconds; beyond the ends there is nothing.
- :func:`smooth` averages over frames; beyond the ends values stay as they are, or go on as before.
- :func:`smooth_gaussian` keeps straight lines straight up to the ends: for paths.
- :func:`low_pass` takes out all above a frequency and leaves the rest: for captured motion.
- :func:`median_filter` takes out single wrong values.
- :func:`envelope` is smooth and nowhere below the values: for what must not fall short.
"""

from __future__ import annotations

from math import ceil
from typing import Literal

import numpy as np

from motionloom.arrays import FloatArray

GAUSSIAN_WIDTH = 3.0
"""Standard deviations to either side after which a Gaussian is cut off."""

MIN_DEVIATION = 0.1
"""A Gaussian narrower than this, in frames, changes nothing."""

ORDER = 2
"""Order of the Butterworth filter, which runs forward and backward: order 4 in all, without a delay."""

PAD_PERIODS = 1.0
"""Length of the odd extension at either end, in periods of the cut-off; the filter has settled by then."""


def average_window(values: FloatArray, frame_time: float, window: float) -> FloatArray:
    """Average values (T, ...) over ``window`` seconds with weights that fall off towards its ends.

    The window is cut off at the ends of the clip. A window of less than a frame changes nothing.

    >>> average_window(np.array([0.0, 0.0, 4.0, 0.0, 0.0]), 0.1, 0.3).round(3).tolist()
    [0.0, 1.0, 2.0, 1.0, 0.0]
    """
    reach = window / frame_time / 2.0
    # Frames farther away than the clip is long do not exist.
    half = int(min(reach + 0.5, len(values) - 1))
    if half < 1:
        return values
    weights = np.cos(np.arange(-half, half + 1) / (reach + 0.5) * np.pi / 2.0) ** 2
    flat = values.reshape(len(values), -1)
    total = np.zeros_like(flat)
    weight = np.zeros((len(flat), 1))
    for shift, factor in zip(range(-half, half + 1), weights.tolist(), strict=True):
        here = slice(max(-shift, 0), len(flat) - max(shift, 0))
        there = slice(max(shift, 0), len(flat) - max(-shift, 0))
        total[here] += factor * flat[there]
        weight[here] += factor
    return np.asarray(total / weight).reshape(values.shape)


def smooth(values: FloatArray, width: float, ends: Literal["stay", "go on"] = "stay") -> FloatArray:
    """Average values (T, ...) over ``width`` frames to either side, weighted by a raised cosine.

    Beyond the ends, values stay as they are there, or go on as their reflection in the end point.

    >>> smooth(np.array([0.0, 0.0, 4.0, 0.0, 0.0]), 1.0).round(9).tolist()
    [0.0, 1.0, 2.0, 1.0, 0.0]
    """
    half = int(width)
    if half < 1 or not len(values):
        return values
    weights = 1.0 + np.cos(np.arange(-half, half + 1) * np.pi / (half + 1.0))
    flat = values.reshape(len(values), -1)
    if ends == "go on":
        padded = _reflect(flat, half)
    else:
        padded = np.concatenate([np.repeat(flat[:1], half, axis=0), flat, np.repeat(flat[-1:], half, axis=0)])
    return _convolve(padded, weights).reshape(values.shape)


def envelope(values: FloatArray, width: float) -> FloatArray:
    """Return a smooth curve (T,) nowhere below the values (T,), which are not negative.

    >>> envelope(np.array([0.0, 0.0, 4.0, 0.0, 0.0]), 1.0).round(9).tolist()
    [1.0, 3.0, 4.0, 3.0, 1.0]
    """
    half = int(width)
    if half < 1 or not values.any():
        return values
    padded = np.concatenate([np.full(half, values[0]), values, np.full(half, values[-1])])
    highest = np.lib.stride_tricks.sliding_window_view(padded, 2 * half + 1).max(axis=-1)
    return smooth(highest, width)


def smooth_gaussian(values: FloatArray, deviation: float, half: int | None = None) -> FloatArray:
    """Smooth values (T, D) with a Gaussian of a standard deviation in frames; straight lines stay straight.

    Beyond its ends a path continues as its reflection in the end point. The Gaussian is cut off after
    ``half`` frames, by default after three deviations.

    >>> smooth_gaussian(np.arange(6.0)[:, None], 1.0).round(9).ravel().tolist()
    [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]
    """
    if len(values) < 2 or deviation < MIN_DEVIATION:
        return values
    half = ceil(GAUSSIAN_WIDTH * deviation) if half is None else half
    return _convolve(_reflect(values, half), np.exp(-0.5 * (np.arange(-half, half + 1) / deviation) ** 2))


def low_pass(values: FloatArray, cutoff: float, fps: float) -> FloatArray:
    """Return values (T, ...) without what is faster than ``cutoff`` Hz, at the same times."""
    # Imported here, because it takes longer to import than to read a file.
    from scipy.signal import butter, sosfiltfilt

    sections = butter(ORDER, cutoff, fs=fps, output="sos")
    pad = min(len(values) - 1, int(np.ceil(PAD_PERIODS * fps / cutoff)))
    return np.asarray(sosfiltfilt(sections, values, axis=0, padtype="odd", padlen=pad), dtype=np.float64)


def median_filter(values: FloatArray, width: int) -> FloatArray:
    """Return medians of values (T, D) over odd windows of frames, the ends repeated.

    >>> median_filter(np.array([[0.0], [9.0], [0.0], [0.0]]), 3).ravel().tolist()
    [0.0, 0.0, 0.0, 0.0]
    """
    if width <= 1:
        return values
    half = width // 2
    padded = np.pad(values, [(half, half), (0, 0)], mode="edge")
    windows = np.lib.stride_tricks.sliding_window_view(padded, 2 * half + 1, axis=0)
    return np.asarray(np.median(windows, axis=-1))


def _reflect(values: FloatArray, half: int) -> FloatArray:
    """Continue values (T, D) by ``half`` frames at both ends, point-symmetrically about the end points."""
    return np.pad(values, ((half, half), (0, 0)), mode="reflect", reflect_type="odd")


def _convolve(padded: FloatArray, weights: FloatArray) -> FloatArray:
    weights = weights / weights.sum()
    return np.stack([np.convolve(column, weights, mode="valid") for column in padded.T], axis=-1)

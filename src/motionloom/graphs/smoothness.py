"""How smooth a transition is against its takes: what :mod:`motionloom.quality.seams` measures, of many.

What is usual in a take is measured once and not again for each of its edges.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.arrays import FloatArray, norm
from motionloom.geometry import rotations as rot
from motionloom.motion import Clip
from motionloom.motion.anatomy import facing
from motionloom.quality.derivatives import (
    ACCELERATION,
    USUAL_PERCENTILE,
    WINDOW,
    Signal,
    derivative,
    window_peaks,
)
from motionloom.quality.seams import MIN_PEAK
from motionloom.repair.repair import mend_glitches

HEADING = 4
"""Number of the heading's acceleration among the quantities."""

MIN_TURNING = 10.0
"""Heading acceleration in rad/s² that is usual at least. In captured walks, straight ones too, 13 to 100 are;
the heading of a motion that was not captured may not accelerate at all."""


@dataclass(frozen=True, eq=False)
class UsualPeaks:
    """Peaks (N,) of any joint in all windows of a take.

    Of accelerations and jerks in the world, the same seen from the body, and the acceleration of the heading.
    """

    peaks: tuple[FloatArray, ...]


def measure_usual_peaks(clip: Clip) -> UsualPeaks:
    """Measure the peaks in all windows of half a second of a take."""
    width = round(2.0 * WINDOW / clip.frame_time) + 1
    mended = mend_glitches(clip)
    signals = find_signals(mended.world_positions(), facing(mended), clip.frame_time)
    return UsualPeaks(tuple(window_peaks(signal.values, width) for signal in signals))


def find_ordinary_peaks(a: UsualPeaks, b: UsualPeaks) -> FloatArray:
    """Return the peak (5,) of each quantity that is usual in two takes together."""
    ordinary = np.array(
        [
            np.percentile(np.concatenate(peaks), USUAL_PERCENTILE)
            for peaks in zip(a.peaks, b.peaks, strict=True)
        ]
    )
    ordinary[HEADING] = max(ordinary[HEADING], MIN_TURNING)
    return ordinary


def measure_seam(clip: Clip, first: int, last: int, ordinary: FloatArray) -> float:
    """Return the largest peak about frames ``first`` to ``last`` over the ordinary ones (5,).

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=3.0, fps=30).clip
    >>> usual = measure_usual_peaks(clip)
    >>> measure_seam(clip, 40, 50, find_ordinary_peaks(usual, usual)) <= 1.0
    True
    """
    width = 0.5 * (last - first) + WINDOW / clip.frame_time
    signals = find_signals(clip.world_positions(), facing(clip), clip.frame_time)
    peaks = np.array([signal.around(0.5 * (first + last), width).max() for signal in signals])
    return float(rate_peaks(peaks, ordinary))


def rate_peaks(peaks: FloatArray, ordinary: FloatArray) -> FloatArray:
    """Return the largest (...) of peaks (..., 5) over ordinary ones (..., 5), rounded to a millionth.

    Every cycle of a loop has the ordinary peaks: errors of rounding must not make a repetition of it rougher.

    >>> rate_peaks(np.array([1.0, 6.0, 0.0, 0.0, 0.0]), np.array([2.0, 5.0, 0.0, 1.0, 1.0])).tolist()
    1.2
    """
    ratios = peaks / np.where(ordinary > MIN_PEAK, ordinary, np.nan)
    ratios = np.where(np.isnan(ratios), np.inf, ratios)
    return np.asarray(np.where(peaks > MIN_PEAK, ratios, 0.0).max(axis=-1).round(6))


def find_signals(positions: FloatArray, yaws: FloatArray, frame_time: float) -> list[Signal]:
    """Return the largest derivative (N, ...) of any joint in each frame, by quantity.

    Of joints at ``positions`` (T, ..., J, 3) of bodies that face ``yaws`` (T, ...), continuous ones.
    """
    signals = []
    relative = rot.rotate(rot.from_yaw(-yaws)[..., None, :], positions - positions[..., :1, :])
    for own in (positions, relative):
        acceleration = derivative(own, frame_time, ACCELERATION)
        jerk = Signal(np.diff(acceleration.values, axis=0) / frame_time, acceleration.first + 0.5)
        signals += [Signal(norm(found.values).max(axis=-1), found.first) for found in (acceleration, jerk)]
    heading = derivative(yaws, frame_time, ACCELERATION)
    return [*signals, Signal(np.abs(heading.values), heading.first)]

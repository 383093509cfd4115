"""How smooth a transition is against its takes: what :mod:`motionloom.quality.seams` measures, of many.

What is usual in a take is measured once and not again for each of its edges.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.motion import Clip
from motionloom.motion.anatomy import body_positions, facing
from motionloom.quality.derivatives import (
    ACCELERATION,
    JERK,
    USUAL_PERCENTILE,
    WINDOW,
    Signal,
    derivative,
    magnitudes,
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
    return UsualPeaks(tuple(window_peaks(s.values, width) for s in _find_signals(mend_glitches(clip))))


def measure_seam(clip: Clip, first: int, last: int, usual: tuple[UsualPeaks, UsualPeaks]) -> float:
    """Return the largest peak about frames ``first`` to ``last`` over the usual one in both takes.

    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=3.0, fps=30).clip
    >>> usual = measure_usual_peaks(clip)
    >>> measure_seam(clip, 40, 50, (usual, usual)) <= 1.0
    True
    """
    width = WINDOW / clip.frame_time
    scores = [0.0]
    for n, (signal, a, b) in enumerate(zip(_find_signals(clip), usual[0].peaks, usual[1].peaks, strict=True)):
        ordinary = float(np.percentile(np.concatenate([a, b]), USUAL_PERCENTILE))
        ordinary = max(ordinary, MIN_TURNING) if n == HEADING else ordinary
        peak = float(signal.around(0.5 * (first + last), 0.5 * (last - first) + width).max())
        if peak > MIN_PEAK:
            scores.append(peak / ordinary if ordinary > MIN_PEAK else np.inf)
    return max(scores)


def _find_signals(clip: Clip) -> list[Signal]:
    """Return the largest derivative of any joint in each frame, by quantity."""
    time = clip.frame_time
    signals = []
    for positions in (clip.world_positions(), body_positions(clip)):
        for order in (ACCELERATION, JERK):
            found = magnitudes(positions, time, order)
            signals.append(Signal(found.values.max(axis=1), found.first))
    heading = derivative(facing(clip), time, ACCELERATION)
    return [*signals, Signal(np.abs(heading.values), heading.first)]

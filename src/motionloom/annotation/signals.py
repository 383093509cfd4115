"""Signals over frames: speeds, interpolated crossings, runs, intervals and turning points."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from motionloom.arrays import BoolArray, FloatArray
from motionloom.motion import kinematics
from motionloom.motion.filters import average_window

Interval = tuple[float, float]
"""Start and end, in fractional frames."""


class TurningPoint(NamedTuple):
    """A turning point of a signal: fractional frame, and whether it is a maximum."""

    frame: float
    is_maximum: bool


def speeds(positions: FloatArray, frame_time: float, window: float) -> FloatArray:
    """Return speeds (T, ...) in m/s of positions (T, ..., 3), velocities averaged over ``window`` seconds.

    >>> speeds(np.array([[0.0, 0, 0], [3.0, 0, 4.0]]), 1.0, 0.0).tolist()
    [5.0, 5.0]
    """
    velocities = average_window(kinematics.velocities(positions, frame_time), frame_time, window)
    return np.asarray(np.linalg.norm(velocities, axis=-1))


def crossing(before: float, after: float, level: float) -> float:
    """Return the fraction of the step from ``before`` to ``after`` at which a line meets the level, 0 to 1.

    >>> crossing(4.0, 0.0, 1.0)
    0.75
    """
    return 0.5 if before == after else float(np.clip((level - before) / (after - before), 0.0, 1.0))


def runs(mask: BoolArray) -> list[tuple[int, int]]:
    """Return the first and last index of every unbroken run of true values.

    >>> runs(np.array([True, False, True, True]))
    [(0, 0), (2, 3)]
    """
    edges = np.diff(np.concatenate([[0], mask.astype(np.int8), [0]]))
    starts, stops = np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)
    return [(int(start), int(stop) - 1) for start, stop in zip(starts, stops, strict=True)]


def frames_of(interval: Interval) -> slice:
    """Return the whole frames of an interval.

    >>> frames_of((1.5, 4.0))
    slice(2, 5, None)
    """
    return slice(int(np.ceil(interval[0])), int(interval[1]) + 1)


def join_intervals(intervals: list[Interval], max_gap: float) -> list[Interval]:
    """Sort intervals by start and join those that overlap or lie less than ``max_gap`` apart.

    >>> join_intervals([(0.0, 2.0), (2.5, 4.0), (8.0, 9.0)], 1.0)
    [(0.0, 4.0), (8.0, 9.0)]
    """
    result: list[Interval] = []
    for start, end in sorted(intervals):
        if result and start - result[-1][1] < max_gap:
            result[-1] = result[-1][0], max(end, result[-1][1])
        else:
            result.append((start, end))
    return result


def turning_points(signal: FloatArray, prominence: float) -> list[TurningPoint]:
    """Find the alternating maxima and minima of a signal (T,) with at least ``prominence`` on both sides.

    The ends of the signal do not count. A parabola through three neighbouring values gives the fractional
    frame.

    >>> turning_points(np.array([0.0, 1.0, 3.0, 1.0, 0.0, 1.0, 4.0]), 0.5)
    [TurningPoint(frame=2.0, is_maximum=True), TurningPoint(frame=4.0, is_maximum=False)]
    """
    if not len(signal):
        return []
    low = high = 0
    rising: bool | None = None
    points: list[TurningPoint] = []
    for frame, value in enumerate(signal.tolist()):
        if value > signal[high]:
            high = frame
        if value < signal[low]:
            low = frame
        if rising is not False and signal[high] - value >= prominence:
            if rising:
                points.append(TurningPoint(_peak_frame(signal, high), True))
            rising, low = False, frame
        elif rising is not True and value - signal[low] >= prominence:
            if rising is False:
                points.append(TurningPoint(_peak_frame(signal, low), False))
            rising, high = True, frame
    return points


def _peak_frame(signal: FloatArray, frame: int) -> float:
    """Return the fractional frame of an interior extreme, from the parabola through it and its neighbours."""
    before, here, after = signal[frame - 1 : frame + 2].tolist()
    bend = before - 2.0 * here + after
    return float(frame) if bend == 0.0 else frame + float(np.clip(0.5 * (before - after) / bend, -0.5, 0.5))

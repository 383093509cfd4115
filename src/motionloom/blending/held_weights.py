"""Hold the weights of a blend while it flies: what is in the air follows one parabola."""

from __future__ import annotations

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.geometry.splines import HermiteCurve

CATCH_UP = 0.25
"""Seconds on the ground over which weights make up for a flight, before take-off and after landing."""


def find_flight_frames(positions: FloatArray, flights: FloatArray, period: float | None) -> FloatArray:
    """Return the fractional output frames (N, 2) at which flights begin and end, in order.

    Parameters
    ----------
    positions
        (T,) positions of the output frames on the timewarp curve, increasing, or decreasing throughout.
    flights
        (F, 4) positions of take-off and landing, and ramps.
    period
        Pieces of one cycle, or None if the curve does not repeat.

    >>> find_flight_frames(np.arange(10.0), np.array([[2.5, 4.0, 1.0, 1.0]]), None).tolist()
    [[2.5, 4.0]]
    """
    if len(positions) < 2:
        return np.empty((0, 2))
    spans = flights[:, :2]
    if period is not None:
        low, high = np.sort(positions[[0, -1]])
        cycles = np.arange(np.floor(low / period) - 1.0, np.ceil(high / period) + 1.0) * period
        spans = (cycles[:, None, None] + spans).reshape(-1, 2)
    if positions[-1] < positions[0]:
        positions, spans = -positions, -spans[:, ::-1]
    # Where the blend stops in the air, its last step says when it would land.
    far = len(positions) - 1 + (spans - positions[-1]) / max(positions[-1] - positions[-2], 1e-9)
    inside = np.interp(spans, positions, np.arange(len(positions)))
    frames = np.where(spans > positions[-1], far, inside)
    reached = (spans[:, 1] > positions[0]) & (spans[:, 0] < positions[-1])
    return np.asarray(frames[reached][np.argsort(frames[reached, 0])])


def hold_in_flight(n_frames: int, flights: FloatArray, frame_time: float) -> FloatArray:
    """Return for each output frame (T,) the frame whose weights it takes.

    In flights (N, 2), the frame in the middle; on the ground, frames that make up for it over
    :data:`CATCH_UP` seconds, or over the whole time between two flights where that is shorter. A blend that
    begins in the air keeps its first weights.

    >>> hold_in_flight(5, np.array([[1.0, 3.0]]), 1.0).round(3).tolist()
    [0.0, 2.0, 2.0, 2.0, 4.0]
    """
    frames = np.arange(n_frames, dtype=np.float64)
    if not len(flights):
        return frames
    catch_up = CATCH_UP / frame_time
    # Frame, the frame whose weights it takes, and how many frames of weights pass per frame.
    knots: list[tuple[float, float, float]] = []
    landing = None
    for start, end in flights.tolist():
        centre = 0.0 if start <= 0.0 else (start + end) / 2.0
        if landing is None and start > 0.0:
            knots += [(0.0, 0.0, 1.0)]
        if start - (0.0 if landing is None else landing + catch_up) > catch_up:
            early, late = (0.0 if landing is None else landing) + catch_up, start - catch_up
            knots += [] if landing is None else [(early, early, 1.0)]
            knots += [(late, late, 1.0)]
        knots += [(start, centre, 0.0), (end, centre, 0.0)]
        landing = end
    knots += [
        (end + catch_up, end + catch_up, 1.0),
        (end + catch_up + n_frames, end + catch_up + n_frames, 1.0),
    ]
    t, y, slopes = np.array(knots).T
    held = HermiteCurve(t, y[:, None], slopes[:, None])(frames)[:, 0]
    for start, end in flights.tolist():
        # Constant to the last bit.
        held[(frames >= start) & (frames <= end)] = 0.0 if start <= 0.0 else (start + end) / 2.0
    return np.asarray(held)

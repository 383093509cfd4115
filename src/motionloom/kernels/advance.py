"""Advance along a timewarp curve at the weighted mean rate of its clips (RK4)."""

from __future__ import annotations

import numpy as np

from motionloom.kernels.array_types import Floats, Floats1, Floats2, OutFloats1
from motionloom.kernels.compiling import kernel

SUBSTEPS = 4
"""RK4 steps per frame. Rates have kinks at the knots of the curve; steps of a quarter of a frame keep the
error below a hundredth of a frame over a clip."""

MIN_RATE_FRACTION = 0.5
"""Extrapolating weights may slow time down to this fraction of the slowest clip's rate, and speed it up to
the reciprocal times the fastest clip's rate, so that time never stops."""

BY_FREQUENCY, BY_DURATION, BALLISTIC, BALLISTIC_IN_FLIGHT = 0, 1, 2, 3
"""Rate laws: average the clips' rates, or the times they take, or the squares of these times; the last in
flights only, and rates elsewhere, up to :data:`MAX_SPEED_UP`."""

MAX_SPEED_UP = 1.25
"""How much faster than with averaged durations the law that chooses for itself may run. Joints of a blend
move at the clips' mean speed times this at most: averaged durations never raise it, averaged rates raise it
by a third where one clip runs three times as fast as another, and by more beyond."""

END_SLACK = 5e-3
"""How far past the last knot, in pieces, a step still counts as ending on it: the accumulated error of RK4,
so that the last frame is not lost."""


@kernel
def advance(
    points: Floats2,
    periodic: bool,
    flights: Floats2,
    weights: Floats2,
    first: float,
    step: float,
    law: int,
    euler: bool,
    out_positions: OutFloats1,
) -> int:
    """Fill the positions on the curve of output frames 0, 1, …; return how many lie on it.

    ``points`` (D, K) are the control points of a quadratic B-spline with D − 2 pieces, in frames; positions
    count pieces. Row i of ``weights`` (N, K), with sum 1, belongs to output frame i; weights are linear
    between rows. ``flights`` (F, 4) are as in :func:`flight_fraction`. ``step`` is the number of source
    frames per output frame, negative to go backward. Positions on a periodic curve run on beyond its last
    piece.
    """
    n_frames: int = out_positions.shape[0]
    n_pieces: int = points.shape[0] - 2
    position = first
    for i in range(n_frames):
        out_positions[i] = position
        if i + 1 == n_frames:
            break
        before, after = weights[i], weights[i + 1]
        sole = _sole_clip(before, after)
        if sole >= 0:
            position = _play(points, periodic, sole, position, step)
        elif euler:
            position += step * rate(points, periodic, flights, before, before, 0.0, position, law)
        else:
            position = _rk4_step(points, periodic, flights, before, after, position, step, law)
        if periodic:
            continue
        if not -END_SLACK <= position <= n_pieces + END_SLACK:
            return i + 1
        position = min(max(position, 0.0), float(n_pieces))
    return n_frames


@kernel
def rate(
    points: Floats2,
    periodic: bool,
    flights: Floats2,
    before: Floats1,
    after: Floats1,
    fraction: float,
    position: float,
    law: int,
) -> float:
    """Return the rate at a position, in pieces per source frame, with weights interpolated between rows."""
    n_pieces = points.shape[0] - 2
    if periodic:
        position -= np.floor(position / n_pieces) * n_pieces
    piece = min(max(int(np.floor(position)), 0), n_pieces - 1)
    t = min(max(position - piece, 0.0), 1.0)
    frequency, duration, square, min_slope, max_slope = 0.0, 0.0, 0.0, np.inf, 0.0
    for k in range(points.shape[1]):
        slope = (1.0 - t) * (points[piece + 1, k] - points[piece, k])
        slope += t * (points[piece + 2, k] - points[piece + 1, k])
        weight = before[k] + fraction * (after[k] - before[k])
        frequency += weight / slope
        duration += weight * slope
        square += weight * slope * slope
        min_slope, max_slope = min(min_slope, slope), max(max_slope, slope)
    low, high = MIN_RATE_FRACTION / max_slope, 1.0 / (min_slope * MIN_RATE_FRACTION)
    if law == BY_DURATION:
        return 1.0 / min(max(duration, 1.0 / high), 1.0 / low)
    frequency = min(max(frequency, low), high)
    if law == BY_FREQUENCY:
        return frequency
    if law == BALLISTIC_IN_FLIGHT and duration > 0.0:
        frequency = min(frequency, MAX_SPEED_UP / duration)
    ballistic = flight_fraction(flights, n_pieces, position) if law == BALLISTIC_IN_FLIGHT else 1.0
    ballistic *= ballistic_fraction(square, min_slope)
    if ballistic == 0.0:
        return frequency
    time: float = (1.0 - ballistic) / frequency + ballistic * min(np.sqrt(square), 1.0 / low)
    return 1.0 / time


@kernel
def flight_fraction(flights: Floats, n_pieces: int, position: float) -> float:
    """Return 1 in flight, 0 on the ground, and a smooth ramp between them.

    ``flights`` (F, 4): positions of take-off and landing, and the lengths of the ramps before and after.
    Those of a periodic curve may reach beyond its last piece.
    """
    fraction = 0.0
    for f in range(flights.shape[0]):
        for cycle in range(-1, 2):
            at = position + cycle * n_pieces
            outside = 0.0
            if at < flights[f, 0]:
                outside = (flights[f, 0] - at) / max(flights[f, 2], 1e-9)
            elif at > flights[f, 1]:
                outside = (at - flights[f, 1]) / max(flights[f, 3], 1e-9)
            if outside < 1.0:
                fraction = max(fraction, 1.0 - outside * outside * (3.0 - 2.0 * outside))
    return fraction


@kernel
def flight_fractions(flights: Floats2, n_pieces: int, positions: Floats1, out: OutFloats1) -> None:
    """Write the fraction of :func:`flight_fraction` at positions (T,)."""
    for t in range(positions.shape[0]):
        out[t] = flight_fraction(flights, n_pieces, positions[t])


@kernel
def ballistic_fraction(square: float, min_slope: float) -> float:
    """Return 1 where the weighted mean square of the slopes is a time, 0 where extrapolation leaves none."""
    limit = (MIN_RATE_FRACTION * min_slope) ** 2
    s = min(max(square / limit - 1.0, 0.0), 1.0)
    return s * s * (3.0 - 2.0 * s)


@kernel
def _rk4_step(
    points: Floats,
    periodic: bool,
    flights: Floats,
    before: Floats,
    after: Floats,
    position: float,
    step: float,
    law: int,
) -> float:
    """Return the position one output frame later by classical Runge-Kutta steps."""
    h = step / SUBSTEPS
    for s in range(SUBSTEPS):
        start, half, end = s / SUBSTEPS, (s + 0.5) / SUBSTEPS, (s + 1.0) / SUBSTEPS
        a = rate(points, periodic, flights, before, after, start, position, law)
        b = rate(points, periodic, flights, before, after, half, position + h / 2 * a, law)
        c = rate(points, periodic, flights, before, after, half, position + h / 2 * b, law)
        d = rate(points, periodic, flights, before, after, end, position + h * c, law)
        position += h / 6 * (a + 2 * b + 2 * c + d)
    return position


@kernel
def _sole_clip(before: Floats, after: Floats) -> int:
    """Return the clip that has all the weight throughout a step, or −1."""
    sole = -1
    for k in range(before.shape[0]):
        if sole < 0 and before[k] == 1.0 and after[k] == 1.0:
            sole = k
        elif before[k] != 0.0 or after[k] != 0.0:
            return -1
    return sole


@kernel
def _play(points: Floats, periodic: bool, k: int, position: float, step: float) -> float:
    """Return the position at which clip k is ``step`` of its own frames later, exactly: copies stay exact."""
    n_pieces = points.shape[0] - 2
    cycles = float(np.floor(position / n_pieces)) if periodic else 0.0
    frame = spline_value(points, k, position - cycles * n_pieces) + step
    if periodic:
        first, last = spline_value(points, k, 0.0), spline_value(points, k, float(n_pieces))
        passed = np.floor((frame - first) / (last - first))
        frame -= passed * (last - first)
        cycles += passed
    return cycles * float(n_pieces) + _spline_position(points, k, frame)


@kernel
def spline_value(points: Floats, k: int, position: float) -> float:
    """Evaluate column k of a uniform quadratic B-spline."""
    piece = min(max(int(np.floor(position)), 0), points.shape[0] - 3)
    t = position - piece
    first, second, third = points[piece, k], points[piece + 1, k], points[piece + 2, k]
    value: float = (first + second) / 2 + t * ((second - first) + t / 2 * (third - 2 * second + first))
    return value


@kernel
def _spline_position(points: Floats, k: int, value: float) -> float:
    """Invert the increasing column k of a B-spline; beyond its ends it continues in a straight line."""
    low, high = 0, points.shape[0] - 3
    while low < high:
        mid = (low + high + 1) // 2
        if (points[mid, k] + points[mid + 1, k]) / 2 <= value:
            low = mid
        else:
            high = mid - 1
    first, second, third = points[low, k], points[low + 1, k], points[low + 2, k]
    ahead, slope = value - (first + second) / 2, second - first
    bend = third - second - slope
    whole = slope + bend / 2
    within: float = 2.0 * ahead / (slope + np.sqrt(max(slope * slope + 2.0 * bend * ahead, 0.0)))
    if ahead < 0.0:
        within = ahead / slope
    elif ahead > whole:
        within = 1.0 + (ahead - whole) / (slope + bend)
    return low + within

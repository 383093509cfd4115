"""Moving along a timewarp curve at the rate that weighted clips ask for."""

from __future__ import annotations

import numpy as np

from motionloom.kernels.compiling import Floats, kernel

SUBSTEPS = 4
"""Runge-Kutta steps per frame. The rates have kinks at the knots; a quarter of a frame keeps what they cost
below a hundredth of a frame over a clip."""

LEAST_SHARE = 0.5
"""Extrapolating weights may slow time down to this share of the slowest clip's rate, and speed it up to the
reciprocal of the fastest's, so that time never stops."""

BY_FREQUENCY, BY_DURATION = 0, 1
"""Whether the clips' rates are averaged, or the times they take."""

END_SLACK = 5e-3
"""How far past the last knot, in pieces, a step still counts as ending on it: what Runge-Kutta steps may be
off by then, so that the last frame is not lost to rounding."""


@kernel
def advance(
    points: Floats,
    periodic: bool,
    weights: Floats,
    first: float,
    step: float,
    law: int,
    euler: bool,
    out_positions: Floats,
) -> int:
    """Fill the positions on the curve of output frames 0, 1, …; return how many lie on it.

    ``points`` (D, K) are the control points of a quadratic B-spline with D − 2 pieces, in frames; positions
    count pieces. Row i of ``weights`` (N, K), with sum 1, belongs to output frame i; weights are linear
    between rows. ``step`` is the number of source frames per output frame, negative to go backward. Positions
    on a periodic curve run on beyond its last piece.
    """
    n_frames: int = out_positions.shape[0]
    n_pieces: int = points.shape[0] - 2
    position = first
    for i in range(n_frames):
        out_positions[i] = position
        if i + 1 == n_frames:
            break
        before, after = weights[i], weights[i + 1]
        copied = _sole_clip(before, after)
        if copied >= 0:
            position = _played(points, periodic, copied, position, step)
        elif euler:
            position += step * rate(points, periodic, before, before, 0.0, position, law)
        else:
            position = _runge_kutta(points, periodic, before, after, position, step, law)
        if periodic:
            continue
        if not -END_SLACK <= position <= n_pieces + END_SLACK:
            return i + 1
        position = min(max(position, 0.0), float(n_pieces))
    return n_frames


@kernel
def rate(
    points: Floats, periodic: bool, before: Floats, after: Floats, share: float, position: float, law: int
) -> float:
    """Pieces per source frame at a position, for weights a share of the way between two rows."""
    n_pieces = points.shape[0] - 2
    if periodic:
        position -= np.floor(position / n_pieces) * n_pieces
    piece = min(max(int(np.floor(position)), 0), n_pieces - 1)
    t = min(max(position - piece, 0.0), 1.0)
    total, slowest, fastest = 0.0, np.inf, 0.0
    for k in range(points.shape[1]):
        slope = (1.0 - t) * (points[piece + 1, k] - points[piece, k])
        slope += t * (points[piece + 2, k] - points[piece + 1, k])
        weight = before[k] + share * (after[k] - before[k])
        total += weight / slope if law == BY_FREQUENCY else weight * slope
        slowest, fastest = min(slowest, 1.0 / slope), max(fastest, 1.0 / slope)
    low, high = LEAST_SHARE * slowest, fastest / LEAST_SHARE
    if law == BY_FREQUENCY:
        return min(max(total, low), high)
    return 1.0 / min(max(total, 1.0 / high), 1.0 / low)


@kernel
def _runge_kutta(
    points: Floats, periodic: bool, before: Floats, after: Floats, position: float, step: float, law: int
) -> float:
    h = step / SUBSTEPS
    for s in range(SUBSTEPS):
        low, middle, high = s / SUBSTEPS, (s + 0.5) / SUBSTEPS, (s + 1.0) / SUBSTEPS
        a = rate(points, periodic, before, after, low, position, law)
        b = rate(points, periodic, before, after, middle, position + h / 2 * a, law)
        c = rate(points, periodic, before, after, middle, position + h / 2 * b, law)
        d = rate(points, periodic, before, after, high, position + h * c, law)
        position += h / 6 * (a + 2 * b + 2 * c + d)
    return position


@kernel
def _sole_clip(before: Floats, after: Floats) -> int:
    """The clip that has all the weight throughout a step, or −1."""
    sole = -1
    for k in range(before.shape[0]):
        if sole < 0 and before[k] == 1.0 and after[k] == 1.0:
            sole = k
        elif before[k] != 0.0 or after[k] != 0.0:
            return -1
    return sole


@kernel
def _played(points: Floats, periodic: bool, k: int, position: float, step: float) -> float:
    """Where clip k stands ``step`` of its frames later: exact, so that a copy stays one."""
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
    """Value of column k of a uniform quadratic B-spline."""
    piece = min(max(int(np.floor(position)), 0), points.shape[0] - 3)
    t = position - piece
    first, second, third = points[piece, k], points[piece + 1, k], points[piece + 2, k]
    value: float = (first + second) / 2 + t * ((second - first) + t / 2 * (third - 2 * second + first))
    return value


@kernel
def _spline_position(points: Floats, k: int, value: float) -> float:
    """Where the increasing column k takes a value; beyond its ends the outermost pieces go on straight."""
    low, high = 0, points.shape[0] - 3
    while low < high:
        middle = (low + high + 1) // 2
        if (points[middle, k] + points[middle + 1, k]) / 2 <= value:
            low = middle
        else:
            high = middle - 1
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

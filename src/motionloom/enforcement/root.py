"""Moving the whole body so that planted feet are within reach of their legs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.arrays import BoolArray, FloatArray
from motionloom.enforcement.spreading import envelope, smoothed
from motionloom.ik import vectors

MOST_PASSES = 6
"""Smoothing takes a little of each move away again; so many rounds bring the rest below :data:`CLOSE`."""

CLOSE = 1e-5
"""Metres out of reach that do not matter."""

LEAST_ANGLE = 0.01
"""Squared angle, radians, below which two legs count as parallel."""

_LEAST = 1e-12


@dataclass(frozen=True, eq=False)
class Ball:
    """Shifts of the body that keep one foot within reach.

    ``centres`` (T, 3) and ``radii`` (T,) in metres.
    """

    centres: FloatArray
    radii: FloatArray


def nearest_within(points: FloatArray, balls: Sequence[Ball]) -> FloatArray:
    """The points (T, 3) within at most two balls that are nearest to the given ones (T, 3).

    Between balls that do not meet, it is the middle of the gap.

    >>> one = Ball(np.zeros((1, 3)), np.ones(1))
    >>> two = Ball(np.array([[1.0, 0, 0]]), np.ones(1))
    >>> nearest_within(np.array([[0.5, 3.0, 0]]), [one, two]).round(3).tolist()
    [[0.5, 0.866, 0.0]]
    """
    if not balls:
        return points
    alone = [_projected(points, ball) for ball in balls]
    if len(balls) == 1:
        return alone[0]
    first, second = balls
    found = _on_both(points, first, second)
    found = np.where(_within(alone[1], first)[:, None], alone[1], found)
    return np.where(_within(alone[0], second)[:, None], alone[0], found)


def shifted_within(shifts: FloatArray, balls: Sequence[Ball], reach: float) -> FloatArray:
    """Shifts (T, 3) of the body changed smoothly, over ``reach`` frames, so that they lie within the balls.

    >>> low = Ball(np.tile([0.0, -1.0, 0.0], (5, 1)), np.array([2.0, 2.0, 0.9, 2.0, 2.0]))
    >>> shifted_within(np.zeros((5, 3)), [low], 1.0)[:, 1].round(3).tolist()
    [-0.025, -0.075, -0.1, -0.075, -0.025]
    """
    for _ in range(MOST_PASSES if balls else 0):
        missing = nearest_within(shifts, balls) - shifts
        sizes = vectors.lengths(missing)
        if sizes.max(initial=0.0) < CLOSE:
            break
        ways = smoothed(missing, 2.0 * reach)
        lengths = vectors.lengths(ways)[..., None]
        shifts = shifts + ways / np.maximum(lengths, _LEAST) * envelope(sizes, reach)[:, None]
    return shifts


def least_shifts(ways: Sequence[FloatArray], amounts: Sequence[FloatArray]) -> FloatArray:
    """The smallest shifts (T, 3) that lead by the given amounts (T,) along unit ways (T, 3), or nearly so.

    Two ways that are almost the same ask for almost the same amount; what differs is left.

    >>> least_shifts([np.array([[0.0, 1.0, 0.0]])], [np.array([0.1])]).round(2).tolist()
    [[0.0, 0.1, 0.0]]
    """
    across = np.stack(ways, axis=1)
    gram = np.einsum("tik,tjk->tij", across, across) + LEAST_ANGLE * np.eye(len(ways))
    shares = np.linalg.solve(gram, np.stack(amounts, axis=1)[..., None])
    return np.asarray(np.einsum("tij,tik->tk", shares, across))


def _projected(points: FloatArray, ball: Ball) -> FloatArray:
    """The nearest points (T, 3) of one ball."""
    ways = points - ball.centres
    lengths = vectors.lengths(ways)
    outside = lengths > ball.radii
    share = np.where(outside, ball.radii / np.maximum(lengths, _LEAST), 1.0)
    return np.where(outside[:, None], ball.centres + ways * share[:, None], points)


def _within(points: FloatArray, ball: Ball) -> BoolArray:
    lengths = vectors.lengths(points - ball.centres)
    return np.asarray(lengths <= ball.radii + _LEAST)


def _on_both(points: FloatArray, one: Ball, two: Ball) -> FloatArray:
    """The nearest points (T, 3) of the circles in which the surfaces of two balls meet."""
    between = two.centres - one.centres
    apart = np.maximum(vectors.lengths(between), _LEAST)
    axis = between / apart[:, None]
    meeting = (apart**2 + one.radii**2 - two.radii**2) / (2.0 * apart)
    gap = apart >= one.radii + two.radii
    along = np.where(gap, (apart + one.radii - two.radii) / 2.0, meeting)
    middle = one.centres + along[:, None] * axis
    radius = np.where(gap, 0.0, np.sqrt(np.maximum(one.radii**2 - along**2, 0.0)))
    ways = points - middle
    ways -= vectors.dots(ways, axis)[..., None] * axis
    lengths = np.maximum(vectors.lengths(ways)[..., None], _LEAST)
    return np.asarray(middle + radius[:, None] * ways / lengths)

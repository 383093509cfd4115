"""Local rotations from the Euler channels of a file, and back."""

from __future__ import annotations

from math import atan2, cos, pi, sin, sqrt

from numpy import rint

from motionloom.kernels.array_types import Floats2, Floats3, Ints2, OutFloats2, OutFloats3
from motionloom.kernels.compiling import kernel

HALF_DEGREE = pi / 360.0
QUARTER_TURN = 90.0  # degrees
LOCKED = 1e-12  # length below which the direction of a pair of quaternion sums is rounding error
CLEARLY = 1e-3  # squared degrees by which the other solution must be nearer: more than printed digits differ


@kernel
def rotations_from_channels(
    values: Floats2, columns: Ints2, axes: Ints2, out: OutFloats3, start: int, stop: int
) -> None:
    """Fill local rotations (T, J, 4) from channel values (T, C) in degrees.

    Joint j turns about ``axes[j, n]`` (0, 1, 2 for x, y, z) by column ``columns[j, n]``, outermost first;
    where the column is −1 it does not turn.
    """
    for t in range(start, stop):
        for j in range(columns.shape[0]):
            w, x, y, z = 1.0, 0.0, 0.0, 0.0
            for n in range(3):
                column = columns[j, n]
                if column < 0:
                    continue
                half = values[t, column] * HALF_DEGREE
                c, s = cos(half), sin(half)
                axis = axes[j, n]
                if axis == 0:
                    w, x, y, z = w * c - x * s, x * c + w * s, y * c + z * s, z * c - y * s
                elif axis == 1:
                    w, x, y, z = w * c - y * s, x * c - z * s, y * c + w * s, z * c + x * s
                else:
                    w, x, y, z = w * c - z * s, x * c + y * s, y * c - x * s, z * c + w * s
            out[t, j, 0] = w
            out[t, j, 1] = x
            out[t, j, 2] = y
            out[t, j, 3] = z


@kernel
def channels_from_rotations(
    rotations: Floats3, columns: Ints2, axes: Ints2, out: OutFloats2, start: int, stop: int
) -> None:
    """Fill the Euler channels of ``out`` (T, C), in degrees, from local rotations (T, J, 4).

    All three entries of ``axes[j]`` are set and differ; angles whose column is −1 are dropped. With
    ``q = qa(α) qb(β) qc(γ)`` and e the parity of the axes, ``w ± qb`` and ``qa ± e qc`` are the sines and
    cosines of ``(α ± eγ) / 2`` times the lengths that give β, which stays accurate at gimbal lock. There
    only a sum of α and γ is determined, and γ is zero.
    """
    for t in range(start, stop):
        for j in range(columns.shape[0]):
            a, b, c = axes[j, 0], axes[j, 1], axes[j, 2]
            parity = 1.0 if (b - a) % 3 == 1 else -1.0
            w, qa, qb = rotations[t, j, 0], rotations[t, j, 1 + a], rotations[t, j, 1 + b]
            qc = parity * rotations[t, j, 1 + c]

            half_sum = atan2(qa + qc, w + qb)
            half_difference = atan2(qa - qc, w - qb)
            far, near = sqrt((qa + qc) ** 2 + (w + qb) ** 2), sqrt((qa - qc) ** 2 + (w - qb) ** 2)
            if near < LOCKED:
                half_difference = half_sum
            if far < LOCKED:
                half_sum = half_difference
            angles = (
                half_sum + half_difference,
                2.0 * atan2(far, near) - pi / 2.0,
                parity * (half_sum - half_difference),
            )
            for n in range(3):
                if columns[j, n] >= 0:
                    degrees = angles[n] * (180.0 / pi)
                    out[t, columns[j, n]] = degrees - 360.0 * rint(degrees / 360.0)


@kernel
def _nearest(angle: float, before: float) -> float:
    """The angle in degrees, by full turns as near as possible to the one before."""
    return float(angle - 360.0 * rint((angle - before) / 360.0))


@kernel
def _twin(angle: float, place: int, before: float) -> float:
    """The angle at this place of the other Euler solution, as near as possible to the one before."""
    return _nearest(180.0 - angle if place == 1 else angle + 180.0, before)


@kernel
def make_continuous(values: OutFloats2, columns: Ints2) -> None:
    """Choose among equal Euler angles (T, C), in degrees, those nearest to the row before.

    Full turns are added to single angles. A joint whose three columns are all there, so that its angles are
    about different axes, can also be turned by (α + 180, 180 − β, γ + 180): beyond a quarter turn of the
    middle angle that is the solution without a jump. The first angles of the two lie half a turn apart, so
    the other one cannot be nearer than a quarter turn to a row whose own is nearer than that.
    """
    for t in range(1, values.shape[0]):
        for j in range(columns.shape[0]):
            plain, twin, whole = 0.0, 0.0, True
            for n in range(3):
                column = columns[j, n]
                if column < 0:
                    whole = False
                    continue
                before = values[t - 1, column]
                values[t, column] = _nearest(values[t, column], before)
                plain += (values[t, column] - before) ** 2
            if not whole or plain < QUARTER_TURN**2:
                continue
            for n in range(3):
                before = values[t - 1, columns[j, n]]
                twin += (_twin(values[t, columns[j, n]], n, before) - before) ** 2
            if twin < plain - CLEARLY:
                for n in range(3):
                    column = columns[j, n]
                    values[t, column] = _twin(values[t, column], n, values[t - 1, column])

"""Local rotations from the Euler channels of a file, and back."""

from __future__ import annotations

from math import atan2, cos, hypot, pi, sin

from numpy import rint

from motionloom.kernels.compiling import Floats, Ints, kernel

HALF_DEGREE = pi / 360.0


@kernel
def rotations_from_channels(
    values: Floats, columns: Ints, axes: Ints, out: Floats, start: int, stop: int
) -> None:
    """Fill local rotations (T, J, 4) from channel values (T, C) in degrees.

    Joint j turns about ``axes[j, n]`` (0, 1, 2 for x, y, z) by column ``columns[j, n]``, outermost first; a
    column of −1 ends the list.
    """
    for t in range(start, stop):
        for j in range(columns.shape[0]):
            w, x, y, z = 1.0, 0.0, 0.0, 0.0
            for n in range(3):
                column = columns[j, n]
                if column < 0:
                    break
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
    rotations: Floats, columns: Ints, axes: Ints, out: Floats, start: int, stop: int
) -> None:
    """Fill the Euler channels of ``out`` (T, C), in degrees, from local rotations (T, J, 4).

    All three entries of ``axes[j]`` are set and differ; angles whose column is −1 are dropped. With
    ``q = qa(α) qb(β) qc(γ)`` and e the parity of the axes, ``w ± qb`` and ``qa ± e qc`` are the sines and
    cosines of ``(α ± eγ) / 2`` times the lengths that give β, which stays accurate at gimbal lock.
    """
    for t in range(start, stop):
        for j in range(columns.shape[0]):
            a, b, c = axes[j, 0], axes[j, 1], axes[j, 2]
            parity = 1.0 if (b - a) % 3 == 1 else -1.0
            w, qa, qb = rotations[t, j, 0], rotations[t, j, 1 + a], rotations[t, j, 1 + b]
            qc = parity * rotations[t, j, 1 + c]

            half_sum = atan2(qa + qc, w + qb)
            half_difference = atan2(qa - qc, w - qb)
            far, near = hypot(qa + qc, w + qb), hypot(qa - qc, w - qb)
            if near < 1e-12:
                half_difference = 0.0
            if far < 1e-12:
                half_sum = 0.0
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
def make_continuous(values: Floats, columns: Ints) -> None:
    """Add full turns to angle columns (in degrees) so that no step from row to row exceeds half a turn."""
    for t in range(1, values.shape[0]):
        for column in columns:
            step = values[t, column] - values[t - 1, column]
            values[t, column] -= 360.0 * rint(step / 360.0)

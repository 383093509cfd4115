"""What a moved body does to the knees of its legs, as terms of a least-squares problem."""

from __future__ import annotations

from math import acos, sin, sqrt

from motionloom.kernels.array_types import Bools1, Floats1, Floats2, OutFloats2
from motionloom.kernels.compiling import kernel

MIN_PRODUCT = 1e-12
"""Square metres: the product of two bones is at least this."""


@kernel
def weigh_knee(
    columns: OutFloats2,
    right: OutFloats2,
    values: Floats2,
    own: int,
    legs: Floats2,
    thighs: Floats1,
    shins: Floats1,
    reaches: Floats1,
    held: Bools1,
    knee_room: float,
    max_knee_change: float,
    max_growth: float,
    reach_room: float,
    min_length: float,
    min_lever: float,
    min_change: float,
) -> None:
    """Let a knee keep its angle, and a foot that is held be within reach.

    Of the unknowns ``values`` (T, D), whose equations are ``columns`` and ``right`` (:mod:`.banded`), the
    first three shift the hip, those from ``own`` on the ankle. ``legs`` (T, 3) lead from hip to ankle.
    Directions and weights are those of the values given.
    """
    size = values.shape[1]
    for t in range(values.shape[0]):
        x = legs[t, 0] + values[t, own] - values[t, 0]
        y = legs[t, 1] + values[t, own + 1] - values[t, 1]
        z = legs[t, 2] + values[t, own + 2] - values[t, 2]
        usual = sqrt(legs[t, 0] ** 2 + legs[t, 1] ** 2 + legs[t, 2] ** 2)
        exact = sqrt(x * x + y * y + z * z)
        length = max(exact, min_length)
        change = length - usual
        # How much the angle of the knee changes with the length of the leg.
        angle = _angle_of_length(thighs[t], shins[t], usual)
        bend = abs(_angle_of_length(thighs[t], shins[t], length) - angle)
        lever = thighs[t] * shins[t] * sin(angle) / max(usual, min_length)
        rate = bend / abs(change) if abs(change) > min_change else 0.0
        rate = max(rate, 1.0 / (lever + min_lever))
        growth = 1.0 + min((rate * change / max_knee_change) ** 2, max_growth)
        weight = (rate / knee_room) ** 2 * growth
        over = max(length - reaches[t], 0.0) if held[t] else 0.0
        weight_over = 1.0 / reach_room**2 if over > 0.0 else 0.0
        # A leg that is too long does not get shorter by moving sideways far.
        sideways = (weight * max(change, 0.0) + weight_over * over) / length
        along = (x / length, y / length, z / length)
        now = 0.0
        for a in range(3):
            now += along[a] * (values[t, own + a] - values[t, a])
        pull = weight * (now - change) + weight_over * (now - over)
        for a in range(3):
            hip, ankle = t * size + a, t * size + own + a
            # Against the unit vector of each axis, less what of it lies along the leg.
            across = values[t, own + a] - values[t, a] - along[a] * now
            force = pull * along[a] + sideways * across
            right[t, own + a] += force
            right[t, a] -= force
            for b in range(3):
                product = (weight + weight_over - sideways) * along[a] * along[b]
                if a == b:
                    product += sideways
                columns[hip, own + b - a] -= product
                if b >= a:
                    columns[hip, b - a] += product
                    columns[ankle, b - a] += product


@kernel
def _angle_of_length(upper: float, lower: float, length: float) -> float:
    """Return the angle at the joint of a limb whose ends are so far apart, radians."""
    cosine = (upper**2 + lower**2 - length**2) / max(2.0 * upper * lower, MIN_PRODUCT)
    return acos(min(max(cosine, -1.0), 1.0))

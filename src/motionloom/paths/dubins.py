"""Dubins paths: the shortest lines between two directed places that never bend more tightly than a radius.

Each is an arc, a straight line and an arc, or three arcs (Dubins 1957). They say how short a route to a place
can be, and guide the search for one.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import acos, atan2, ceil, cos, pi, sin, sqrt

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.validation import check_positive

WORDS = ("LSL", "RSR", "LSR", "RSL", "RLR", "LRL")
"""Turn left, go straight, turn right."""

TOUCHING = 1e-12
"""Square of a straight part, in radii, that is none: its direction would be that of rounding errors."""

STEP = 0.05
"""Metres between points of a sampled path."""

Place = tuple[float, float, float]
"""x, z and yaw, 0 along +Z, positive towards +X."""


@dataclass(frozen=True)
class DubinsPath:
    """One of the lines between two places.

    Attributes
    ----------
    word
        What its three parts are, as "LSR".
    parts
        Their lengths in metres.
    radius
        Of the arcs, metres.
    start
        Where it begins.
    """

    word: str
    parts: tuple[float, float, float]
    radius: float
    start: Place

    @property
    def length(self) -> float:
        """Metres."""
        return sum(self.parts)

    def points(self) -> FloatArray:
        """Return points (N, 2) along the line, 5 cm apart or less."""
        x, z, yaw = self.start
        rows = [(x, z)]
        for kind, length in zip(self.word, self.parts, strict=True):
            if length < 1e-9:
                continue
            n = max(1, ceil(length / STEP))
            bend = {"L": 1.0, "S": 0.0, "R": -1.0}[kind] / self.radius
            for _ in range(n):
                half = 0.5 * bend * length / n
                # The chord of an arc is shorter than the arc.
                chord = length / n * (sin(half) / half if abs(half) > 1e-9 else 1.0)
                x, z, yaw = x + chord * sin(yaw + half), z + chord * cos(yaw + half), yaw + 2.0 * half
                rows.append((x, z))
        return np.array(rows)


def list_dubins(start: Place, end: Place, radius: float) -> list[DubinsPath]:
    """Return the lines between two directed places, the shortest first.

    Parameters
    ----------
    start, end
        x, z and yaw, metres and radians; yaw 0 is along +Z, positive towards +X, which is to the left.
    radius
        Smallest radius, metres.

    >>> best = list_dubins((0, 0, 0), (0, 5, 0), 1.0)[0]
    >>> round(best.length, 9)
    5.0
    """
    radius = check_positive("radius", radius, unit="metres")
    dx, dz = end[0] - start[0], end[1] - start[1]
    distance = sqrt(dx * dx + dz * dz) / radius
    # Angles of the textbook run counterclockwise; seen with +Z ahead and +X to the left, so do yaws.
    towards = atan2(dx, dz)
    a, b = start[2] - towards, end[2] - towards
    found = []
    for word in WORDS:
        parts = _solve(word, a % (2.0 * pi), b % (2.0 * pi), distance)
        if parts is not None:
            t, p, q = (radius * part for part in parts)
            found.append(DubinsPath(word, (t, p, q), radius, start))
    return sorted(found, key=lambda path: path.length)


def dubins_length(start: Place, end: Place, radius: float) -> float:
    """Return the length of the shortest line between two directed places, metres.

    >>> round(dubins_length((0, 0, 0), (2, 0, np.pi), 1.0), 6) == round(np.pi, 6)
    True
    """
    return list_dubins(start, end, radius)[0].length


def _solve(word: str, a: float, b: float, d: float) -> tuple[float, float, float] | None:
    """Return the parts of a line in units of the radius, or None where there is none (Shkel & Lumelsky)."""
    sa, sb, ca, cb, cab = sin(a), sin(b), cos(a), cos(b), cos(a - b)
    if word == "LSL":
        squared = 2.0 + d * d - 2.0 * cab + 2.0 * d * (sa - sb)
        if squared < TOUCHING:
            return _unwind(b - a), 0.0, 0.0
        angle = atan2(cb - ca, d + sa - sb)
        return _parts(angle - a, squared, b - angle)
    if word == "RSR":
        squared = 2.0 + d * d - 2.0 * cab + 2.0 * d * (sb - sa)
        if squared < TOUCHING:
            return _unwind(a - b), 0.0, 0.0
        angle = atan2(ca - cb, d - sa + sb)
        return _parts(a - angle, squared, angle - b)
    if word == "LSR":
        squared = -2.0 + d * d + 2.0 * cab + 2.0 * d * (sa + sb)
        if squared < 0.0:
            return None
        angle = atan2(-ca - cb, d + sa + sb) - atan2(-2.0, sqrt(squared))
        return _parts(angle - a, squared, angle - b)
    if word == "RSL":
        squared = -2.0 + d * d + 2.0 * cab - 2.0 * d * (sa + sb)
        if squared < 0.0:
            return None
        angle = atan2(ca + cb, d - sa - sb) - atan2(2.0, sqrt(squared))
        return _parts(a - angle, squared, b - angle)
    side = 1.0 if word == "RLR" else -1.0
    cosine = (6.0 - d * d + 2.0 * cab + 2.0 * d * side * (sa - sb)) / 8.0
    if abs(cosine) > 1.0:
        return None
    p = 2.0 * pi - acos(cosine)
    if word == "RLR":
        t = (a - atan2(ca - cb, d - sa + sb) + 0.5 * p) % (2.0 * pi)
        return t, p, (a - b - t + p) % (2.0 * pi)
    t = (-a - atan2(ca - cb, d + sa - sb) + 0.5 * p) % (2.0 * pi)
    return t, p, (b - a - t + p) % (2.0 * pi)


def _parts(first: float, squared: float, last: float) -> tuple[float, float, float] | None:
    """Return two angles within a full circle, and the straight part between them."""
    return None if squared < 0.0 else (_unwind(first), sqrt(squared), _unwind(last))


def _unwind(angle: float) -> float:
    """Return an angle from 0 to below a full circle, which rounding must not add."""
    rest = angle % (2.0 * pi)
    return 0.0 if 2.0 * pi - rest < 1e-9 else rest

"""The radius rule: how tightly takes turn, and where a path turns more tightly than that.

A path may ask for turns as tight as those that takes make while they travel. Where it is sharper, bodies cut
the corner, and the report says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy.ndimage import maximum_filter1d

from motionloom.annotation.signals import runs
from motionloom.arrays import FloatArray
from motionloom.paths.path import Line

TRAVEL_TIME = 0.5
"""Seconds over which the direction of travel and the radius of turns are measured: a step."""

MIN_TRAVEL_SPEED = 0.3
"""Metres per second below which a body has no direction of travel."""

MIN_STEP = MIN_TRAVEL_SPEED * TRAVEL_TIME
"""Metres within a step below which a body has no direction of travel."""

TURN_TIME, TURN_FRACTION = 0.5, 0.01
"""Seconds and fraction of what travels, at least, in which takes turn as tightly as paths may ask for."""

MIN_RADIUS, MAX_RADIUS = 0.15, 2.0
"""Metres between which the tightest radius of takes lies: a turn on the spot has none, and takes that never
turn are bent as far as a warp allows."""

RADIUS_TOLERANCE = 0.05
"""Fraction of its radius that a path of samples is uncertain by. `go_to` goes along arcs that have just the
radius of the takes."""

SHARP_REACH = 0.5
"""Metres to either side of a place over which a path's radius is measured: shorter kinks are cut by any
body."""


@dataclass(frozen=True)
class Sharp:
    """A part of a path that turns more sharply than any take.

    Attributes
    ----------
    start, end
        Metres along the path.
    radius
        The smallest radius there, metres.
    """

    start: float
    end: float
    radius: float

    def __str__(self) -> str:
        return (
            f"from {self.start:.1f} m to {self.end:.1f} m the path turns at a radius of {self.radius:.2f} m"
        )


def find_tightest_radius(tracks: Sequence[FloatArray], frame_time: float) -> float:
    """Return the smallest radius with which takes keep turning while they travel, metres.

    Of a turn the widest radius within a step counts, and of all takes what enough of their frames can do: one
    extreme step does not make takes nimble. Tracks (T, 3) are x, z and yaw of the takes.

    >>> angles = np.linspace(0.0, 6.0, 181)
    >>> circle = np.column_stack([np.cos(angles), np.sin(angles), -angles])
    >>> round(find_tightest_radius([circle], 1 / 30), 1)
    1.0
    """
    ahead = max(2, round(TRAVEL_TIME / frame_time))
    radii = np.concatenate([np.zeros(0), *(_turn_radii(track, ahead) for track in tracks)])
    n_enough = max(TURN_TIME / frame_time, TURN_FRACTION * len(radii))
    if len(radii) <= n_enough:
        return MAX_RADIUS
    return float(np.clip(np.partition(radii, int(n_enough))[int(n_enough)], MIN_RADIUS, MAX_RADIUS))


def _turn_radii(track: FloatArray, ahead: int) -> FloatArray:
    """Return radii (M,) of turns, at those frames of a track (T, 3) that travel; ``ahead`` is a step."""
    if len(track) <= 2 * ahead:
        return np.zeros(0)
    steps = track[ahead:, :2] - track[:-ahead, :2]
    first, second = steps[:-ahead], steps[ahead:]
    angles = np.arctan2(first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0], (first * second).sum(axis=1))
    lengths = np.minimum(np.linalg.norm(first, axis=1), np.linalg.norm(second, axis=1))
    radii = lengths / np.maximum(np.abs(angles), 1e-6)
    travels = lengths > MIN_STEP
    # A turn has to last for a step; a body that stands turns about nothing.
    lasting = maximum_filter1d(np.where(travels, radii, np.inf), ahead, mode="nearest")
    return np.asarray(lasting[travels])


def find_sharp(path: Line, radius: float) -> tuple[Sharp, ...]:
    """Return where a path turns at a smaller radius than takes do."""
    s = path.stations
    ahead = np.minimum(s + SHARP_REACH, path.length)
    behind = np.maximum(s - SHARP_REACH, 0.0)
    turn = np.abs(path.heading(ahead) - path.heading(behind))
    own = (ahead - behind) / np.maximum(turn, 1e-9)
    # Within the reach a corner counts as far as the takes themselves could round it.
    sharp = runs(own < (1.0 - RADIUS_TOLERANCE) * radius)
    return tuple(Sharp(float(s[a]), float(s[b]), float(own[a : b + 1].min())) for a, b in sharp)

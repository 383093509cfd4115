"""The floor under a clip: its height and, where a capture volume was levelled badly, its slope."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from motionloom.arrays import FloatArray

USUAL_FLOOR = (-0.05, 0.10)
"""Captures put the floor at height zero. It is believed when the lowest joint of a standing foot comes within
this range of it, metres: markers sit on the foot, and calibration is off by some centimetres."""

LEAST_WAY = 1.5
"""A slope is only looked for when the standing feet lie this far apart along the way, metres."""

FAR_APART = 0.5
"""Two standing places tell the slope between them when they are at least this far apart, metres."""

LEAST_RISE, STEEPEST = 0.02, 0.05
"""A slope that raises the floor by less than this over the way, metres, is noise; a slope of more than 5 % is
a ramp or stairs, and no fault of the capture."""

MOST_PLACES = 200
"""So many places per foot are enough to tell a slope."""


@dataclass(frozen=True)
class Floor:
    """A level or slightly tilted floor.

    Attributes
    ----------
    height
        Height at ``origin``, metres.
    slope
        Rise per metre along x and z.
    origin
        x and z about which it is tilted, metres.

    >>> float(Floor(0.1, (0.02, 0.0)).heights_above(np.array([1.0, 0.5, 7.0])))
    0.38
    """

    height: float
    slope: tuple[float, float] = (0.0, 0.0)
    origin: tuple[float, float] = (0.0, 0.0)

    def heights_above(self, positions: FloatArray) -> FloatArray:
        """How far positions (..., 3) lie above the floor (...), metres."""
        ways = positions[..., [0, 2]] - self.origin
        return np.asarray(positions[..., 1] - self.height - ways @ np.asarray(self.slope))

    def __str__(self) -> str:
        rise = 100.0 * float(np.hypot(*self.slope))
        return f"floor at {self.height:.3f} m" + (f", rising by {rise:.1f} cm per metre" if rise else "")

    @property
    def is_tilted(self) -> bool:
        """Whether the floor has a slope."""
        return self.slope != (0.0, 0.0)


def tilted_through(places: Sequence[FloatArray]) -> Floor:
    """A floor at height zero with the slope that standing feet show.

    ``places`` holds for each foot the positions (N, 3) of one of its joints while it stands. The slope is
    the median over pairs of places of one foot (Theil–Sen), along the main direction of the way only: across
    it nothing tells slope from noise.

    >>> rising = np.array([[0.0, 0.02, 0.0], [0.0, 0.05, 1.0], [0.0, 0.08, 2.0]])
    >>> tuple(round(rise, 9) for rise in tilted_through([rising]).slope)
    (0.0, 0.03)
    """
    level = Floor(0.0)
    thinned = [place[:: max(len(place) // MOST_PLACES, 1)] for place in places if len(place)]
    if not thinned:
        return level
    grounds = np.concatenate(thinned)[:, [0, 2]]
    origin = np.median(grounds, axis=0)
    along = np.linalg.svd(grounds - origin, full_matrices=False)[2][0]
    way = float(np.ptp(grounds @ along))
    if way < LEAST_WAY:
        return level
    rises = np.concatenate([_slopes(place, along) for place in thinned])
    slope = float(np.median(rises)) if len(rises) else 0.0
    if abs(slope) > STEEPEST or abs(slope) * way < LEAST_RISE:
        return level
    return Floor(
        0.0, (slope * float(along[0]), slope * float(along[1])), (float(origin[0]), float(origin[1]))
    )


def _slopes(places: FloatArray, along: FloatArray) -> FloatArray:
    """Rise per metre between all pairs of places (N, 3) that lie far enough apart."""
    ways = places[:, [0, 2]] @ along
    apart = ways[:, None] - ways
    rises = places[:, None, 1] - places[:, 1]
    far = apart >= FAR_APART
    return np.asarray(rises[far] / apart[far])


def usual_height(lowest: float) -> float:
    """The height of a floor above which the lowest joint of a standing foot is ``lowest`` metres high.

    >>> usual_height(0.03), usual_height(0.5)
    (0.0, 0.5)
    """
    return 0.0 if USUAL_FLOOR[0] <= lowest <= USUAL_FLOOR[1] else lowest

"""The floor under a clip: its height and, where a capture volume was levelled badly, its slope."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from motionloom.annotation.labels import PLANT_KINDS
from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.motion import Clip, Constraint
from motionloom.motion.anatomy.measures import USUAL_FLOOR

Surface = Callable[[Any, Any], Any]
"""The height of the ground at x and z, metres: a function of two numbers, or of two arrays of them."""

UNUSUAL_FLOOR = (-0.07, 0.14)
"""From these heights on the foot alone is believed, metres; in between the floor goes from one to the other
without a jump."""

USUAL_SOLES, UNUSUAL_SOLES = (-0.06, 0.06), (-0.09, 0.09)
"""The same for points of planted soles, metres. Annotation puts them on the floor it finds, and in captures
the middle of their heights is within 1 cm of it; blends of bent legs sink by some centimetres."""

LOWEST_SHARE = 0.1
"""The lowest tenth of the planted frames shows where the floor is; others may stand on something."""

OWN_HEIGHT = 0.06
"""A plant higher than this above the floor stands on something, metres. Annotation lets go of points at this
height."""

GIVEN_SHARE = 0.5
"""Targets tell the floor when this share of the planted frames has them."""

ON_PLANE = 0.01
"""Targets this near to a tilted floor lie on it, metres; they then tell its slope exactly."""

LEAST_WAY = 1.5
"""A slope is only looked for when the standing feet lie this far apart along the way, metres."""

FAR_APART = 0.5
"""Two standing places tell the slope between them when they are at least this far apart, metres."""

LEAST_RISE, STEEPEST = 0.02, 0.05
"""A slope that raises the floor by less than this over the way, metres, is noise; a slope of more than 5 % is
a ramp or stairs, and no fault of the capture."""

LEAST_SLOPE = 1e-4
"""Places that rise by less than 0.1 mm per metre do not tell a slope."""

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
        height = round(self.height, 3) + 0.0  # which is never -0.0
        return f"floor at {height:.3f} m" + (f", rising by {rise:.1f} cm per metre" if rise else "")

    @property
    def is_tilted(self) -> bool:
        """Whether the floor has a slope."""
        return self.slope != (0.0, 0.0)


def tilted_through(places: Sequence[FloatArray], strictness: float = 1.0) -> Floor:
    """A floor at height zero with the slope that standing feet show.

    ``places`` holds for each foot the positions (N, 3) of one of its joints while it stands. The slope is
    the median over pairs of places of one foot (Theil–Sen), along the main direction of the way only: across
    it nothing tells slope from noise. ``strictness`` is a factor on the least way and the least rise.

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
    if way < LEAST_WAY * strictness:
        return level
    rises = np.concatenate([_slopes(place, along) for place in thinned])
    slope = float(np.median(rises)) if len(rises) else 0.0
    if abs(slope) > STEEPEST or abs(slope) * way < LEAST_RISE * strictness:
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


def feet_believed(
    height: float,
    usual: tuple[float, float] = USUAL_FLOOR,
    unusual: tuple[float, float] = UNUSUAL_FLOOR,
) -> float:
    """How far feet that stand at ``height`` metres are believed against a floor at zero: 0 to 1.

    >>> feet_believed(0.03), round(feet_believed(0.12), 9), feet_believed(0.5)
    (0.0, 0.5, 1.0)
    """
    return float(np.interp(height, (unusual[0], *usual, unusual[1]), (1.0, 0.0, 0.0, 1.0)))


def target_floor(clip: Clip) -> Floor | None:
    """The floor that the targets of planted soles lie on, or None where most planted frames have none.

    A slope that was found before the targets were put on it is found again, so less of it has to show.

    >>> from motionloom.motion import Constraint
    >>> from motionloom.synthesis import stand
    >>> clip = stand(duration=0.5, fps=30).clip
    >>> on_stage = Constraint("LeftFoot", "heel", 0, 9, [0.0, -0.08, 0.0], target=[0.0, 0.8, 0.0])
    >>> target_floor(clip), target_floor(replace(clip, constraints=(on_stage,)))
    (None, Floor(height=0.8, slope=(0.0, 0.0), origin=(0.0, 0.0)))
    """
    spans = _spans(clip)
    lanes: dict[tuple[str, str], list[FloatArray]] = {}
    for plant, frames in spans:
        if plant.target is not None:
            lanes.setdefault((plant.joint, plant.kind), []).append(np.tile(plant.target, (len(frames), 1)))
    targets = [np.concatenate(lane) for lane in lanes.values()]
    if not targets or sum(map(len, targets)) < GIVEN_SHARE * sum(len(frames) for _, frames in spans):
        return None
    places = np.concatenate(targets)
    floor = tilted_through(targets, strictness=0.5)
    floor = replace(floor, height=_lowest_level(floor.heights_above(places)))
    return _through(places[np.abs(floor.heights_above(places)) < ON_PLANE], floor)


def planted_height(clip: Clip, tilted: Floor) -> float | None:
    """The height of a floor, sloped as ``tilted``, that planted soles stand on; None without any.

    >>> from motionloom.synthesis import stand
    >>> motion = stand(duration=0.5, fps=30)
    >>> planted = replace(motion.clip, constraints=motion.plants)
    >>> planted_height(motion.clip, Floor(0.0)), planted_height(planted, Floor(0.0))
    (None, 0.0)
    """
    tracks = [
        clip.point_positions(plant.joint, plant.point, slice(frames.start, frames.stop))
        for plant, frames in _spans(clip)
    ]
    if not tracks:
        return None
    middle = _lowest_level(replace(tilted, height=0.0).heights_above(np.concatenate(tracks)))
    return middle * feet_believed(middle, USUAL_SOLES, UNUSUAL_SOLES)


def _spans(clip: Clip) -> list[tuple[Constraint, range]]:
    """The plants of soles and the frames they hold in.

    Plants of a joint itself are left out: it lies at some height above the sole.
    """
    soles = [plant for plant in clip.constraints if plant.kind in PLANT_KINDS and plant.point.any()]
    spans = [(plant, plant.whole_frames(clip.n_frames)) for plant in soles]
    return [(plant, frames) for plant, frames in spans if len(frames)]


def _through(places: FloatArray, floor: Floor) -> Floor:
    """The floor with exactly the slope of the places (N, 3) that lie on it; a level one stays."""
    if not floor.is_tilted or not len(places):
        return floor
    ways = places[:, [0, 2]] - floor.origin
    table = np.column_stack([ways, np.ones(len(ways))])
    fitted = np.linalg.lstsq(table, places[:, 1])[0]
    height, slope, origin = float(fitted[2]), fitted[:2], np.array(floor.origin)
    if np.hypot(*slope) < LEAST_SLOPE:
        return floor
    if USUAL_SOLES[0] < height < USUAL_SOLES[1]:
        # Tilted floors turn about where they are at zero: the height says whether one is off.
        origin, height = origin - slope * height / (slope @ slope), 0.0
    return Floor(height, (float(slope[0]), float(slope[1])), (float(origin[0]), float(origin[1])))


def _lowest_level(heights: FloatArray) -> float:
    """The middle of heights (N,), without those of plants that stand on something."""
    low = heights <= np.quantile(heights, LOWEST_SHARE) + OWN_HEIGHT
    return float(np.median(heights[low]))


def surface_heights(surface: Surface, positions: FloatArray) -> FloatArray:
    """Heights (...) of a surface below positions (..., 3), metres.

    The surface is asked for all places at once and, where it does not take arrays, for one after the other.

    >>> surface_heights(lambda x, z: 0.2 if z > 1.0 else 0.0, np.array([[0.0, 1.0, 0.5], [0.0, 1.0, 1.5]]))
    array([0. , 0.2])
    """
    flat = positions.reshape(-1, 3)
    x, z = flat[:, 0], flat[:, 2]
    heights = _heights_at_once(surface, x, z)
    if heights is None:
        pairs = zip(x.tolist(), z.tolist(), strict=True)
        heights = np.array([_height_at(surface, *pair) for pair in pairs], dtype=np.float64)
    wrong = np.flatnonzero(~np.isfinite(heights))
    if wrong.size:
        n = int(wrong[0])
        raise ParameterError(
            f"ground(x, z) must be a finite height everywhere: at ({x[n]:.3g}, {z[n]:.3g}) it is {heights[n]}"
        )
    return heights.reshape(positions.shape[:-1])


def _heights_at_once(surface: Callable[..., object], x: FloatArray, z: FloatArray) -> FloatArray | None:
    """Heights (N,) from one call with arrays, or None where the surface takes single numbers only."""
    try:
        heights = np.asarray(surface(x, z), dtype=np.float64)
    except (TypeError, ValueError):
        return None
    return np.broadcast_to(heights, x.shape) if heights.shape in (x.shape, ()) else None


def _height_at(surface: Callable[..., object], x: float, z: float) -> float:
    found = surface(x, z)
    try:
        return float(np.asarray(found, dtype=np.float64)[()])
    except (TypeError, ValueError):
        raise ParameterError(
            f"ground(x, z) must be one height in metres for each place: at ({x:.3g}, {z:.3g}) it is {found!r}"
        ) from None

"""The floor under a clip: its height and, where the capture volume was not level, its slope."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom.annotation.labels import PLANT_KINDS
from motionloom.arrays import FloatArray
from motionloom.motion import Clip, Constraint
from motionloom.motion.anatomy.thresholds import USUAL_FLOOR

UNUSUAL_FLOOR = (-0.07, 0.14)
"""Beyond these heights the floor is taken from the feet alone, metres; between the usual and these heights it
changes from zero to the feet without a jump."""

USUAL_SOLES, UNUSUAL_SOLES = (-0.06, 0.06), (-0.09, 0.09)
"""The same for points of planted soles, metres. Annotation puts them on the floor it finds, and in captures
their median height is within 1 cm of it; blends of bent legs sink by some centimetres."""

LOWEST_FRACTION = 0.1
"""The lowest tenth of the planted frames shows where the floor is; others may stand on something."""

MAX_PLANT_HEIGHT = 0.06
"""A plant higher than this above the floor stands on an object, metres. Annotation ends plants at this
height."""

MIN_TARGET_FRACTION = 0.5
"""Targets define the floor when at least this fraction of the planted frames has them."""

ON_PLANE = (0.01, 0.002, 0.0002, 0.00002)
"""Targets this near to a tilted floor lie on it, metres, in successive rounds; they then give its slope
exactly."""

MIN_TRAVEL = 1.5
"""A slope is only estimated when the standing feet extend this far along the path, metres."""

FAR_APART = 0.5
"""Two standing positions give a slope when they are at least this far apart, metres."""

MIN_RISE, MAX_SLOPE = 0.02, 0.05
"""A slope that raises the floor by less than this over the path, metres, is noise; a slope of more than 5 %
is a ramp or stairs, not an error of the capture."""

MIN_SLOPE = 1e-4
"""A rise of less than 0.1 mm per metre is no slope."""

MAX_POSITIONS = 200
"""This many positions per foot are enough to estimate a slope."""


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
        """Return how far (...) positions (..., 3) lie above the floor, metres."""
        offsets = positions[..., [0, 2]] - self.origin
        return np.asarray(positions[..., 1] - self.height - offsets @ np.asarray(self.slope))

    def __str__(self) -> str:
        rise = 100.0 * float(np.hypot(*self.slope))
        height = round(self.height, 3) + 0.0  # never -0.0
        return f"floor at {height:.3f} m" + (f", rising by {rise:.1f} cm per metre" if rise else "")

    @property
    def is_tilted(self) -> bool:
        """Whether the floor has a slope."""
        return self.slope != (0.0, 0.0)


def fit_tilt(positions: Sequence[FloatArray], strictness: float = 1.0) -> Floor:
    """Fit the slope of a floor at height zero to standing feet.

    ``positions`` holds for each foot the positions (N, 3) of one of its joints while it stands. The slope is
    the median over pairs of positions of one foot (Theil–Sen), along the main direction of the path only:
    across it slope cannot be told from noise. ``strictness`` is a factor on the minimal travel and rise.

    >>> rising = np.array([[0.0, 0.02, 0.0], [0.0, 0.05, 1.0], [0.0, 0.08, 2.0]])
    >>> tuple(round(rise, 9) for rise in fit_tilt([rising]).slope)
    (0.0, 0.03)
    """
    level = Floor(0.0)
    thinned = [track[:: max(len(track) // MAX_POSITIONS, 1)] for track in positions if len(track)]
    if not thinned:
        return level
    grounds = np.concatenate(thinned)[:, [0, 2]]
    origin = np.median(grounds, axis=0)
    along = np.linalg.svd(grounds - origin, full_matrices=False)[2][0]
    travel = float(np.ptp(grounds @ along))
    if travel < MIN_TRAVEL * strictness:
        return level
    rises = np.concatenate([_slopes(track, along) for track in thinned])
    slope = float(np.median(rises)) if len(rises) else 0.0
    if abs(slope) > MAX_SLOPE or abs(slope) * travel < MIN_RISE * strictness:
        return level
    return Floor(
        0.0, (slope * float(along[0]), slope * float(along[1])), (float(origin[0]), float(origin[1]))
    )


def _slopes(positions: FloatArray, along: FloatArray) -> FloatArray:
    """Return the rise per metre between all pairs of positions (N, 3) that lie far enough apart."""
    travel = positions[:, [0, 2]] @ along
    apart = travel[:, None] - travel
    rises = positions[:, None, 1] - positions[:, 1]
    far = apart >= FAR_APART
    return np.asarray(rises[far] / apart[far])


def trust_in_feet(
    height: float,
    usual: tuple[float, float] = USUAL_FLOOR,
    unusual: tuple[float, float] = UNUSUAL_FLOOR,
) -> float:
    """Return the trust in feet that stand at ``height`` metres against a floor at zero: 0 to 1.

    >>> trust_in_feet(0.03), round(trust_in_feet(0.12), 9), trust_in_feet(0.5)
    (0.0, 0.5, 1.0)
    """
    return float(np.interp(height, (unusual[0], *usual, unusual[1]), (1.0, 0.0, 0.0, 1.0)))


def find_target_floor(clip: Clip) -> Floor | None:
    """Find the floor that the targets of planted soles lie on; None where most planted frames have no target.

    Targets were often put on a slope that was found before, so weaker evidence suffices to find it again.

    >>> from motionloom.motion import Constraint
    >>> from motionloom.synthesis import stand
    >>> clip = stand(duration=0.5, fps=30).clip
    >>> on_stage = Constraint("LeftFoot", "heel", 0, 9, [0.0, -0.08, 0.0], target=[0.0, 0.8, 0.0])
    >>> find_target_floor(clip), find_target_floor(replace(clip, constraints=(on_stage,)))
    (None, Floor(height=0.8, slope=(0.0, 0.0), origin=(0.0, 0.0)))
    """
    spans = _spans(clip)
    lanes: dict[tuple[str, str], list[FloatArray]] = {}
    for plant, frames in spans:
        if plant.target is not None:
            lanes.setdefault((plant.joint, plant.kind), []).append(np.tile(plant.target, (len(frames), 1)))
    targets = [np.concatenate(lane) for lane in lanes.values()]
    if not targets or sum(map(len, targets)) < MIN_TARGET_FRACTION * sum(len(frames) for _, frames in spans):
        return None
    positions = np.concatenate(targets)
    floor = fit_tilt(targets, strictness=0.5)
    floor = replace(floor, height=_lowest_level(floor.heights_above(positions)))
    return _fit_plane(positions, floor)


def find_plant_height(clip: Clip, tilted: Floor) -> float | None:
    """Find the height of a floor, sloped as ``tilted``, that planted soles stand on; None without any.

    >>> from motionloom.synthesis import stand
    >>> motion = stand(duration=0.5, fps=30)
    >>> planted = replace(motion.clip, constraints=motion.plants)
    >>> find_plant_height(motion.clip, Floor(0.0)), find_plant_height(planted, Floor(0.0))
    (None, 0.0)
    """
    tracks = [
        clip.point_positions(plant.joint, plant.point, slice(frames.start, frames.stop))
        for plant, frames in _spans(clip)
    ]
    if not tracks:
        return None
    height = _lowest_level(replace(tilted, height=0.0).heights_above(np.concatenate(tracks)))
    # A floor that is tilted has no usual height.
    trust = 1.0 if tilted.is_tilted else trust_in_feet(height, USUAL_SOLES, UNUSUAL_SOLES)
    return height * trust + 0.0  # never -0.0


def _spans(clip: Clip) -> list[tuple[Constraint, range]]:
    """Return the plants of soles and the frames they hold in.

    Plants of a joint itself do not count: it lies at some height above the sole.
    """
    soles = [plant for plant in clip.constraints if plant.kind in PLANT_KINDS and plant.point.any()]
    spans = [(plant, plant.whole_frames(clip.n_frames)) for plant in soles]
    return [(plant, frames) for plant, frames in spans if len(frames)]


def _fit_plane(positions: FloatArray, floor: Floor) -> Floor:
    """Give a tilted floor exactly the slope of most positions (N, 3), which lie on it; a level one stays."""
    if not floor.is_tilted or not len(positions):
        return floor
    for tolerance in ON_PLANE:
        near = positions[np.abs(floor.heights_above(positions)) < tolerance]
        if len(near):
            offsets = near[:, [0, 2]] - floor.origin
            table = np.column_stack([offsets, np.ones(len(offsets))])
            fitted = np.linalg.lstsq(table, near[:, 1])[0]
            if np.hypot(*fitted[:2]) < MIN_SLOPE:
                return floor
            floor = replace(floor, height=float(fitted[2]), slope=(float(fitted[0]), float(fitted[1])))
    return put_height_at_zero(floor)


def put_height_at_zero(floor: Floor) -> Floor:
    """Return a tilted floor about where its height is zero, if that is its usual height; a level one stays.

    >>> put_height_at_zero(Floor(0.03125, (0.0, 0.125))).origin
    (0.0, -0.25)
    """
    if not floor.is_tilted or not USUAL_SOLES[0] < floor.height < USUAL_SOLES[1]:
        return floor
    slope = np.array(floor.slope)
    x, z = np.array(floor.origin) - slope * floor.height / (slope @ slope)
    return Floor(0.0, floor.slope, (float(x), float(z)))


def _lowest_level(heights: FloatArray) -> float:
    """Return the median of heights (N,), without those of plants that stand on an object."""
    low = heights <= np.quantile(heights, LOWEST_FRACTION) + MAX_PLANT_HEIGHT
    return float(np.median(heights[low]))

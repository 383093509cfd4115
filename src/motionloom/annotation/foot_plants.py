"""Foot plants: the intervals in which a point of the sole stays put on the floor.

There are two detectors. **Thresholds** (the default): a point is planted while it is low and slow. A plant
begins below the lower thresholds and ends above the higher ones (hysteresis), so that noise around one
threshold does not split it. Its ends are then refined: they move inwards to where the point is as still as in
the rest of the plant. On clean motion that finds the instant at which the point comes to rest; on noisy
motion the ends stay where the thresholds are crossed.

**Zero crossings** of the acceleration (Bindiganavale & Badler 1998): an effector that touches or leaves
something changes the sign of its acceleration, and one at rest does so all the time. A zero crossing counts
when the point is low and slow; a plant lasts while such crossings follow each other closely.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from motionloom.annotation import signals
from motionloom.annotation.floor import Floor
from motionloom.annotation.signals import Interval
from motionloom.arrays import BoolArray, FloatArray
from motionloom.motion import kinematics
from motionloom.motion.filters import average_window
from motionloom.validation import check_choice, check_number, check_positive

Method = Literal["thresholds", "zero-crossing"]

SWING_QUANTILE = 0.95
"""The speed that a point stays below for this fraction of the time counts as its swing speed."""

MAX_PLANT_SPEED = 1.5
"""However fast the swing, a point faster than this is not planted, m/s."""

CREEP_QUANTILE = 0.25
"""The speed that a planted point stays below for this fraction of the plant is its creep or noise."""

CREEP_FACTOR = 10.0
"""A point starts to move when it is this many times faster than its creep."""

REST_SPEED = 0.001
"""Below this speed a point is at rest even in the cleanest motion, m/s."""

ZERO_ACCELERATION = 0.1
"""An acceleration below this counts as zero, m/s²: a hundredth of gravity."""

MAX_CROSSING_GAP = 0.15
"""Zero crossings at most this far apart belong to one plant, seconds; no foot swings in less."""


@dataclass(frozen=True, kw_only=True)
class PlantSettings:
    """The thresholds of foot plants; the defaults suit captures at 24 to 120 frames per second.

    Attributes
    ----------
    method
        "thresholds": a point is planted while it is low and slow. "zero-crossing": it is planted between the
        instants at which its acceleration changes sign while it is low and slow (Bindiganavale & Badler).
    speed
        A point slower than this may be planted, m/s. Standing feet in captures creep at up to 0.1 m/s.
    relative_speed
        The same as a fraction of the point's swing speed; the larger of the two counts. A runner's toes still
        move at up to a tenth of their swing speed during push-off; so do feet in a file that states twice its
        true frame rate.
    height
        A point lower than this above its standing height may be planted, metres.
    release
        Factor on speed and height at which a plant ends; at least 1.
    min_duration
        Shorter plants are dropped, seconds.
    max_gap
        Shorter gaps between two plants are closed, seconds.
    smoothing
        Width of the window over which velocities are averaged, seconds; 0 for none.

    >>> PlantSettings(speed=0.2).height
    0.04
    """

    method: Method = "thresholds"
    speed: float = 0.15
    relative_speed: float = 0.1
    height: float = 0.04
    release: float = 1.5
    min_duration: float = 0.05
    max_gap: float = 0.08
    smoothing: float = 0.05

    def __post_init__(self) -> None:
        check_choice("method", self.method, get_args(Method))
        for name in ("speed", "height"):
            check_positive(name, getattr(self, name))
        for name in ("relative_speed", "min_duration", "max_gap", "smoothing"):
            check_number(name, getattr(self, name), min=0.0)
        check_number("release (a plant ends at a higher speed than it begins at)", self.release, min=1.0)


@dataclass(frozen=True)
class Thresholds:
    """The thresholds for one point: m/s and metres at which a plant begins, and the factor at which it
    ends.
    """

    speed: float
    height: float
    release: float


def plant_thresholds(speed: FloatArray, settings: PlantSettings) -> Thresholds:
    """Return the thresholds for a point that moves at ``speed`` (T,) m/s.

    >>> plant_thresholds(np.array([0.0, 0.0, 5.0, 5.0]), PlantSettings()).speed
    0.5
    """
    swing = float(np.quantile(speed, SWING_QUANTILE))
    relative = min(settings.relative_speed * swing, MAX_PLANT_SPEED)
    return Thresholds(max(settings.speed, relative), settings.height, settings.release)


def detect_plants(
    positions: FloatArray, floor: Floor, frame_time: float, settings: PlantSettings
) -> tuple[list[Interval], Thresholds]:
    """Find the plants of a point with the method of the settings.

    Parameters
    ----------
    positions
        (T, 3) the contact point, metres.
    floor
        The floor it is planted on.
    frame_time
        Seconds per frame.
    settings
        Method, thresholds and times.

    Returns
    -------
    list of (start, end), Thresholds
        The plants in fractional frames, and the thresholds of this point.

    >>> still, away = np.zeros((30, 3)), np.linspace([0, 0, 0], [0, 1, 3], 30)
    >>> plants, _ = detect_plants(np.concatenate([still, away]), Floor(0.0), 1 / 60, PlantSettings())
    >>> [(start, round(end)) for start, end in plants]
    [(0.0, 30)]
    """
    return DETECTORS[settings.method](positions, floor, frame_time, settings)


def detect_by_thresholds(
    positions: FloatArray, floor: Floor, frame_time: float, settings: PlantSettings
) -> tuple[list[Interval], Thresholds]:
    """Find the plants of a point that is low and slow; parameters as in :func:`detect_plants`."""
    speed = signals.speeds(positions, frame_time, settings.smoothing)
    limits = plant_thresholds(speed, settings)
    # 1. Frames that are low and slow, by hysteresis.
    excess = np.maximum(speed / limits.speed, floor.heights_above(positions) / limits.height)
    runs = [
        (first, last)
        for first, last in signals.runs(excess < limits.release)
        if (excess[first : last + 1] < 1.0).any()
    ]
    plants = [_extend_to_crossings(excess, limits.release, run) for run in runs]
    # 2. Close short gaps, drop short plants.
    whole = signals.join_intervals(plants, settings.max_gap / frame_time)
    long_enough = [(a, b) for a, b in whole if b - a >= settings.min_duration / frame_time]
    # 3. Refine the ends to where the point comes to rest and starts to move.
    steps = np.linalg.norm(np.diff(positions, axis=0), axis=-1) / frame_time
    reach = round(min(settings.smoothing / frame_time / 2.0, len(steps)))
    refined = [
        _refine_ends(steps, plant, limits.speed, reach) for plant in _drop_approaches(steps, long_enough)
    ]
    return signals.join_intervals(refined, settings.max_gap / frame_time), limits


def detect_by_zero_crossings(
    positions: FloatArray, floor: Floor, frame_time: float, settings: PlantSettings
) -> tuple[list[Interval], Thresholds]:
    """Find the plants of a point from zero crossings of its acceleration; parameters as in
    :func:`detect_plants`.

    The ends are whole frames, since a zero crossing is only known to lie between two of them.

    >>> still, away = np.zeros((30, 3)), np.linspace([0, 0, 0], [0, 1, 3], 30) ** 2
    >>> settings = PlantSettings(smoothing=0.0)
    >>> detect_by_zero_crossings(np.concatenate([still, away]), Floor(0.0), 1 / 60, settings)[0]
    [(0.0, 29.0)]
    """
    speed = signals.speeds(positions, frame_time, settings.smoothing)
    limits = plant_thresholds(speed, settings)
    low_and_slow = (speed < limits.speed) & (floor.heights_above(positions) < limits.height)
    frames = np.flatnonzero(_crosses_zero(positions, frame_time, settings.smoothing) & low_and_slow)
    plants = signals.join_intervals(
        [(float(frame), float(frame)) for frame in frames], MAX_CROSSING_GAP / frame_time
    )
    min_frames = max(settings.min_duration / frame_time, 1.0)
    return [(start, end) for start, end in plants if end - start >= min_frames], limits


Detector = Callable[[FloatArray, Floor, float, PlantSettings], tuple[list[Interval], Thresholds]]
DETECTORS: Mapping[Method, Detector] = {
    "thresholds": detect_by_thresholds,
    "zero-crossing": detect_by_zero_crossings,
}


def _extend_to_crossings(excess: FloatArray, release: float, run: tuple[int, int]) -> Interval:
    """Extend a run of frames to where the release threshold is crossed."""
    first, last = run
    start, end = float(first), float(last)
    if first > 0:
        start = first - 1 + signals.crossing(excess[first - 1], excess[first], release)
    if last < len(excess) - 1:
        end = last + signals.crossing(excess[last], excess[last + 1], release)
    return start, end


def _steps_within(steps: FloatArray, plant: Interval) -> tuple[int, FloatArray]:
    """Return the first step that lies wholly within the plant, and the speeds of all that do."""
    first = int(np.ceil(plant[0]))
    return first, steps[first : int(np.floor(plant[1]))]


def _drop_approaches(steps: FloatArray, plants: list[Interval]) -> list[Interval]:
    """Drop plants at the ends of the clip in which the point is still moving.

    A clip may end while a foot comes down slowly. Only one thing tells such an approach from a plant: the
    point never becomes as slow as in its other plants.
    """
    inside = [_steps_within(steps, plant)[1] for plant in plants]
    creeps = [float(np.quantile(speeds, CREEP_QUANTILE)) for speeds in inside if len(speeds)]
    rest = max(REST_SPEED, CREEP_FACTOR * float(np.median(creeps))) if creeps else REST_SPEED
    last = float(len(steps))
    return [
        (start, end)
        for (start, end), speeds in zip(plants, inside, strict=True)
        if (start > 0.0 and end < last) or (len(speeds) and speeds.min() <= rest)
    ]


def _refine_ends(steps: FloatArray, plant: Interval, threshold: float, reach: int) -> Interval:
    """Move the ends of a plant to where the point is as still as within it.

    ``steps`` (T - 1,) are the speeds from each frame to the next, m/s; they lie halfway between the frames.
    The ends move inwards as far as needed, and outwards by at most ``reach`` frames, because averaged
    velocities show a sudden start too early.
    """
    start, end = plant
    first, inside = _steps_within(steps, plant)
    if not len(inside):
        return plant
    rest = max(REST_SPEED, min(CREEP_FACTOR * float(np.quantile(inside, CREEP_QUANTILE)), threshold))
    calm = first + np.flatnonzero(inside <= rest)
    if len(calm) < 2:
        return plant
    begin, stop = int(calm[0]), int(calm[-1])
    while begin > max(first - reach, 0) and steps[begin - 1] <= rest:
        begin -= 1
    while stop < min(first + len(inside) - 1 + reach, len(steps) - 1) and steps[stop + 1] <= rest:
        stop += 1
    # A calm step means rest at both its frames; the crossing lies in the half step outside it.
    if begin > 0:
        crossed = begin - 0.5 + signals.crossing(steps[begin - 1], steps[begin], rest)
        start = min(crossed, float(begin))
    else:
        start = 0.0
    if stop < len(steps) - 1:
        crossed = stop + 0.5 + signals.crossing(steps[stop], steps[stop + 1], rest)
        end = max(crossed, stop + 1.0)
    else:
        end = float(len(steps))
    return start, end


def _crosses_zero(positions: FloatArray, frame_time: float, window: float) -> BoolArray:
    """Return the frames (T,) next to which a component of the acceleration changes sign, or all are zero."""
    velocities = average_window(kinematics.velocities(positions, frame_time), frame_time, window)
    accelerations = average_window(kinematics.velocities(velocities, frame_time), frame_time, window)
    crosses = np.linalg.norm(accelerations, axis=-1) < ZERO_ACCELERATION
    changes = (np.diff(np.sign(accelerations), axis=0) != 0).any(axis=-1)
    crosses[:-1] |= changes
    crosses[1:] |= changes
    return np.asarray(crosses)

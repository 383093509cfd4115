"""Foot plants by thresholds: a point is planted while it is low and slow.

A plant is caught at the lower thresholds and let go at the higher ones (hysteresis), so that noise about one
of them does not chop it up. Its ends are then sharpened: they move inwards to where the point is as still as
in the middle of this plant, which on clean motion finds the instant at which the point comes to rest, and on
noisy motion stays where the thresholds are crossed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.annotation import signals
from motionloom.annotation.floor import Floor
from motionloom.annotation.settings import AnnotationSettings
from motionloom.arrays import FloatArray

SWING_QUANTILE = 0.95
"""The speed below which a point stays this share of the time counts as its swing speed."""

FASTEST_PLANT = 1.5
"""However fast the swing, a point faster than this is not planted, m/s."""

CREEP_QUANTILE = 0.25
"""The speed below which a planted point stays this share of its plant is its own creep or noise."""

CREEP_FACTOR = 10.0
"""A point starts to move when it is this many times as fast as it creeps."""

AT_REST = 0.001
"""Below this speed a point is at rest on the cleanest motion, m/s."""

Interval = tuple[float, float]


@dataclass(frozen=True)
class Thresholds:
    """What one point has to keep to: m/s and metres to be caught, and the factor to be let go."""

    speed: float
    height: float
    release: float


def thresholds_of(speed: FloatArray, settings: AnnotationSettings) -> Thresholds:
    """The thresholds for a point that moves at ``speed`` (T,) m/s.

    >>> thresholds_of(np.array([0.0, 0.0, 5.0, 5.0]), AnnotationSettings()).speed
    0.5
    """
    swing = float(np.quantile(speed, SWING_QUANTILE))
    relative = min(settings.relative_speed * swing, FASTEST_PLANT)
    return Thresholds(max(settings.speed, relative), settings.height, settings.release)


def detect(
    positions: FloatArray, floor: Floor, frame_time: float, settings: AnnotationSettings
) -> tuple[list[Interval], Thresholds]:
    """The plants of a point as (start, end) in fractional frames, and the thresholds that were used.

    Parameters
    ----------
    positions
        (T, 3) the contact point, metres.
    floor
        The floor it is planted on.
    frame_time
        Seconds per frame.
    settings
        Thresholds and times.

    >>> still, away = np.zeros((30, 3)), np.linspace([0, 0, 0], [0, 1, 3], 30)
    >>> plants, _ = detect(np.concatenate([still, away]), Floor(0.0), 1 / 60, AnnotationSettings())
    >>> [(start, round(end)) for start, end in plants]
    [(0.0, 30)]
    """
    speed = signals.speeds(positions, frame_time, settings.smoothing)
    limits = thresholds_of(speed, settings)
    # 1. Frames that are low and slow, by hysteresis.
    excess = np.maximum(speed / limits.speed, floor.heights_above(positions) / limits.height)
    caught = [_edges(excess, limits.release, run) for run in _caught_runs(excess, limits.release)]
    # 2. Without holes and without flickers.
    whole = signals.joined(caught, settings.hole / frame_time)
    long_enough = [(a, b) for a, b in whole if b - a >= settings.shortest / frame_time]
    # 3. With ends where the point comes to rest and starts to move.
    steps = np.linalg.norm(np.diff(positions, axis=0), axis=-1) / frame_time
    reach = round(min(settings.smoothing / frame_time / 2.0, len(steps)))
    sharp = [_sharpened(steps, plant, limits.speed, reach) for plant in _settled(steps, long_enough)]
    return signals.joined(sharp, settings.hole / frame_time), limits


def _caught_runs(excess: FloatArray, release: float) -> list[tuple[int, int]]:
    """Runs of frames within the release thresholds that come within the lower ones at least once."""
    return [(a, b) for a, b in signals.runs(excess < release) if (excess[a : b + 1] < 1.0).any()]


def _edges(excess: FloatArray, release: float, run: tuple[int, int]) -> Interval:
    """A run of frames with its ends moved out to where the release threshold is crossed."""
    first, last = run
    start, end = float(first), float(last)
    if first > 0:
        start = first - 1 + signals.crossing(excess[first - 1], excess[first], release)
    if last < len(excess) - 1:
        end = last + signals.crossing(excess[last], excess[last + 1], release)
    return start, end


def _steps_within(steps: FloatArray, plant: Interval) -> tuple[int, FloatArray]:
    """The first step that lies wholly within the plant, and the speeds of all that do."""
    first = int(np.ceil(plant[0]))
    return first, steps[first : int(np.floor(plant[1]))]


def _settled(steps: FloatArray, plants: list[Interval]) -> list[Interval]:
    """The plants without those at the ends of the clip in which the point is still on its way.

    A clip may end while a foot comes down slowly; nothing then tells the approach from a plant but that
    the point never becomes as slow as in its other plants.
    """
    inside = [_steps_within(steps, plant)[1] for plant in plants]
    creeps = [float(np.quantile(speeds, CREEP_QUANTILE)) for speeds in inside if len(speeds)]
    rest = max(AT_REST, CREEP_FACTOR * float(np.median(creeps))) if creeps else AT_REST
    last = float(len(steps))
    return [
        (start, end)
        for (start, end), speeds in zip(plants, inside, strict=True)
        if (start > 0.0 and end < last) or (len(speeds) and speeds.min() <= rest)
    ]


def _sharpened(steps: FloatArray, plant: Interval, caught_speed: float, reach: int) -> Interval:
    """The plant with its ends where the point is as still as within it.

    ``steps`` (T - 1,) are the speeds from each frame to the next, m/s; they lie halfway between the frames.
    The ends move inwards as far as need be, and outwards by at most ``reach`` frames, since averaged
    velocities show a sudden start too early.
    """
    start, end = plant
    first, inside = _steps_within(steps, plant)
    if not len(inside):
        return plant
    rest = max(AT_REST, min(CREEP_FACTOR * float(np.quantile(inside, CREEP_QUANTILE)), caught_speed))
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

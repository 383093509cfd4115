"""Balance: a body falls freely in flight, and its centre of mass is above the feet that stand."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from motionloom.annotation.labels import PLANT_KINDS
from motionloom.annotation.signals import runs
from motionloom.arrays import BoolArray, FloatArray
from motionloom.errors import ParameterError
from motionloom.motion import Clip
from motionloom.motion.anatomy import find_anatomy
from motionloom.quality.feet import Feet
from motionloom.quality.results import Measurement, MeasurementGroup

# Fraction of the body's mass, and where the centre of mass lies along the segment, as a fraction of its
# length (Winter, Biomechanics and Motor Control of Human Movement, after Dempster).
TRUNK_AND_HEAD = 0.578, 0.660  # from the centre of the hips to the centre of the shoulders
UPPER_ARM = 0.028, 0.436
FOREARM_AND_HAND = 0.022, 0.682
THIGH = 0.100, 0.433
SHIN = 0.0465, 0.433
FOOT = 0.0145, 0.5

GRAVITY = 9.81
"""m/s²."""

FLIGHT_HEIGHT = 0.04
"""Metres above the ground that all heels and toes have in flight: the tip of the toes lies lower."""

MIN_FLIGHT = 0.08
"""Seconds that a flight lasts at least; in a shorter one, noise dominates its acceleration."""


def centre_of_mass(clip: Clip) -> FloatArray:
    """Return the centre of mass (T, 3) of a body with two arms and two legs, metres.

    >>> from motionloom.synthesis import stand
    >>> centre = centre_of_mass(stand(duration=1.0).clip)
    >>> bool(0.9 < centre[0, 1] < 1.1)
    True
    """
    anatomy = find_anatomy(clip.skeleton)
    if len(anatomy.legs) != 2 or len(anatomy.arms) != 2:
        raise ParameterError("the centre of mass needs two arms and two legs: they were not all found")
    positions = clip.world_positions()
    hips = np.asarray(positions[:, [leg.hip for leg in anatomy.legs]].mean(axis=1))
    shoulders = np.asarray(positions[:, [arm.shoulder for arm in anatomy.arms]].mean(axis=1))
    total = _weigh_segment(TRUNK_AND_HEAD, hips, shoulders)
    for arm in anatomy.arms:
        total += _weigh_segment(UPPER_ARM, positions[:, arm.shoulder], positions[:, arm.elbow])
        total += _weigh_segment(FOREARM_AND_HAND, positions[:, arm.elbow], positions[:, arm.wrist])
    for leg in anatomy.legs:
        ankle = positions[:, leg.ankle]
        ball = ankle if leg.toe is None else positions[:, leg.toe]
        if leg.toe is None and leg.tip is not None:
            ball = clip.point_positions(leg.tip.joint, leg.tip.offset)
        total += _weigh_segment(THIGH, positions[:, leg.hip], positions[:, leg.knee])
        total += _weigh_segment(SHIN, positions[:, leg.knee], ankle)
        total += _weigh_segment(FOOT, ankle, ball)
    return np.asarray(total)


def find_flights(clip: Clip, feet: Feet) -> list[tuple[int, int]]:
    """Return the first and last frame of every flight: all contact points in the air, and no constraint
    holds.

    A body that sits or hangs with its feet in the air passes for flying, and then does not fall.

    >>> from motionloom.quality.feet import find_feet
    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=2.0).clip
    >>> find_flights(clip, find_feet(clip))
    []
    """
    free: BoolArray = np.array(feet.heights.min(axis=1) > FLIGHT_HEIGHT)
    for constraint in clip.constraints:
        span = constraint.whole_frames(clip.n_frames)
        free[span.start : span.stop] = False
    return [(a, b) for a, b in runs(free) if (b - a) * clip.frame_time >= MIN_FLIGHT]


def flight_errors(centre: FloatArray, frame_time: float, spans: list[tuple[int, int]]) -> FloatArray:
    """Return how far the acceleration of each flight is from free fall (N,), m/s².

    It is that of the parabola through the centre of mass (T, 3), by least squares over the flight.

    >>> t = np.arange(20) * 0.01
    >>> fall = np.stack([2 * t, 1 + 3 * t - 9.81 / 2 * t**2, 0 * t], axis=1)
    >>> bool(flight_errors(fall, 0.01, [(0, 19)])[0] < 1e-9)
    True
    """
    errors = []
    for first, last in spans:
        times = (np.arange(first, last + 1) - (first + last) / 2.0) * frame_time
        powers = np.stack([np.ones_like(times), times, times * times], axis=1)
        bend = np.linalg.lstsq(powers, centre[first : last + 1], rcond=None)[0][2]
        errors.append(np.linalg.norm(2.0 * bend - [0.0, -GRAVITY, 0.0]))
    return np.array(errors)


def support_distances(clip: Clip, centre: FloatArray) -> FloatArray:
    """Return the horizontal distance (T,) of the centre of mass (T, 3) from the support area, metres.

    The area is the convex hull of the planted heels and toes: 0 within it, NaN where none is planted.

    >>> from motionloom.annotation import annotate
    >>> from motionloom.synthesis import stand
    >>> clip = annotate(stand(duration=2.0).clip)
    >>> bool(support_distances(clip, centre_of_mass(clip)).max() < 0.01)
    True
    """
    tracks: dict[tuple[str, str], FloatArray] = {}
    for constraint in clip.constraints:
        span = constraint.whole_frames(clip.n_frames)
        if constraint.kind in PLANT_KINDS and len(span):
            key = constraint.joint, constraint.kind
            track = tracks.setdefault(key, np.full((clip.n_frames, 2), np.nan))
            held = slice(span.start, span.stop)
            track[held] = clip.point_positions(constraint.joint, constraint.point, held)[:, [0, 2]]
    if not tracks:
        return np.full(clip.n_frames, np.nan)
    return hull_distances(centre[:, [0, 2]], list(tracks.values()))


def hull_distances(points: FloatArray, corners: list[FloatArray]) -> FloatArray:
    """Return the distances (T,) of points (T, 2) from the convex hulls of the corners (T, 2) that are not
    NaN.

    A point is inside the hull when it is inside a triangle of corners, else nearest to a side; a single
    corner is a side of length zero.

    >>> hull_distances(np.array([[3.0, 4.0]]), [np.zeros((1, 2))]).tolist()
    [5.0]
    """
    nearest = np.full(len(points), np.nan)
    for a, b in [*combinations(corners, 2), *((corner, corner) for corner in corners)]:
        nearest = np.fmin(nearest, _segment_distances(points, a, b))
    for a, b, c in combinations(corners, 3):
        nearest[_is_within(points, a, b, c)] = 0.0
    return nearest


def measure_gravity(clip: Clip, feet: Feet) -> MeasurementGroup:
    """Measure free fall in flight, and the centre of mass over the feet that stand."""
    centre = centre_of_mass(clip)
    spans = find_flights(clip, feet)
    errors = flight_errors(centre, clip.frame_time, spans)
    measurements = [Measurement("flights", float(len(spans)), "", "spans with all feet in the air")]
    if len(errors):
        mean = float(errors.mean())
        measurements.append(Measurement("fall error", mean, "m/s²", "acceleration in flight off gravity"))
    distances = support_distances(clip, centre)
    distances = distances[np.isfinite(distances)]
    if len(distances):
        mean, peak = 100.0 * float(distances.mean()), 100.0 * float(distances.max())
        measurements += [
            Measurement("support distance", mean, "cm", "centre of mass outside the planted feet, mean"),
            Measurement("largest support distance", peak, "cm", "centre of mass outside the planted feet"),
        ]
    return MeasurementGroup("gravity", tuple(measurements))


def _weigh_segment(segment: tuple[float, float], start: FloatArray, end: FloatArray) -> FloatArray:
    """Return the contribution of a segment to the centre of mass (T, 3)."""
    mass, fraction = segment
    return np.asarray(mass * (start + fraction * (end - start)))


def _segment_distances(points: FloatArray, a: FloatArray, b: FloatArray) -> FloatArray:
    side = b - a
    squared = np.einsum("ti,ti->t", side, side)
    along = np.einsum("ti,ti->t", points - a, side) / np.where(squared > 0.0, squared, 1.0)
    return np.asarray(np.linalg.norm(points - a - np.clip(along, 0.0, 1.0)[:, None] * side, axis=1))


def _is_within(points: FloatArray, a: FloatArray, b: FloatArray, c: FloatArray) -> BoolArray:
    """Whether points (T, 2) lie in triangles with an area; NaN corners give False."""
    sides = np.stack([_cross(points, a, b), _cross(points, b, c), _cross(points, c, a)])
    flat = _cross(c, a, b) == 0.0
    return np.asarray(((sides >= 0.0).all(axis=0) | (sides <= 0.0).all(axis=0)) & ~flat)


def _cross(points: FloatArray, a: FloatArray, b: FloatArray) -> FloatArray:
    """Return the cross product (T,) of b - a and points - a: its sign tells the side of the line."""
    side, to = b - a, points - a
    return np.asarray(side[:, 0] * to[:, 1] - side[:, 1] * to[:, 0])

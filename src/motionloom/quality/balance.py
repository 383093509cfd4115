"""Balance: a body falls freely in flight, and its centre of mass is above the feet that stand."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from motionloom.annotation.flights import Flight, find_flights, fit_acceleration
from motionloom.annotation.labels import PLANT_KINDS
from motionloom.arrays import BoolArray, FloatArray
from motionloom.motion import Clip
from motionloom.motion.anatomy import centre_of_mass
from motionloom.motion.anatomy.thresholds import GRAVITY
from motionloom.quality.feet import Feet
from motionloom.quality.results import Measurement, MeasurementGroup


def flight_errors(centre: FloatArray, frame_time: float, flights: Sequence[Flight]) -> FloatArray:
    """Return how far the acceleration of each flight is from free fall (N,), m/s².

    It is that of the parabola through the centre of mass (T, 3), by least squares over the flight.

    >>> t = np.arange(20) * 0.01
    >>> fall = np.stack([2 * t, 1 + 3 * t - 9.81 / 2 * t**2, 0 * t], axis=1)
    >>> bool(flight_errors(fall, 0.01, [Flight(0.0, 19.0, 9.81)])[0] < 1e-9)
    True
    """
    accelerations = [fit_acceleration(centre, frame_time, flight.start, flight.end) for flight in flights]
    return np.array([np.linalg.norm(each - [0.0, -GRAVITY, 0.0]) for each in accelerations])


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
    flights = find_flights(clip, feet.heights)
    measurements = [Measurement("flights", float(len(flights)), "", "spans in which the body falls freely")]
    if flights:
        error = float(flight_errors(centre, clip.frame_time, flights).mean())
        main = max(flights, key=lambda flight: flight.duration(clip.frame_time))
        measurements += [
            Measurement("fall error", error, "m/s²", "acceleration in flight off gravity"),
            Measurement("longest flight", main.duration(clip.frame_time), "s", "duration of free fall"),
            Measurement("gravity", main.gravity, "m/s²", "downward acceleration in the longest flight"),
        ]
    distances = support_distances(clip, centre)
    distances = distances[np.isfinite(distances)]
    if len(distances):
        mean, peak = 100.0 * float(distances.mean()), 100.0 * float(distances.max())
        measurements += [
            Measurement("support distance", mean, "cm", "centre of mass outside the planted feet, mean"),
            Measurement("largest support distance", peak, "cm", "centre of mass outside the planted feet"),
        ]
    return MeasurementGroup("gravity", tuple(measurements))


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

"""Whether a body obeys gravity: it falls freely in flight, and is held up by the feet that stand."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from motionloom.annotation.labels import PLANT_KINDS
from motionloom.annotation.signals import runs
from motionloom.arrays import BoolArray, FloatArray
from motionloom.motion import Clip
from motionloom.quality.feet import Feet

GRAVITY = 9.81
"""m/s²."""

FLIGHT_HEIGHT = 0.04
"""Metres above the ground that all heels and toes have in flight: the tip of the toes lies lower."""

SHORTEST_FLIGHT = 0.08
"""Seconds that a flight lasts at least; in less, noise decides about its acceleration."""


def flights(clip: Clip, feet: Feet) -> list[tuple[int, int]]:
    """First and last frame of every flight: all contact points in the air, and no constraint holds.

    A body that sits or hangs with its feet in the air passes for flying, and then does not fall.

    >>> from motionloom.quality.feet import feet_of
    >>> from motionloom.synthesis import walk
    >>> clip = walk(duration=2.0).clip
    >>> flights(clip, feet_of(clip))
    []
    """
    free: BoolArray = np.array(feet.heights.min(axis=1) > FLIGHT_HEIGHT)
    for constraint in clip.constraints:
        span = constraint.whole_frames(clip.n_frames)
        free[span.start : span.stop] = False
    return [(a, b) for a, b in runs(free) if (b - a) * clip.frame_time >= SHORTEST_FLIGHT]


def flight_errors(centre: FloatArray, frame_time: float, spans: list[tuple[int, int]]) -> FloatArray:
    """How far the acceleration of each flight is from free fall (N,), m/s².

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
    """How far the centre of mass (T, 3) is from above the support area (T,), metres.

    The area is the convex hull of the heels and toes that are planted: 0 within it, NaN where none is.

    >>> from motionloom.annotation import annotate
    >>> from motionloom.quality.mass import centre_of_mass
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
    """Distances (T,) of points (T, 2) from the convex hulls of those corners (T, 2) that are not NaN.

    A point is inside the hull when it is inside a triangle of corners, else nearest to a side; a corner
    alone is a side of no length.

    >>> hull_distances(np.array([[3.0, 4.0]]), [np.zeros((1, 2))]).tolist()
    [5.0]
    """
    nearest = np.full(len(points), np.nan)
    for a, b in [*combinations(corners, 2), *((corner, corner) for corner in corners)]:
        nearest = np.fmin(nearest, _segment_distances(points, a, b))
    for a, b, c in combinations(corners, 3):
        nearest[_within(points, a, b, c)] = 0.0
    return nearest


def _segment_distances(points: FloatArray, a: FloatArray, b: FloatArray) -> FloatArray:
    way = b - a
    squared = np.einsum("ti,ti->t", way, way)
    along = np.einsum("ti,ti->t", points - a, way) / np.where(squared > 0.0, squared, 1.0)
    return np.asarray(np.linalg.norm(points - a - np.clip(along, 0.0, 1.0)[:, None] * way, axis=1))


def _within(points: FloatArray, a: FloatArray, b: FloatArray, c: FloatArray) -> BoolArray:
    """Whether points (T, 2) lie in triangles with an area; NaN corners give False."""
    sides = np.stack([_side(points, a, b), _side(points, b, c), _side(points, c, a)])
    flat = _side(c, a, b) == 0.0
    return np.asarray(((sides >= 0.0).all(axis=0) | (sides <= 0.0).all(axis=0)) & ~flat)


def _side(points: FloatArray, a: FloatArray, b: FloatArray) -> FloatArray:
    """Positive where a point lies on one side of the line from a to b, negative on the other (T,)."""
    way, to = b - a, points - a
    return np.asarray(way[:, 0] * to[:, 1] - way[:, 1] * to[:, 0])

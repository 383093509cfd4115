"""Flights: where no foot is on the ground and the centre of mass falls freely.

The feet alone tell flights badly. Plants end before the toes have left the ground and begin after they have
touched it, and the lowest point of a running foot passes the ground within a few centimetres. The centre of
mass tells: it accelerates upward while the feet push, and downward with gravity as soon as they do not. A
body that sits or hangs with its feet in the air does not fall.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.annotation.labels import PLANT_KINDS
from motionloom.annotation.signals import crossing, runs
from motionloom.annotation.soles import find_soles
from motionloom.arrays import BoolArray, FloatArray
from motionloom.motion import Clip
from motionloom.motion.anatomy import find_anatomy, find_body_masses
from motionloom.motion.anatomy.thresholds import GRAVITY
from motionloom.motion.result import ClipLike, check_clip

MIN_FLIGHT = 0.08
"""Seconds that a flight lasts at least; in a shorter one, noise dominates its acceleration."""

FLIGHT_HEIGHT = 0.04
"""Metres above the ground that all heels and toes have in flight, in a clip without plants: the tip of the
toes lies lower."""

MIN_FALL = 0.3 * GRAVITY
"""m/s² with which the centre of mass accelerates downward in flight. Far less than gravity: a blend may fall
too slowly, and that is to be measured."""

EDGE_FRACTION = 0.5
"""A flight begins and ends where the centre of mass has this fraction of its acceleration in mid-flight: half
way from standing to falling."""

FIT_WINDOW, MIN_FIT_FRAMES = 0.08, 5
"""Seconds, and frames at least, over which a parabola is fitted to find the acceleration of one frame."""

MAX_GAP = 0.035
"""Seconds in which noise may hide that a body falls."""


@dataclass(frozen=True)
class Flight:
    """A flight: its first and last instant in fractional frames, and how fast the body falls.

    Attributes
    ----------
    start, end
        Fractional frames between which the centre of mass falls freely.
    gravity
        Downward acceleration of the centre of mass by least squares over the flight, m/s².
    """

    start: float
    end: float
    gravity: float

    def duration(self, frame_time: float) -> float:
        """Return the duration in seconds, given that of a frame."""
        return (self.end - self.start) * frame_time


def find_flights(
    clip: ClipLike, heights: FloatArray | None = None, min_duration: float = MIN_FLIGHT
) -> list[Flight]:
    """Return the flights of a clip, in order; none where no legs are found.

    Parameters
    ----------
    clip
        A clip; where it is annotated, no flight reaches into a plant.
    heights
        (T, P) of the contact points above the ground, metres, for a clip without plants; by default above
        the floor that it stands on.
    min_duration
        Seconds below which a flight does not count.

    Returns
    -------
    list of Flight
        The flights in order: when they start and end, and the acceleration.

    Raises
    ------
    ParameterError
        What is given is no clip.

    >>> from motionloom.annotation import annotate
    >>> from motionloom.synthesis import jog, walk
    >>> [len(find_flights(annotate(make(duration=2.0).clip))) for make in (walk, jog)]
    [0, 5]
    """
    clip = check_clip("find_flights", clip)
    body = find_body_masses(clip.skeleton)
    if body is None or clip.n_frames < MIN_FIT_FRAMES:
        return []
    centre = body.centre(clip.world_positions(), clip.world_rotations())[:, 1]
    falls = -_accelerations(centre, clip.frame_time)
    flights = []
    for first, last in runs(_find_free_frames(clip, heights)):
        for start, end in _find_falls(falls, first, last, clip.frame_time):
            if (end - start) * clip.frame_time >= min_duration:
                gravity = -float(fit_acceleration(centre[:, None], clip.frame_time, start, end)[0])
                flights.append(Flight(start, end, gravity))
    return flights


def fit_acceleration(values: FloatArray, frame_time: float, start: float, end: float) -> FloatArray:
    """Return the acceleration (D,) of the parabola through values (T, D) from frame ``start`` to ``end``.

    >>> t = np.arange(20) * 0.01
    >>> fit_acceleration((3 * t - 9.81 / 2 * t**2)[:, None], 0.01, 0.0, 19.0).round(9).tolist()
    [-9.81]
    """
    first, last = int(np.ceil(start)), int(np.floor(end))
    times = (np.arange(first, last + 1) - (first + last) / 2.0) * frame_time
    powers = np.stack([np.ones_like(times), times, times * times], axis=1)
    return np.asarray(2.0 * np.linalg.lstsq(powers, values[first : last + 1], rcond=None)[0][2])


def _find_free_frames(clip: Clip, heights: FloatArray | None) -> BoolArray:
    """Return the frames (T,) in which no constraint holds or, without plants, all feet are in the air."""
    free = np.ones(clip.n_frames, dtype=bool)
    for constraint in clip.constraints:
        span = constraint.whole_frames(clip.n_frames)
        free[span.start : span.stop] = False
    if any(constraint.kind in PLANT_KINDS for constraint in clip.constraints):
        return free
    if heights is None:
        floor, soles = find_soles(clip, find_anatomy(clip.skeleton).legs)
        points = [point.positions(clip) for sole in soles for point in sole.points]
        heights = np.stack([floor.heights_above(positions) for positions in points], axis=1)
    return np.asarray(free & (heights.min(axis=1) > FLIGHT_HEIGHT))


def _find_falls(falls: FloatArray, first: int, last: int, frame_time: float) -> list[tuple[float, float]]:
    """Return the spans in fractional frames, within frames ``first`` to ``last``, in which a body falls."""
    within = falls[first : last + 1]
    falling = within[within > MIN_FALL]
    if not len(falling):
        return []
    level = EDGE_FRACTION * float(np.median(falling))
    spans: list[list[int]] = []
    for start, end in runs(within > level):
        if spans and (start - spans[-1][1]) * frame_time <= MAX_GAP:
            spans[-1][1] = end
        else:
            spans.append([start, end])
    edges = []
    for start, end in spans:
        # A plant that cuts a flight off begins or ends somewhere between two frames.
        before = crossing(within[start], within[start - 1], level) if start > 0 else 0.5 * (first > 0)
        after = 0.5 * (last + 1 < len(falls))
        if end + 1 < len(within):
            after = crossing(within[end], within[end + 1], level)
        edges.append((first + start - before, first + end + after))
    return edges


def _accelerations(values: FloatArray, frame_time: float) -> FloatArray:
    """Return accelerations (T,) of values (T,), each of the parabola through the frames around it."""
    half = min(max(round(FIT_WINDOW / frame_time / 2.0), MIN_FIT_FRAMES // 2), (len(values) - 1) // 2)
    offsets = np.arange(-half, half + 1) * frame_time
    bend = 2.0 * np.linalg.pinv(np.stack([np.ones_like(offsets), offsets, offsets**2], axis=1))[2]
    inside = np.convolve(values, bend[::-1], mode="valid")
    return np.concatenate([np.repeat(inside[:1], half), inside, np.repeat(inside[-1:], half)])

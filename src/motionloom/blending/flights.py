"""Flights that registered clips have in common, and the timewarp that keeps gravity in their blend.

Parabolas of durations T_k that are blended at equal phase fall with Σ w g T² / T², where T is the duration of
the blend: as fast as the clips only if T = √(Σ w T²). So the clips' flights must pass at equal phase, which a
timewarp that follows the poses does not promise, and in that time, which no mean of rates or durations gives
(the ballistic rate law of :mod:`.advance`). The centre of mass of a mean pose is not the mean of the clips'
centres either; :mod:`.fall` moves the body there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom.annotation.flights import MIN_FLIGHT, Flight, find_flights
from motionloom.arrays import FloatArray
from motionloom.motion import Clip, PointClip
from motionloom.motion.unroll import unroll
from motionloom.registration import ConstraintMatch, RegistrationCurve, TimewarpCurve

MIN_PARTNER = 0.5 * MIN_FLIGHT
"""Seconds that the shortest of corresponding flights lasts at least."""

MIN_OVERLAP = 0.4
"""Flights correspond where the time that they share is this fraction of the time that either takes, along the
registration curve."""

RAMP = 0.2
"""Seconds before take-off and after landing over which timing changes from that on the ground to that in
flight; about the time in which legs push and yield."""

MIN_ROOM = 0.05
"""Seconds on the ground below which there is no room to move a take-off or landing: the flight then begins
or ends where all clips fly."""

MAX_SLOPE_CHANGE = 2.5
"""How much faster or slower a clip may run, near a flight, than the registration curve says. Flights that
need more do not correspond."""

MAX_PIECE = 0.5
"""Frames per piece of a timewarp curve with flights: take-offs lie between frames."""


@dataclass(frozen=True, eq=False)
class MatchedFlight:
    """A flight that all K clips have.

    Attributes
    ----------
    start, end
        Parameters ``u`` of take-off and landing.
    spans
        (K, 2) parameters at which each clip takes off and lands.
    frames
        (2, K) frames of each clip at take-off and landing.
    gravities
        (K,) downward acceleration of each clip's centre of mass, m/s².
    ramps
        Lengths in ``u`` over which timing changes before take-off and after landing.
    """

    start: float
    end: float
    spans: FloatArray
    frames: FloatArray
    gravities: FloatArray
    ramps: tuple[float, float] = (0.0, 0.0)

    def blend_gravity(self, weights: FloatArray) -> float:
        """Return the downward acceleration of a blend with weights (K,): Σ w g T² / Σ w T²."""
        squares = weights * (self.frames[1] - self.frames[0]) ** 2
        return float(squares @ self.gravities / squares.sum())


@dataclass(frozen=True, eq=False)
class CurveFlights:
    """The flights that all clips of a curve have, in order, and those that only some have.

    Attributes
    ----------
    matched
        Flights of all clips.
    unmatched
        Clip, and flight in its frames, of all others.
    """

    matched: tuple[MatchedFlight, ...] = ()
    unmatched: tuple[tuple[int, Flight], ...] = ()


def match_flights(curve: RegistrationCurve) -> CurveFlights:
    """Find the flights of the clips, and which of them happen at the same time along the curve.

    >>> from motionloom.registration import register
    >>> from motionloom.annotation import annotate
    >>> from motionloom.synthesis import jog
    >>> slow, fast = (annotate(jog(speed=speed, duration=2.0).clip) for speed in (2.4, 3.2))
    >>> len(match_flights(register([slow, fast])).matched)
    5
    """
    if isinstance(curve.clips[0], PointClip):
        return CurveFlights()
    found = [_find_covered(curve, k) for k in range(curve.n_clips)]
    spans = [_parameters(curve, k, flights) for k, flights in enumerate(found)]
    matched: list[MatchedFlight] = []
    grouped: set[tuple[int, int]] = set()
    for n in range(len(found[curve.reference])):
        group = _find_partners(curve, spans, n)
        if group is None or grouped & set(enumerate(n for n, _ in group)):
            continue
        flights = [found[k][m] for k, (m, _) in enumerate(group)]
        if max(flight.duration(curve.clips[0].frame_time) for flight in flights) >= MIN_FLIGHT:
            grouped |= set(enumerate(m for m, _ in group))
            own = np.array([spans[k][m] + shift for k, (m, shift) in enumerate(group)])
            matched.append(_join(curve, own, flights))
    matched = _add_ramps(curve, matched)
    unmatched = [
        (k, flight)
        for k, flights in enumerate(found)
        for n, flight in enumerate(flights)
        if (k, n) not in grouped and flight.duration(curve.clips[0].frame_time) >= MIN_FLIGHT
    ]
    return CurveFlights(tuple(matched), tuple(unmatched))


def retime_flights(
    curve: RegistrationCurve, flights: Sequence[MatchedFlight]
) -> tuple[RegistrationCurve, tuple[MatchedFlight, ...]]:
    """Return the curve with all clips at equal phase in every flight, and the flights for which that works.

    Away from flights the curve stays as it is.
    """
    warp = _refine(curve)
    kept: list[MatchedFlight] = []
    for flight in flights:
        for choice in (flight, _narrow(warp, flight)):
            changed = _retime(warp, choice)
            if changed is not None:
                warp, kept = changed, [*kept, choice]
                break
    if not kept:
        return curve, ()
    matches = tuple(_move_match(curve, warp, match) for match in curve.matches)
    return replace(curve, timewarp=warp, matches=matches), tuple(kept)


def _find_covered(curve: RegistrationCurve, k: int) -> list[Flight]:
    """Return the flights of clip k that the curve covers, cut off at its ends."""
    clip = curve.clips[k]
    if curve.timewarp.periods is not None:
        return _find_in_cycle(clip)
    first, last = curve.spans[:, k].tolist()
    inside = [
        Flight(max(flight.start, first), min(flight.end, last), flight.gravity)
        for flight in find_flights(clip, min_duration=MIN_PARTNER)
    ]
    return [flight for flight in inside if flight.duration(curve.clips[0].frame_time) >= MIN_PARTNER]


def _find_in_cycle(clip: Clip) -> list[Flight]:
    """Return the flights that begin within a cycle."""
    n = clip.n_frames
    around = replace(unroll(clip, 3), cyclic=False)
    return [
        Flight(flight.start - n, flight.end - n, flight.gravity)
        for flight in find_flights(around, min_duration=MIN_PARTNER)
        if n <= flight.start < 2 * n and flight.end - flight.start < n
    ]


def _parameters(curve: RegistrationCurve, k: int, flights: Sequence[Flight]) -> FloatArray:
    """Return the parameters (N, 2) of flights of clip k."""
    frames = np.array([(flight.start, flight.end) for flight in flights]).reshape(-1, 2)
    return curve.timewarp.inverse(k, frames)


def _find_partners(
    curve: RegistrationCurve, spans: Sequence[FloatArray], n: int
) -> list[tuple[int, float]] | None:
    """Return for each clip the flight that overlaps flight n of the reference most, and its shift in u."""
    goal = spans[curve.reference][n]
    period = 0.0 if curve.timewarp.periods is None else float(np.ptp(curve.domain))
    group = []
    for own in spans:
        candidates = [
            (_overlap(span + shift, goal), m, shift)
            for m, span in enumerate(own)
            for shift in sorted({0.0, -period, period}, key=abs)
        ]
        best = max(candidates, key=lambda each: each[0], default=(0.0, 0, 0.0))
        if best[0] < MIN_OVERLAP:
            return None
        group.append(best[1:])
    return group


def _overlap(one: FloatArray, other: FloatArray) -> float:
    """Return the length that two spans (2,) share, as a fraction of the length that either covers."""
    shared = min(one[1], other[1]) - max(one[0], other[0])
    return max(float(shared), 0.0) / float(max(one[1], other[1]) - min(one[0], other[0]))


def _join(curve: RegistrationCurve, spans: FloatArray, flights: Sequence[Flight]) -> MatchedFlight:
    """Return the flight in common of spans (K, 2) in u.

    It begins and ends at the clips' mean. Where the curve leaves no room, take-off or landing cannot be moved
    and it keeps to where all clips fly.
    """
    frames = np.array([(flight.start, flight.end) for flight in flights]).T
    first, last = curve.domain
    start, end = spans.mean(axis=0).tolist()
    if curve.timewarp.periods is None:
        room = MIN_ROOM / _seconds_per_u(curve)
        if start - first < room:
            start = float(spans[:, 0].max())
            frames[0] = curve.timewarp(start)
        if last - end < room:
            end = float(spans[:, 1].min())
            frames[1] = curve.timewarp(end)
    else:
        # The shift to the reference's cycle moved u by whole cycles, and frames with it.
        u = np.array([curve.timewarp.inverse(k, frames[:, k]) for k in range(curve.n_clips)])
        frames += np.rint((spans - u) / np.ptp(curve.domain)).T * curve.timewarp.periods
    return MatchedFlight(start, end, spans, frames, np.array([flight.gravity for flight in flights]))


def _add_ramps(curve: RegistrationCurve, flights: Sequence[MatchedFlight]) -> list[MatchedFlight]:
    """Return flights with the ramps that the ground between them has room for."""
    ordered = sorted(flights, key=lambda flight: flight.start)
    max_ramp = RAMP / _seconds_per_u(curve)
    first, last = curve.domain
    result = []
    for n, flight in enumerate(ordered):
        before, after = flight.start - first, last - flight.end
        if n > 0:
            before = (flight.start - ordered[n - 1].end) / 2.0
        if n + 1 < len(ordered):
            after = (ordered[n + 1].start - flight.end) / 2.0
        if curve.timewarp.periods is not None:
            around = (ordered[0].start + last - first - ordered[-1].end) / 2.0
            before = around if n == 0 else before
            after = around if n + 1 == len(ordered) else after
        if flight.end > flight.start and min(before, after) >= 0.0:
            result.append(replace(flight, ramps=(min(before, max_ramp), min(after, max_ramp))))
    return result


def _refine(curve: RegistrationCurve) -> TimewarpCurve:
    """Return the same timewarp curve in pieces of at most :data:`MAX_PIECE` frames."""
    warp = curve.timewarp
    points, spacing = warp.all_points, warp.knot_spacing
    frames_per_u = float((np.ptp(curve.spans, axis=0) / np.ptp(curve.domain)).max())
    while spacing * frames_per_u > MAX_PIECE:
        # Corner cutting doubles the pieces of a quadratic B-spline without changing it.
        before, after = points[:-1], points[1:]
        cut = np.stack([0.75 * before + 0.25 * after, 0.25 * before + 0.75 * after], axis=1)
        points, spacing = cut.reshape(-1, points.shape[1]), spacing / 2.0
    if warp.periods is not None:
        points = points[:-2]
    return replace(warp, control_points=points, knot_spacing=spacing)


def _retime(warp: TimewarpCurve, flight: MatchedFlight) -> TimewarpCurve | None:
    """Return a timewarp curve with all clips at equal phase in a flight; None if clips would run too fast.

    On the ramps the difference fades to zero, as a cubic with the slopes that continue the curve.
    """
    points, periods = warp.control_points, warp.periods
    # Control point n of a quadratic B-spline belongs half a piece before knot n.
    at = warp.start + (np.arange(len(points)) - 0.5) * warp.knot_spacing
    length = flight.end - flight.start
    slopes = (flight.frames[1] - flight.frames[0]) / length
    changed = points.copy()
    cycles = (0,) if periods is None else (-1, 0, 1)
    for cycle in cycles:
        u = at + cycle * np.ptp(warp.domain)
        shift = 0.0 if periods is None else cycle * periods
        inside = (u >= flight.start) & (u <= flight.end)
        phase = flight.frames[0] + (u[inside, None] - flight.start) * slopes
        changed[inside] = phase - shift
        edges = ((flight.start, -flight.ramps[0], 0), (flight.end, flight.ramps[1], 1))
        for edge, ramp, end in edges:
            if ramp == 0.0:
                continue
            s = 1.0 - (u - edge) / ramp
            near = (s > 0.0) & (s < 1.0)
            # Value and slope at the edge of what the flight has more than the curve.
            value = flight.frames[end] - warp(edge)
            slope = -(slopes - warp.derivative(edge)) * ramp
            fade = s[near, None]
            changed[near] += value * fade**2 * (3.0 - 2.0 * fade) + slope * fade**2 * (fade - 1.0)
    if periods is None:
        # The curve begins and ends where it did.
        first, last = warp(warp.domain)
        changed[0], changed[-1] = 2.0 * first - changed[1], 2.0 * last - changed[-2]
    return _check_steps(warp, changed)


def _narrow(warp: TimewarpCurve, flight: MatchedFlight) -> MatchedFlight:
    """Return the part of a flight in which all clips fly by the curve as it is: no clip moves in time."""
    start, end = float(flight.spans[:, 0].max()), float(flight.spans[:, 1].min())
    ramps = (flight.ramps[0] + start - flight.start, flight.ramps[1] + flight.end - end)
    return replace(flight, start=start, end=end, frames=warp([start, end]), ramps=ramps)


def _check_steps(warp: TimewarpCurve, points: FloatArray) -> TimewarpCurve | None:
    """Return the curve with other control points; None if its steps change too much."""
    periods = warp.periods
    after = points if periods is None else np.concatenate([points, points[:1] + periods])
    before = warp.all_points[: len(after)]
    ratio = np.diff(after, axis=0) / np.diff(before, axis=0)
    if ratio.min() < 1.0 / MAX_SLOPE_CHANGE or ratio.max() > MAX_SLOPE_CHANGE:
        return None
    return replace(warp, control_points=points)


def _move_match(curve: RegistrationCurve, warp: TimewarpCurve, match: ConstraintMatch) -> ConstraintMatch:
    """Return a match with its spans where the same frames lie on another timewarp curve."""
    # Spans of cyclic clips are counted from the start of the domain.
    origin = 0.0 if curve.timewarp.periods is None else curve.domain[0]
    spans = np.array(match.spans)
    for k in range(curve.n_clips):
        frames = curve.timewarp(spans[k] + origin)[:, k]
        spans[k] = warp.inverse(k, frames) - origin
    return replace(match, spans=spans)


def _seconds_per_u(curve: RegistrationCurve) -> float:
    """Return the mean time that the clips take per unit of u."""
    frames = float(np.ptp(curve.spans, axis=0).mean())
    return frames * curve.clips[0].frame_time / float(np.ptp(curve.domain))

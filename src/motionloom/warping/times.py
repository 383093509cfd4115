"""The map of time that time keys make, and a clip retimed by it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray, freeze
from motionloom.errors import ParameterError
from motionloom.geometry.splines import MAX_SLOPE_RATIO, HermiteCurve, cardinal_slopes, monotone_slopes
from motionloom.messages import Argument
from motionloom.motion import Clip, Constraint, Event, Skeleton
from motionloom.motion.annotations import crop_constraints
from motionloom.motion.provenance import OWN_SOURCE
from motionloom.motion.sampling import MAX_FRAMES, sample_rotations, sample_vectors
from motionloom.warping.time_keys import SAME_TIME, TimeKeys

BISECTIONS = 60
"""Halvings after which a time is as exact as a float can be."""

WHOLE_FRAME = 1e-9
"""A frame index this near to a whole number is that frame; rounding must not lose the last one."""

SAME_FRAME = 1e-6
"""Frames between two parts of a constraint that are one: time turned round within it."""


class TimeMap:
    """The map from times of the result to times of the source, and back.

    Parameters
    ----------
    keys
        Time keys of the whole body or of a part of it.
    duration
        Duration of the source, seconds.

    >>> slow = TimeMap(TimeKeys([(1.0, 1.0), (2.0, 4.0)]), duration=3.0)
    >>> slow.duration, slow.source_times([0.5, 4.0, 4.5]).tolist()
    (5.0, [0.5, 2.0, 2.5])
    >>> slow.result_times([0.5, 2.0, 2.5]).round(12).tolist()
    [0.5, 4.0, 4.5]
    """

    def __init__(self, keys: TimeKeys, duration: float) -> None:
        self.source_duration = duration
        pairs = np.array(_anchor_start(keys.seconds))
        sources, results = pairs[:, :1], pairs[:, 1]
        if keys.curve == "cardinal":
            slopes = cardinal_slopes(results, sources, keys.tension)
            slopes[[0, -1]] = 1.0
        else:
            slopes = monotone_slopes(results, sources)
            slopes[[0, -1]] = np.clip(1.0, 0.0, MAX_SLOPE_RATIO * np.maximum(slopes[[0, -1]], 0.0))
        if len(pairs) == 1:
            slopes[:] = 1.0
        self._curve = HermiteCurve(results, sources, slopes)
        if not keys.reverse:
            self._refuse_reversal()

    def __repr__(self) -> str:
        return f"TimeMap({self.source_duration:g} s to {self.duration:g} s)"

    @property
    def duration(self) -> float:
        """Duration of the result, seconds."""
        return float(self._curve.knots[-1] + self.source_duration - self._curve.values[-1, 0])

    def source_times(self, times: npt.ArrayLike) -> FloatArray:
        """Return the source times (...) shown at times (...) of the result, seconds; not cut to the clip."""
        at = np.asarray(times, dtype=np.float64)
        first, last = self._curve.domain
        outside = np.minimum(at - first, 0.0) + np.maximum(at - last, 0.0)
        return np.asarray(self._curve(at)[..., 0] + outside)

    def rates(self, times: npt.ArrayLike) -> FloatArray:
        """Return the source seconds that pass per second of the result, at times (...) of the result."""
        at = np.asarray(times, dtype=np.float64)
        first, last = self._curve.domain
        within = (at >= first) & (at <= last) & (len(self._curve.knots) > 1)
        return np.where(within, self._curve.derivative(at)[..., 0], 1.0)

    def result_times(self, times: npt.ArrayLike) -> FloatArray:
        """Return the times (...) of the result that show source times (...); of several the first.

        It inverts :meth:`source_times` where time does not run backwards.
        """
        wanted = np.asarray(times, dtype=np.float64)
        found = np.full(wanted.shape, np.nan)
        for low, high in reversed(self.monotone_pieces()):
            ends = sorted((float(self.source_times(low)), float(self.source_times(high))))
            inside = (wanted >= ends[0]) & (wanted <= ends[1])
            found[inside] = self.invert_piece(wanted[inside], low, high)
        return found

    def monotone_pieces(self) -> tuple[tuple[float, float], ...]:
        """Return the intervals of the result in which source time only rises or only falls, in order."""
        far = 10.0 * (self.source_duration + abs(self.duration)) + 10.0
        inside = [time for time in self._turning_points() if -far < time < far]
        return tuple(pairwise([-far, *inside, far]))

    def invert_piece(self, times: FloatArray, low: float, high: float) -> FloatArray:
        """Return the times (N,) of the result, within one monotone piece, that show source times (N,)."""
        rising = bool(self.source_times(high) >= self.source_times(low))
        lows, highs = np.full(len(times), low), np.full(len(times), high)
        for _ in range(BISECTIONS):
            centres = (lows + highs) / 2.0
            short = (self.source_times(centres) < times) == rising
            lows, highs = np.where(short, centres, lows), np.where(short, highs, centres)
        return np.asarray((lows + highs) / 2.0)

    def _turning_points(self) -> list[float]:
        """Find the times of the result at which source time turns round: roots of the quadratic slopes."""
        knots, values, slopes = self._curve.knots, self._curve.values[:, 0], self._curve.slopes[:, 0]
        widths = np.diff(knots)
        found: set[float] = set()
        for n, width in enumerate(widths):
            mean = (values[n + 1] - values[n]) / width
            start, end = slopes[n], slopes[n + 1]
            roots = np.roots([3.0 * (start + end) - 6.0 * mean, 6.0 * mean - 4.0 * start - 2.0 * end, start])
            inside = [
                r.real for r in np.atleast_1d(roots) if abs(r.imag) < SAME_TIME and 0.0 <= r.real <= 1.0
            ]
            found |= {float(knots[n] + fraction * width) for fraction in inside}
        margin = float(widths.min()) * 1e-3 if len(widths) else 0.0
        return [t for t in sorted(found) if self.rates(t - margin) * self.rates(t + margin) < 0.0]

    def _refuse_reversal(self) -> None:
        points = self._turning_points()
        if points:
            raise ParameterError(
                f"the Cardinal spline through the time keys runs backwards from {points[0]:.3f} s on",
                remedy=(
                    "use ",
                    Argument("curve", "pchip"),
                    ", more tension, or allow it with ",
                    Argument("reverse", True),
                ),
            )


def retime_clip(clip: Clip, times: Sequence[TimeKeys]) -> Clip:
    """Apply time keys to a clip: each part of the body is shown at its own times.

    Constraints and events go along; those of a part with its own time go with that part.

    >>> from motionloom.synthesis import stand
    >>> clip = stand(duration=1.0).clip
    >>> retime_clip(clip, [TimeKeys([(0.5, 1.0)])]).duration
    1.5
    """
    if not times:
        return clip
    for keys in times:
        _check_inside(keys, clip.duration)
    maps = {keys.joint: TimeMap(keys, clip.duration) for keys in times}
    whole = maps.get("") or TimeMap(TimeKeys([(0.0, 0.0)]), clip.duration)
    n_frames = _count_frames(whole, clip.frame_time)
    result_times = np.arange(n_frames, dtype=np.float64) * clip.frame_time
    frames = _source_frames(whole, result_times, clip)
    owners = _find_owners(clip.skeleton, maps)
    rotations = sample_rotations(clip.rotations, frames, "catmull_rom")
    for name, own in maps.items():
        if name:
            joints = [joint for joint, owner in enumerate(owners) if owner == name]
            own_frames = _source_frames(own, result_times, clip)
            rotations[:, joints] = sample_rotations(clip.rotations[:, joints], own_frames, "catmull_rom")
    map_of = {
        name: maps[owner] if owner else whole for name, owner in zip(clip.skeleton.names, owners, strict=True)
    }
    constraints = [
        part
        for one in clip.constraints
        for part in _retime_constraint(one, map_of[one.joint], clip.frame_time)
    ]
    events = [
        copy
        for one in clip.events
        for copy in _retime_event(one, map_of.get(one.joint, whole), clip.frame_time)
    ]
    last, bones = n_frames - 1.0, clip.translations
    return replace(
        clip,
        root_positions=freeze(sample_vectors(clip.root_positions, frames, "catmull_rom")),
        rotations=freeze(rotations),
        translations=None if bones is None else freeze(sample_vectors(bones, frames, "catmull_rom")),
        constraints=crop_constraints(constraints, 0.0, last),
        events=tuple(event for event in events if 0.0 <= event.frame <= last),
        cyclic=False,
        provenance=OWN_SOURCE,
    )


def _anchor_start(pairs: Sequence[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    """Return the pairs, with the clip's start as one of them unless time runs unchanged up to the first."""
    source, new = pairs[0]
    if abs(source - new) < SAME_TIME or new <= 0.0:
        return tuple(pairs)
    return ((0.0, 0.0), *pairs)


def _count_frames(times: TimeMap, frame_time: float) -> int:
    frames = times.duration / frame_time + WHOLE_FRAME
    if frames >= MAX_FRAMES:
        raise ParameterError(
            f"the time keys make the clip {times.duration:g} s long, more than {MAX_FRAMES} frames"
        )
    return max(int(np.floor(frames)) + 1, 1)


def _check_inside(keys: TimeKeys, duration: float) -> None:
    for source, new in keys.seconds:
        if not -WHOLE_FRAME <= source <= duration + WHOLE_FRAME:
            raise ParameterError(
                f"a time key names {source:g} s of the source, but the clip runs from 0 to {duration:g} s"
            )
        if new < -WHOLE_FRAME:
            raise ParameterError(
                f"a time key puts {source:g} s of the source at {new:g} s of the result, which starts at 0 s"
            )


def _source_frames(times: TimeMap, result_times: FloatArray, clip: Clip) -> FloatArray:
    """Return the source frames (N,) shown at times (N,), inside the clip; nearly whole ones become whole."""
    frames = times.source_times(result_times) / clip.frame_time
    whole = np.round(frames)
    frames = np.where(np.abs(frames - whole) < WHOLE_FRAME, whole, frames)
    return np.clip(frames, 0.0, clip.n_frames - 1.0)


def _find_owners(skeleton: Skeleton, maps: dict[str, TimeMap]) -> list[str]:
    """Find for each joint the nearest one, itself or above it, that has its own time keys; "" for none."""
    named = {skeleton.index(name): name for name in maps if name}
    owners: list[str] = []
    for joint, parent in enumerate(skeleton.parents.tolist()):
        owners.append(named.get(joint, "" if parent < 0 else owners[parent]))
    return owners


def _retime_constraint(constraint: Constraint, times: TimeMap, frame_time: float) -> list[Constraint]:
    """Return a constraint over its times in the result; several where time runs backwards."""
    first, last = constraint.start * frame_time, constraint.end * frame_time
    spans: list[list[float]] = []
    for low, high in times.monotone_pieces():
        start, end = sorted((float(times.source_times(low)), float(times.source_times(high))))
        inside = max(first, start), min(last, end)
        if inside[0] >= inside[1]:
            continue
        ends = sorted(times.invert_piece(np.array(inside), low, high).tolist())
        if spans and ends[0] - spans[-1][1] < SAME_FRAME * frame_time:
            spans[-1][1] = ends[1]
        else:
            spans.append(ends)
    return [
        replace(constraint, start=start / frame_time, end=end / frame_time)
        for start, end in spans
        if start < end
    ]


def _retime_event(event: Event, times: TimeMap, frame_time: float) -> list[Event]:
    """Return an event at every time of the result at which it happens."""
    time = event.frame * frame_time
    found: list[Event] = []
    for low, high in times.monotone_pieces():
        start, end = sorted((float(times.source_times(low)), float(times.source_times(high))))
        if start <= time <= end:
            frame = float(times.invert_piece(np.array([time]), low, high)[0]) / frame_time
            if not found or frame - found[-1].frame > SAME_FRAME:
                found.append(replace(event, frame=frame))
    return found

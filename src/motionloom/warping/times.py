"""Time keys: when moments of the source happen in the result, and a clip at those times."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray, freeze
from motionloom.errors import ParameterError
from motionloom.geometry.splines import STEEPEST, HermiteCurve, cardinal_slopes, monotone_slopes
from motionloom.motion import Clip, Constraint, Event, Skeleton
from motionloom.motion.constraint import crop_constraints
from motionloom.motion.sampling import MAX_FRAMES, sample_rotations, sample_vectors
from motionloom.validation import check_number, check_string

CurveKind = Literal["pchip", "cardinal"]

ON_LINE = 1e-9
"""A pair whose times differ by less than this, seconds, leaves the time before it as it is."""

BISECTIONS = 60
"""Halvings after which a time is known as exactly as a float can be."""


@dataclass(frozen=True)
class TimeKeys:
    """Pairs of a moment of the source and the moment at which it happens in the result.

    After the last pair, and before a first one that changes nothing, time runs as in the source. Otherwise
    the start of the clip stays its start.

    Attributes
    ----------
    pairs
        (source, new) seconds.
    joint
        The joint whose part of the body, itself and all below it, keeps this time; ``""`` is the whole body.
    curve
        "pchip" never runs backwards between increasing pairs; "cardinal" is the spline of the paper.
    tension
        Of the Cardinal spline; 0 is Catmull–Rom.
    reverse
        Whether time may run backwards.

    >>> TimeKeys([(0.6, 0.9)]).pairs
    ((0.6, 0.9),)
    """

    pairs: Sequence[tuple[float, float]]
    joint: str = ""
    curve: CurveKind = "pchip"
    tension: float = 0.0
    reverse: bool = False

    def __post_init__(self) -> None:
        check_string("the joint of time keys", self.joint)
        if self.curve not in get_args(CurveKind):
            raise ParameterError(f"curve must be one of {', '.join(get_args(CurveKind))}, not {self.curve!r}")
        put = object.__setattr__
        put(self, "tension", checked_tension(self.tension))
        put(self, "pairs", _checked_pairs(self.pairs))
        if not self.reverse:
            _refuse_reversal(self.pairs)


class TimeMap:
    """The time of the source as a function of the time of the result, and back.

    >>> slow = TimeMap(TimeKeys([(1.0, 1.0), (2.0, 4.0)]), duration=3.0)
    >>> slow.duration, slow.source([0.5, 4.0, 4.5]).tolist()
    (5.0, [0.5, 2.0, 2.5])
    >>> slow.new([0.5, 2.0, 2.5]).round(12).tolist()
    [0.5, 4.0, 4.5]
    """

    def __init__(self, keys: TimeKeys, duration: float) -> None:
        self.source_duration = duration
        pairs = np.array(_anchored(keys.pairs))
        sources, news = pairs[:, :1], pairs[:, 1]
        if keys.curve == "cardinal":
            slopes = cardinal_slopes(news, sources, keys.tension)
            slopes[[0, -1]] = 1.0
        else:
            slopes = monotone_slopes(news, sources)
            slopes[[0, -1]] = np.clip(1.0, 0.0, STEEPEST * np.maximum(slopes[[0, -1]], 0.0))
        if len(pairs) == 1:
            slopes[:] = 1.0
        self._curve = HermiteCurve(news, sources, slopes)
        if not keys.reverse:
            self._refuse_reversal()

    @property
    def duration(self) -> float:
        """Seconds that the result lasts."""
        return float(self._curve.knots[-1] + self.source_duration - self._curve.values[-1, 0])

    def source(self, new: npt.ArrayLike) -> FloatArray:
        """Source times (...) that are shown at times (...) of the result, seconds; not cut to the clip."""
        at = np.asarray(new, dtype=np.float64)
        first, last = self._curve.domain
        outside = np.minimum(at - first, 0.0) + np.maximum(at - last, 0.0)
        return np.asarray(self._curve(at)[..., 0] + outside)

    def rate(self, new: npt.ArrayLike) -> FloatArray:
        """Source seconds that pass per second of the result (...)."""
        at = np.asarray(new, dtype=np.float64)
        first, last = self._curve.domain
        crop_constraints = (at >= first) & (at <= last) & (len(self._curve.knots) > 1)
        return np.where(crop_constraints, self._curve.derivative(at)[..., 0], 1.0)

    def new(self, source: npt.ArrayLike) -> FloatArray:
        """Times (...) of the result at which source times (...) are shown; the first where there are several.

        It undoes :meth:`source` where time does not run backwards.
        """
        wanted = np.asarray(source, dtype=np.float64)
        found = np.full(wanted.shape, np.nan)
        for low, high in reversed(self.pieces()):
            ends = sorted((float(self.source(low)), float(self.source(high))))
            inside = (wanted >= ends[0]) & (wanted <= ends[1])
            found[inside] = self.within_piece(wanted[inside], low, high)
        return found

    def pieces(self) -> tuple[tuple[float, float], ...]:
        """The intervals of the result's time in which the source's time goes one way, first to last."""
        far = 10.0 * (self.source_duration + abs(self.duration)) + 10.0
        turns = [time for time in self._turning_points() if -far < time < far]
        bounds = [-far, *turns, far]
        return tuple(pairwise(bounds))

    def within_piece(self, wanted: FloatArray, low: float, high: float) -> FloatArray:
        """The times (N,) within one of the pieces at which the source's time is as wanted (N,)."""
        rising = bool(self.source(high) >= self.source(low))
        lows, highs = np.full(len(wanted), low), np.full(len(wanted), high)
        for _ in range(BISECTIONS):
            middle = (lows + highs) / 2.0
            short = (self.source(middle) < wanted) == rising
            lows, highs = np.where(short, middle, lows), np.where(short, highs, middle)
        return np.asarray((lows + highs) / 2.0)

    def _turning_points(self) -> list[float]:
        """Times of the result at which the source's time turns round: roots of the quadratic slopes."""
        knots, values, slopes = self._curve.knots, self._curve.values[:, 0], self._curve.slopes[:, 0]
        widths = np.diff(knots)
        found: set[float] = set()
        for n, width in enumerate(widths):
            mean = (values[n + 1] - values[n]) / width
            start, end = slopes[n], slopes[n + 1]
            roots = np.roots([3.0 * (start + end) - 6.0 * mean, 6.0 * mean - 4.0 * start - 2.0 * end, start])
            inside = [r.real for r in np.atleast_1d(roots) if abs(r.imag) < ON_LINE and 0.0 <= r.real <= 1.0]
            found |= {float(knots[n] + share * width) for share in inside}
        reach = float(widths.min()) * 1e-3 if len(widths) else 0.0
        return [t for t in sorted(found) if self.rate(t - reach) * self.rate(t + reach) < 0.0]

    def _refuse_reversal(self) -> None:
        turns = self._turning_points()
        if turns:
            raise ParameterError(
                f"the Cardinal spline through the time keys runs backwards from {turns[0]:.3f} s on: "
                "use curve='pchip', more tension, or allow it with reverse=True"
            )


def checked_times(times: TimeKeys | Iterable[TimeKeys | tuple[float, float]] | None) -> tuple[TimeKeys, ...]:
    """Time keys from what a caller gives: pairs, time keys, or several time keys for parts of the body.

    >>> checked_times([(0.6, 0.9)])
    (TimeKeys(pairs=((0.6, 0.9),), joint='', curve='pchip', tension=0.0, reverse=False),)
    """
    if times is None:
        return ()
    if isinstance(times, TimeKeys):
        return (times,) if times.pairs else ()
    if not isinstance(times, Iterable):
        raise ParameterError(f"times must be pairs (source, new) of seconds, or TimeKeys, not {times!r}")
    listed = list(times)
    groups = [entry for entry in listed if isinstance(entry, TimeKeys)]
    if groups and len(groups) < len(listed):
        raise ParameterError("times must be pairs of seconds, or TimeKeys, not both")
    if not groups:
        groups = [TimeKeys([entry for entry in listed if not isinstance(entry, TimeKeys)])] if listed else []
    names = [group.joint for group in groups]
    for name in names:
        if names.count(name) > 1:
            raise ParameterError(f"two sets of time keys are for {name!r}: put their pairs together")
    return tuple(group for group in groups if group.pairs)


def checked_tension(tension: float) -> float:
    """The tension of a Cardinal spline, or an error when it is not between 0 and 1.

    >>> checked_tension(0.5)
    0.5
    """
    number = check_number("tension", tension)
    if not 0.0 <= number <= 1.0:
        raise ParameterError(f"tension must lie between 0 and 1, not {number:g}")
    return number


def _checked_pairs(pairs: Iterable[Sequence[float]]) -> tuple[tuple[float, float], ...]:
    if not isinstance(pairs, Iterable):
        raise ParameterError(f"time keys must be pairs (source, new) of seconds, not {pairs!r}")
    made = []
    for pair in pairs:
        try:
            source, new = pair
        except (TypeError, ValueError):
            raise ParameterError(f"time keys must be pairs (source, new) of seconds, not {pair!r}") from None
        made.append((check_number("a source time", source), check_number("a new time", new)))
    made.sort(key=lambda pair: pair[1])
    for before, after in pairwise(made):
        if after[1] - before[1] < ON_LINE:
            raise ParameterError(
                f"two moments of the source are put at {after[1]:g} s: give them new times apart"
            )
    return tuple(made)


def _refuse_reversal(pairs: Sequence[tuple[float, float]]) -> None:
    for before, after in pairwise(pairs):
        if after[0] <= before[0]:
            raise ParameterError(
                f"the time keys let {after[0]:g} s of the source come after {before[0]:g} s: time would "
                "stand still or run backwards, which reverse=True allows"
            )


def _anchored(pairs: Sequence[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    """The pairs, with the clip's start as one of them unless time runs unchanged up to the first."""
    source, new = pairs[0]
    if abs(source - new) < ON_LINE or new <= 0.0:
        return tuple(pairs)
    return ((0.0, 0.0), *pairs)


WHOLE_FRAME = 1e-9
"""A frame index this near to a whole number is that frame; rounding must not lose the last one."""

TOUCHING = 1e-6
"""Frames between two parts of a constraint that are one: time turned round within it."""


def retimed_clip(clip: Clip, times: Sequence[TimeKeys]) -> Clip:
    """The clip with time keys applied: each part of the body at its own times.

    Constraints and events go along; those of a part that keeps its own time go with that part.

    >>> from motionloom.synthesis import stand
    >>> clip = stand(duration=1.0).clip
    >>> retimed_clip(clip, [TimeKeys([(0.5, 1.0)])]).duration
    1.5
    """
    if not times:
        return clip
    for keys in times:
        _check_moments(keys, clip.duration)
    maps = {keys.joint: TimeMap(keys, clip.duration) for keys in times}
    whole = maps.get("") or TimeMap(TimeKeys([(0.0, 0.0)]), clip.duration)
    n_frames = _n_frames(whole, clip.frame_time)
    moments = np.arange(n_frames, dtype=np.float64) * clip.frame_time
    frames = _frames(whole, moments, clip)
    turns = sample_rotations(clip.rotations, frames, "catmull_rom")
    bones = clip.translations
    for joints, own in _parts(clip.skeleton, maps):
        there = _frames(own, moments, clip)
        turns[:, joints] = sample_rotations(clip.rotations[:, joints], there, "catmull_rom")
    of_joint = _maps_of_joints(clip.skeleton, maps, whole)
    constraints = [
        part
        for held in clip.constraints
        for part in _constraint_parts(held, of_joint[held.joint], clip.frame_time)
    ]
    events = [
        e
        for event in clip.events
        for e in _event_copies(event, of_joint.get(event.joint, whole), clip.frame_time)
    ]
    last = n_frames - 1.0
    return replace(
        clip,
        root_positions=freeze(sample_vectors(clip.root_positions, frames, "catmull_rom")),
        rotations=freeze(turns),
        translations=None if bones is None else freeze(sample_vectors(bones, frames, "catmull_rom")),
        constraints=crop_constraints(constraints, 0.0, last),
        events=tuple(event for event in events if 0.0 <= event.frame <= last),
        cyclic=False,
    )


def _n_frames(times: TimeMap, frame_time: float) -> int:
    frames = times.duration / frame_time + WHOLE_FRAME
    if frames >= MAX_FRAMES:
        raise ParameterError(
            f"the time keys make the clip {times.duration:g} s long, more than {MAX_FRAMES} frames"
        )
    return max(int(np.floor(frames)) + 1, 1)


def _check_moments(keys: TimeKeys, duration: float) -> None:
    for source, new in keys.pairs:
        if not -WHOLE_FRAME <= source <= duration + WHOLE_FRAME:
            raise ParameterError(
                f"a time key names {source:g} s of the source, but the clip has 0 to {duration:g} s"
            )
        if new < -WHOLE_FRAME:
            raise ParameterError(
                f"a time key puts {source:g} s of the source at {new:g} s of the result, which starts at 0 s"
            )


def _frames(times: TimeMap, moments: FloatArray, clip: Clip) -> FloatArray:
    """Source frames (N,) shown at moments (N,), within the clip; near whole ones made whole."""
    frames = times.source(moments) / clip.frame_time
    whole = np.round(frames)
    frames = np.where(np.abs(frames - whole) < WHOLE_FRAME, whole, frames)
    return np.clip(frames, 0.0, clip.n_frames - 1.0)


def _parts(skeleton: Skeleton, maps: dict[str, TimeMap]) -> list[tuple[list[int], TimeMap]]:
    """The joints of each part of the body that keeps its own time; parts within parts have theirs."""
    owner = _owners(skeleton, maps)
    return [
        ([j for j in range(skeleton.n_joints) if owner[j] == name], times)
        for name, times in maps.items()
        if name
    ]


def _owners(skeleton: Skeleton, maps: dict[str, TimeMap]) -> list[str]:
    """For each joint the joint at or above it that has time keys of its own, or ""."""
    named = {skeleton.index(name): name for name in maps if name}
    owner: list[str] = []
    for joint, parent in enumerate(skeleton.parents.tolist()):
        owner.append(named.get(joint, "" if parent < 0 else owner[parent]))
    return owner


def _maps_of_joints(skeleton: Skeleton, maps: dict[str, TimeMap], whole: TimeMap) -> dict[str, TimeMap]:
    owner = _owners(skeleton, maps)
    return {name: maps[owner[j]] if owner[j] else whole for j, name in enumerate(skeleton.names)}


def _constraint_parts(held: Constraint, times: TimeMap, frame_time: float) -> list[Constraint]:
    """The intervals of the result in which a constraint holds; several where time runs backwards."""
    first, last = held.start * frame_time, held.end * frame_time
    spans: list[list[float]] = []
    for low, high in times.pieces():
        start, end = sorted((float(times.source(low)), float(times.source(high))))
        inside = max(first, start), min(last, end)
        if inside[0] >= inside[1]:
            continue
        ends = sorted(times.within_piece(np.array(inside), low, high).tolist())
        if spans and ends[0] - spans[-1][1] < TOUCHING * frame_time:
            spans[-1][1] = ends[1]
        else:
            spans.append(ends)
    return [
        replace(held, start=start / frame_time, end=end / frame_time) for start, end in spans if start < end
    ]


def _event_copies(event: Event, times: TimeMap, frame_time: float) -> list[Event]:
    moment = event.frame * frame_time
    found: list[Event] = []
    for low, high in times.pieces():
        start, end = sorted((float(times.source(low)), float(times.source(high))))
        if start <= moment <= end:
            frame = float(times.within_piece(np.array([moment]), low, high)[0]) / frame_time
            if not found or frame - found[-1].frame > TOUCHING:
                found.append(replace(event, frame=frame))
    return found

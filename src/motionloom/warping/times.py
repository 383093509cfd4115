"""Time keys: when moments of the source happen in the result, and the map between both times."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray
from motionloom.errors import ParameterError
from motionloom.geometry.cardinal import STEEPEST, HermiteCurve, cardinal_slopes, monotone_slopes
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
        within = (at >= first) & (at <= last) & (len(self._curve.knots) > 1)
        return np.where(within, self._curve.derivative(at)[..., 0], 1.0)

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

"""Time keys: when moments of the source happen in the result, and by how much parts of it are stretched."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal, cast, get_args

from motionloom.errors import ParameterError
from motionloom.messages import Argument
from motionloom.validation import check_choice, check_number, check_positive, check_string
from motionloom.warping.moments import parse_moment

TimeCurve = Literal["pchip", "cardinal"]

SAME_TIME = 1e-9
"""Seconds below which two times are equal; a pair of equal times leaves the time before it as it is."""

MAX_STRETCH = 1e3
"""Largest factor on the duration of a part of a clip, and the inverse of the smallest."""

Time = float | str
"""Seconds, or a moment in words; see :mod:`motionloom.warping.moments`."""


@dataclass(frozen=True)
class TimeKeys:
    """Pairs of a source time and the time at which it happens in the result, or stretched parts of a clip.

    After the last pair, and before a first one that changes nothing, time runs as in the source. Otherwise
    the start of the clip stays its start.

    Attributes
    ----------
    pairs
        (source, new) times in seconds; the source time may be a moment in words, such as "left strike 2".
    joint
        The joint whose part of the body, itself and all joints below it, runs at this time; ``""`` is the
        whole body.
    curve
        "pchip" never runs backwards between increasing pairs; "cardinal" is the spline of the paper.
    tension
        Tension of the Cardinal spline, 0 (Catmull–Rom) to 1.
    reverse
        Whether time may run backwards.
    stretches
        Instead of pairs, (start, end, factor): the part of the source between two moments takes ``factor``
        times as long. From "every left strike" to "left lift", every contact of the left foot does.

    >>> TimeKeys([(0.6, 0.9)]).pairs
    ((0.6, 0.9),)
    >>> TimeKeys(stretches=[("every left strike", "left lift", 0.75)]).is_portable
    True
    """

    pairs: Sequence[tuple[Time, float]] = ()
    joint: str = ""
    curve: TimeCurve = "pchip"
    tension: float = 0.0
    reverse: bool = False
    stretches: Sequence[tuple[Time, Time, float]] = field(default=(), kw_only=True)

    def __post_init__(self) -> None:
        check_string("the joint of time keys", self.joint)
        check_choice("curve", self.curve, get_args(TimeCurve))
        put = object.__setattr__
        put(self, "tension", check_tension(self.tension))
        put(self, "pairs", _check_pairs(self.pairs))
        put(self, "stretches", _check_stretches(self.stretches))
        if self.pairs and self.stretches:
            raise ParameterError(
                "time keys have pairs or stretches, not both", remedy="leave one of them out"
            )
        if not self.reverse and not self.is_portable:
            _refuse_reversal(self.seconds)

    @property
    def is_portable(self) -> bool:
        """Whether times have to be found in a clip first."""
        return bool(self.stretches) or any(isinstance(source, str) for source, _ in self.pairs)

    @property
    def seconds(self) -> tuple[tuple[float, float], ...]:
        """The pairs of time keys that are given in seconds."""
        if self.is_portable:
            raise ParameterError(
                "time keys at moments in words have no times before they are applied to a clip"
            )
        return cast(tuple[tuple[float, float], ...], tuple(self.pairs))


def check_times(
    times: TimeKeys | Iterable[TimeKeys | tuple[Time, float] | tuple[Time, Time, float]] | None,
) -> tuple[TimeKeys, ...]:
    """Return time keys from what callers give: pairs, stretches, or time keys for several parts of the body.

    >>> check_times([(0.6, 0.9)])[0].pairs
    ((0.6, 0.9),)
    >>> check_times([("start", "end", 1.3)])[0].stretches
    (('start', 'end', 1.3),)
    """
    if times is None:
        return ()
    if isinstance(times, TimeKeys):
        return (times,) if times.pairs or times.stretches else ()
    if isinstance(times, str) or not isinstance(times, Iterable):
        raise ParameterError(
            f"must be pairs (source, new) of seconds, or TimeKeys, not {times!r}",
            parameter="times",
            value=times,
        )
    listed = list(times)
    groups = [entry for entry in listed if isinstance(entry, TimeKeys)]
    if groups and len(groups) < len(listed):
        raise ParameterError("must be pairs of seconds, or TimeKeys, not both", parameter="times")
    if not groups:
        groups = [_as_time_keys(listed)] if listed else []
    names = [group.joint for group in groups]
    for name in names:
        if names.count(name) > 1:
            raise ParameterError(f"two sets of time keys are for {name!r}", remedy="put their pairs together")
    return tuple(group for group in groups if group.pairs or group.stretches)


def check_tension(tension: float) -> float:
    """Return the tension of a Cardinal spline, 0 to 1.

    >>> check_tension(0.5)
    0.5
    """
    return check_number("tension", tension, min=0.0, max=1.0)


def _as_time_keys(entries: Sequence[object]) -> TimeKeys:
    """Return time keys of pairs, or of stretches where every entry has three items."""
    if all(isinstance(entry, tuple | list) and len(entry) == 3 for entry in entries):
        return TimeKeys(stretches=cast(Sequence[tuple[Time, Time, float]], entries))
    return TimeKeys(cast(Sequence[tuple[Time, float]], entries))


def _check_time(name: str, time: object) -> Time:
    if isinstance(time, str):
        parse_moment(time)
        return time
    return check_number(name, time)


def _check_stretches(stretches: Iterable[Sequence[object]]) -> tuple[tuple[Time, Time, float], ...]:
    checked = []
    for stretch in stretches:
        try:
            start, end, factor = stretch
        except (TypeError, ValueError):
            raise ParameterError(
                f"a stretch of time must be (start, end, factor), such as ('every left strike', 'left lift', "
                f"0.75), not {stretch!r}"
            ) from None
        factor = check_positive("the factor of a stretch of time", factor, max=MAX_STRETCH)
        if factor < 1.0 / MAX_STRETCH:
            raise ParameterError(
                f"the factor of a stretch of time must be {1.0 / MAX_STRETCH:g} or more, not {factor:g}"
            )
        ends = _check_time("the start of a stretch", start), _check_time("the end of a stretch", end)
        checked.append((*ends, factor))
    return tuple(checked)


def _check_pairs(pairs: Iterable[Sequence[object]]) -> tuple[tuple[Time, float], ...]:
    if isinstance(pairs, str) or not isinstance(pairs, Iterable):
        raise ParameterError(f"time keys must be pairs (source, new) of seconds, not {pairs!r}")
    checked = []
    for pair in pairs:
        try:
            source, new = pair
        except (TypeError, ValueError):
            raise ParameterError(f"time keys must be pairs (source, new) of seconds, not {pair!r}") from None
        checked.append((_check_time("a source time", source), check_number("a new time", new)))
    checked.sort(key=lambda pair: pair[1])
    for before, after in pairwise(checked):
        if after[1] - before[1] < SAME_TIME:
            raise ParameterError(
                f"two moments of the source are put at {after[1]:g} s", remedy="give them different new times"
            )
    return tuple(checked)


def _refuse_reversal(pairs: Sequence[tuple[float, float]]) -> None:
    for before, after in pairwise(pairs):
        if after[0] <= before[0]:
            raise ParameterError(
                (
                    f"the time keys let {after[0]:g} s of the source come after {before[0]:g} s: time would "
                    "stand still or run backwards, which ",
                    Argument("reverse", True),
                    " allows",
                )
            )

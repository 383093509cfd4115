"""Registration settings: every option, its default, and the papers' own values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from motionloom.errors import ParameterError
from motionloom.options import check_settings, choose
from motionloom.options.registration import (
    DEFAULT_WINDOW,
    MAX_SLOPE_LIMIT,
    REGISTRATION,
    Alignment,
    FitMode,
    Form,
    Pin,
    Profile,
    SpanEnd,
    min_rate_for,
)
from motionloom.registration.dtw import SlopeRule
from motionloom.validation import check_choice, check_count, check_string

MAX_FRAME = 10**9
"""The last frame that a pin may name; no clip is longer."""

SETTINGS = tuple(option for option in REGISTRATION if option.name != "profile")
"""The options that are settings; a profile is a set of them."""

DEFAULT_EVENTS = ("strike",)
"""Labels of the events at which clips correspond unless the caller gives others."""


@dataclass(frozen=True, kw_only=True)
class RegistrationSettings:
    """The settings of :func:`~motionloom.registration.register.register`.

    Attributes
    ----------
    slope_limit
        W: each frame of one clip corresponds to at most W frames of another; 2 or 3 in the papers.
    window
        Seconds to either side that are compared together with a frame.
    points, joint_weights
        Points per frame that stand for the body, None for joints and bone tips, and factors on the weights of
        joints by name.
    speed_weight
        Weight of the points' speeds, each relative to its own peak, against poses in the time alignment;
        0 compares poses only, as the papers do.
    start, end
        Where the correspondence starts and ends: "auto" is "corners", or the whole cycle of cyclic clips;
        "free" lets the clips find their ends; a tuple gives one frame of each clip.
    pins
        Tuples of frames, one of each clip, that correspond exactly.
    events
        Labels of events at which the clips correspond, where all clips have the same sequence of them; None
        takes strikes unless start, end or pins are given, an empty tuple none.
    alignment
        "auto" finds the best path on the whole grid of a pair of clips, unless that is too large; "windowed"
        grows it window by window, so that each stretch is the best nearby, whatever comes later.
    stiffness
        Weight of changes of rate in the time alignment, relative to how sharply distances rise beside its
        path: where frames cannot be told apart, clips run at an even rate. 0 keeps the stair steps of the
        path, as the papers do.
    min_rate
        Smallest ratio of two clips' rates; None goes with the slope limit.
    knot_spacing
        Seconds per piece of the splines; three frames at 30 Hz by default (the papers: three to five).
    smoothing
        Width of the median filter on sampled alignments, in samples; 1 is none.
    reference
        The clip that the others are registered to; None takes the one closest to all others.
    form, fit
        The rule of the time alignment and how its curve is fitted: the papers' or improved ones.
    """

    slope_limit: int = 3
    window: float = DEFAULT_WINDOW
    points: int | None = None
    joint_weights: Mapping[str, float] | None = None
    speed_weight: float = 1.0
    start: SpanEnd = "auto"
    end: SpanEnd = "auto"
    pins: Sequence[Pin] = ()
    events: Sequence[str] | None = None
    alignment: Alignment = "auto"
    stiffness: float = 5.0
    min_rate: float | None = None
    knot_spacing: float = 3 / 30
    smoothing: int = 1
    reference: int | None = None
    form: Form = "reversible"
    fit: FitMode = "exact"

    def __post_init__(self) -> None:
        check_settings(
            SETTINGS,
            self,
            own={
                "slope_limit": lambda given: min(check_count("slope_limit", given), MAX_SLOPE_LIMIT),
                "joint_weights": _check_joint_weights,
                "start": lambda given: _check_end("start", given),
                "end": lambda given: _check_end("end", given),
                "pins": _check_pins,
                "events": _check_events,
                "smoothing": _check_smoothing,
            },
        )

    @property
    def slope_rule(self) -> SlopeRule:
        """How far paths of time alignments may run along one clip alone."""
        return SlopeRule(self.slope_limit, self.form)

    @property
    def rate_bound(self) -> float:
        """The smallest ratio of two clips' rates: as given, or the one that goes with the slope limit."""
        return min_rate_for(self.slope_limit) if self.min_rate is None else self.min_rate

    @property
    def spans_whole_clips(self) -> bool:
        """Whether the clips correspond from end to end, with no cells given by the caller."""
        return not self.pins and all(end in ("auto", "corners") for end in (self.start, self.end))

    @property
    def event_labels(self) -> Sequence[str]:
        """Labels of the events that count: strikes, unless others are named or frames are given."""
        if self.events is not None:
            return self.events
        return DEFAULT_EVENTS if self.spans_whole_clips else ()


def _check_joint_weights(given: Any) -> Mapping[str, float]:
    if not isinstance(given, Mapping):
        raise ParameterError(
            f"must map joint names to numbers, not {given!r}", parameter="joint_weights", value=given
        )
    return given


def _check_smoothing(given: Any) -> int:
    (smoothing,) = choose(SETTINGS, "smoothing")
    if smoothing.check(given) % 2 == 0:
        raise ParameterError(
            f"is the odd width of a median filter, 1 for none, not {given}",
            parameter="smoothing",
            value=given,
        )
    return int(given)


def _check_end(name: str, given: Any) -> SpanEnd:
    if not isinstance(given, str):
        return _check_frames(name, given)
    rule: Any = given
    if rule not in ("auto", "corners", "free"):
        raise ParameterError(
            f"must be 'auto', 'corners', 'free' or one frame per clip, such as (30, 42), not {given!r}",
            parameter=name,
            value=given,
        )
    end: SpanEnd = rule
    return end


def _check_pins(pins: Any) -> tuple[Pin, ...]:
    try:
        listed = list(pins)
    except TypeError:
        raise ParameterError(
            f"must be a list with one frame per clip each, such as [(30, 42)], not {pins!r}",
            parameter="pins",
            value=pins,
        ) from None
    return tuple(_check_frames("pins", pin) for pin in listed)


def _check_frames(name: str, given: Any) -> Pin:
    try:
        frames = tuple(int(n) for n in given)
        if frames != tuple(given) or len(frames) < 2 or max(map(abs, frames)) > MAX_FRAME:
            raise ValueError
    except (TypeError, ValueError, OverflowError):
        raise ParameterError(
            f"takes one whole frame per clip, such as (30, 42), not {given!r}", parameter=name, value=given
        ) from None
    return frames


def _check_events(events: Any) -> tuple[str, ...]:
    if isinstance(events, str):
        raise ParameterError(
            f"must be a list of labels, not {events!r}", parameter="events", remedy=f"write [{events!r}]"
        )
    return tuple(check_string("each label of events", label) for label in events)


PROFILES: dict[Profile, RegistrationSettings] = {
    "default": RegistrationSettings(),
    "paper": RegistrationSettings(
        slope_limit=2,
        window=2 / 30,
        points=40,
        speed_weight=0.0,
        events=(),
        stiffness=0.0,
        knot_spacing=4 / 30,
        smoothing=5,
        form="thesis",
        fit="appendix",
    ),
    "thesis": RegistrationSettings(
        slope_limit=2,
        window=1 / 30,
        points=40,
        speed_weight=0.0,
        events=(),
        stiffness=0.0,
        knot_spacing=4 / 30,
        smoothing=3,
        form="thesis",
        fit="nudge",
    ),
}
"""Settings by name: ours, the paper's (windows of five frames, 40 points) and the thesis's (three frames)."""


def settings_for(profile: Profile, **options: Any) -> RegistrationSettings:
    """Return the settings of a profile with some of them changed; None is the profile's value.

    >>> settings_for("thesis", slope_limit=3, window=None).fit
    'nudge'
    """
    chosen = PROFILES[check_choice("profile", profile, PROFILES)]
    changes = {name: value for name, value in options.items() if value is not None}
    if changes.get("points") == "joints":
        changes["points"] = None
    return replace(chosen, **changes)

"""How clips are registered: every choice, its default, and the papers' own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

import numpy as np

from motionloom.errors import ParameterError
from motionloom.registration.distance import DEFAULT_WINDOW
from motionloom.registration.dtw import Cell, Form
from motionloom.registration.timewarp_fit import FitMode

Profile = Literal["default", "paper", "thesis"]
Place = Literal["auto", "corners", "free"] | Cell


@dataclass(frozen=True, kw_only=True)
class RegistrationSettings:
    """The settings of :func:`~motionloom.registration.register.register`.

    Attributes
    ----------
    slope_limit
        W: each frame of one clip meets at most W frames of another; 2 or 3 in the papers.
    window
        Seconds to either side that are compared together with a frame.
    points, joint_weights
        Which points stand for the body and what they count.
    speed_weight
        What agreement of the points' speeds, each over its own fastest, counts against likeness of poses in
        the time alignment; 0 leaves it to the poses, as the papers do.
    start, end
        Where the clips begin and end to correspond: "auto" is "corners", or the whole cycle of cyclic clips;
        "free" lets two clips find their ends; a cell (i, j) states it for two clips.
    pins
        For two clips, cells (i, j) that the correspondence must pass.
    events
        Labels of events at which the clips correspond, where all clips have the same sequence of them; None
        takes strikes, an empty tuple none.
    straightness
        What changes of pace count in the time alignment against how sharply distances rise beside its path:
        clips run at an even pace where they do not tell; 0 keeps the stairs of the path, as the papers do.
    min_rate
        The slowest that a clip may run against another; None goes with the slope limit.
    knot_spacing
        Seconds per piece of the splines; three frames at 30 Hz by default (the papers: three to five).
    smoothing
        Width of the median filter on sampled alignments, in samples; 1 is none.
    reference
        The clip that the others are registered to; None takes the one nearest to all others.
    form, fit
        The rule of the time alignment and the way its curve is fitted, by the papers' or by better ones.
    """

    slope_limit: int = 3
    window: float = DEFAULT_WINDOW
    points: int | None = None
    joint_weights: Mapping[str, float] | None = None
    speed_weight: float = 1.0
    start: Place = "auto"
    end: Place = "auto"
    pins: Sequence[Cell] = ()
    events: Sequence[str] | None = None
    straightness: float = 5.0
    min_rate: float | None = None
    knot_spacing: float = 3 / 30
    smoothing: int = 1
    reference: int | None = None
    form: Form = "reversible"
    fit: FitMode = "exact"

    def __post_init__(self) -> None:
        whole = {"slope_limit": (self.slope_limit, 1), "smoothing": (self.smoothing, 1)}
        whole |= {} if self.points is None else {"points": (self.points, 1)}
        whole |= {} if self.reference is None else {"reference": (self.reference, 0)}
        for name, (value, least) in whole.items():
            if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < least:
                raise ParameterError(f"{name} must be a whole number of at least {least}, not {value!r}")
        if self.smoothing % 2 == 0:
            raise ParameterError(
                f"smoothing is the odd width of a median filter, 1 for none, not {self.smoothing}"
            )
        _check_number("window", self.window, 0.0, "seconds from zero up")
        _check_number("speed_weight", self.speed_weight, 0.0, "weights from zero up")
        _check_number("straightness", self.straightness, 0.0, "weights from zero up")
        _check_number("knot_spacing", self.knot_spacing, 1e-6, "seconds, positive")
        if self.min_rate is not None:
            _check_number("min_rate", self.min_rate, 0.0, "rates from zero up")
        put = object.__setattr__
        put(self, "pins", tuple(_cell("pins", cell) for cell in _cells(self.pins)))
        put(self, "start", self.start if isinstance(self.start, str) else _cell("start", self.start))
        put(self, "end", self.end if isinstance(self.end, str) else _cell("end", self.end))
        for name, place in (("start", self.start), ("end", self.end)):
            if isinstance(place, str) and place not in ("auto", "corners", "free"):
                raise ParameterError(
                    f"{name} must be 'auto', 'corners', 'free' or a cell (i, j), not {place!r}"
                )


def _check_number(name: str, value: Any, least: float, what: str) -> None:
    fine = isinstance(value, int | float | np.number) and not isinstance(value, bool)
    if not (fine and np.isfinite(value) and value >= least):
        raise ParameterError(f"{name} must be a number of {what}, not {value!r}")


def _cells(pins: Any) -> list[Any]:
    try:
        return list(pins)
    except TypeError:
        raise ParameterError(f"pins must be a list of cells (i, j), not {pins!r}") from None


def _cell(name: str, cell: Any) -> Cell:
    try:
        i, j = (int(n) for n in cell)
    except (TypeError, ValueError):
        raise ParameterError(f"{name}: a cell is a pair of frames (i, j), not {cell!r}") from None
    return i, j


PROFILES: dict[str, RegistrationSettings] = {
    "default": RegistrationSettings(),
    "paper": RegistrationSettings(
        slope_limit=2,
        window=2 / 30,
        points=40,
        speed_weight=0.0,
        events=(),
        straightness=0.0,
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
        straightness=0.0,
        knot_spacing=4 / 30,
        smoothing=3,
        form="thesis",
        fit="nudge",
    ),
}
"""Settings by name: ours, the paper's (windows of five frames, 40 points) and the thesis's (three frames)."""


def settings_for(profile: Profile, changes: Mapping[str, Any]) -> RegistrationSettings:
    """The settings of a profile with some of them changed.

    >>> settings_for("thesis", {"slope_limit": 3}).fit
    'nudge'
    """
    if profile not in PROFILES:
        raise ParameterError(f"profile must be one of {', '.join(map(repr, PROFILES))}, not {profile!r}")
    known = [field.name for field in fields(RegistrationSettings)]
    for name in changes:
        if name not in known:
            raise ParameterError(
                f"register has no setting {name!r}: its settings are profile, {', '.join(known)}"
            )
    return replace(PROFILES[profile], **changes)

"""How clips are registered: every choice, its default, and the papers' own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

import numpy as np

from motionloom.errors import ParameterError
from motionloom.registration.distance_grid import DEFAULT_WINDOW
from motionloom.registration.path_search import Form
from motionloom.registration.reachability import Cell
from motionloom.registration.spline_fit import Mode

Profile = Literal["default", "paper", "thesis"]
Place = Literal["auto", "corners", "free"] | Cell


@dataclass(frozen=True, kw_only=True)
class RegistrationSettings:
    """The settings of :func:`~motionloom.registration.pipeline.register`.

    Attributes
    ----------
    slope_limit
        W: each frame of one clip meets at most W frames of another; 2 or 3 in the papers.
    window
        Seconds to either side that are compared together with a frame.
    points, joint_weights
        Which points stand for the body and what they count.
    start, end
        Where the clips begin and end to correspond: "auto" is "corners", or the whole cycle of cyclic clips;
        "free" lets two clips find their ends; a cell (i, j) states it for two clips.
    pins
        For two clips, cells (i, j) that the correspondence must pass.
    events
        Labels of events at which the clips correspond, where all clips have the same sequence of them; None
        takes strikes, an empty tuple none.
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
    start: Place = "auto"
    end: Place = "auto"
    pins: Sequence[Cell] = ()
    events: Sequence[str] | None = None
    min_rate: float | None = None
    knot_spacing: float = 3 / 30
    smoothing: int = 1
    reference: int | None = None
    form: Form = "reversible"
    fit: Mode = "exact"

    def __post_init__(self) -> None:
        if self.smoothing < 1 or self.smoothing % 2 == 0:
            raise ParameterError(
                f"smoothing is the odd width of a median filter, 1 for none, not {self.smoothing}"
            )
        if not (np.isfinite(self.knot_spacing) and self.knot_spacing > 0.0):
            raise ParameterError(
                f"knot_spacing must be a positive number of seconds, not {self.knot_spacing}"
            )


PROFILES: dict[str, RegistrationSettings] = {
    "default": RegistrationSettings(),
    "paper": RegistrationSettings(
        slope_limit=2,
        window=2 / 30,
        points=40,
        events=(),
        knot_spacing=4 / 30,
        smoothing=5,
        form="thesis",
        fit="appendix",
    ),
    "thesis": RegistrationSettings(
        slope_limit=2,
        window=1 / 30,
        points=40,
        events=(),
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

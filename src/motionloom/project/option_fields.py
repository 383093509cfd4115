"""Options as fields of recipes.

Written by `python -m release.write_options`; change `motionloom/options`, not this file.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, kw_only=True)
class RegistrationFields:
    """How clips are cut and registered before they are blended."""

    cut: Literal["auto", "strides", "loops", "parts", "whole"] = "auto"
    profile: Literal["default", "paper", "thesis"] = "default"
    slope_limit: int | None = None
    window: float | None = None
    points: int | Literal["joints"] | None = None
    joint_weights: dict[str, float] | None = None
    speed_weight: float | None = None
    start: tuple[float, ...] | Literal["auto", "corners", "free"] | None = None
    end: tuple[float, ...] | Literal["auto", "corners", "free"] | None = None
    pins: tuple[tuple[float, ...], ...] = ()
    events: tuple[str, ...] | None = None
    alignment: Literal["auto", "windowed"] = "auto"
    stiffness: float | None = None
    min_rate: float | None = None
    knot_spacing: float | None = None
    smoothing: int | None = None
    reference: int | None = None
    form: Literal["reversible", "thesis"] | None = None
    fit: Literal["exact", "nudge", "appendix"] | None = None

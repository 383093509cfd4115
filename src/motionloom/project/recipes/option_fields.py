"""Options as fields of recipes.

Written by `python -m release.write_options`; change `motionloom/options`, not this file.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from motionloom.project.plain_data import MAX_ENTRIES
from motionloom.project.recipes.recipe import MAX_NAMES, MAX_SOURCES, MAX_VERTICES


@dataclass(frozen=True, kw_only=True)
class RegistrationFields:
    """How clips are cut and registered before they are blended."""

    cut: Literal["auto", "strides", "loops", "parts", "whole"] = "auto"
    profile: Literal["default", "paper", "thesis"] = "default"
    slope_limit: int | None = None
    window: float | None = None
    points: int | Literal["joints"] | None = None
    joint_weights: dict[str, float] | None = field(default=None, metadata={MAX_ENTRIES: (MAX_NAMES,)})
    speed_weight: float | None = None
    start: tuple[float, ...] | Literal["auto", "corners", "free"] | None = field(
        default=None, metadata={MAX_ENTRIES: (MAX_SOURCES,)}
    )
    end: tuple[float, ...] | Literal["auto", "corners", "free"] | None = field(
        default=None, metadata={MAX_ENTRIES: (MAX_SOURCES,)}
    )
    pins: tuple[tuple[float, ...], ...] = field(
        default=(), metadata={MAX_ENTRIES: (MAX_VERTICES, MAX_SOURCES)}
    )
    events: tuple[str, ...] | None = field(default=None, metadata={MAX_ENTRIES: (MAX_NAMES,)})
    alignment: Literal["auto", "windowed"] = "auto"
    stiffness: float | None = None
    min_rate: float | None = None
    knot_spacing: float | None = None
    smoothing: int | None = None
    reference: int | None = None
    form: Literal["reversible", "thesis"] | None = None
    fit: Literal["exact", "nudge", "appendix"] | None = None

"""Options as fields of recipes.

Written by `python -m release.write_options`; change `motionloom/options`, not this file.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from motionloom.project.plain_data import FORMERLY, MAX_ENTRIES
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


@dataclass(frozen=True, kw_only=True)
class BlendFields:
    """How registered clips are blended."""

    place: tuple[float, float, float] | None = None
    rate_law: Literal["auto", "frequency", "duration", "ballistic"] = field(
        default="auto", metadata={FORMERLY: "rate"}
    )
    average: Literal["nlerp", "karcher", "park"] = "nlerp"
    joint_weights: dict[str, tuple[float, ...]] | None = field(
        default=None, metadata={MAX_ENTRIES: (MAX_NAMES, MAX_SOURCES)}
    )
    start: float | None = None
    duration: float | None = field(default=None, metadata={FORMERLY: "seconds"})
    backward: bool = False
    integrator: Literal["rk4", "euler"] = "rk4"
    method: Literal["registration", "linear"] = "registration"
    linear_root: Literal["positions", "velocities"] = "positions"
    linear_rotations: Literal["quaternion", "euler", "log"] = "quaternion"
    linear_constraints: Literal["heaviest", "halves"] = "heaviest"
    repeat: bool = False


@dataclass(frozen=True, kw_only=True)
class TransitionFields:
    """Where a transition is, and how it is made."""

    at: tuple[int, int] | None = None
    keep: float | None = None
    half_width: float | None = None
    method: Literal["registration", "linear", "inertialize", "dead", "overlap"] = "registration"
    alignment: Literal["auto", "windowed"] = "auto"
    snap: bool = True
    loop: bool = False
    plant: bool = False
    overlap: tuple[float, float] | None = None
    correspondences: tuple[tuple[float, float], ...] = field(
        default=(), metadata={MAX_ENTRIES: (MAX_VERTICES, 2)}
    )


@dataclass(frozen=True, kw_only=True)
class SequenceFields:
    """Where the transitions of a sequence are, and how they are made."""

    at: tuple[tuple[float, float], ...] = field(default=(), metadata={MAX_ENTRIES: (MAX_VERTICES, 2)})
    keep: float | Literal["all"] | None = None
    half_width: float | None = None
    method: Literal["registration", "linear", "inertialize", "dead", "overlap"] = "registration"
    alignment: Literal["auto", "windowed"] = "auto"
    loop: bool = False
    plant: bool = False
    overlap: tuple[float, float] | None = None


@dataclass(frozen=True, kw_only=True)
class EnforceFields:
    """How planted feet and hands are held."""

    ground: float | None = None
    stretch: float | None = None
    blend_duration: float | None = None


@dataclass(frozen=True, kw_only=True)
class LoopFields:
    """Which cycle of a clip is closed, and how."""

    cycles: int | None = None
    near: int | None = None
    seam_limit: float | None = None
    window: float | None = None
    ease: float | None = None

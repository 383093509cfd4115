"""The timewarp curve: which frames of the clips correspond, as one strictly increasing spline.

How the curve stays increasing: a quadratic B-spline increases exactly where neighbouring control points do,
so every step between them is bounded. Each clip always advances (:data:`MIN_ADVANCE`), and no clip runs more
than ``1 / min_rate`` times as fast as a base clip, nor less than ``min_rate`` times (:class:`RateLimits`).
:mod:`.timewarp_fit` finds the closest curve within these bounds.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import final

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray, check_array, freeze
from motionloom.errors import ParameterError
from motionloom.geometry import splines
from motionloom.geometry.splines import AbstractCurve

DOMAIN_SLACK = 1e-9
"""How far outside its ends a curve may be evaluated (rounding), as a fraction of the length covered."""

MIN_ADVANCE = 0.05
"""Slowest rate of a clip, as a fraction of its own mean rate: below what a slope limit of 3, applied twice
through a reference clip, can ask for (1/9), and far enough from zero for a stable inverse."""

BOUND_TOLERANCE = 1e-10
"""How far a step may pass a bound by rounding, as a fraction of the largest step."""


class FitOutcome(Enum):
    """How the control points of a timewarp curve were found, as a sentence."""

    EXACT = "the curve is the closest one to the correspondences that keeps its rate bounds"
    ADJUSTED = "the curve was fitted without bounds and its control points were moved until the bounds held"
    FELL_BACK = (
        "the exact fit did not converge, so the control points of the fit without bounds were moved "
        "until the bounds held"
    )


@dataclass(frozen=True, kw_only=True)
class FitReport:
    """How well a timewarp curve fits.

    Attributes
    ----------
    outcome
        How the control points were found.
    squared_error
        Sum over samples and clips of the squared distance to the curve, frames².
    base
        The clip against whose rate all other rates are bounded; None where no such bound is active.
    """

    outcome: FitOutcome
    squared_error: float
    base: int | None = None


@final
@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class TimewarpCurve(AbstractCurve):
    """Corresponding frames of K clips, as a strictly increasing uniform quadratic B-spline of ``u``.

    One unit of ``u`` is one sample of the time alignment the curve was fitted to. A curve with ``periods``
    belongs to cyclic clips: it is defined for every ``u``, its ``domain`` is one cycle, and one cycle later
    each clip is one period further on at the same rate, so value and derivative are continuous at the seam.

    Attributes
    ----------
    control_points
        (D, K) frames. A curve with ends has ``D - 2`` pieces, a periodic one ``D``.
    knot_spacing
        Length of a piece in units of ``u``.
    start
        The first ``u`` of the domain.
    periods
        (K,) frames per cycle of each clip, or None for a curve with two ends.
    report
        How well the curve fits; None for a curve given by its control points.

    >>> curve = TimewarpCurve(control_points=[[-1, -2], [1, 2], [3, 6]], knot_spacing=2.0)
    >>> curve.domain
    (0.0, 2.0)
    >>> curve(0.5)
    array([0.5, 1. ])
    >>> curve.inverse(1, 3.0)
    array(1.5)
    """

    control_points: FloatArray
    knot_spacing: float
    start: float = 0.0
    periods: FloatArray | None = None
    report: FitReport | None = None

    def __post_init__(self) -> None:
        points = check_array("control_points", self.control_points, ("D", "K"))
        object.__setattr__(self, "control_points", points)
        object.__setattr__(self, "knot_spacing", _check_spacing(self.knot_spacing))
        object.__setattr__(self, "start", float(check_array("start", self.start, ())))
        if self.periods is not None:
            object.__setattr__(self, "periods", check_array("periods", self.periods, (points.shape[1],)))
        _check_count(points, periodic=self.periods is not None)
        _check_increasing(self.all_points)

    @property
    def domain(self) -> tuple[float, float]:
        """The first and the last ``u``; of a periodic curve, one cycle."""
        return self.start, self.start + self.n_pieces * self.knot_spacing

    @property
    def n_clips(self) -> int:
        """Number of clips ``K``."""
        return int(self.control_points.shape[1])

    @property
    def n_pieces(self) -> int:
        """Number of parabolas the curve is made of."""
        return len(self.all_points) - 2

    def __repr__(self) -> str:
        first, last = self.domain
        kind = "open" if self.periods is None else "one cycle"
        return f"TimewarpCurve({self.n_clips} clips, {kind}, u from {first:g} to {last:g})"

    def __call__(self, u: npt.ArrayLike) -> FloatArray:
        """Return the frames (..., K) at the parameters ``u`` (...)."""
        positions = self._positions(u)
        if self.periods is None:
            return splines.evaluate(self.all_points, positions)
        cycles = np.floor(positions / self.n_pieces)
        frames = splines.evaluate(self.all_points, positions - cycles * self.n_pieces)
        return np.asarray(frames + cycles[..., None] * self.periods)

    def derivative(self, u: npt.ArrayLike) -> FloatArray:
        """Return the rates (..., K), frames per unit of ``u`` and positive, at the parameters ``u`` (...)."""
        positions = self._positions(u)
        if self.periods is not None:
            positions = positions - np.floor(positions / self.n_pieces) * self.n_pieces
        return splines.derivative(self.all_points, positions) / self.knot_spacing

    def inverse(self, k: int, frame: npt.ArrayLike) -> FloatArray:
        """Return the ``u`` (...) at which clip ``k`` is at the frames (...), in closed form.

        Frames that the curve does not cover are refused, unless it is periodic.
        """
        if not 0 <= k < self.n_clips:
            raise ParameterError(f"the curve has clips 0 to {self.n_clips - 1}: there is no clip {k}")
        first, last = self._covered[:, k].tolist()
        if self.periods is None:
            positions = splines.inverse(
                self.all_points[:, k], _within(frame, first, last, f"frame of clip {k}")
            )
        else:
            frames, period = _finite(frame, f"frame of clip {k}"), float(self.periods[k])
            cycles = np.floor((frames - first) / period)
            within = np.clip(frames - cycles * period, first, last)
            positions = splines.inverse(self.all_points[:, k], within) + cycles * self.n_pieces
        return np.asarray(self.start + positions * self.knot_spacing)

    @cached_property
    def all_points(self) -> FloatArray:
        """Control points of every piece: those of a periodic curve go on into the next cycle."""
        if self.periods is None:
            return self.control_points
        count = len(self.control_points)
        cycle, index = np.divmod(np.arange(count + 2), max(count, 1))
        return np.asarray(freeze(self.control_points[index] + cycle[:, None] * self.periods))

    @cached_property
    def _covered(self) -> FloatArray:
        """First and last frame (2, K) over the domain."""
        points = self.all_points
        return np.asarray(freeze(np.stack([points[0] + points[1], points[-2] + points[-1]]) / 2))

    def _positions(self, u: npt.ArrayLike) -> FloatArray:
        """Return where each ``u`` lies, in pieces from the start."""
        given = _finite(u, "u") if self.periods is not None else _within(u, *self.domain, "u")
        return np.asarray((given - self.start) / self.knot_spacing)


def _check_spacing(knot_spacing: float) -> float:
    if not (np.isfinite(knot_spacing) and knot_spacing > 0):
        raise ParameterError(
            f"must be a positive number, not {knot_spacing}", parameter="knot_spacing", value=knot_spacing
        )
    return float(knot_spacing)


def _check_count(points: FloatArray, periodic: bool) -> None:
    min_points = 1 if periodic else 3
    if len(points) < min_points or points.shape[1] < 1:
        kind = "periodic timewarp curve" if periodic else "timewarp curve"
        raise ParameterError(
            f"a {kind} needs at least {min_points} control points and one clip: control_points has "
            f"shape {points.shape}"
        )


def _check_increasing(points: FloatArray) -> None:
    steps = np.diff(points, axis=0)
    if steps.min() <= 0:
        i, k = (int(index) for index in np.unravel_index(steps.argmin(), steps.shape))
        raise ParameterError(
            f"must increase for every clip: those of clip {k} go from {points[i, k]:.6g} to "
            f"{points[i + 1, k]:.6g} after number {i}",
            parameter="control_points",
        )


def _finite(values: npt.ArrayLike, name: str) -> FloatArray:
    given = np.asarray(values, dtype=np.float64)
    if not np.isfinite(given).all():
        raise ParameterError(
            f"must be finite, not {float(given[~np.isfinite(given)].flat[0])}", parameter=name
        )
    return given


def _as_numbers(values: npt.ArrayLike, name: str) -> FloatArray:
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        raise ParameterError(
            f"must be a number or an array of numbers, not {values!r}", parameter=name, value=values
        ) from None


def _within(values: npt.ArrayLike, first: float, last: float, name: str) -> FloatArray:
    """Return the values, clipped to the ends where only rounding put them outside; refuse others."""
    given = _as_numbers(values, name)
    slack = DOMAIN_SLACK * (last - first)
    inside = (given >= first - slack) & (given <= last + slack)
    if not inside.all():
        raise ParameterError(
            f"{name} {float(given[~inside].flat[0]):.9g} is outside the curve, which runs from "
            f"{first:.9g} to {last:.9g}"
        )
    return np.asarray(np.minimum(np.maximum(given, first), last))


@dataclass(frozen=True)
class Bounds:
    """What every step between control points must satisfy: ``conditions @ step >= limits``.

    The slope of the spline runs linearly from one step to the next, so bounds on the steps are bounds on the
    rates everywhere.

    Attributes
    ----------
    conditions
        (m, K) coefficients.
    limits
        (m,) frames.
    """

    conditions: FloatArray
    limits: FloatArray

    def slack(self, steps: FloatArray) -> FloatArray:
        """Return how far (..., m) each step (..., K) is inside each bound; negative where it breaks one."""
        return np.asarray(steps @ self.conditions.T - self.limits)

    def hold(self, steps: FloatArray) -> bool:
        """Tell whether all steps (..., K) keep the bounds, up to rounding."""
        return bool(self.slack(steps).min() >= -BOUND_TOLERANCE * np.abs(steps).max())


@dataclass(frozen=True)
class RateLimits:
    """How slow each clip may become, alone and relative to others.

    Attributes
    ----------
    floors
        (K,) smallest step between control points of each clip, frames.
    min_rate
        Smallest ratio between the steps of a clip and of the base clip, either way; 0 for none.
    """

    floors: FloatArray
    min_rate: float

    @classmethod
    def around(cls, mean_step: FloatArray, min_rate: float) -> RateLimits:
        """Return the limits for clips whose steps (K,) are ``mean_step`` frames on average."""
        return cls(MIN_ADVANCE * mean_step, min_rate)

    @property
    def couple_clips(self) -> bool:
        """Whether the rate of one clip bounds that of another."""
        return self.min_rate > 0.0 and len(self.floors) > 1

    def candidate_bases(self) -> list[int]:
        """Return the clips worth trying as base: ratios of two clips are the same from either side."""
        return list(range(len(self.floors))) if self.couple_clips and len(self.floors) > 2 else [0]

    def bounds(self, base: int) -> Bounds:
        """Return the bounds with one clip as base: floors for all clips, ratios of all others to it."""
        own = np.eye(len(self.floors))
        if not self.couple_clips:
            return Bounds(own, self.floors)
        others = np.delete(own, base, axis=0)
        not_slower = others - self.min_rate * own[base]
        not_faster = own[base] - self.min_rate * others
        conditions = np.concatenate([own, not_slower, not_faster])
        return Bounds(conditions, np.concatenate([self.floors, np.zeros(2 * len(others))]))


@dataclass(frozen=True, eq=False)
class Anchors:
    """Correspondences that weigh more than samples: the curve passes them as closely as its bounds allow.

    Attributes
    ----------
    u
        (E,) where they lie among the samples; fractions are allowed.
    frames
        (E, K) fractional frames of the clips there.
    weight
        Weight of the squared error at each anchor, one number or (E,), relative to that at one sample.

    >>> Anchors([1.5], [[1.5, 3.0]], weight=10.0).frames.shape
    (1, 2)
    """

    u: FloatArray
    frames: FloatArray
    weight: FloatArray | float

    def __post_init__(self) -> None:
        u = check_array("the u of anchors", self.u, ("E",))
        object.__setattr__(self, "u", u)
        object.__setattr__(self, "frames", check_array("the frames of anchors", self.frames, (len(u), "K")))
        weight = np.asarray(self.weight, dtype=np.float64)
        if not (np.isfinite(weight).all() and (weight >= 0).all()):
            raise ParameterError(f"the weight of anchors must be a number of at least 0, not {self.weight}")
        if weight.shape not in ((), u.shape):
            raise ParameterError(f"{len(u)} anchors need one weight or {len(u)}, not {weight.size}")

    @classmethod
    def none(cls, n_clips: int) -> Anchors:
        """Return an empty set of anchors for ``n_clips`` clips."""
        return cls(np.zeros(0), np.zeros((0, n_clips)), 0.0)

"""Fitting strictly increasing timewarp curves to corresponding frames.

Among the curves within the bounds of :mod:`.timewarp` the closest to the correspondences, in squared frames,
is found. Every clip is tried as base of the rate limits and the closest curve is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import floor
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray, IntArray, check_array
from motionloom.errors import ParameterError
from motionloom.options.registration import DEFAULT_SLOPE_LIMIT, FitMode, min_rate_for
from motionloom.registration.timewarp import Anchors, FitOutcome, FitReport, RateLimits, TimewarpCurve
from motionloom.registration.timewarp_solver import BoundedProblem, nudge_steps, project_steps
from motionloom.registration.timewarp_spline import (
    BandedSystem,
    SplineProblem,
    open_problem,
    periodic_problem,
)

End = Literal["pinned", "free"]
MIN_KNOT_SPACING = 2.0
"""Closest knots, in samples: closer ones follow every stair step of the time alignment."""

DEFAULT_MIN_RATE = min_rate_for(DEFAULT_SLOPE_LIMIT)
"""Rate bound of the exact fit and of Appendix A where the caller gives none."""


def fit_timewarp(
    samples: npt.ArrayLike,
    *,
    knot_spacing: float = 4.0,
    min_rate: float | None = None,
    start: End = "pinned",
    end: End = "pinned",
    mode: FitMode = "exact",
    smoothing: float = 0.0,
    anchors: Anchors | None = None,
) -> TimewarpCurve:
    """Fit a timewarp curve to corresponding frames.

    Fails where a clip goes back in time or does not advance at all, and where pinned ends force rates
    further apart than ``min_rate`` allows.

    Parameters
    ----------
    samples
        (N, K) frames that correspond, N at least 2, never decreasing: the cells of a time alignment, or
        samples of other curves. Sample i lies at ``u = i``.
    knot_spacing
        Samples per knot interval, at least 2; the nearest spacing that divides the samples evenly is used.
    min_rate
        Smallest ratio of any clip's rate to the base clip's, and of the base's to any clip's; 0 for no such
        bound. By default 1/6, which goes with a slope limit of 3 (:func:`min_rate_for`); nudging has none.
    start, end
        "pinned": the curve meets the first or last sample exactly; "free": it passes near it.
    mode
        "exact": the closest curve within the bounds. "nudge" (thesis) and "appendix" (paper, Appendix A) fit
        without bounds and then move control points until the bounds hold; they are there for comparison.
    smoothing
        Weight of the squared change of rate over each knot interval, (frames per interval)², relative to
        squared frames of error.
    anchors
        Moments between the first and the last sample at which the clips are known to correspond.

    >>> curve = fit_timewarp([[0, 0], [1, 1], [1, 2], [2, 3], [3, 4], [4, 4]])
    >>> curve([0.0, 5.0])
    array([[0., 0.],
           [4., 4.]])
    >>> bool((curve.derivative([0.0, 1.3, 5.0]) > 0).all())
    True
    """
    given = _check_samples(samples)
    rate = _check_rate(min_rate, mode)
    _check_settings(knot_spacing, smoothing, start, end)
    total = given[-1] - given[0]
    _check_advance(total)
    known = _check_anchors(anchors, given.shape[1], len(given) - 1)

    n_pieces = max(1, round((len(given) - 1) / knot_spacing))
    clips = _DistinctClips.among(given, total, known)
    pinned = (start == "pinned", end == "pinned")
    problem = open_problem(clips.samples, n_pieces, *pinned, smoothing, clips.anchors)
    limits = RateLimits.around(problem.line_step, rate)
    bases = clips.possible_bases(problem.line_step, limits) if all(pinned) else limits.candidate_bases()
    fit = _solve(problem, clips.counts, limits, bases, mode)
    return TimewarpCurve(
        control_points=given[0] + problem.control_points(fit.x)[:, clips.numbers],
        knot_spacing=(len(given) - 1) / n_pieces,
        report=clips.report(problem, fit),
    )


def fit_periodic_timewarp(
    samples: npt.ArrayLike,
    periods: npt.ArrayLike,
    *,
    knot_spacing: float = 4.0,
    min_rate: float | None = None,
    mode: FitMode = "exact",
    smoothing: float = 0.0,
    anchors: Anchors | None = None,
) -> TimewarpCurve:
    """Fit a periodic timewarp curve to corresponding frames of cyclic clips.

    Parameters
    ----------
    samples
        (N, K) frames that correspond over one cycle, without the row that closes it: a cycle is N units of
        ``u``, and the row at ``u = N`` would be ``samples[0] + periods``.
    periods
        (K,) frames per cycle of each clip.
    knot_spacing, min_rate, mode, smoothing, anchors
        As for :func:`fit_timewarp`.

    >>> curve = fit_periodic_timewarp([[0, 3], [1, 5], [2, 7], [3, 9]], [4, 8])
    >>> curve([0.0, 4.0, 9.0])
    array([[ 0.,  3.],
           [ 4., 11.],
           [ 9., 21.]])
    """
    given = _check_samples(samples)
    cycle = check_array("periods", periods, (given.shape[1],))
    rate = _check_rate(min_rate, mode)
    _check_settings(knot_spacing, smoothing, "free", "free")
    _check_cycle(given, cycle)
    known = _check_anchors(anchors, given.shape[1], len(given))

    n_pieces = max(1, round(len(given) / knot_spacing))
    clips = _DistinctClips.among(given, cycle, known)
    problem = periodic_problem(clips.samples, clips.totals, n_pieces, smoothing, clips.anchors)
    limits = RateLimits.around(problem.line_step, rate)
    bases = clips.possible_bases(problem.line_step, limits)
    fit = _solve(problem, clips.counts, limits, bases, mode)
    return TimewarpCurve(
        control_points=given[0] + problem.control_points(fit.x)[:n_pieces, clips.numbers],
        knot_spacing=len(given) / n_pieces,
        periods=cycle,
        report=clips.report(problem, fit),
    )


@dataclass(frozen=True)
class _Fit:
    """Deviations (n, K) from the line, how they were found, and the base of an active rate bound."""

    x: FloatArray
    outcome: FitOutcome
    base: int | None


def _solve(
    problem: SplineProblem,
    clip_weights: FloatArray,
    limits: RateLimits,
    bases: Sequence[int],
    mode: FitMode,
) -> _Fit:
    """Fit without bounds; where that breaks them, fit again in the way that the mode names.

    ``clip_weights`` (K,) weigh the clips' squared errors; ``bases`` are the clips to try as base of the rate
    bounds.
    """
    unbounded = BandedSystem(problem, np.ones(1)).factor()(problem.gradient_at_line())
    steps = problem.steps_of(unbounded)
    if any(limits.bounds(base).hold(steps) for base in bases):
        return _Fit(unbounded, FitOutcome.EXACT, None)
    if mode != "exact":
        return _adjust(problem, clip_weights, limits, bases, unbounded, FitOutcome.ADJUSTED)

    system = BandedSystem(problem, clip_weights)
    solved = {}
    for base in bases:
        x = BoundedProblem(problem, system, limits.bounds(base)).solve(unbounded)
        if x is not None:
            solved[base] = x
    if not solved:
        return _adjust(problem, clip_weights, limits, bases, unbounded, FitOutcome.FELL_BACK)
    errors = {base: float(problem.objectives(x) @ clip_weights) for base, x in solved.items()}
    best = min(errors, key=lambda base: errors[base])
    return _Fit(solved[best], FitOutcome.EXACT, best if limits.couple_clips else None)


def _adjust(
    problem: SplineProblem,
    clip_weights: FloatArray,
    limits: RateLimits,
    bases: Sequence[int],
    unbounded: FloatArray,
    outcome: FitOutcome,
) -> _Fit:
    """Move the control points of the fit without bounds as little as any base allows."""
    if not limits.couple_clips:
        return _Fit(nudge_steps(problem, unbounded, limits.floors), outcome, None)
    moved = {
        base: project_steps(problem, unbounded, limits.bounds(base), limits.floors, limits.min_rate, base)
        for base in bases
    }
    shifts = {base: (x - unbounded) ** 2 for base, x in moved.items()}
    best = min(shifts, key=lambda base: float((shifts[base] @ clip_weights).sum()))
    return _Fit(moved[best], outcome, best)


@dataclass(frozen=True)
class _DistinctClips:
    """The clips of a fit in an order that does not depend on the caller's; clips that advance alike are one.

    Attributes
    ----------
    samples
        (N, C) frames from each distinct clip's first sample.
    anchors
        The anchors, in frames from there.
    totals
        (C,) frames each advances from end to end or in a cycle.
    counts
        (C,) how many of the caller's clips each stands for.
    numbers
        (K,) which of them stands for each of the caller's clips.
    """

    samples: FloatArray
    anchors: Anchors
    totals: FloatArray
    counts: FloatArray
    numbers: IntArray

    @classmethod
    def among(cls, samples: FloatArray, totals: FloatArray, anchors: Anchors) -> _DistinctClips:
        advances = np.concatenate([samples - samples[0], anchors.frames - samples[0], totals[None]])
        distinct, numbers, counts = np.unique(advances, axis=1, return_inverse=True, return_counts=True)
        own = replace(anchors, frames=distinct[len(samples) : -1])
        return cls(
            distinct[: len(samples)], own, distinct[-1], counts.astype(np.float64), np.asarray(numbers)
        )

    def possible_bases(self, mean_step: FloatArray, limits: RateLimits) -> list[int]:
        """Return the bases whose bounds the mean steps (C,) keep, as they must where both ends are fixed."""
        bases = [base for base in limits.candidate_bases() if limits.bounds(base).hold(mean_step)]
        if bases:
            return bases
        ratios = self.totals[:, None] / self.totals
        within = float(np.minimum(ratios, ratios.T).min(axis=1).max())
        slow, fast = (int(np.flatnonzero(self.numbers == c)[0]) for c in np.argsort(self.totals)[[0, -1]])
        raise ParameterError(
            f"clip {slow} advances {self.totals.min():.6g} frames while clip {fast} advances "
            f"{self.totals.max():.6g}, so their rates cannot stay within a min_rate of "
            f"{limits.min_rate:.4g}",
            remedy=f"give a min_rate of at most {floor(within * 1e4) / 1e4:g}, or cut "
            "the clips to more equal lengths",
        )

    def report(self, problem: SplineProblem, fit: _Fit) -> FitReport:
        """Return how well the fit does, in terms of the caller's clips."""
        base = None if fit.base is None else int(np.flatnonzero(self.numbers == fit.base)[0])
        error = float(problem.sum_squared_error(fit.x) @ self.counts)
        return FitReport(outcome=fit.outcome, squared_error=error, base=base)


def _check_samples(samples: npt.ArrayLike) -> FloatArray:
    given = check_array("samples", samples, ("N", "K"))
    if len(given) < 2 or given.shape[1] < 1:
        raise ParameterError(
            f"must have at least two rows and one clip, not shape {given.shape}", parameter="samples"
        )
    back = np.argwhere(np.diff(given, axis=0) < 0)
    if len(back):
        i, k = (int(index) for index in back[0])
        raise ParameterError(
            f"must never go back in time: clip {k} goes from frame {given[i, k]:.6g} to "
            f"{given[i + 1, k]:.6g} after sample {i}",
            parameter="samples",
        )
    return given


def _check_rate(min_rate: float | None, mode: FitMode) -> float:
    if mode not in get_args(FitMode):
        raise ParameterError(
            f"must be one of {', '.join(get_args(FitMode))}, not {mode!r}", parameter="mode", value=mode
        )
    if min_rate is None:
        return 0.0 if mode == "nudge" else DEFAULT_MIN_RATE
    if not 0.0 <= min_rate <= 1.0:
        raise ParameterError(f"must be between 0 and 1, not {min_rate}", parameter="min_rate", value=min_rate)
    if mode == "nudge" and min_rate > 0.0:
        raise ParameterError(
            f"nudging cannot bound the rates of clips relative to each other (min_rate is {min_rate})",
            remedy="use mode 'exact', or leave min_rate out",
        )
    if mode == "appendix" and min_rate == 0.0:
        raise ParameterError(
            "mode 'appendix' needs rate bounds", remedy="give a min_rate above 0, or use 'exact'"
        )
    return float(min_rate)


def _check_settings(knot_spacing: float, smoothing: float, start: End, end: End) -> None:
    if not (np.isfinite(knot_spacing) and knot_spacing >= MIN_KNOT_SPACING):
        raise ParameterError(
            f"must be at least {MIN_KNOT_SPACING:g} samples, not {knot_spacing}: "
            "closer knots follow every stair step of the time alignment",
            parameter="knot_spacing",
        )
    if not (np.isfinite(smoothing) and smoothing >= 0):
        raise ParameterError(
            f"must be zero or a positive number, not {smoothing}", parameter="smoothing", value=smoothing
        )
    for name, value in (("start", start), ("end", end)):
        if value not in get_args(End):
            raise ParameterError(
                f"must be one of {', '.join(get_args(End))}, not {value!r}", parameter=name, value=value
            )


def _check_anchors(anchors: Anchors | None, n_clips: int, length: int) -> Anchors:
    if anchors is None:
        return Anchors.none(n_clips)
    if anchors.frames.shape[1] != n_clips:
        raise ParameterError(
            f"the anchors have frames of {anchors.frames.shape[1]} clips, the samples of {n_clips}"
        )
    outside = anchors.u[(anchors.u < 0) | (anchors.u > length)]
    if len(outside):
        raise ParameterError(
            f"must lie at a u from 0 to {length}, not at {outside[0]:.6g}", parameter="anchors"
        )
    return anchors


def _check_advance(totals: FloatArray) -> None:
    if totals.min() <= 0:
        raise ParameterError(
            f"clip {int(totals.argmin())} does not advance over the samples, so no strictly increasing curve "
            "exists",
            remedy="use clips, or spans of them, of at least two frames",
        )


def _check_cycle(samples: FloatArray, periods: FloatArray) -> None:
    ahead = samples[-1] - samples[0] - periods
    if ahead.max() > 0 or periods.min() <= 0:
        k = int(np.where(periods <= 0, np.inf, ahead).argmax())
        raise ParameterError(
            f"the samples of clip {k} advance {samples[-1, k] - samples[0, k]:.6g} frames, which does not "
            f"fit into its period of {periods[k]:.6g}"
        )
    if ahead.min() >= 0:
        raise ParameterError(
            "the last sample is the first one a cycle later", remedy="leave the closing row out"
        )

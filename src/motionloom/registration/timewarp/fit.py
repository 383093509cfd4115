"""The fit behind a timewarp curve: without bounds first, then every clip as base of the bounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.registration.timewarp.banded import BandedSystem
from motionloom.registration.timewarp.bounds import RateLimits
from motionloom.registration.timewarp.problem import SplineProblem
from motionloom.registration.timewarp.repair import nudged, projected
from motionloom.registration.timewarp.solver import BoundedProblem
from motionloom.registration.timewarp.warp import FitOutcome

Mode = Literal["exact", "nudge", "appendix"]


@dataclass(frozen=True)
class Fit:
    """Deviations (n, K) from the line, how they were found, and the base clip where a rate bound binds."""

    x: FloatArray
    outcome: FitOutcome
    base: int | None


@dataclass(frozen=True)
class SplineFit:
    """A problem with everything that decides its fit.

    Attributes
    ----------
    problem
        What is minimised.
    clip_weights
        (K,) weights of the clips' squared errors.
    limits
        How slow each clip may become.
    bases
        The clips to try as base of the rate bounds.
    """

    problem: SplineProblem
    clip_weights: FloatArray
    limits: RateLimits
    bases: Sequence[int]

    def solve(self, mode: Mode) -> Fit:
        """Fit without bounds, and where that breaks them, in the way the mode names."""
        unbounded = BandedSystem(self.problem, np.ones(1)).factor()(self.problem.gradient_at_line())
        steps = self.problem.steps_of(unbounded)
        if any(self.limits.bounds(base).hold(steps) for base in self.bases):
            return Fit(unbounded, FitOutcome.EXACT, None)
        return self._exact(unbounded) if mode == "exact" else self._adjusted(unbounded, FitOutcome.ADJUSTED)

    def _exact(self, unbounded: FloatArray) -> Fit:
        """The closest curve over all bases; the adjusted one where the solver settles for none."""
        system = BandedSystem(self.problem, self.clip_weights)
        solved = {}
        for base in self.bases:
            x = BoundedProblem(self.problem, system, self.limits.bounds(base)).solve(unbounded)
            if x is not None:
                solved[base] = x
        if not solved:
            return self._adjusted(unbounded, FitOutcome.FELL_BACK)

        errors = {base: float(self.problem.objectives(x) @ self.clip_weights) for base, x in solved.items()}
        best = min(errors, key=lambda base: errors[base])
        return Fit(solved[best], FitOutcome.EXACT, best if self.limits.couple_clips else None)

    def _adjusted(self, unbounded: FloatArray, outcome: FitOutcome) -> Fit:
        """The control points of the fit without bounds, moved as little as any base allows."""
        if not self.limits.couple_clips:
            return Fit(nudged(self.problem, unbounded, self.limits.floors), outcome, None)
        moved = {base: projected(self.problem, unbounded, self.limits, base) for base in self.bases}
        shifts = {base: (x - unbounded) ** 2 for base, x in moved.items()}
        least = min(shifts, key=lambda base: float((shifts[base] @ self.clip_weights).sum()))
        return Fit(moved[least], outcome, least)

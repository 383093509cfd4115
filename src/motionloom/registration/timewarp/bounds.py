"""Bounds on the steps of a timewarp curve: every clip advances, and rates stay within a ratio of a base's.

A step is the difference (K,) of two neighbouring control points, in frames. The slope of the spline runs
linearly from one step to the next, so bounds on the steps are bounds on the rates everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.arrays import FloatArray

LEAST_ADVANCE = 0.05
"""Slowest a clip may become, in shares of its own mean rate: below what a slope limit of 3, applied twice
through a reference clip, can ask for (1/9), and far enough from zero for a steady inverse."""
ROUNDING = 1e-10
"""How far a step may pass a bound by rounding, in shares of the largest step."""


@dataclass(frozen=True)
class Bounds:
    """What every step of a curve must satisfy: ``conditions @ step >= limits``.

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
        """How far (..., m) each step (..., K) is inside each bound; negative where it breaks one."""
        return np.asarray(steps @ self.conditions.T - self.limits)

    def hold(self, steps: FloatArray) -> bool:
        """Tell whether all steps (..., K) keep to the bounds, up to rounding."""
        return bool(self.slack(steps).min() >= -ROUNDING * np.abs(steps).max())


@dataclass(frozen=True)
class RateLimits:
    """How slow each clip may become, alone and against others.

    Attributes
    ----------
    floors
        (K,) least step of each clip, frames.
    min_rate
        Smallest ratio between the steps of a clip and of the base clip, either way; 0 for none.
    """

    floors: FloatArray
    min_rate: float

    @classmethod
    def around(cls, mean_step: FloatArray, min_rate: float) -> RateLimits:
        """Limits for clips whose steps (K,) are ``mean_step`` frames on average."""
        return cls(LEAST_ADVANCE * mean_step, min_rate)

    @property
    def couple_clips(self) -> bool:
        """Whether the rate of one clip bounds that of another."""
        return self.min_rate > 0.0 and len(self.floors) > 1

    def candidate_bases(self) -> list[int]:
        """The clips worth trying as base: ratios between two clips are the same from either side."""
        return list(range(len(self.floors))) if self.couple_clips and len(self.floors) > 2 else [0]

    def bounds(self, base: int) -> Bounds:
        """The bounds with one clip as base: floors for all clips, ratios of all others against it."""
        own = np.eye(len(self.floors))
        if not self.couple_clips:
            return Bounds(own, self.floors)
        others = np.delete(own, base, axis=0)
        not_slower = others - self.min_rate * own[base]
        not_faster = own[base] - self.min_rate * others
        conditions = np.concatenate([own, not_slower, not_faster])
        return Bounds(conditions, np.concatenate([self.floors, np.zeros(2 * len(others))]))

"""Cubic curves through keys: Cardinal splines with tension, and monotone ones that never overshoot.

Both are cubic Hermite curves and differ only in the slopes at their knots. A Cardinal spline takes the slope
``(1 - tension) (y[i+1] - y[i-1]) / (t[i+1] - t[i-1])``; tension 0 is the Catmull–Rom spline, tension 1 stops
at every knot. The monotone kind (PCHIP, Fritsch & Butland) takes a weighted harmonic mean of the slopes to
either side, and zero where those differ in sign, so that it rises where the keys rise.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray, IntArray, check_array
from motionloom.errors import ParameterError
from motionloom.geometry.curves import AbstractCurve

STEEPEST = 3.0
"""A cubic piece whose end slopes are within this factor of its mean slope is monotone."""


@final
@dataclass(frozen=True, eq=False)
class HermiteCurve(AbstractCurve):
    """A cubic curve with given values and slopes at its knots; level before the first and after the last.

    Attributes
    ----------
    knots
        (N,) strictly increasing parameters.
    values, slopes
        (N, D) at the knots.

    >>> ramp = HermiteCurve([0.0, 2.0], [[0.0], [1.0]], [[0.0], [0.0]])
    >>> ramp([-1.0, 1.0, 3.0]).ravel().tolist()
    [0.0, 0.5, 1.0]
    """

    knots: FloatArray
    values: FloatArray
    slopes: FloatArray

    def __post_init__(self) -> None:
        knots = check_array("knots", self.knots, ("N",))
        if not len(knots) or (np.diff(knots) <= 0.0).any():
            raise ParameterError("knots must be one or more numbers in strictly increasing order")
        put = object.__setattr__
        put(self, "knots", knots)
        put(self, "values", check_array("values", self.values, (len(knots), "D")))
        put(self, "slopes", check_array("slopes", self.slopes, self.values.shape))

    @property
    def domain(self) -> tuple[float, float]:
        """The first and the last knot."""
        return float(self.knots[0]), float(self.knots[-1])

    def __call__(self, u: npt.ArrayLike) -> FloatArray:
        """Values (..., D) at the parameters ``u`` (...)."""
        at = np.asarray(u, dtype=np.float64)
        if len(self.knots) == 1:
            return np.asarray(np.broadcast_to(self.values[0], (*at.shape, self.values.shape[1])))
        piece, width, x = self._located(at)
        rest = 1.0 - x
        start = rest * rest * ((1.0 + 2.0 * x) * self.values[piece] + x * width * self.slopes[piece])
        end = x * x * ((1.0 + 2.0 * rest) * self.values[piece + 1] - rest * width * self.slopes[piece + 1])
        return np.asarray(start + end)

    def derivative(self, u: npt.ArrayLike) -> FloatArray:
        """Derivatives (..., D) at ``u`` (...); zero outside the knots."""
        at = np.asarray(u, dtype=np.float64)
        if len(self.knots) == 1:
            return np.zeros((*at.shape, self.values.shape[1]))
        piece, width, x = self._located(at)
        rest = 1.0 - x
        mean = (self.values[piece + 1] - self.values[piece]) / width
        found = (
            6.0 * x * rest * mean
            + rest * (1.0 - 3.0 * x) * self.slopes[piece]
            + x * (3.0 * x - 2.0) * self.slopes[piece + 1]
        )
        outside = (at < self.knots[0]) | (at > self.knots[-1])
        return np.where(outside[..., None], 0.0, found)

    def _located(self, at: FloatArray) -> tuple[IntArray, FloatArray, FloatArray]:
        """The piece (...) of each parameter, its width (..., 1) and how far into it (..., 1), 0 to 1."""
        within = np.clip(at, self.knots[0], self.knots[-1])
        piece = np.clip(np.searchsorted(self.knots, within, side="right") - 1, 0, len(self.knots) - 2)
        width = (self.knots[piece + 1] - self.knots[piece])[..., None]
        return piece, width, (within - self.knots[piece])[..., None] / width


def cardinal_slopes(knots: npt.ArrayLike, values: npt.ArrayLike, tension: float = 0.0) -> FloatArray:
    """Slopes (N, D) of the Cardinal spline through values (N, D) at knots (N,); zero at both ends.

    >>> cardinal_slopes([0, 1, 3], [[0], [1], [3]]).ravel().tolist()
    [0.0, 1.0, 0.0]
    """
    t, y = np.asarray(knots, dtype=np.float64), np.asarray(values, dtype=np.float64)
    slopes = np.zeros_like(y)
    if len(t) > 2:
        slopes[1:-1] = (1.0 - tension) * (y[2:] - y[:-2]) / (t[2:] - t[:-2])[:, None]
    return slopes


def monotone_slopes(knots: npt.ArrayLike, values: npt.ArrayLike) -> FloatArray:
    """Slopes (N, D) of the monotone curve through values (N, D) at knots (N,); at the ends those beside them.

    >>> monotone_slopes([0, 1, 2], [[0], [1], [1]]).ravel().tolist()
    [1.0, 0.0, 0.0]
    """
    t, y = np.asarray(knots, dtype=np.float64), np.asarray(values, dtype=np.float64)
    slopes = np.zeros_like(y)
    if len(t) < 2:
        return slopes
    widths = np.diff(t)[:, None]
    means = np.diff(y, axis=0) / widths
    slopes[0], slopes[-1] = means[0], means[-1]
    before, after = means[:-1], means[1:]
    first, second = 2.0 * widths[1:] + widths[:-1], widths[1:] + 2.0 * widths[:-1]
    with np.errstate(divide="ignore", invalid="ignore"):
        mixed = (first + second) / (first / before + second / after)
    slopes[1:-1] = np.where(before * after > 0.0, mixed, 0.0)
    return slopes

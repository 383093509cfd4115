"""Curves of one parameter: quadratic B-splines, and cubics through keys.

**Uniform quadratic B-splines** (:func:`evaluate` and its neighbours): a spline with ``D`` control points has
``D - 2`` pieces of equal length. A *position* counts pieces from the start: 0 is the first knot, ``D - 2``
the last. At knot ``i`` the value is ``(c[i] + c[i + 1]) / 2`` and the slope is ``c[i + 1] - c[i]``; between
knots the slope is linear. The spline increases strictly if and only if all differences of control points are
positive.

**Cubic Hermite curves** (:class:`HermiteCurve`) differ in the slopes at their knots. A Cardinal spline takes
``(1 - tension) (y[i+1] - y[i-1]) / (t[i+1] - t[i-1])``; tension 0 is the Catmull–Rom spline, tension 1 stops
at every knot. The monotone kind (PCHIP, Fritsch & Butland) takes a weighted harmonic mean of the slopes to
either side, and zero where those differ in sign, so that it rises where the keys rise.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import final

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray, IntArray, check_array
from motionloom.errors import ParameterError

MAX_SLOPE_RATIO = 3.0
"""A cubic piece whose end slopes are within this factor of its mean slope is monotone."""


class AbstractCurve(ABC):
    """A function of one parameter over a closed domain, evaluated by calling it.

    Subclasses are final: they hold their data, are immutable, and implement the three members below.

    >>> import numpy as np
    >>> class Line(AbstractCurve):
    ...     domain = (0.0, 1.0)
    ...     def __call__(self, u):
    ...         return np.asarray(u, float)[..., None] * [1.0, 2.0]
    ...     def derivative(self, u):
    ...         return np.ones_like(np.asarray(u, float))[..., None] * [1.0, 2.0]
    >>> Line()(0.5)
    array([0.5, 1. ])
    """

    @property
    @abstractmethod
    def domain(self) -> tuple[float, float]:
        """The first and the last parameter value."""

    @abstractmethod
    def __call__(self, u: npt.ArrayLike) -> FloatArray:
        """Return values (..., D) at the parameters ``u`` (...)."""

    @abstractmethod
    def derivative(self, u: npt.ArrayLike) -> FloatArray:
        """Return derivatives (..., D) with respect to the parameter at ``u`` (...)."""


def smoothstep(fraction: npt.ArrayLike) -> FloatArray:
    """Ease from 0 to 1, starting and ending at rest: 3 s² − 2 s³, constant outside 0 to 1.

    >>> smoothstep([-1, 0.5, 2]).tolist()
    [0.0, 0.5, 1.0]
    """
    s = np.clip(np.asarray(fraction, dtype=np.float64), 0.0, 1.0)
    return np.asarray(s * s * (3.0 - 2.0 * s))


def fade(values: npt.ArrayLike, full: float, none: float) -> FloatArray:
    """Return 1 for values (...) up to ``full``, 0 from ``none`` on, and ease from one to the other.

    >>> fade([0.0, 2.0, 5.0], 1.0, 3.0).tolist()
    [1.0, 0.5, 0.0]
    """
    return np.asarray(1.0 - smoothstep((np.asarray(values, dtype=np.float64) - full) / (none - full)))


def locate(positions: npt.ArrayLike, n_pieces: int) -> tuple[IntArray, FloatArray]:
    """Find the piece (...) of each position and how far into it, 0 to 1; the last knot ends the last piece.

    >>> locate([0.0, 1.25, 2.0], 2)
    (array([0, 1, 1]), array([0.  , 0.25, 1.  ]))
    """
    given = np.asarray(positions, dtype=np.float64)
    pieces = np.asarray(np.minimum(np.maximum(given, 0.0), n_pieces - 1), dtype=np.int64)
    return pieces, np.asarray(given - pieces)


def basis(positions: npt.ArrayLike, n_pieces: int) -> tuple[IntArray, FloatArray]:
    """Return the first control point (...) that acts at each position, and weights (..., 3) of it and the
    next two.

    >>> basis(0.0, 2)
    (array(0), array([0.5, 0.5, 0. ]))
    """
    pieces, local = locate(positions, n_pieces)
    rest = 1.0 - local
    return pieces, np.stack([rest * rest / 2, 0.5 + local * rest, local * local / 2], axis=-1)


def evaluate(control_points: FloatArray, positions: npt.ArrayLike) -> FloatArray:
    """Return values (..., K) of the spline with control points (D, K).

    >>> evaluate(np.array([[0.0], [2.0], [4.0]]), 0.5)
    array([2.])
    """
    pieces, local = locate(positions, len(control_points) - 2)
    first, second, third = (control_points[pieces + i] for i in range(3))
    t = local[..., None]
    return np.asarray((first + second) / 2 + t * ((second - first) + t / 2 * (third - 2 * second + first)))


def derivative(control_points: FloatArray, positions: npt.ArrayLike) -> FloatArray:
    """Return slopes (..., K) per piece of the spline with control points (D, K).

    >>> derivative(np.array([[0.0], [2.0], [6.0]]), [0.0, 0.5, 1.0])
    array([[2.],
           [3.],
           [4.]])
    """
    pieces, local = locate(positions, len(control_points) - 2)
    first, second, third = (control_points[pieces + i] for i in range(3))
    t = local[..., None]
    return np.asarray((1.0 - t) * (second - first) + t * (third - second))


def inverse(control_points: FloatArray, values: npt.ArrayLike) -> FloatArray:
    """Return positions (...) at which a strictly increasing spline with control points (D,) takes the values
    (...).

    On each piece the spline is a parabola with positive end slopes ``d0`` and ``d1``. The root is taken as
    ``2 q / (d0 + sqrt(d0² + 2 (d1 - d0) q))``, in which nothing cancels however straight the piece is.

    >>> spline = np.array([0.0, 2.0, 6.0, 7.0])
    >>> evaluate(spline[:, None], inverse(spline, [1.0, 2.5, 6.5])).ravel()
    array([1. , 2.5, 6.5])
    """
    given = np.asarray(values, dtype=np.float64)
    knots = (control_points[:-1] + control_points[1:]) / 2
    steps = np.diff(control_points)

    pieces = np.clip(np.searchsorted(knots, given, side="right") - 1, 0, len(knots) - 2)
    advance = given - knots[pieces]
    slope, bend = steps[pieces], steps[pieces + 1] - steps[pieces]
    root = np.sqrt(np.maximum(slope * slope + 2.0 * bend * advance, 0.0))
    return np.asarray(pieces + np.clip(2.0 * advance / (slope + root), 0.0, 1.0))


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
            raise ParameterError(
                "must be one or more numbers in strictly increasing order", parameter="knots"
            )
        put = object.__setattr__
        put(self, "knots", knots)
        put(self, "values", check_array("values", self.values, (len(knots), "D")))
        put(self, "slopes", check_array("slopes", self.slopes, self.values.shape))

    @property
    def domain(self) -> tuple[float, float]:
        """The first and the last knot."""
        return float(self.knots[0]), float(self.knots[-1])

    def __call__(self, u: npt.ArrayLike) -> FloatArray:
        """Return values (..., D) at the parameters ``u`` (...)."""
        at = np.asarray(u, dtype=np.float64)
        if len(self.knots) == 1:
            return np.asarray(np.broadcast_to(self.values[0], (*at.shape, self.values.shape[1])))
        piece, width, x = self._locate(at)
        rest = 1.0 - x
        start = rest * rest * ((1.0 + 2.0 * x) * self.values[piece] + x * width * self.slopes[piece])
        end = x * x * ((1.0 + 2.0 * rest) * self.values[piece + 1] - rest * width * self.slopes[piece + 1])
        return np.asarray(start + end)

    def derivative(self, u: npt.ArrayLike) -> FloatArray:
        """Return derivatives (..., D) at ``u`` (...); zero outside the knots."""
        at = np.asarray(u, dtype=np.float64)
        if len(self.knots) == 1:
            return np.zeros((*at.shape, self.values.shape[1]))
        piece, width, x = self._locate(at)
        rest = 1.0 - x
        mean = (self.values[piece + 1] - self.values[piece]) / width
        found = (
            6.0 * x * rest * mean
            + rest * (1.0 - 3.0 * x) * self.slopes[piece]
            + x * (3.0 * x - 2.0) * self.slopes[piece + 1]
        )
        outside = (at < self.knots[0]) | (at > self.knots[-1])
        return np.where(outside[..., None], 0.0, found)

    def _locate(self, at: FloatArray) -> tuple[IntArray, FloatArray, FloatArray]:
        """Find the piece (...) of each parameter, its width (..., 1) and how far into it (..., 1), 0 to 1."""
        within = np.clip(at, self.knots[0], self.knots[-1])
        piece = np.clip(np.searchsorted(self.knots, within, side="right") - 1, 0, len(self.knots) - 2)
        width = (self.knots[piece + 1] - self.knots[piece])[..., None]
        return piece, width, (within - self.knots[piece])[..., None] / width


def cardinal_slopes(knots: npt.ArrayLike, values: npt.ArrayLike, tension: float = 0.0) -> FloatArray:
    """Return slopes (N, D) of the Cardinal spline through values (N, D) at knots (N,); zero at both ends.

    >>> cardinal_slopes([0, 1, 3], [[0], [1], [3]]).ravel().tolist()
    [0.0, 1.0, 0.0]
    """
    t, y = np.asarray(knots, dtype=np.float64), np.asarray(values, dtype=np.float64)
    slopes = np.zeros_like(y)
    if len(t) > 2:
        slopes[1:-1] = (1.0 - tension) * (y[2:] - y[:-2]) / (t[2:] - t[:-2])[:, None]
    return slopes


def monotone_slopes(knots: npt.ArrayLike, values: npt.ArrayLike) -> FloatArray:
    """Return slopes (N, D) of the monotone curve through values (N, D) at knots (N,); the ends take the mean
    slope of their piece.

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

"""Where the body goes: ground paths as functions of time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np
import numpy.typing as npt

from motionloom.arrays import FloatArray
from motionloom.geometry import AbstractCurve
from motionloom.synthesis.easing import bump, glide

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(40)
"""Gauss nodes for the length of a corner; 40 of them integrate it to rounding."""

_FOREVER = (-np.inf, np.inf)


@final
@dataclass(frozen=True)
class ArcPath(AbstractCurve):
    """A straight line or a circle at constant speed: time in seconds to ``x``, ``z`` and heading.

    It leaves the origin towards +Z at time zero and goes on forever both ways.

    Attributes
    ----------
    speed
        Metres per second.
    curvature
        Heading change per metre, 1/m; positive turns left.

    >>> ArcPath(2.0, np.pi / 4)(1.0).round(4).tolist()
    [1.2732, 1.2732, 1.5708]
    """

    speed: float
    curvature: float = 0.0

    @property
    def domain(self) -> tuple[float, float]:
        """All of time."""
        return _FOREVER

    def __call__(self, u: npt.ArrayLike) -> FloatArray:
        """Positions and headings (..., 3) as ``x``, ``z`` in metres and radians at times ``u`` (...)."""
        length = self.speed * np.asarray(u, dtype=np.float64)
        half = self.curvature * length / 2.0
        chord = length * np.sinc(half / np.pi)
        return np.stack([chord * np.sin(half), chord * np.cos(half), 2.0 * half], axis=-1)

    def derivative(self, u: npt.ArrayLike) -> FloatArray:
        """Velocities and turning rates (..., 3) at times ``u`` (...)."""
        heading = self(u)[..., 2]
        turning = np.full_like(heading, self.speed * self.curvature)
        return np.stack([self.speed * np.sin(heading), self.speed * np.cos(heading), turning], axis=-1)


@final
@dataclass(frozen=True)
class CornerPath(AbstractCurve):
    """A straight line with one sharp, smoothed corner taken more slowly: time to ``x``, ``z`` and heading.

    Attributes
    ----------
    speed
        Metres per second on the straight parts.
    turn
        Heading change of the corner, radians; positive turns left.
    start, span
        When the corner begins and how long it takes, seconds.
    slowing
        Share of the speed lost in the middle of the corner.

    >>> corner = CornerPath(speed=1.0, turn=np.pi / 2, start=1.0, span=1.0, slowing=0.0)
    >>> corner([0.0, 1.0, 3.0])[:, 2].round(4).tolist()
    [0.0, 0.0, 1.5708]
    """

    speed: float
    turn: float
    start: float
    span: float
    slowing: float

    @property
    def domain(self) -> tuple[float, float]:
        """All of time."""
        return _FOREVER

    def __call__(self, u: npt.ArrayLike) -> FloatArray:
        """Positions and headings (..., 3) as ``x``, ``z`` in metres and radians at times ``u`` (...)."""
        time = np.asarray(u, dtype=np.float64)
        before = self.speed * np.minimum(time, self.start)
        after = self.speed * np.maximum(time - self.start - self.span, 0.0)
        inside = np.clip(time - self.start, 0.0, self.span)[..., None]
        nodes = self.start + inside * (1.0 + _NODES) / 2.0
        corner = (self.derivative(nodes)[..., :2] * (_WEIGHTS * inside / 2.0)[..., None]).sum(axis=-2)
        x = corner[..., 0] + after * np.sin(self.turn)
        z = before + corner[..., 1] + after * np.cos(self.turn)
        return np.stack([x, z, self._heading(time)], axis=-1)

    def derivative(self, u: npt.ArrayLike) -> FloatArray:
        """Velocities and turning rates (..., 3) at times ``u`` (...)."""
        time = np.asarray(u, dtype=np.float64)
        share = np.clip((time - self.start) / self.span, 0.0, 1.0)
        speed = self.speed * (1.0 - self.slowing * bump(share))
        heading = self._heading(time)
        # The derivative of glide, 140 x^3 (1 - x)^3, is a bump of height 35/16.
        turning = self.turn / self.span * (35.0 / 16.0) * bump(share)
        return np.stack([speed * np.sin(heading), speed * np.cos(heading), turning], axis=-1)

    def _heading(self, time: FloatArray) -> FloatArray:
        return self.turn * glide((time - self.start) / self.span)

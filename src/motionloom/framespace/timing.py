"""Timing: how long each part of the interpolant takes, and where along it every output frame lies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.geometry import splines

WHOLE = 1e-6
"""Frames by which a duration may miss a whole number and count as one."""


@dataclass(frozen=True, eq=False)
class Clock:
    """The seconds at which a blend passes its cycles: equations 13 and 14.

    A sample of the interpolant is followed by the weighted mean of the clips' own steps, so a cycle takes the
    weighted mean of their periods. Between samples, that rate goes straight from one to the next.

    Attributes
    ----------
    step
        Cycles from one sample to the next.
    rates
        (S + 1,) seconds per cycle at the samples.

    >>> clock = Clock(0.25, np.array([2.0, 2.0, 2.0]))
    >>> clock.seconds, clock.cycles_at(np.array([0.0, 0.5, 1.0])).tolist()
    (1.0, [0.0, 0.25, 0.5])
    """

    step: float
    rates: FloatArray

    @property
    def seconds(self) -> float:
        """How long the whole takes."""
        return float((self.rates[0] + self.rates[-1]) / 2.0 + self.rates[1:-1].sum()) * self.step

    def cycles_at(self, seconds: FloatArray) -> FloatArray:
        """Cycles (T,) passed at these times (T,)."""
        return splines.inverse(_integral(self.rates * self.step), seconds) * self.step

    def other_cycles(self, rates: FloatArray, cycles: FloatArray) -> FloatArray:
        """Cycles (T,) that a part with ``rates`` (S + 1,) of its own passes while this clock passes these."""
        control = _integral(self.rates / rates * self.step)
        return np.asarray(splines.evaluate(control[:, None], cycles / self.step)[:, 0])


def frame_times(seconds: float, frame_time: float, loop: bool) -> FloatArray:
    """Times (T,) of the output frames, as the clips count time.

    A loop takes a whole number of frames, without the one that closes it; for that its frames lie a little
    closer together or farther apart than ``frame_time``.

    >>> frame_times(1.02, 0.1, False).round(3).tolist()[-2:]
    [0.9, 1.0]
    >>> frame_times(1.02, 0.1, True).round(3).tolist()[-2:]
    [0.816, 0.918]
    """
    length = seconds / frame_time
    if loop:
        n_frames = max(1, round(length))
        return np.arange(n_frames, dtype=np.float64) * (seconds / n_frames)
    return np.arange(int(np.floor(length + WHOLE)) + 1, dtype=np.float64) * frame_time


def _integral(slopes: FloatArray) -> FloatArray:
    """Control points (S + 2,) of the quadratic B-spline from 0 with these slopes (S + 1,) at its knots."""
    return np.asarray(np.concatenate([[0.0], np.cumsum(slopes)]) - slopes[0] / 2.0)

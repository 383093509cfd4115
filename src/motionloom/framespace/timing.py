"""Timing: how long each part of the interpolant takes, and where along it every output frame lies."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.geometry import splines

WHOLE_FRAME = 1e-6
"""Frames by which a duration may miss a whole number and count as one."""


@dataclass(frozen=True, eq=False)
class CycleClock:
    """The times at which a blend passes its cycles: equations 13 and 14.

    From one sample of the interpolant to the next, time advances by the weighted mean of the clips' own
    steps, so a cycle takes the weighted mean of their periods. Between samples that rate is linear.

    Attributes
    ----------
    step
        Cycles from one sample to the next.
    rates
        (S + 1,) seconds per cycle at the samples.

    >>> clock = CycleClock(0.25, np.array([2.0, 2.0, 2.0]))
    >>> clock.duration, clock.cycles_at(np.array([0.0, 0.5, 1.0])).tolist()
    (1.0, [0.0, 0.25, 0.5])
    """

    step: float
    rates: FloatArray

    @property
    def duration(self) -> float:
        """Duration of the blend, seconds."""
        return float((self.rates[0] + self.rates[-1]) / 2.0 + self.rates[1:-1].sum()) * self.step

    def cycles_at(self, times: FloatArray) -> FloatArray:
        """Return the cycles (T,) passed at times (T,), seconds."""
        return splines.inverse(_integrate(self.rates * self.step), times) * self.step

    def cycles_at_rates(self, rates: FloatArray, cycles: FloatArray) -> FloatArray:
        """Return the cycles (T,) of a part with its own ``rates`` (S + 1,) after ``cycles`` (T,) of these."""
        control = _integrate(self.rates / rates * self.step)
        return np.asarray(splines.evaluate(control[:, None], cycles / self.step)[:, 0])


def frame_times(duration: float, frame_time: float, loop: bool) -> FloatArray:
    """Return the times (T,) of the output frames, seconds.

    A loop takes a whole number of frames, without the one that closes it; for that its frames lie a little
    closer together or farther apart than ``frame_time``.

    >>> frame_times(1.02, 0.1, False).round(3).tolist()[-2:]
    [0.9, 1.0]
    >>> frame_times(1.02, 0.1, True).round(3).tolist()[-2:]
    [0.816, 0.918]
    """
    length = duration / frame_time
    if loop:
        n_frames = max(1, round(length))
        return np.arange(n_frames, dtype=np.float64) * (duration / n_frames)
    return np.arange(int(np.floor(length + WHOLE_FRAME)) + 1, dtype=np.float64) * frame_time


def _integrate(slopes: FloatArray) -> FloatArray:
    """Return control points (S + 2,) of the quadratic B-spline from 0 with slopes (S + 1,) at its knots."""
    return np.asarray(np.concatenate([[0.0], np.cumsum(slopes)]) - slopes[0] / 2.0)

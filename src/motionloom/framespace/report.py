"""What a framespace has to say about a blend."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.blending import BlendReport

ROUNDING = 1e-9
"""Cycles by which the last frame may miss a whole one that it stands for."""


@dataclass(frozen=True, kw_only=True, eq=False)
class FramespaceReport(BlendReport):
    """The report of a clip that a framespace made.

    Attributes
    ----------
    frame_time
        Seconds per output frame.
    cycles
        (T,) cycles passed at each output frame.
    points
        (T, D) coordinates of the interpolant there: v, and in a box w.
    upper_weights, upper_frames
        (T, K) weights and source frames, within one cycle, of a decoupled upper body; else None.
    """

    frame_time: float
    cycles: FloatArray
    points: FloatArray
    upper_weights: FloatArray | None = None
    upper_frames: FloatArray | None = None

    @property
    def cycle_frames(self) -> FloatArray:
        """The fractional frames at which cycles begin and end.

        >>> cycles, points = np.linspace(0, 2, 5), np.zeros((5, 1))
        >>> FramespaceReport(method="framespace", frame_time=0.5, cycles=cycles, points=points).cycle_frames
        array([0., 2., 4.])
        """
        whole = np.arange(int(np.floor(self.cycles[-1] + ROUNDING)) + 1)
        return np.asarray(np.interp(whole, self.cycles, np.arange(len(self.cycles))))

    @property
    def cycle_seconds(self) -> FloatArray:
        """Seconds that each whole cycle takes, in order."""
        return np.asarray(np.diff(self.cycle_frames) * self.frame_time)

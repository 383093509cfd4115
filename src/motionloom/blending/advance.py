"""Which points of the curve the output frames fall on, for whatever weights and lengths are asked for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from motionloom.arrays import FloatArray
from motionloom.blending.checks import checked_seconds
from motionloom.blending.place import Integrator, RateLaw, advanced
from motionloom.blending.sources import BlendSources
from motionloom.blending.weights import SampledWeights, WeightFunction, normalised
from motionloom.errors import ParameterError
from motionloom.motion.sampling import WHOLE_FRAME
from motionloom.validation import check_number

CLOSING_STEPS = 20
CLOSED = 1e-11
"""Corrections to the step with which a cycle closes, and the relative error at which they end."""

MOST_FRAMES = 1_000_000
"""Output frames of one blend: more than two hours at 120 per second. More is a slip of a number."""


@dataclass(frozen=True, eq=False)
class Timing:
    """Output frames in the order in which they are made, which going backward is from the last to the first.

    Attributes
    ----------
    positions
        (N,) on the timewarp curve, running on from cycle to cycle.
    weights
        (N, K), with sum 1.
    closes
        Whether the last row is the first one a cycle later, and so no frame of its own.
    notes
        What was rounded.
    """

    positions: FloatArray
    weights: FloatArray
    closes: bool = False
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class Clock:
    """Turns weights over time into points of the curve."""

    sources: BlendSources
    function: WeightFunction
    rate: RateLaw
    integrator: Integrator
    backward: bool

    @property
    def frame_time(self) -> float:
        """Seconds per frame of clips and blend alike."""
        return self.sources.curve.clips[0].frame_time

    def timed(self, start: float | None, seconds: float | None) -> Timing:
        """All output frames from a parameter of the curve on, for so many seconds or to the end."""
        whole_curve = start is None and seconds is None and not self.backward
        if self.sources.periodic and self.function.constant and whole_curve:
            return self._one_cycle()
        first = self._first_position(start)
        limit = self._limit(seconds)
        count = min(limit, int(np.ceil(np.ptp(self.sources.curve.spans, axis=0).max())) + 2)
        while True:
            rows = self._rows(count)
            positions = self._advanced(rows, first, -1.0 if self.backward else 1.0)
            if len(positions) < count or count >= limit:
                return Timing(positions, rows[: len(positions)])
            count = min(2 * count, limit)

    def _advanced(self, rows: FloatArray, first: float, step: float) -> FloatArray:
        return advanced(self.sources, rows, first, step, self.rate, self.integrator)

    def _first_position(self, start: float | None) -> float:
        first, last = self.sources.curve.domain
        if start is None:
            return float(self.sources.n_pieces) if self.backward else 0.0
        start = check_number("start", start)
        if not (self.sources.periodic or first <= start <= last):
            raise ParameterError(
                f"start must be a parameter u of the curve, between {first:g} and {last:g}, not {start}"
            )
        return self.sources.position_of(start)

    def _limit(self, seconds: float | None) -> int:
        """The most output frames there may be."""
        if seconds is not None:
            seconds = checked_seconds(seconds)
        elif self.sources.periodic:
            seconds = self.function.seconds
            # Weights whose last key lies before the start do not say how long either.
            if seconds is None or seconds < 0.0:
                raise ParameterError(
                    "cyclic clips go on for ever: say how long the blend is (seconds= or --seconds)"
                )
        if isinstance(self.function, SampledWeights):
            seconds = min(self.function.seconds, np.inf if seconds is None else seconds)
        if seconds is None:
            return MOST_FRAMES
        # A hair of rounding must not lose the last frame.
        frames = seconds / self.frame_time + WHOLE_FRAME + 1.0
        if frames >= MOST_FRAMES + 1:
            raise ParameterError(
                f"{seconds:g} s make {frames:.0f} frames: more than {MOST_FRAMES} are refused"
            )
        return int(frames)

    def _rows(self, count: int) -> FloatArray:
        times: FloatArray = np.arange(count, dtype=np.float64) * self.frame_time
        if self.backward:
            # The last of sampled rows belongs to the start, from which time runs back.
            end = self.function.seconds if isinstance(self.function, SampledWeights) else 0.0
            times = np.asarray(end - times)
        return normalised(self.function(times), self.sources.curve.n_clips, times)

    def _one_cycle(self) -> Timing:
        """Whole frames that close: the step is a little more or less than a source frame."""
        goal = float(self.sources.n_pieces)
        count = 2
        positions = np.zeros(1)
        while positions[-1] < goal:
            count *= 2
            positions = self._advanced(self._rows(count), 0.0, 1.0)
        exact = float(np.interp(goal, positions, np.arange(len(positions))))
        n_frames = max(2, round(exact))
        rows = self._rows(n_frames + 1)
        step = exact / n_frames
        for _ in range(CLOSING_STEPS):
            positions = self._advanced(rows, 0.0, step)
            error = (goal - positions[-1]) / goal
            if abs(error) < CLOSED:
                break
            step *= 1.0 + error
        notes = (
            []
            if abs(exact - n_frames) < WHOLE_FRAME
            else [f"a cycle of {exact:.2f} frames was rounded to {n_frames}, so that it closes"]
        )
        return Timing(positions, rows, closes=True, notes=tuple(notes))

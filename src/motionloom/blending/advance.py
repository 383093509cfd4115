"""Advance along the timewarp curve: the position on the curve of every output frame.

The rate of each step is the weighted mean of the clips' rates, integrated with RK4 in
:mod:`motionloom.kernels.advance`. Weights do not change in flight: what is in the air follows one parabola.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

import numpy as np

from motionloom import kernels
from motionloom.arrays import FloatArray, IntArray, read_only_view
from motionloom.blending.sources import BlendSources
from motionloom.blending.weights import SampledWeights, WeightFunction, normalize_weights
from motionloom.errors import ParameterError
from motionloom.geometry.splines import HermiteCurve
from motionloom.messages import Argument
from motionloom.motion.sampling import WHOLE_FRAME
from motionloom.options.blending import Integrator, RateLaw
from motionloom.validation import check_choice, check_number

RATE_LAWS: dict[str, int] = {"frequency": 0, "duration": 1, "ballistic": 2, "auto": 3}
"""Rate laws by their numbers in the kernel."""

KEEP_GRAVITY = ("auto", "ballistic")
"""Rate laws under which flights of all clips fall as fast as the clips."""

MAX_CLOSING_STEPS = 20
CLOSING_TOLERANCE = 1e-11
"""Corrections to the step length that closes a cycle, and the relative error at which they stop."""

MAX_HOLDING_STEPS, HOLDING_TOLERANCE = 20, 1e-6
"""Corrections to the frames between which weights are held in flight, and the frames at which they stop."""

MAX_FRAMES = 1_000_000
"""Output frames of one blend: more than two hours at 120 frames per second. More is a mistyped number."""

CATCH_UP = 0.25
"""Seconds on the ground over which weights make up for a flight, before take-off and after landing."""


@dataclass(frozen=True, eq=False, repr=False)
class Timing:
    """Positions and weights of the output frames in the order they are made; backward: last frame first.

    Attributes
    ----------
    positions
        (N,) on the timewarp curve; they keep growing from cycle to cycle.
    weights
        (N, K), with sum 1.
    closes
        Whether the last row is the first one a cycle later, and so not a frame of its own.
    notes
        What was rounded.
    """

    positions: FloatArray
    weights: FloatArray
    closes: bool = False
    notes: tuple[str, ...] = ()


def advance(
    sources: BlendSources,
    weights: FloatArray,
    first: float,
    step: float = 1.0,
    rate_law: RateLaw = "frequency",
    integrator: Integrator = "rk4",
) -> FloatArray:
    """Return the positions (M,) of output frames from ``first`` on: one per row of weights (N, K), or fewer.

    There are fewer where the curve ends. ``step`` is source frames per output frame, negative for backward.
    """
    law = RATE_LAWS[check_choice("rate_law", rate_law, RATE_LAWS)]
    euler = check_choice("integrator", integrator, get_args(Integrator)) == "euler"
    positions = np.empty(len(weights))
    count = kernels.advance.advance(
        sources.warp_points,
        sources.periodic,
        sources.flights,
        read_only_view(weights),
        float(first),
        float(step),
        law,
        euler,
        positions,
    )
    return positions[:count]


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class Clock:
    """Times the output frames of a blend, given its weights over time."""

    sources: BlendSources
    function: WeightFunction
    rate_law: RateLaw
    integrator: Integrator
    backward: bool

    @property
    def frame_time(self) -> float:
        """Seconds per frame, the same for the clips and the blend."""
        return self.sources.curve.clips[0].frame_time

    def time_frames(self, start: float | None, duration: float | None) -> Timing:
        """Time all output frames from a curve parameter on, for a number of seconds or to the end.

        Constant weights without start and duration take cyclic clips through exactly one cycle.
        """
        whole_curve = start is None and duration is None and not self.backward
        if self.sources.periodic and self.function.constant and whole_curve:
            return self._time_one_cycle()
        first = self._first_position(start)
        limit = self._frame_limit(duration)
        count = min(limit, int(np.ceil(np.ptp(self.sources.curve.spans, axis=0).max())) + 2)
        while True:
            rows, positions = self._advance_held(count, first, -1.0 if self.backward else 1.0)
            if len(positions) < count or count >= limit:
                return Timing(positions, rows[: len(positions)])
            count = min(2 * count, limit)

    def _advance(self, rows: FloatArray, first: float, step: float) -> FloatArray:
        return advance(self.sources, rows, first, step, self.rate_law, self.integrator)

    def _advance_held(self, count: int, first: float, step: float) -> tuple[FloatArray, FloatArray]:
        """Return weights (count, K) that do not change in flight, and the positions (M,) that follow."""
        rows = self._weight_rows(np.arange(count))
        positions = self._advance(rows, first, step)
        if self.function.constant or not len(self.sources.flights):
            return rows, positions
        period = float(self.sources.n_pieces) if self.sources.periodic else None
        before = np.empty((0, 2))
        # Weights decide when flights begin and end, and flights decide on weights.
        for _ in range(MAX_HOLDING_STEPS):
            flights = find_flight_frames(positions, self.sources.flights, period)
            if len(flights) == len(before) and np.abs(flights - before).max(initial=0.0) < HOLDING_TOLERANCE:
                break
            rows = self._weight_rows(hold_in_flight(count, flights, self.frame_time))
            positions, before = self._advance(rows, first, step), flights
        return rows, positions

    def _first_position(self, start: float | None) -> float:
        first, last = self.sources.curve.domain
        if start is None:
            return float(self.sources.n_pieces) if self.backward else 0.0
        start = check_number("start", start)
        if not (self.sources.periodic or first <= start <= last):
            raise ParameterError(
                f"must be a parameter u of the curve, between {first:g} and {last:g}, not {start}",
                parameter="start",
                value=start,
            )
        return self.sources.position_of(start)

    def _frame_limit(self, duration: float | None) -> int:
        """Return the maximum number of output frames."""
        if duration is not None:
            duration = check_number("duration", duration, min=0)
        elif self.sources.periodic:
            duration = self.function.duration
            # Weights whose last key lies before the start give no duration either.
            if duration is None or duration < 0.0:
                raise ParameterError(
                    "cyclic clips repeat forever",
                    remedy=("give the length of the blend in seconds with ", Argument("duration")),
                )
        if isinstance(self.function, SampledWeights):
            duration = min(self.function.duration, np.inf if duration is None else duration)
        if duration is None:
            return MAX_FRAMES
        # Rounding must not lose the last frame.
        frames = duration / self.frame_time + WHOLE_FRAME + 1.0
        if frames >= MAX_FRAMES + 1:
            raise ParameterError(
                f"{duration:g} s make {frames:.0f} frames: a blend may have {MAX_FRAMES} at most"
            )
        return int(frames)

    def _weight_rows(self, frames: FloatArray | IntArray) -> FloatArray:
        """Return the normalized weights (N, K) of output frames (N,), counted from the first one made."""
        times: FloatArray = np.asarray(frames, dtype=np.float64) * self.frame_time
        if self.backward:
            # The last of the sampled rows belongs to the start, from which time runs back.
            end = self.function.duration if isinstance(self.function, SampledWeights) else 0.0
            times = np.asarray(end - times)
        return normalize_weights(self.function(times), self.sources.curve.n_clips, times)

    def _time_one_cycle(self) -> Timing:
        """Time the whole number of frames that closes one cycle, with steps close to one source frame."""
        goal = float(self.sources.n_pieces)
        count = 2
        positions = np.zeros(1)
        while positions[-1] < goal:
            count *= 2
            positions = self._advance(self._weight_rows(np.arange(count)), 0.0, 1.0)
        exact = float(np.interp(goal, positions, np.arange(len(positions))))
        n_frames = max(2, round(exact))
        rows = self._weight_rows(np.arange(n_frames + 1))
        step = exact / n_frames
        for _ in range(MAX_CLOSING_STEPS):
            positions = self._advance(rows, 0.0, step)
            error = (goal - positions[-1]) / goal
            if abs(error) < CLOSING_TOLERANCE:
                break
            step *= 1.0 + error
        notes: tuple[str, ...] = ()
        if abs(exact - n_frames) >= WHOLE_FRAME:
            notes = (f"a cycle of {exact:.2f} frames was rounded to {n_frames}, so that the loop closes",)
        return Timing(positions, rows, closes=True, notes=notes)


def find_flight_frames(positions: FloatArray, flights: FloatArray, period: float | None) -> FloatArray:
    """Return the fractional output frames (N, 2) at which flights begin and end, in order.

    Parameters
    ----------
    positions
        (T,) positions of the output frames on the timewarp curve, increasing, or decreasing throughout.
    flights
        (F, 4) positions of take-off and landing, and ramps.
    period
        Pieces of one cycle, or None if the curve does not repeat.

    >>> find_flight_frames(np.arange(10.0), np.array([[2.5, 4.0, 1.0, 1.0]]), None).tolist()
    [[2.5, 4.0]]
    """
    if len(positions) < 2:
        return np.empty((0, 2))
    spans = flights[:, :2]
    if period is not None:
        low, high = np.sort(positions[[0, -1]])
        cycles = np.arange(np.floor(low / period) - 1.0, np.ceil(high / period) + 1.0) * period
        spans = (cycles[:, None, None] + spans).reshape(-1, 2)
    if positions[-1] < positions[0]:
        positions, spans = -positions, -spans[:, ::-1]
    # Where the blend stops in the air, its last step says when it would land.
    far = len(positions) - 1 + (spans - positions[-1]) / max(positions[-1] - positions[-2], 1e-9)
    inside = np.interp(spans, positions, np.arange(len(positions)))
    frames = np.where(spans > positions[-1], far, inside)
    reached = (spans[:, 1] > positions[0]) & (spans[:, 0] < positions[-1])
    return np.asarray(frames[reached][np.argsort(frames[reached, 0])])


def hold_in_flight(n_frames: int, flights: FloatArray, frame_time: float) -> FloatArray:
    """Return for each output frame (T,) the frame whose weights it takes.

    In flights (N, 2), the frame in the middle; on the ground, frames that make up for it over
    :data:`CATCH_UP` seconds, or over the whole time between two flights where that is shorter. A blend that
    begins in the air keeps its first weights.

    >>> hold_in_flight(5, np.array([[1.0, 3.0]]), 1.0).round(3).tolist()
    [0.0, 2.0, 2.0, 2.0, 4.0]
    """
    frames = np.arange(n_frames, dtype=np.float64)
    if not len(flights):
        return frames
    catch_up = CATCH_UP / frame_time
    # Frame, the frame whose weights it takes, and how many frames of weights pass per frame.
    knots: list[tuple[float, float, float]] = []
    landing = None
    for start, end in flights.tolist():
        centre = 0.0 if start <= 0.0 else (start + end) / 2.0
        if landing is None and start > 0.0:
            knots += [(0.0, 0.0, 1.0)]
        if start - (0.0 if landing is None else landing + catch_up) > catch_up:
            early, late = (0.0 if landing is None else landing) + catch_up, start - catch_up
            knots += [] if landing is None else [(early, early, 1.0)]
            knots += [(late, late, 1.0)]
        knots += [(start, centre, 0.0), (end, centre, 0.0)]
        landing = end
    knots += [
        (end + catch_up, end + catch_up, 1.0),
        (end + catch_up + n_frames, end + catch_up + n_frames, 1.0),
    ]
    t, y, slopes = np.array(knots).T
    held = HermiteCurve(t, y[:, None], slopes[:, None])(frames)[:, 0]
    for start, end in flights.tolist():
        # Constant to the last bit.
        held[(frames >= start) & (frames <= end)] = 0.0 if start <= 0.0 else (start + end) / 2.0
    return np.asarray(held)

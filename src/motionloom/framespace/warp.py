"""The regularising warp: which moments of all clips meet at a moment of the cycle, for any weights.

The phases of each clip are an increasing function of a common parameter u that passes the matched states
together; one unit of u is one cycle. The cycle time of a blend is the weighted mean of the clips' phases at
u, which is what equations 7 and 8 say about the gaps between states; equations 9 and 10 go back from the
cycle time to u and from there to the phase of every clip.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from motionloom.arrays import BoolArray, FloatArray, IntArray, check_array, freeze
from motionloom.errors import ParameterError
from motionloom.framespace.correspondence import Correspondence
from motionloom.validation import check_choice

WarpKind = Literal["smooth", "linear"]

MAX_STEPS, TOLERANCE = 40, 1e-14
"""Steps of the search for u within a gap, and the error of the cycle time, in cycles, at which it ends."""

MAX_SNAP = 0.5
"""Fraction of the gap to the next state by which the first state may be moved to a whole frame."""


class Moments(NamedTuple):
    """Corresponding moments: u (S,) and the phases (S, K) of the clips there; both keep counting cycles."""

    u: FloatArray
    phases: FloatArray


@dataclass(frozen=True, eq=False, repr=False)
class StateWarp:
    """The correspondence of K cyclic clips in time.

    Attributes
    ----------
    phases
        (N, K) phases of the matched states, increasing down every column within one cycle. The cycle of a
        blend begins at the first.
    kind
        "linear" goes straight from state to state, as in the paper, so that speeds jump at states; "smooth"
        passes them on a monotone cubic.

    >>> warp = StateWarp([[0.0, 0.0], [0.2, 0.4]], "linear")
    >>> warp.times([0.5, 0.5]).round(6).tolist()
    [0.0, 0.3, 1.0]
    >>> warp.moments([0.15], [[0.5, 0.5]]).phases.round(6).tolist()
    [[0.1, 0.2]]
    """

    phases: FloatArray
    kind: WarpKind = "smooth"

    def __post_init__(self) -> None:
        phases = check_array("phases of matched states", self.phases, ("N", "K"))
        object.__setattr__(self, "phases", phases)
        check_choice("warp", self.kind, get_args(WarpKind))
        if not len(phases):
            raise ParameterError("a warp needs at least one matched state")
        if (self._gaps <= 0.0).any():
            n, k = (int(i) for i in np.argwhere(self._gaps <= 0.0)[0])
            raise ParameterError(
                f"the phases of clip {k} do not increase within one cycle: state {n} lies at "
                f"{phases[n, k]:g}, and the one after it does not follow"
            )

    def __repr__(self) -> str:
        return f"StateWarp({self.kind}; {len(self.phases)} states of {self.phases.shape[1]} clips)"

    @property
    def origins(self) -> FloatArray:
        """(K,) phases at which the cycle of a blend begins."""
        return np.asarray(self.phases[0])

    def times(self, weights: npt.ArrayLike) -> FloatArray:
        """Return cycle times (..., N + 1) of the states after the warp, for weights (..., K): equations 7, 8.

        The first is 0 and the last, where the cycle closes, is 1.
        """
        return np.asarray(np.asarray(weights, dtype=np.float64) @ self._since.T)

    def moments(self, times: npt.ArrayLike, weights: npt.ArrayLike) -> Moments:
        """Return u and phases at cycle times (S,) for weights (S, K) with sum 1: equations 9 and 10."""
        given, rows = np.asarray(times, dtype=np.float64), np.asarray(weights, dtype=np.float64)
        cycles = np.floor(given)
        inside = given - cycles
        marks = self.times(rows)
        gap = np.clip(np.sum(inside[:, None] >= marks, axis=1) - 1, 0, len(self.phases) - 1)
        index = np.arange(len(gap))
        start, width = marks[index, gap], marks[index, gap + 1] - marks[index, gap]
        fraction = np.clip((inside - start) / width, 0.0, 1.0)
        if self.kind == "smooth":
            slopes = [np.einsum("sk,sk->s", rows, side[gap]) for side in self._end_slopes]
            fraction = _invert_cubic(inside - start, width, slopes[0], slopes[1], fraction)
        u = self._knots[gap] + fraction * np.diff(self._knots)[gap]
        return Moments(cycles + u, self.origins + cycles[:, None] + self._evaluate(gap, fraction))

    def phases_at(self, u: npt.ArrayLike) -> FloatArray:
        """Return the phases (S, K) of all clips at parameters u (S,)."""
        given = np.asarray(u, dtype=np.float64)
        cycles = np.floor(given)
        gap = np.clip(np.searchsorted(self._knots, given - cycles, side="right") - 1, 0, len(self.phases) - 1)
        fraction = (given - cycles - self._knots[gap]) / np.diff(self._knots)[gap]
        return np.asarray(self.origins + cycles[:, None] + self._evaluate(gap, fraction))

    def parameters(self, clip: int, phases: npt.ArrayLike) -> FloatArray:
        """Return the u (S,) at which one clip has these phases (S,)."""
        since = np.atleast_1d(np.asarray(phases, dtype=np.float64)) - self.origins[clip]
        alone = np.zeros((len(since), self.phases.shape[1]))
        alone[:, clip] = 1.0
        return self.moments(since, alone).u

    @cached_property
    def _since(self) -> FloatArray:
        """(N + 1, K) phases of the states since the first one, and 1."""
        since = self.phases - self.phases[0]
        return np.asarray(freeze(np.concatenate([since, np.ones_like(since[:1])])))

    @property
    def _gaps(self) -> FloatArray:
        return np.diff(self._since, axis=0)

    @cached_property
    def _knots(self) -> FloatArray:
        """(N + 1,) u of the states: their mean phases since the first one."""
        return np.asarray(freeze(self._since.mean(axis=1)))

    @cached_property
    def _end_slopes(self) -> tuple[FloatArray, FloatArray]:
        """Slopes (N, K) of the phases at the start and at the end of each gap, times its width in u.

        Round the cycle, each is the weighted harmonic mean of the slopes of both gaps that meet at the state,
        which keeps the cubic between states increasing (Fritsch & Butland). SciPy's PCHIP has the same slopes
        between its ends, but is not periodic.
        """
        widths = np.diff(self._knots)[:, None]
        slopes, before = self._gaps / widths, np.roll(widths, 1)
        nearer, farther = 2.0 * widths + before, widths + 2.0 * before
        at_state = (nearer + farther) / (nearer / np.roll(slopes, 1, axis=0) + farther / slopes)
        return at_state * widths, np.roll(at_state, -1, axis=0) * widths

    def _evaluate(self, gap: IntArray, fraction: FloatArray) -> FloatArray:
        """Return phases (S, K) since the first state, at fractions (S,) of gaps (S,)."""
        first, width, part = self._since[gap], self._gaps[gap], fraction[:, None]
        if self.kind == "linear":
            return np.asarray(first + part * width)
        return np.asarray(first + _cubic(part, width, *(side[gap] for side in self._end_slopes)))


@dataclass(frozen=True, eq=False)
class PartTiming:
    """How the cyclic clips correspond in time in one part of the body.

    Attributes
    ----------
    warp
        The warp through the matched states.
    lags
        (Kc,) cycles by which each clip's cycle, as the warp counts it, lags behind that of the lower body:
        zero for the lower or the whole body.
    """

    warp: StateWarp
    lags: FloatArray


def time_part(
    correspondence: Correspondence,
    lengths: FloatArray,
    kind: WarpKind,
    lower: StateWarp | None = None,
) -> PartTiming:
    """Return the timing that follows from matched states of cyclic clips with ``lengths`` (Kc,) in frames.

    The cycle of the lower or whole body begins on whole frames of all clips, so that copies need no frames
    between frames. ``lower`` is its warp when this is the upper body: where one clip has all the weight, both
    halves must come from the same frames, so the upper cycle lags by the phase between both first states.

    >>> from motionloom.framespace import MatchedState
    >>> states = Correspondence((MatchedState(("L.et",), (0.26, 0.5)),))
    >>> part = time_part(states, np.array([10.0, 20.0]), "smooth")
    >>> part.warp.origins.tolist(), part.lags.tolist()
    ([0.3, 0.5], [0.0, 0.0])
    """
    phases = correspondence.phases
    if lower is None:
        warp = StateWarp(_snap_start(phases, lengths), kind)
        return PartTiming(warp, np.zeros(len(lengths)))
    warp = StateWarp(phases, kind)
    lags = lower.origins - warp.origins
    # Of all equal lags take those closest to the first clip's, so that arms never have to catch up by more
    # than half a cycle.
    lags = lags - lags[0] // 1.0
    return PartTiming(warp, lags - np.rint(lags - lags[0]))


def cyclic_weights(weights: FloatArray, cyclic: BoolArray) -> FloatArray:
    """Return weights (S, Kc), with sum 1, of the cyclic clips alone; equal where only the acyclic one counts.

    >>> cyclic_weights(np.array([[0.2, 0.2, 0.6]]), np.array([True, True, False])).tolist()
    [[0.5, 0.5]]
    """
    if cyclic.all():
        return weights
    kept = weights[:, cyclic]
    sums = kept.sum(axis=1, keepdims=True)
    equal = np.full_like(kept, 1.0 / kept.shape[1])
    return np.where(sums > 0.0, kept / np.where(sums > 0.0, sums, 1.0), equal)


def _snap_start(phases: FloatArray, lengths: FloatArray) -> FloatArray:
    """Move the first row of phases (N, Kc) to the nearest whole frames, as far as its neighbours allow."""
    closed = np.concatenate([phases[-1:] - 1.0, phases, phases[:1] + 1.0])
    low = phases[0] - MAX_SNAP * (phases[0] - closed[0])
    high = phases[0] + MAX_SNAP * (closed[2] - phases[0])
    snapped = np.array(phases)
    snapped[0] = np.clip(np.rint(phases[0] * lengths) / lengths, low, high)
    return snapped


def _cubic(fraction: FloatArray, height: FloatArray, slope: FloatArray, end_slope: FloatArray) -> FloatArray:
    """Evaluate the cubic from 0 to ``height`` over fractions 0 to 1 with the given slopes at both ends."""
    bend = 3.0 * height - 2.0 * slope - end_slope
    return np.asarray(fraction * (slope + fraction * (bend + fraction * (slope + end_slope - 2.0 * height))))


def _invert_cubic(
    goal: FloatArray, height: FloatArray, slope: FloatArray, end_slope: FloatArray, guess: FloatArray
) -> FloatArray:
    """Find fractions (S,) at which increasing cubics reach their goals by Newton steps and bisection."""
    low, high, fraction = np.zeros_like(goal), np.ones_like(goal), guess
    bend = 3.0 * height - 2.0 * slope - end_slope
    twist = slope + end_slope - 2.0 * height
    for _ in range(MAX_STEPS):
        error = fraction * (slope + fraction * (bend + fraction * twist)) - goal
        if np.abs(error).max(initial=0.0) <= TOLERANCE:
            break
        low, high = np.where(error < 0.0, fraction, low), np.where(error > 0.0, fraction, high)
        rate = slope + fraction * (2.0 * bend + 3.0 * twist * fraction)
        newton = fraction - error / np.where(rate > 0.0, rate, 1.0)
        fraction = np.where((newton >= low) & (newton <= high), newton, (low + high) / 2.0)
    return fraction

"""The parts of a body that keep their own time: the whole of it, or the lower and the upper half."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from motionloom.arrays import BoolArray, FloatArray
from motionloom.framespace.correspondence import (
    Correspondence,
    DroppedLabel,
    MatchedState,
    correspond,
    shared_labels,
)
from motionloom.framespace.states import BodyStates
from motionloom.framespace.warp import StateWarp, WarpKind

ITSELF = Correspondence((MatchedState(("start",), (0.0,)),))
"""A single cyclic clip corresponds with itself, whatever it shows."""

ROOM = 0.5
"""Share of the gap to the neighbouring state by which the first state may be moved to a whole frame."""


@dataclass(frozen=True, eq=False)
class TimedPart:
    """How the cyclic clips correspond in time in one part of the body.

    Attributes
    ----------
    warp
        What follows from the matched states.
    lags
        (Kc,) cycles by which each clip's cycle, as the warp counts it, lags behind that of the lower body:
        zero for the lower or the whole body.
    """

    warp: StateWarp
    lags: FloatArray


def matched_whole(
    states: Sequence[BodyStates], equivalences: Mapping[str, str], least_gap: float
) -> Correspondence:
    """The matched states of the whole body.

    >>> from motionloom.framespace.states import as_body_states
    >>> one, other = as_body_states([(0.0, "L.et")]), as_body_states([(0.3, "L.et")])
    >>> matched_whole([one, other], {}, 0.01).matched
    (MatchedState(labels=('L.et',), phases=(0.0, 0.3)),)
    """
    if len(states) == 1:
        return ITSELF
    return correspond([own.whole for own in states], equivalences=equivalences, least_gap=least_gap)


def matched_halves(
    states: Sequence[BodyStates], equivalences: Mapping[str, str], least_gap: float
) -> tuple[Correspondence, Correspondence]:
    """The matched states of the lower and of the upper body, which follows the lower one if it has none."""
    if len(states) == 1:
        return ITSELF, ITSELF
    lower = correspond([own.lower for own in states], equivalences=equivalences, least_gap=least_gap)
    above = [own.upper for own in states]
    if not shared_labels(above, equivalences):
        lost = DroppedLabel("the upper body's states", "the clips share none, so it follows the lower body")
        return lower, replace(lower, dropped=(lost,))
    return lower, correspond(above, equivalences=equivalences, least_gap=least_gap)


def timed_part(
    correspondence: Correspondence,
    lengths: FloatArray,
    kind: WarpKind,
    lower: StateWarp | None = None,
) -> TimedPart:
    """The part that follows from matched states of cyclic clips with ``lengths`` (Kc,) in frames.

    The cycle of the lower or whole body begins on whole frames of all clips, so that copies need no frames
    between frames. ``lower`` is its warp when this is the upper body: where one clip has all the weight, both
    halves must come from the same frames, so the upper cycle lags by the phase between both first states.

    >>> states = Correspondence((MatchedState(("L.et",), (0.26, 0.5)),))
    >>> part = timed_part(states, np.array([10.0, 20.0]), "smooth")
    >>> part.warp.origins.tolist(), part.lags.tolist()
    ([0.3, 0.5], [0.0, 0.0])
    """
    phases = correspondence.phases
    if lower is None:
        warp = StateWarp(_begun_on_whole_frames(phases, lengths), kind)
        return TimedPart(warp, np.zeros(len(lengths)))
    warp = StateWarp(phases, kind)
    lags = lower.origins - warp.origins
    # Of all equal lags those are taken that lie nearest to the first clip's, so that arms need not catch up
    # by more than half a cycle.
    lags = lags - lags[0] // 1.0
    return TimedPart(warp, lags - np.rint(lags - lags[0]))


def among_cyclic(weights: FloatArray, cyclic: BoolArray) -> FloatArray:
    """Weights (S, Kc), with sum 1, of the cyclic clips alone; all alike where only the acyclic one counts.

    >>> among_cyclic(np.array([[0.2, 0.2, 0.6]]), np.array([True, True, False])).tolist()
    [[0.5, 0.5]]
    """
    if cyclic.all():
        return weights
    kept = weights[:, cyclic]
    sums = kept.sum(axis=1, keepdims=True)
    alike = np.full_like(kept, 1.0 / kept.shape[1])
    return np.where(sums > 0.0, kept / np.where(sums > 0.0, sums, 1.0), alike)


def _begun_on_whole_frames(phases: FloatArray, lengths: FloatArray) -> FloatArray:
    """Phases (N, Kc) with the first row moved to the nearest whole frames, as far as its neighbours allow."""
    closed = np.concatenate([phases[-1:] - 1.0, phases, phases[:1] + 1.0])
    low = phases[0] - ROOM * (phases[0] - closed[0])
    high = phases[0] + ROOM * (closed[2] - phases[0])
    moved = np.array(phases)
    moved[0] = np.clip(np.rint(phases[0] * lengths) / lengths, low, high)
    return moved

"""Which states of several clips belong together: the best match of their labels on the circle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod

import numpy as np

from motionloom.arrays import BoolArray, FloatArray, freeze
from motionloom.errors import ParameterError
from motionloom.framespace.labels import EQUIVALENT, counted_as, weight_of
from motionloom.framespace.states import BodyStates, State

LEAST_GAP = 0.01
"""Cycles that must lie between two states that follow each other, in every clip."""

STEEPEST = 8.0
"""Largest ratio between the gaps that two clips have between the same states. Beyond it, one clip would pass
the gap eight times as fast as another, which is a wrong match more often than a motion."""

SPREAD_COST = 0.1
"""What a cycle of difference between the clips' phases takes off the weight of a match: enough to choose
between matches of equal weight, too little to lose one."""

MORE_LABELS = 0.1
"""What a further label that states share adds to the weight of their match."""

MOST_CHOICES, MOST_STARTS = 512, 16
"""Ways to match one label, beyond which it is left out, and matches that are tried as the first one."""


ROUNDING = 1e-9
"""By how much weights and phases may differ and be equal."""

CROSSES = "its order among the other states is not the same in all clips"
TOO_NEAR = "it lies too near to another state, or passes at too different a speed"


@dataclass(frozen=True)
class MatchedState:
    """One state of each of K clips that belong together: the labels they share, and their phases (K,)."""

    labels: tuple[str, ...]
    phases: tuple[float, ...]


@dataclass(frozen=True)
class DroppedLabel:
    """A label that some clips have and no matched state carries, and why, as a sentence."""

    label: str
    reason: str


@dataclass(frozen=True)
class Correspondence:
    """The matched states of K clips in cyclic order, from the earliest one of the first clip on.

    Attributes
    ----------
    matched
        The N matched states.
    dropped
        What was left out, and why.
    """

    matched: tuple[MatchedState, ...]
    dropped: tuple[DroppedLabel, ...] = ()

    @property
    def phases(self) -> FloatArray:
        """(N, K) phases that increase down every column, over the end of the cycle where need be."""
        rows = np.array([state.phases for state in self.matched])
        return np.asarray(freeze(rows[0] + (rows - rows[0]) % 1.0))

    def without(self, label: str) -> Correspondence:
        """The same without the matched states that carry a label."""
        kept = tuple(state for state in self.matched if label not in state.labels)
        if len(kept) == len(self.matched):
            known = ", ".join(name for state in self.matched for name in state.labels)
            raise ParameterError(f"no matched state carries {label!r}: they are {known}")
        if not kept:
            raise ParameterError(f"{label!r} is the only matched state: nothing would be left")
        return Correspondence(kept, (*self.dropped, DroppedLabel(label, "it was taken out")))

    def __str__(self) -> str:
        lines = [
            f"{', '.join(state.labels)}: {', '.join(f'{phase:.2f}' for phase in state.phases)}"
            for state in self.matched
        ]
        lines += [f"left out {dropped.label}: {dropped.reason}" for dropped in self.dropped]
        return "\n".join(lines)


ITSELF = Correspondence((MatchedState(("start",), (0.0,)),))
"""A single cyclic clip corresponds with itself, whatever it shows."""


@dataclass(frozen=True, eq=False)
class _Candidates:
    """M possible matches: the index of a state in each clip, their phases (M, K), shared labels, weights."""

    labels: list[tuple[str, ...]]
    phases: FloatArray
    weights: FloatArray


def correspond(
    states: Sequence[Sequence[State]],
    *,
    equivalences: Mapping[str, str] = EQUIVALENT,
    least_gap: float = LEAST_GAP,
    steepest: float = STEEPEST,
) -> Correspondence:
    """Match the states of K clips by their labels, in the same cyclic order in every clip.

    Of all sets of matches whose cyclic order is the same in all clips, the one with the largest weight is
    taken (:data:`~motionloom.framespace.labels.WEIGHTS`); labels whose order crosses are reported.

    Parameters
    ----------
    states
        For each clip its states.
    equivalences
        Label -> the label that it counts as; with a side for one side only.
    least_gap
        Cycles that must lie between two states that follow each other.
    steepest
        Largest ratio between the gaps of two clips.

    >>> run = [State(0.0, ("L.et",)), State(0.17, ("L.S msw",)), State(0.22, ("R.HI flex",))]
    >>> walk = [State(0.0, ("L.et",)), State(0.22, ("R.HI flex",)), State(0.24, ("L.S msw",))]
    >>> print(correspond([run, walk]))
    L.et: 0.00, 0.00
    R.HI flex: 0.22, 0.22
    left out L.S msw: its order among the other states is not the same in all clips
    """
    named = _named(states, equivalences)
    found, too_many = _candidates(named)
    if not len(found.weights):
        shown = "; ".join(
            f"clip {k} has {', '.join(name for _, names in own for name in names) or 'none'}"
            for k, own in enumerate(named)
        )
        raise ParameterError(
            f"the clips share no state ({shown}): give states= with common labels, or equivalences="
        )
    chain = _best_chain(found, least_gap, steepest)
    start = min(chain, key=lambda n: float(found.phases[n, 0]))
    order = sorted(chain, key=lambda n: float((found.phases[n, 0] - found.phases[start, 0]) % 1.0))
    matched = tuple(
        MatchedState(found.labels[n], tuple(float(phase) for phase in found.phases[n])) for n in order
    )
    return Correspondence(matched, tuple(_dropped(named, matched, too_many)))


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


def shared_labels(states: Sequence[Sequence[State]], equivalences: Mapping[str, str]) -> set[str]:
    """The labels that every clip has, as what they count as.

    >>> sorted(shared_labels([[State(0.0, ("L.et",))], [State(0.3, ("L.H gnd", "R.mt"))]], EQUIVALENT))
    ['L.et']
    """
    return _shared(_named(states, equivalences))


Named = list[list[tuple[State, tuple[str, ...]]]]
"""For each clip its states, each with the labels that it counts as."""


def _named(states: Sequence[Sequence[State]], equivalences: Mapping[str, str]) -> Named:
    return [
        [
            (state, tuple(dict.fromkeys(counted_as(label, equivalences) for label in state.labels)))
            for state in own
        ]
        for own in states
    ]


def _shared(named: Named) -> set[str]:
    return set.intersection(*({name for _, names in own for name in names} for own in named))


def _candidates(named: Named) -> tuple[_Candidates, set[str]]:
    """All ways to take one state of each clip that share a label, and labels with too many of them."""
    tuples: dict[tuple[int, ...], None] = {}
    too_many = set()
    for name in sorted(_shared(named)):
        places = [[n for n, (_, names) in enumerate(own) if name in names] for own in named]
        if prod(map(len, places)) > MOST_CHOICES:
            too_many.add(name)
            continue
        tuples |= dict.fromkeys(product(*places))
    labels, phases, weights = [], [], []
    for chosen in tuples:
        states = [own[n] for own, n in zip(named, chosen, strict=True)]
        common = [name for name in states[0][1] if all(name in names for _, names in states)]
        labels.append(tuple(common))
        phases.append([state.phase for state, _ in states])
        weights.append(max(map(weight_of, common)) + MORE_LABELS * (len(common) - 1))
    found = _Candidates(labels, np.array(phases).reshape(-1, len(named)), np.array(weights))
    return found, too_many


def _best_chain(found: _Candidates, least_gap: float, steepest: float) -> list[int]:
    """The heaviest set of candidates in one cyclic order; the best of those through each likely start."""
    best, chosen = -np.inf, [0]
    for start in np.argsort(-found.weights, kind="stable")[:MOST_STARTS].tolist():
        total, chain = _chain_from(found, start, least_gap, steepest)
        if total > best + ROUNDING:
            best, chosen = total, chain
    return chosen


def _chain_from(found: _Candidates, start: int, least_gap: float, steepest: float) -> tuple[float, list[int]]:
    """The heaviest chain of candidates, once round the circle from a start, and its weight."""
    since = (found.phases - found.phases[start]) % 1.0
    gains = found.weights - SPREAD_COST * np.ptp(since, axis=1)
    order = [start, *(n for n in np.argsort(since.sum(axis=1), kind="stable") if since[n].min() > 0.0)]
    places = since[order]
    follows = _pass(places[:, None] - places, least_gap, steepest)
    totals, before = np.full(len(order), -np.inf), np.zeros(len(order), dtype=np.int64)
    totals[0] = gains[start]
    for n in range(1, len(order)):
        reached = np.where(follows[n, :n], totals[:n], -np.inf)
        before[n] = reached.argmax()
        totals[n] = reached[before[n]] + gains[order[n]]
    closing = _pass(1.0 - places, least_gap, steepest)
    # A single state closes its own circle.
    closing[0] = True
    chain = [int(np.where(closing, totals, -np.inf).argmax())]
    weight = float(totals[chain[0]])
    while chain[-1] != 0:
        chain.append(int(before[chain[-1]]))
    return weight, [int(order[n]) for n in chain]


def _pass(steps: FloatArray, least_gap: float, steepest: float) -> BoolArray:
    """Which steps (..., K) from one state to the next go forward in all clips, at like speeds."""
    shortest = steps.min(axis=-1)
    # Phases are given with two digits; a gap that is just as long as the least must not fail by rounding.
    return np.asarray((shortest >= least_gap - ROUNDING) & (steps.max(axis=-1) / steepest <= shortest))


def _dropped(named: Named, matched: Sequence[MatchedState], too_many: set[str]) -> Iterator[DroppedLabel]:
    """Labels that no match carries, or fewer than every clip has."""
    every = dict.fromkeys(name for own in named for _, names in own for name in names)
    for name in every:
        places = [[state.phase for state, names in own if name in names] for own in named]
        kept = sum(name in state.labels for state in matched)
        if not all(places):
            lacking = ", ".join(str(k) for k, own in enumerate(places) if not own)
            yield DroppedLabel(name, f"clip {lacking} has no such state")
        elif name in too_many:
            yield DroppedLabel(name, "there are too many ways to match it")
        elif kept < min(map(len, places)):
            yield DroppedLabel(name, CROSSES if kept or _crosses(places, matched) else TOO_NEAR)


def _crosses(places: Sequence[Sequence[float]], matched: Sequence[MatchedState]) -> bool:
    """Whether states at these phases of each clip stand between different matched states, however taken."""
    rows = np.array([state.phases for state in matched])
    per_clip = []
    for k, own in enumerate(places):
        marks = (rows[:, k] - rows[0, k]) % 1.0
        per_clip.append({int(np.sum(marks <= (phase - rows[0, k]) % 1.0)) for phase in own})
    return not set.intersection(*per_clip)

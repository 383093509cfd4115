"""Which states of several clips correspond: the best match of their labels on the circle."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod

import numpy as np

from motionloom.arrays import BoolArray, FloatArray, freeze
from motionloom.errors import ParameterError
from motionloom.framespace.labels import EQUIVALENT, replace_equivalent, weight_of
from motionloom.framespace.states import BodyStates, State
from motionloom.messages import Argument

MIN_GAP = 0.01
"""Cycles that must lie between two successive states, in every clip."""

MAX_GAP_RATIO = 8.0
"""Largest ratio between the gaps that two clips have between the same states. Beyond it, one clip would pass
the gap eight times as fast as another, which is a wrong match more often than a motion."""

SPREAD_COST = 0.1
"""Weight that a match loses per cycle of difference between the clips' phases: enough to choose between
matches of equal weight, too little to lose one."""

EXTRA_LABEL_WEIGHT = 0.1
"""Weight that a match gains for every further label that its states share."""

MAX_CANDIDATES, MAX_STARTS = 512, 16
"""Candidate matches of one label, beyond which it is left out, and candidates that are tried as the first."""

ROUNDING = 1e-9
"""Difference below which weights and phases are equal."""

CROSSING = "its order among the other states is not the same in all clips"
TOO_CLOSE = "it lies too close to another state, or passes at too different a speed"


@dataclass(frozen=True)
class MatchedState:
    """Corresponding states of K clips: the labels they share, and their phases (K,)."""

    labels: tuple[str, ...]
    phases: tuple[float, ...]


@dataclass(frozen=True)
class DroppedLabel:
    """A label that some clips have and no matched state carries, and the reason as a sentence."""

    label: str
    reason: str


@dataclass(frozen=True, repr=False)
class Correspondence:
    """The matched states of K clips in cyclic order, from the earliest one of the first clip on.

    Attributes
    ----------
    matched
        The N matched states.
    dropped
        Labels that were left out, and why.
    """

    matched: tuple[MatchedState, ...]
    dropped: tuple[DroppedLabel, ...] = ()

    @property
    def phases(self) -> FloatArray:
        """(N, K) phases that increase down every column, past the end of the cycle where needed."""
        rows = np.array([state.phases for state in self.matched])
        return np.asarray(freeze(rows[0] + (rows - rows[0]) % 1.0))

    def without(self, label: str) -> Correspondence:
        """Return the correspondence without the matched states that carry a label."""
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

    def __repr__(self) -> str:
        return f"Correspondence({len(self.matched)} matched states, {len(self.dropped)} labels left out)"


ONE_CLIP = Correspondence((MatchedState(("start",), (0.0,)),))
"""The correspondence of a single cyclic clip, which needs no states."""

Named = list[list[tuple[State, tuple[str, ...]]]]
"""For each clip its states, each with its labels after equivalences."""


@dataclass(frozen=True, eq=False)
class _Candidates:
    """M candidate matches: the labels that their states share, phases (M, K) and weights (M,)."""

    labels: list[tuple[str, ...]]
    phases: FloatArray
    weights: FloatArray


def correspond(
    states: Sequence[Sequence[State]],
    *,
    equivalences: Mapping[str, str] = EQUIVALENT,
    min_gap: float = MIN_GAP,
    max_gap_ratio: float = MAX_GAP_RATIO,
) -> Correspondence:
    """Match the states of K clips by their labels, in the same cyclic order in every clip.

    Of all sets of matches whose cyclic order is the same in all clips, the one with the largest weight is
    taken (:data:`~motionloom.framespace.labels.WEIGHTS`); labels whose order crosses are reported.

    Parameters
    ----------
    states
        The states of each clip.
    equivalences
        Label -> the label that it counts as; with a side for one side only.
    min_gap
        Cycles that must lie between two successive states.
    max_gap_ratio
        Largest ratio between the gaps of two clips.

    >>> run = [State(0.0, ("L.et",)), State(0.17, ("L.S msw",)), State(0.22, ("R.HI flex",))]
    >>> walk = [State(0.0, ("L.et",)), State(0.22, ("R.HI flex",)), State(0.24, ("L.S msw",))]
    >>> print(correspond([run, walk]))
    L.et: 0.00, 0.00
    R.HI flex: 0.22, 0.22
    left out L.S msw: its order among the other states is not the same in all clips
    """
    named = _apply_equivalences(states, equivalences)
    found, too_many = _find_candidates(named)
    if not len(found.weights):
        shown = "; ".join(
            f"clip {k} has {', '.join(name for _, names in own for name in names) or 'none'}"
            for k, own in enumerate(named)
        )
        raise ParameterError(
            f"the clips share no state ({shown})",
            remedy=("give ", Argument("states"), " with common labels, or ", Argument("equivalences")),
        )
    chain = _find_best_chain(found, min_gap, max_gap_ratio)
    start = min(chain, key=lambda n: float(found.phases[n, 0]))
    order = sorted(chain, key=lambda n: float((found.phases[n, 0] - found.phases[start, 0]) % 1.0))
    matched = tuple(
        MatchedState(found.labels[n], tuple(float(phase) for phase in found.phases[n])) for n in order
    )
    return Correspondence(matched, tuple(_explain_dropped(named, matched, too_many)))


def correspond_bodies(
    states: Sequence[BodyStates], equivalences: Mapping[str, str], min_gap: float
) -> Correspondence:
    """Match the states of whole bodies.

    >>> from motionloom.framespace.states import as_body_states
    >>> one, other = as_body_states([(0.0, "L.et")]), as_body_states([(0.3, "L.et")])
    >>> correspond_bodies([one, other], {}, 0.01).matched
    (MatchedState(labels=('L.et',), phases=(0.0, 0.3)),)
    """
    if len(states) == 1:
        return ONE_CLIP
    return correspond([own.whole for own in states], equivalences=equivalences, min_gap=min_gap)


def correspond_halves(
    states: Sequence[BodyStates], equivalences: Mapping[str, str], min_gap: float
) -> tuple[Correspondence, Correspondence]:
    """Match the states of the lower and of the upper body, which follows the lower one if it has none."""
    if len(states) == 1:
        return ONE_CLIP, ONE_CLIP
    lower = correspond([own.lower for own in states], equivalences=equivalences, min_gap=min_gap)
    upper = [own.upper for own in states]
    if not shared_labels(upper, equivalences):
        lost = DroppedLabel("the upper body's states", "the clips share none, so it follows the lower body")
        return lower, replace(lower, dropped=(lost,))
    return lower, correspond(upper, equivalences=equivalences, min_gap=min_gap)


def shared_labels(states: Sequence[Sequence[State]], equivalences: Mapping[str, str]) -> set[str]:
    """Return the labels that every clip has, after equivalences.

    >>> sorted(shared_labels([[State(0.0, ("L.et",))], [State(0.3, ("L.H gnd", "R.mt"))]], EQUIVALENT))
    ['L.et']
    """
    return _find_shared(_apply_equivalences(states, equivalences))


def _apply_equivalences(states: Sequence[Sequence[State]], equivalences: Mapping[str, str]) -> Named:
    return [
        [
            (state, tuple(dict.fromkeys(replace_equivalent(label, equivalences) for label in state.labels)))
            for state in own
        ]
        for own in states
    ]


def _find_shared(named: Named) -> set[str]:
    return set.intersection(*({name for _, names in own for name in names} for own in named))


def _find_candidates(named: Named) -> tuple[_Candidates, set[str]]:
    """Find all choices of one state of each clip that share a label, and labels with too many of them."""
    tuples: dict[tuple[int, ...], None] = {}
    too_many = set()
    for name in sorted(_find_shared(named)):
        carriers = [[n for n, (_, names) in enumerate(own) if name in names] for own in named]
        if prod(map(len, carriers)) > MAX_CANDIDATES:
            too_many.add(name)
            continue
        tuples |= dict.fromkeys(product(*carriers))
    labels, phases, weights = [], [], []
    for chosen in tuples:
        states = [own[n] for own, n in zip(named, chosen, strict=True)]
        common = [name for name in states[0][1] if all(name in names for _, names in states)]
        labels.append(tuple(common))
        phases.append([state.phase for state, _ in states])
        weights.append(max(map(weight_of, common)) + EXTRA_LABEL_WEIGHT * (len(common) - 1))
    found = _Candidates(labels, np.array(phases).reshape(-1, len(named)), np.array(weights))
    return found, too_many


def _find_best_chain(found: _Candidates, min_gap: float, max_gap_ratio: float) -> list[int]:
    """Find the heaviest set of candidates in one cyclic order, through any of the likely starts."""
    best, chosen = -np.inf, [0]
    for start in np.argsort(-found.weights, kind="stable")[:MAX_STARTS].tolist():
        total, chain = _find_chain_from(found, start, min_gap, max_gap_ratio)
        if total > best + ROUNDING:
            best, chosen = total, chain
    return chosen


def _find_chain_from(
    found: _Candidates, start: int, min_gap: float, max_gap_ratio: float
) -> tuple[float, list[int]]:
    """Find the heaviest chain of candidates once round the circle from a start; return its weight and it."""
    since = (found.phases - found.phases[start]) % 1.0
    gains = found.weights - SPREAD_COST * np.ptp(since, axis=1)
    order = [start, *(n for n in np.argsort(since.sum(axis=1), kind="stable") if since[n].min() > 0.0)]
    rows = since[order]
    follows = _can_follow(rows[:, None] - rows, min_gap, max_gap_ratio)
    totals, before = np.full(len(order), -np.inf), np.zeros(len(order), dtype=np.int64)
    totals[0] = gains[start]
    for n in range(1, len(order)):
        reached = np.where(follows[n, :n], totals[:n], -np.inf)
        before[n] = reached.argmax()
        totals[n] = reached[before[n]] + gains[order[n]]
    closing = _can_follow(1.0 - rows, min_gap, max_gap_ratio)
    # A single state closes its own circle.
    closing[0] = True
    chain = [int(np.where(closing, totals, -np.inf).argmax())]
    weight = float(totals[chain[0]])
    while chain[-1] != 0:
        chain.append(int(before[chain[-1]]))
    return weight, [int(order[n]) for n in chain]


def _can_follow(steps: FloatArray, min_gap: float, max_gap_ratio: float) -> BoolArray:
    """Return which steps (..., K) from one state to the next go forward in all clips, at similar speeds."""
    narrowest = steps.min(axis=-1)
    # Phases are given with two digits; a gap of exactly the minimum must not fail by rounding.
    return np.asarray((narrowest >= min_gap - ROUNDING) & (steps.max(axis=-1) / max_gap_ratio <= narrowest))


def _explain_dropped(
    named: Named, matched: Sequence[MatchedState], too_many: set[str]
) -> Iterator[DroppedLabel]:
    """Return labels that no match carries, or fewer than every clip has."""
    every = dict.fromkeys(name for own in named for _, names in own for name in names)
    for name in every:
        phases = [[state.phase for state, names in own if name in names] for own in named]
        kept = sum(name in state.labels for state in matched)
        if not all(phases):
            lacking = ", ".join(str(k) for k, own in enumerate(phases) if not own)
            yield DroppedLabel(name, f"clip {lacking} has no such state")
        elif name in too_many:
            yield DroppedLabel(name, "there are too many ways to match it")
        elif kept < min(map(len, phases)):
            yield DroppedLabel(name, CROSSING if kept or _is_crossing(phases, matched) else TOO_CLOSE)


def _is_crossing(phases: Sequence[Sequence[float]], matched: Sequence[MatchedState]) -> bool:
    """Return whether states at these phases lie between different matched states, whichever are taken."""
    rows = np.array([state.phases for state in matched])
    per_clip = []
    for k, own in enumerate(phases):
        marks = (rows[:, k] - rows[0, k]) % 1.0
        per_clip.append({int(np.sum(marks <= (phase - rows[0, k]) % 1.0)) for phase in own})
    return not set.intersection(*per_clip)

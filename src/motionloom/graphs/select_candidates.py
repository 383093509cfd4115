"""`select_candidates`: which candidates become transitions, so that a graph stays small and well connected.

Takes are divided into spots of one second. From each spot a few transitions leave and to each a few lead:
those that gain most, to as many different takes as there are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from motionloom.arrays import FloatArray, IntArray
from motionloom.graphs.find_candidates import Candidates

SPOT = 1.0
"""Seconds of a take that count as one spot."""

MIN_GAIN = 0.1
"""Gain below which a transition leads to the same motion again: near-duplicates, and standing."""

DISTANCE_COST = 0.5
"""Gain that counts as much as a distance at the threshold."""

END_GAIN = 0.5
"""Gain of leaving a take at its very end, or entering it at its very start: what lies beyond is lost."""

MAX_PER_TAKE = 2
"""Transitions from one spot to the same take."""


@dataclass(frozen=True, eq=False)
class Spots:
    """Numbers (C,) of the spots that candidates leave and lead to, and of the takes that they lead to."""

    source: IntArray
    target: IntArray
    take: IntArray
    n_spots: int


def find_spots(candidates: Candidates, lengths: Sequence[int], frame_time: float) -> Spots:
    """Return the spots of candidates between takes with so many frames each; they count on from take to take.

    >>> frames = np.array([0, 45])
    >>> two = Candidates(frames * 0, frames, frames * 0 + 1, frames, frames * 0.0, frames * 0.0)
    >>> spots = find_spots(two, [60, 60], 1 / 30)
    >>> spots.source.tolist(), spots.target.tolist(), spots.n_spots
    ([0, 1], [2, 3], 4)
    """
    counts = np.floor((np.array(lengths) - 1) * frame_time / SPOT).astype(np.int64) + 1
    firsts = np.concatenate([[0], np.cumsum(counts)])
    source, target = (
        firsts[nodes] + np.floor(frames * frame_time / SPOT).astype(np.int64)
        for nodes, frames in (
            (candidates.source, candidates.source_frame),
            (candidates.target, candidates.target_frame),
        )
    )
    return Spots(source, target, candidates.target, int(firsts[-1]))


@dataclass(eq=False)
class Quotas:
    """How many transitions leave each spot and lead to each (S,), and which pairs of spots have one.

    ``per_take`` counts those from a spot to a take.
    """

    leaving: IntArray
    arriving: IntArray
    per_take: Counter[tuple[int, int]] = field(default_factory=Counter)
    cells: set[tuple[int, int]] = field(default_factory=set)

    @classmethod
    def of_spots(cls, n_spots: int) -> Quotas:
        """Return the quotas of so many spots before there are any transitions."""
        return cls(np.zeros(n_spots, np.int64), np.zeros(n_spots, np.int64))

    def add(self, source: int, target: int, take: int) -> None:
        """Count a transition from spot to spot of a take."""
        self.leaving[source] += 1
        self.arriving[target] += 1
        self.per_take[source, take] += 1
        self.cells.add((source, target))

    def copy(self) -> Quotas:
        """Return quotas that count on their own."""
        return Quotas(self.leaving.copy(), self.arriving.copy(), self.per_take.copy(), set(self.cells))


def score_candidates(
    candidates: Candidates, lengths: Sequence[int], frame_time: float, threshold: float
) -> FloatArray:
    """Return what each candidate is worth (C,): its gain less its distance, more at the ends of takes."""
    n_frames = np.array(lengths)
    before_end = (n_frames[candidates.source] - 1 - candidates.source_frame) * frame_time
    after_start = candidates.target_frame * frame_time
    ends = sum(np.clip(1.0 - seconds / SPOT, 0.0, 1.0) for seconds in (before_end, after_start))
    return np.asarray(candidates.gain - DISTANCE_COST * candidates.distance / threshold + END_GAIN * ends)


def select_candidates(spots: Spots, order: IntArray, quotas: Quotas, density: int) -> list[int]:
    """Return the candidates to make, of those in ``order``, best first, that spots still lack.

    ``spots`` are those of all candidates, ``quotas`` what was made before. ``density`` transitions are wanted
    from and to each spot.
    """
    expected = quotas.copy()
    leaving, arriving = expected.leaving, expected.arriving
    lacking = (leaving[spots.source[order]] < density) | (arriving[spots.target[order]] < density)
    own = order[lacking]
    rows = zip(
        own.tolist(),
        spots.source[own].tolist(),
        spots.target[own].tolist(),
        spots.take[own].tolist(),
        strict=True,
    )
    chosen = []
    for n, source, target, take in rows:
        if (
            (leaving[source] < density or arriving[target] < density)
            and (source, target) not in expected.cells
            and expected.per_take[source, take] < MAX_PER_TAKE
        ):
            chosen.append(n)
            expected.add(source, target, take)
    return chosen

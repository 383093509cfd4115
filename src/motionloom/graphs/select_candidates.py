"""`select_candidates`: which candidates become transitions, so that a graph stays small and well connected.

Takes are divided into spots of one second. From each spot a few transitions leave and to each a few lead:
those that gain most, to as many different takes as there are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
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


@dataclass(eq=False)
class Quotas:
    """How many transitions leave each spot and lead to each, and which pairs of spots have one."""

    leaving: Counter[tuple[int, int]] = field(default_factory=Counter)
    arriving: Counter[tuple[int, int]] = field(default_factory=Counter)
    pairs: Counter[tuple[tuple[int, int], int]] = field(default_factory=Counter)
    cells: set[tuple[tuple[int, int], tuple[int, int]]] = field(default_factory=set)

    def add(self, source: tuple[int, int], target: tuple[int, int]) -> None:
        """Count a transition from spot to spot."""
        self.leaving[source] += 1
        self.arriving[target] += 1
        self.pairs[source, target[0]] += 1
        self.cells.add((source, target))

    def copy(self) -> Quotas:
        """Return quotas that count on their own."""
        return Quotas(self.leaving.copy(), self.arriving.copy(), self.pairs.copy(), set(self.cells))


def find_spots(nodes: IntArray, frames: IntArray, frame_time: float) -> list[tuple[int, int]]:
    """Return the node and the number of the spot of each frame."""
    spots = np.floor(frames * frame_time / SPOT).astype(np.int64)
    return list(zip(nodes.tolist(), spots.tolist(), strict=True))


def score_candidates(
    candidates: Candidates, lengths: Sequence[int], frame_time: float, threshold: float
) -> FloatArray:
    """Return what each candidate is worth (C,): its gain less its distance, more at the ends of takes."""
    n_frames = np.array(lengths)
    before_end = (n_frames[candidates.source] - 1 - candidates.source_frame) * frame_time
    after_start = candidates.target_frame * frame_time
    ends = sum(np.clip(1.0 - seconds / SPOT, 0.0, 1.0) for seconds in (before_end, after_start))
    return np.asarray(candidates.gain - DISTANCE_COST * candidates.distance / threshold + END_GAIN * ends)


def select_candidates(
    spots: tuple[list[tuple[int, int]], list[tuple[int, int]]],
    order: Iterable[int],
    quotas: Quotas,
    density: int,
) -> list[int]:
    """Return the candidates to make, of those in ``order``, best first, that spots still lack.

    ``spots`` are those of the candidates' source and target frames, ``quotas`` what was made before.
    ``density`` transitions are wanted from and to each spot.
    """
    expected = quotas.copy()
    chosen = []
    for n in order:
        source, target = spots[0][n], spots[1][n]
        lacks = expected.leaving[source] < density or expected.arriving[target] < density
        if lacks and (source, target) not in expected.cells and expected.pairs[source, target[0]] < 2:
            chosen.append(n)
            expected.add(source, target)
    return chosen

"""`GraphBuilder`: the transitions of a graph in the making, and which candidates were tried."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

import numpy as np

from motionloom.arrays import IntArray
from motionloom.graphs.edge import Edge
from motionloom.graphs.find_candidates import Candidates
from motionloom.graphs.make_edges import MAX_SEAM, Candidate, Rejection
from motionloom.graphs.node import GraphNode
from motionloom.graphs.screen_candidates import Screen
from motionloom.graphs.select_candidates import (
    MIN_GAIN,
    Quotas,
    find_spots,
    score_candidates,
    select_candidates,
)

SCREENINGS = 6
"""How often candidates are chosen in the place of those whose cross-fades are rough."""


class GraphBuilder:
    """Chooses candidates, tries them, and keeps what is good.

    Attributes
    ----------
    nodes, candidates
        The takes, and where transitions may meet.
    threshold
        Largest distance in metres of candidates that are chosen.
    edges, rejections
        Good transitions, and how many candidates were no good, by reason.
    """

    def __init__(
        self,
        nodes: Sequence[GraphNode],
        candidates: Candidates,
        threshold: float,
        screen: Screen,
        make: Callable[[list[Candidate]], dict[Candidate, Edge | Rejection]],
    ) -> None:
        self.nodes, self.candidates, self.threshold = nodes, candidates, threshold
        self.edges: list[Edge] = []
        self.rejections: Counter[str] = Counter()
        self._screen, self._make = screen, make
        self._tried: set[int] = set()
        self._seams: dict[int, float] = {}
        self._quotas = Quotas()
        self._spots = self._find_spots()

    def _find_spots(self) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
        time, every = self.nodes[0].clip.frame_time, self.candidates
        return (
            find_spots(every.source, every.source_frame, time),
            find_spots(every.target, every.target_frame, time),
        )

    def add_candidates(self, more: Candidates) -> None:
        """Consider more candidates than before."""
        self.candidates = self.candidates.append(more)
        self._spots = self._find_spots()

    def list_untried(self, min_gain: float = MIN_GAIN) -> IntArray:
        """Return the candidates below the threshold that gain something and were not tried yet."""
        fits = (self.candidates.distance <= self.threshold) & (self.candidates.gain >= min_gain)
        fits[list(self._tried)] = False
        return np.flatnonzero(fits)

    def choose(self, density: int) -> list[int]:
        """Return candidates with smooth cross-fades that the takes still lack, the best first."""
        expected = self._quotas.copy()
        chosen: list[int] = []
        for _ in range(SCREENINGS):
            order = self._rank(set(chosen))
            wanted = select_candidates(self._spots, order, expected, density)
            if not wanted:
                break
            for n in self._screen_out(wanted):
                expected.add(self._spots[0][n], self._spots[1][n])
                chosen.append(n)
        return chosen

    def _rank(self, without: set[int]) -> list[int]:
        """Return the candidates that were not tried yet, the best first."""
        own = np.array([n for n in self.list_untried().tolist() if n not in without], dtype=np.int64)
        every = self.candidates.take(own)
        lengths = [node.n_frames for node in self.nodes]
        scores = score_candidates(every, lengths, self.nodes[0].clip.frame_time, self.threshold)
        return [int(n) for n in own[np.argsort(-scores, kind="stable")]]

    def _screen_out(self, which: Sequence[int]) -> list[int]:
        """Return the candidates whose cross-fades are smooth; reject the others."""
        self._measure(which)
        good = [n for n in which if self._seams[n] <= MAX_SEAM]
        bad = [n for n in which if self._seams[n] > MAX_SEAM]
        self._tried |= set(bad)
        for n in bad:
            reason = Rejection.ROUGH if np.isfinite(self._seams[n]) else Rejection.PLANTS
            self.rejections[reason.value] += 1
        return good

    def _measure(self, which: Sequence[int]) -> None:
        new = [n for n in which if n not in self._seams]
        if new:
            seams = self._screen.measure(self.candidates.take(np.array(new, dtype=np.int64)))
            self._seams |= dict(zip(new, seams.tolist(), strict=True))

    def sort_by_seam(self, which: Sequence[int]) -> list[int]:
        """Return candidates in the order of how smooth their cross-fades are."""
        self._measure(which)
        return sorted(which, key=lambda n: (self._seams[n], n))

    def attempt(self, chosen: Iterable[int], *, register: bool = False) -> int:
        """Make the transitions of candidates; return how many are good.

        Those whose cross-fades are rough are registered if ``register`` is set, and rejected otherwise.
        """
        new = [n for n in chosen if n not in self._tried]
        self._measure(new)
        rough = {n for n in new if MAX_SEAM < self._seams[n] < np.inf} if register else set[int]()
        new = [n for n in new if n in rough or n in self._screen_out([n])]
        every = self.candidates
        items = [
            Candidate(
                int(every.source[n]),
                int(every.source_frame[n]),
                int(every.target[n]),
                int(every.target_frame[n]),
                float(every.distance[n]),
                "registration" if n in rough else "linear",
            )
            for n in new
        ]
        outcomes = self._make(items)
        self._tried |= set(new)
        good = 0
        for n, item in zip(new, items, strict=True):
            outcome = outcomes[item]
            if isinstance(outcome, Edge):
                good += 1
                self.edges.append(outcome)
                self._quotas.add(self._spots[0][n], self._spots[1][n])
            else:
                self.rejections[outcome.value] += 1
        return good

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
from motionloom.graphs.screen_candidates import CrossFadeScreen
from motionloom.graphs.select_candidates import (
    MIN_GAIN,
    Quotas,
    Spots,
    find_spots,
    score_candidates,
    select_candidates,
)
from motionloom.options.transitions import TransitionMethod

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
        screen: CrossFadeScreen,
        make: Callable[[list[Candidate]], dict[Candidate, Edge | Rejection]],
    ) -> None:
        self.nodes, self.candidates, self.threshold = nodes, candidates, threshold
        self.edges: list[Edge] = []
        self.rejections: Counter[str] = Counter()
        self._screen, self._make = screen, make
        self._tried: set[int] = set()
        self._seams: dict[int, float] = {}
        self._lengths = [node.n_frames for node in nodes]
        self._spots = self._find_spots()
        self._quotas = Quotas.of_spots(self._spots.n_spots)

    def _find_spots(self) -> Spots:
        return find_spots(self.candidates, self._lengths, self.nodes[0].clip.frame_time)

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
        ranked = self._rank()
        chosen: list[int] = []
        for _ in range(SCREENINGS):
            wanted = select_candidates(self._spots, ranked, expected, density)
            if not wanted:
                break
            ranked = ranked[~np.isin(ranked, wanted)]
            good = self._screen_out(wanted)
            self._count(good, expected)
            chosen += good
        return chosen

    def _count(self, which: Sequence[int], quotas: Quotas) -> None:
        """Count the transitions of candidates among quotas."""
        for n in which:
            quotas.add(int(self._spots.source[n]), int(self._spots.target[n]), int(self._spots.take[n]))

    def _rank(self) -> IntArray:
        """Return the candidates that were not tried yet, the best first."""
        own = self.list_untried()
        time = self.nodes[0].clip.frame_time
        scores = score_candidates(self.candidates.take(own), self._lengths, time, self.threshold)
        return own[np.argsort(-scores, kind="stable")]

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

        If ``register`` is set, those whose cross-fades are no good are made by registration.
        """
        new = [n for n in chosen if n not in self._tried]
        self._measure(new)
        rough = [n for n in new if MAX_SEAM < self._seams[n] < np.inf] if register else []
        smooth = self._screen_out([n for n in new if n not in set(rough)])
        outcomes = self._make_all(smooth, "linear")
        if register:
            failed = [n for n, outcome in outcomes.items() if isinstance(outcome, Rejection)]
            outcomes |= self._make_all([*rough, *failed], "registration")
        self._tried |= set(outcomes)
        good = {n: outcome for n, outcome in outcomes.items() if isinstance(outcome, Edge)}
        self.edges += good.values()
        self._count(list(good), self._quotas)
        self.rejections.update(own.value for own in outcomes.values() if isinstance(own, Rejection))
        return len(good)

    def _make_all(self, which: Sequence[int], method: TransitionMethod) -> dict[int, Edge | Rejection]:
        """Make the transitions of candidates by one method."""
        every = self.candidates
        items = [
            Candidate(
                int(every.source[n]),
                int(every.source_frame[n]),
                int(every.target[n]),
                int(every.target_frame[n]),
                float(every.distance[n]),
                method,
            )
            for n in which
        ]
        outcomes = self._make(items)
        return {n: outcomes[item] for n, item in zip(which, items, strict=True)}

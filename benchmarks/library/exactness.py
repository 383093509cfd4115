"""The top 100 of a search against the top 100 of its distance computed everywhere, and 10 Hz against 30 Hz.

Queries are random segments of 0.8 to 2.5 s, every second one mirrored too. Hits differ where distances are
more than 1e-6 m apart.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import motionloom as ml
from benchmarks.library.brute_force import search_everywhere
from benchmarks.library.corpus_library import open_library
from motionloom.library.body_points import sample_points
from motionloom.library.exact_search import Match, find_matches, make_query, mirror_query
from motionloom.library.signatures import SampleRate

SEED = 7
K = 100
TIE = 1e-6


def run(path: Path | None, n_queries: int) -> None:
    library = open_library(path)
    rng = np.random.default_rng(SEED)
    index = library._read().index
    everything = np.arange(len(index.rows))
    differing, missing, shared = 0, 0, []
    for n in range(n_queries):
        segment = random_segment(library, rng)
        points = sample_points(segment.clip()).astype(np.float32)
        query = make_query(points, 10, index.references)
        forms = [(False, query), (True, mirror_query(points, query))][: 1 + n % 2]
        fast = find_matches(index, forms, K, everything)
        slow = search_everywhere(index, forms, K)
        apart = np.abs(np.array([m.distance for m in fast]) - [m.distance for m in slow])
        differing += int((apart > TIE).sum())
        limit = slow[-1].distance - TIE
        same = {_place(match) for match in fast}
        missing += sum(_place(match) not in same for match in slow if match.distance < limit)
        if n % 4 == 0:
            dense = make_query(points, 30, index.references)
            shared.append(share(fast, 10, find_matches(index, [(False, dense)], K, everything), 30))
    print(f"{n_queries} queries, top {K} of {len(index.rows)} takes at 10 Hz:")
    print(f"distances that differ by more than {TIE:g} m: {differing}; segments that are missing: {missing}")
    low, high = np.percentile(shared, [5, 95])
    print(
        f"fraction of the 30 Hz top {K} that the 10 Hz top {K} overlaps by half: mean {np.mean(shared):.3f}, "
        f"5th to 95th percentile {low:.2f} to {high:.2f} ({len(shared)} queries)"
    )


def _place(match: Match) -> tuple[int, bool, int, int]:
    return match.take, match.mirrored, int(match.path[0]), int(match.path[-1])


def random_segment(library: ml.Library, rng: np.random.Generator) -> ml.Segment:
    """Return part of a random take, 0.8 to 2.5 s long."""
    while True:
        take = library.takes[rng.integers(len(library.takes))]
        frames = round(float(rng.uniform(0.8, 2.5)) * take.fps)
        if take.not_searchable is None and take.n_frames > frames:
            start = int(rng.integers(take.n_frames - frames))
            return take.segment(start, start + frames)


def share(few: list[Match], rate: SampleRate, many: list[Match], other_rate: SampleRate) -> float:
    """Return the fraction of the second that half overlaps one of the first."""
    spans = [(m.take, m.path[0] / rate, m.path[-1] / rate) for m in few]
    count = 0
    for match in many:
        first, last = match.path[0] / other_rate, match.path[-1] / other_rate
        count += any(
            take == match.take and min(b, last) - max(a, first) >= 0.5 * (last - first)
            for take, a, b in spans
        )
    return count / len(many)

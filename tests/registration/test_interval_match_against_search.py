"""Interval matching against exhaustive searches on thousands of random inputs."""

from __future__ import annotations

import random
from functools import cache
from itertools import combinations, product

import numpy as np
import pytest

from motionloom.registration import interval_match
from motionloom.registration.constraint_match import match_intervals
from motionloom.registration.interval_match import Piece

Interval = tuple[float, float]
Clips = tuple[tuple[Interval, ...], ...]

MATCHES_LOST_PER_TRIAL = {2: 0.0, 3: 0.0, 4: 0.004}
"""What discarding may cost against the best choice; from four clips on, the gap rule is a heuristic."""

TRIALS = {2: 2000, 3: 1500, 4: 1000}


def random_clips(rng: random.Random, n_clips: int) -> Clips:
    """One to four intervals per clip with ends spread evenly over 0 to 10."""

    def clip() -> tuple[Interval, ...]:
        ends = sorted(rng.uniform(0, 10) for _ in range(2 * rng.randint(1, 4)))
        return tuple(zip(ends[::2], ends[1::2], strict=True))

    return tuple(clip() for _ in range(n_clips))


def is_connected(intervals: tuple[Interval, ...]) -> bool:
    """Grow from the first interval by whatever overlaps, until nothing more joins."""
    reached = {0}
    for _ in intervals:
        reached |= {
            j
            for j, b in enumerate(intervals)
            if any(min(intervals[i][1], b[1]) > max(intervals[i][0], b[0]) for i in reached)
        }
    return len(reached) == len(intervals)


def most_matches_without_splits(clips: Clips) -> int:
    """The longest sequence of connected sets that moves on in every clip, among all sets there are."""
    sets = [
        indices
        for indices in product(*(range(len(clip)) for clip in clips))
        if is_connected(tuple(clip[i] for clip, i in zip(clips, indices, strict=True)))
    ]
    longest: dict[tuple[int, ...], int] = {}
    for indices in sets:  # product yields in lexicographic order, so all earlier ones are done
        before = [
            n for other, n in longest.items() if all(a < b for a, b in zip(other, indices, strict=True))
        ]
        longest[indices] = 1 + max(before, default=0)
    return max(longest.values(), default=0)


def overlap(a: Interval, b: Interval) -> float:
    return max(0.0, min(a[1], b[1]) - max(a[0], b[0]))


def thesis_subsumes(clips: Clips, i: int, j: int) -> bool:
    a, b = clips[i], clips[j]
    if len(b) == 1 or not (overlap(a[0], b[0]) and overlap(a[0], b[1])):
        return False
    return len(a) == 1 or not overlap(a[1], b[1])


def thesis_gap(clips: Clips, i: int, voters: tuple[int, ...]) -> Interval:
    """The mean over the voters of their gap, carried with their pair onto the interval of clip i."""
    start, end = clips[i][0]
    votes = []
    for j in voters:
        first, second, *more = clips[j]
        p = second[1] if more and more[0][0] < end else end
        votes.append(np.interp([first[1], second[0]], [first[0], second[1]], [start, p]))
    mean = np.mean(votes, axis=0)
    return float(mean[0]), float(mean[1])


def common_gap(clips: Clips, voters: tuple[int, ...]) -> Interval:
    gap = max(clips[j][0][1] for j in voters), min(clips[j][1][0] for j in voters)
    if gap[0] <= gap[1]:
        return gap
    begun, over = max(clips[j][0][0] for j in voters), min(clips[j][1][1] for j in voters)
    instant = (max(begun, gap[1]) + min(over, gap[0])) / 2
    return instant, instant


def exhaustive_split(clips: Clips) -> dict[int, Interval]:
    """The gap for each clip to split, from all partitions into clips that subsume and clips subsumed."""
    everyone = range(len(clips))
    options: list[tuple[float, int, dict[int, Interval]]] = []
    for size in range(1, len(clips)):
        for split in combinations(everyone, size):
            voters = tuple(j for j in everyone if j not in split)
            if not all(thesis_subsumes(clips, i, j) for i in split for j in voters):
                continue
            spans = [(c[0][0], c[0][1] if i in split else c[1][1]) for i, c in enumerate(clips)]
            score = sum(overlap(a, b) for a, b in combinations(spans, 2))
            mapped = {i: thesis_gap(clips, i, voters) for i in split}
            for gaps in (mapped, dict.fromkeys(split, common_gap(clips, voters))):
                if both_connected(clips, gaps):
                    options.append((-score, size, gaps))
                    break
    return min(options, key=lambda option: option[:2])[2] if options else {}


def both_connected(clips: Clips, gaps: dict[int, Interval]) -> bool:
    before = tuple((c[0][0], gaps[i][0]) if i in gaps else c[0] for i, c in enumerate(clips))
    after = tuple((gaps[i][1], c[0][1]) if i in gaps else c[1] for i, c in enumerate(clips))
    return is_connected(before) and is_connected(after)


def in_a_connected_set(clips: Clips, k: int) -> bool:
    return any(is_connected(chosen) for chosen in product(*clips[:k], clips[k][:1], *clips[k + 1 :]))


def best_by_thesis(clips: Clips) -> tuple[tuple[Interval, ...], ...]:
    """Connected first intervals always match, split by the thesis; one in no connected set is discarded.

    Where the first intervals are not connected and each belongs to a connected set, every discard is tried.
    """

    @cache
    def best(left: Clips) -> tuple[tuple[Interval, ...], ...]:
        if not all(left):
            return ()
        if not is_connected(tuple(c[0] for c in left)):
            useless = [k for k in range(len(left)) if not in_a_connected_set(left, k)]
            options = (
                best((*left[:k], left[k][1:], *left[k + 1 :])) for k in (useless[:1] or range(len(left)))
            )
            return max(options, key=len)
        gaps = exhaustive_split(left)
        match = tuple((c[0][0], gaps[i][0]) if i in gaps else c[0] for i, c in enumerate(left))
        rest = tuple(
            ((gaps[i][1], c[0][1]), *c[1:]) if i in gaps else tuple(c[1:]) for i, c in enumerate(left)
        )
        return (match, *best(rest))

    return best(clips)


@pytest.mark.slow
@pytest.mark.parametrize("n_clips", [2, 3, 4])
def test_without_splits_hardly_a_match_is_lost(n_clips: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interval_match, "find_splits", lambda queues: {})
    rng = random.Random(n_clips)
    lost = 0
    for _ in range(TRIALS[n_clips]):
        clips = random_clips(rng, n_clips)
        found = len(match_intervals(clips).spans)
        best = most_matches_without_splits(clips)
        assert found <= best
        lost += best - found
    assert lost <= MATCHES_LOST_PER_TRIAL[n_clips] * TRIALS[n_clips]


@pytest.mark.slow
@pytest.mark.parametrize("n_clips", [2, 3, 4])
def test_with_splits_hardly_a_match_is_lost(n_clips: int) -> None:
    rng = random.Random(10 + n_clips)
    lost = 0
    for _ in range(TRIALS[n_clips] // 2):
        clips = random_clips(rng, n_clips)
        lost += len(best_by_thesis(clips)) - len(match_intervals(clips).spans)
    assert 0 <= lost <= MATCHES_LOST_PER_TRIAL[n_clips] * TRIALS[n_clips] / 2


@pytest.mark.slow
def test_two_clips_give_the_same_spans_as_the_exhaustive_search() -> None:
    rng = random.Random(20)
    for _ in range(1000):
        clips = random_clips(rng, 2)
        wanted = np.array(best_by_thesis(clips)).reshape(-1, 2, 2)
        np.testing.assert_allclose(match_intervals(clips).spans, wanted, atol=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("n_clips", [2, 3, 4])
def test_splits_are_those_of_all_partitions(n_clips: int) -> None:
    rng = random.Random(30 + n_clips)
    n_split = 0
    for _ in range(3000):
        clips = random_clips(rng, n_clips)
        if not is_connected(tuple(clip[0] for clip in clips)):
            continue
        wanted = exhaustive_split(clips)
        found = interval_match.find_splits([[Piece(*ends, n) for n, ends in enumerate(c)] for c in clips])
        gaps = {clip: (before.end, after.start) for clip, (before, after) in found.items()}
        assert gaps.keys() == wanted.keys()
        for clip, gap in gaps.items():
            assert gap == pytest.approx(wanted[clip], abs=1e-12)
        n_split += bool(wanted)
    assert n_split > 100


@pytest.mark.slow
@pytest.mark.parametrize("n_clips", [2, 3])
def test_splitting_costs_no_match(n_clips: int) -> None:
    rng = random.Random(40 + n_clips)
    for _ in range(500):
        clips = random_clips(rng, n_clips)
        assert len(match_intervals(clips).spans) >= most_matches_without_splits(clips)
